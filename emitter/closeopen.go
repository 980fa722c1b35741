package emitter

import (
	"slices"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// CloseOpen closes what is open, the last opened first and subagents last: messages, calls, reasoning
// and steps get their END, subagents SUBAGENT_FINISHED. No other event comes between. On the view of a
// subagent, too, it closes all that is open in the run. It stops at the first error and returns it. In
// builds with the tag aguinoverify nothing is tracked, and it does nothing.
func (em *Emitter) CloseOpen() error {
	if em.refused != nil {
		return em.refused
	}
	em.mu.Lock()
	return em.leave(em.closeOpen(), mayPanic)
}

func (r *run) closeOpen() error {
	for _, o := range closingOrder(r.gate.openEntities()) {
		if _, err := r.putEncoded(closer(o)); err != nil {
			return err
		}
	}
	return nil
}

// closingOrder returns what is open, given in the order of opening, in the order of closing.
func closingOrder(open []verify.Open) []verify.Open {
	slices.Reverse(open)
	slices.SortStableFunc(open, func(a, b verify.Open) int {
		return lastRank(a) - lastRank(b)
	})
	return open
}

// lastRank puts subagents behind all else, whose tags they announce.
func lastRank(o verify.Open) int {
	if o.Kind == verify.KindSubagent {
		return 1
	}
	return 0
}

// closer returns the event that closes o.
func closer(o verify.Open) events.Event {
	switch o.Kind {
	case verify.KindToolCall:
		return &events.ToolCallEnd{ToolCallID: o.ID, SubagentRunID: o.Owner}
	case verify.KindReasoningSpan:
		return &events.ReasoningEnd{MessageID: o.ID, SubagentRunID: o.Owner}
	case verify.KindReasoningMessage:
		return &events.ReasoningMessageEnd{MessageID: o.ID, SubagentRunID: o.Owner}
	case verify.KindStep:
		return &events.StepFinished{StepName: o.ID, SubagentRunID: o.Owner}
	case verify.KindSubagent:
		return &events.SubagentFinished{SubagentRunID: o.ID}
	default:
		return &events.TextMessageEnd{MessageID: o.ID, SubagentRunID: o.Owner}
	}
}

// Incomplete returns what is open and cannot be closed truthfully: tool calls whose arguments are not
// complete JSON, and active subagents. A run that ends with one of these has failed, whatever the
// agent returned.
func (em *Emitter) Incomplete() []verify.Open {
	em.mu.Lock()
	defer em.mu.Unlock()
	return slices.DeleteFunc(em.gate.openEntities(), func(o verify.Open) bool {
		switch o.Kind {
		case verify.KindSubagent:
			return false
		case verify.KindToolCall:
			return em.argsComplete(em.gate.entity(o.Kind, o.ID, o.Owner))
		}
		return true
	})
}
