package stream

import (
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// maxOpen is how many of the things that were open a [Finding] lists.
const maxOpen = 10

// openings keeps what a [verify.Verifier] has open so that the first few can be listed often: a listing costs
// what has changed since the one before, not what is open.
type openings struct {
	count int
	list  []opening // in order of opening: all of the latest full listing, without some that have closed since
}

// opening is a thing that was open, and may be no more.
type opening struct {
	entity *verify.Entity
	shown  verify.Open
}

// observe has machine observe ev and keeps count.
func (o *openings) observe(machine *verify.Verifier, ev events.Event) error {
	kind, id := subject(ev)
	if kind == 0 {
		return machine.Observe(ev)
	}
	tag := events.SubagentRunID(ev)
	before := machine.Entity(kind, id, tag) != nil
	err := machine.Observe(ev)
	switch after := machine.Entity(kind, id, tag) != nil; {
	case after && !before:
		o.count++
	case before && !after:
		o.count--
	}
	return err
}

// first returns the first few things that are open, in order of opening.
func (o *openings) first(machine *verify.Verifier) []verify.Open {
	shown := o.shown()
	if len(shown) < min(o.count, maxOpen) {
		o.list = o.list[:0]
		for _, open := range machine.Open() {
			o.list = append(o.list, opening{machine.Entity(open.Kind, open.ID, open.Owner), open})
		}
		shown = o.shown()
	}
	return shown
}

// shown returns the first few things of the list that are still open, and drops those before them that are not.
func (o *openings) shown() []verify.Open {
	var shown []verify.Open
	var kept []opening
	n := 0
	for ; n < len(o.list) && len(kept) < maxOpen; n++ {
		if e := o.list[n]; e.entity.IsOpen() {
			kept, shown = append(kept, e), append(shown, e.shown)
		}
	}
	n -= len(kept)
	clear(o.list[:n])
	o.list = o.list[n:]
	copy(o.list, kept)
	return shown
}

// subject returns what an event, in pointer form, opens or closes, and no kind if it does neither.
func subject(ev events.Event) (verify.Kind, string) {
	switch ev := ev.(type) {
	case *events.TextMessageStart:
		return verify.KindTextMessage, ev.MessageID
	case *events.TextMessageEnd:
		return verify.KindTextMessage, ev.MessageID
	case *events.ToolCallStart:
		return verify.KindToolCall, ev.ToolCallID
	case *events.ToolCallEnd:
		return verify.KindToolCall, ev.ToolCallID
	case *events.ReasoningStart:
		return verify.KindReasoningSpan, ev.MessageID
	case *events.ReasoningEnd:
		return verify.KindReasoningSpan, ev.MessageID
	case *events.ReasoningMessageStart:
		return verify.KindReasoningMessage, ev.MessageID
	case *events.ReasoningMessageEnd:
		return verify.KindReasoningMessage, ev.MessageID
	case *events.StepStarted:
		return verify.KindStep, ev.StepName
	case *events.StepFinished:
		return verify.KindStep, ev.StepName
	case *events.SubagentStarted:
		return verify.KindSubagent, ev.SubagentRunID
	case *events.SubagentFinished:
		return verify.KindSubagent, ev.SubagentRunID
	case *events.SubagentError:
		return verify.KindSubagent, ev.SubagentRunID
	}
	return 0, ""
}
