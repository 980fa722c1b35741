//go:build conformance

package conformance

import (
	"fmt"
	"slices"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// exception is a case in which the verifier and the official client differ on purpose.
type exception struct {
	name string
	set  []verify.Set
	rule verify.Rule // what the verifier says; 0 if it accepts what the client refuses
	when func(s *walked, v verdict) bool
	why  string
}

var (
	both   = []verify.Set{verify.Core, verify.Strict}
	core   = []verify.Set{verify.Core}
	strict = []verify.Set{verify.Strict}
)

// exceptions are all the differences there are. Core is held against the official verifier alone, Strict
// against the whole client.
var exceptions = []exception{
	{
		"RUN_STARTED after a terminal event", both, verify.RunEnded, lastIs(events.TypeRunStarted),
		"the client reads it as another run of the stream; one response is one run here",
	},
	{
		"RUN_ERROR after RUN_FINISHED", both, verify.RunEnded, lastIs(events.TypeRunError),
		"the client takes a late error; a run ends once here",
	},
	{
		"RUN_ERROR as the first event", both, verify.RunNotStarted, lastIs(events.TypeRunError),
		"the client takes it; start the run, then fail it",
	},
	{
		"unknown event type before the run", strict, verify.RunNotStarted, lastIsUnknown,
		"the client drops it before it verifies",
	},
	{
		"unknown event type after the run", strict, verify.RunEnded, lastIsUnknown,
		"the client drops it before it verifies",
	},
	{
		"RAW or CUSTOM as the first event", core, 0, firstIs(events.TypeRaw, events.TypeCustom),
		"Core leaves the preamble alone; Strict has a rule for it",
	},
	{
		"result of an unknown call", both, verify.UnknownID, lastIs(events.TypeToolCallResult),
		"the client does not look",
	},
	{
		"result before the call's end", both, verify.OutOfOrder, lastIs(events.TypeToolCallResult),
		"the client does not look",
	},
	{
		"explicit content or end of what another lane assembles", strict, verify.NotOpen, assembledElsewhere,
		"to the client the message is open until its lane closes; mixing both forms fails there sooner or later",
	},
	{
		"chunk that repeats a parent which was made since", strict, verify.OwnerMismatch, parentMadeSince,
		"every chunk that names its call is held against its parent message; the client looks at the first alone",
	},
	{
		"one id for two kinds of message", strict, verify.IDCollision, always,
		"the client's reducer overwrites or drops one of them in silence",
	},
	{
		"RUN_FINISHED of another run", strict, verify.RunMismatch, always,
		"the specification demands it, the client does not look",
	},
	{
		"two interrupts with one id", strict, verify.DuplicateInterrupt, always,
		"the specification demands it, the client does not look",
	},
	{
		"wrong list of pending calls", strict, verify.PendingToolCalls, always,
		"the specification demands it, the client does not look",
	},
	{
		"null that the client forgives", strict, verify.InvalidField, undecodable,
		"the compatibility boundary takes out some nulls of clients older than 1.0",
	},
	{
		"interrupt outcome without interrupts", core, verify.InvalidOutcome, always,
		"the client's schema refuses it; its verifier alone does not look",
	},
	{
		"THINKING_* that the client translates", strict, 0, afterRetired,
		"the client turns them into REASONING_* before it verifies; the verifier does not track them and the emitter refuses them",
	},
	{
		"truncated stream", both, verify.Unterminated, always,
		"the client takes the end of the stream for the end of the run",
	},
}

func always(*walked, verdict) bool { return true }

func (s *walked) last() events.Event { return s.events[len(s.events)-1] }

func lastIs(t events.Type) func(*walked, verdict) bool {
	return func(s *walked, _ verdict) bool { return s.last() != nil && s.last().EventType() == t }
}

func firstIs(types ...events.Type) func(*walked, verdict) bool {
	return func(s *walked, v verdict) bool {
		return v.At == 0 && s.events[0] != nil && slices.Contains(types, s.events[0].EventType())
	}
}

func lastIsUnknown(s *walked, _ verdict) bool {
	unknown, ok := s.last().(*events.Unknown)
	return ok && !retired(unknown)
}

// undecodable: the last event is known by its text only.
func undecodable(s *walked, _ verdict) bool { return s.last() == nil }

func retired(ev events.Event) bool {
	unknown, ok := ev.(*events.Unknown)
	return ok && len(unknown.Name) > 8 && unknown.Name[:8] == "THINKING"
}

// afterRetired: the client fails at a THINKING_* event or after one, which to it is another open reasoning
// message and closes the parent's lane.
func afterRetired(s *walked, v verdict) bool {
	return slices.ContainsFunc(s.events[:v.At+1], retired)
}

// assembledElsewhere: the last event is content or an end for an id that a chunk has named.
func assembledElsewhere(s *walked, _ verdict) bool {
	id, kind, _ := subject(s.last())
	return slices.ContainsFunc(s.events[:len(s.events)-1], func(ev events.Event) bool {
		other, of, chunk := subject(ev)
		return chunk && other == id && of == kind
	})
}

// parentMadeSince: the last event is a chunk that goes on with a call, and the message that it repeats as the
// call's parent was made, in another lane, after the call began.
func parentMadeSince(s *walked, _ verdict) bool {
	chunk, ok := s.last().(*events.ToolCallChunk)
	parent, named := tag{}, false
	if ok {
		parent, named = chunk.ParentMessageID, chunk.ToolCallID.IsSet()
	}
	if !named || !parent.IsSet() {
		return false
	}
	began := false
	for _, ev := range s.events[:len(s.events)-1] {
		made := tag{}
		switch ev := ev.(type) {
		case *events.ToolCallChunk:
			began = began || ev.ToolCallID == chunk.ToolCallID
		case *events.ToolCallResult:
			made = events.Some(ev.MessageID)
		case *events.TextMessageStart:
			made = events.Some(ev.MessageID)
		case *events.TextMessageChunk:
			made = ev.MessageID
		}
		if began && made == parent {
			return true
		}
	}
	return false
}

// subject returns the id and the kind of what ev continues, ends or chunks.
func subject(ev events.Event) (id string, kind verify.Kind, chunk bool) {
	switch ev := ev.(type) {
	case *events.TextMessageContent:
		return ev.MessageID, verify.KindTextMessage, false
	case *events.TextMessageEnd:
		return ev.MessageID, verify.KindTextMessage, false
	case *events.TextMessageChunk:
		return ev.MessageID.Or(""), verify.KindTextMessage, ev.MessageID.IsSet()
	case *events.ToolCallArgs:
		return ev.ToolCallID, verify.KindToolCall, false
	case *events.ToolCallEnd:
		return ev.ToolCallID, verify.KindToolCall, false
	case *events.ToolCallChunk:
		return ev.ToolCallID.Or(""), verify.KindToolCall, ev.ToolCallID.IsSet()
	case *events.ReasoningMessageContent:
		return ev.MessageID, verify.KindReasoningMessage, false
	case *events.ReasoningMessageEnd:
		return ev.MessageID, verify.KindReasoningMessage, false
	case *events.ReasoningMessageChunk:
		return ev.MessageID.Or(""), verify.KindReasoningMessage, ev.MessageID.IsSet()
	}
	return "", 0, false
}

// stages are where the client refuses what a rule rejects, when both refuse: nil if anywhere, since the
// event may break what an earlier stage looks at too.
func stages(set verify.Set, rule verify.Rule) []string {
	switch {
	case rule == verify.RunEnded || rule == verify.RunNotStarted:
		return nil
	case set == verify.Core:
		return []string{"order"}
	}
	switch rule {
	case verify.InvalidField:
		return []string{"schema", "order"} // order: a forgiven null, in an event that comes out of order too
	case verify.InvalidOutcome:
		return []string{"schema"}
	case verify.ChunkSequence, verify.OwnerMismatch, verify.IDCollision:
		return []string{"chunks", "order"}
	}
	return []string{"order"}
}

// compare returns which exception applies to s, -1 if the verdicts agree, and an error if they differ
// without one.
func compare(set verify.Set, s *walked, v verdict) (int, error) {
	end := len(s.events) - 1
	switch {
	case s.fault == nil && v.OK:
		return -1, nil
	case s.fault != nil && !v.OK && v.At == s.fault.Index:
		if where := stages(set, s.fault.Rule); where != nil && !slices.Contains(where, v.Stage) {
			return -1, fmt.Errorf("refused for another reason: %v, the client: %v", s.fault, v)
		}
		return -1, nil
	}
	rule := verify.Rule(0)
	if s.fault != nil {
		rule = s.fault.Rule
	}
	for i, e := range exceptions {
		// An event refused here alone is the last one, so the client must have accepted all.
		if slices.Contains(e.set, set) && e.rule == rule && (rule == 0 || v.OK) && e.when(s, v) {
			return i, nil
		}
	}
	// What is refused, or cut off, here may have met one of the events that only the client refuses before.
	if s.fault != nil && !v.OK && v.At <= end {
		for i, e := range exceptions {
			if slices.Contains(e.set, set) && e.rule == 0 && e.when(s, v) {
				return i, nil
			}
		}
	}
	return -1, fmt.Errorf("here: %v, the client: %v", s.fault, v)
}
