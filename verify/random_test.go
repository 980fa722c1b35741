package verify_test

import (
	"math/rand/v2"

	"github.com/agui-go/agui/events"
)

// dice makes random events over few ids and owners, so that they meet.
type dice struct{ *rand.Rand }

func newDice(seed uint64) dice { return dice{rand.New(rand.NewPCG(seed, 1))} }

func (d dice) once(n int) bool { return d.IntN(n) == 0 }

func pick[T any](d dice, list ...T) T { return list[d.IntN(len(list))] }

func (d dice) id() string   { return pick(d, "a", "b", "c", "") }
func (d dice) call() string { return pick(d, "a", "t", "u") }
func (d dice) sub() string  { return pick(d, "s1", "s2", "") }

// tag is absent half of the time.
func (d dice) tag() tag {
	if d.once(2) {
		return tag{}
	}
	return events.Some(d.sub())
}

// maybe returns s as an optional that is absent once in n.
func (d dice) maybe(n int, s string) tag {
	if d.once(n) {
		return tag{}
	}
	return events.Some(s)
}

// events returns a run of about n events: in all likelihood begun, and ended shortly before its last event.
func (d dice) events(n int) []events.Event {
	list := make([]events.Event, 0, n)
	for len(list) < n {
		switch {
		case len(list) == 0 && !d.once(12):
			list = append(list, d.runStarted())
		case d.once(30):
			list = append(list, d.terminal())
			if !d.once(6) {
				n = min(n, len(list)+3)
			}
		default:
			list = append(list, d.event())
		}
	}
	return list
}

func (d dice) runStarted() *events.RunStarted {
	ev := &events.RunStarted{ThreadID: "t", RunID: "r"}
	if d.once(3) {
		ev.Input = &events.RunAgentInput{ThreadID: "t", RunID: "r", Messages: d.messages()}
	}
	return ev
}

func (d dice) terminal() events.Event {
	if d.once(4) {
		return &events.RunError{Message: "x"}
	}
	ev := &events.RunFinished{ThreadID: "t", RunID: "r"}
	if d.once(8) {
		ev.RunID = "r2"
	}
	switch d.IntN(4) {
	case 0:
		var pending []string
		for range d.IntN(3) {
			pending = append(pending, d.call())
		}
		ev.Outcome = events.RunSuccess{PendingToolCallIDs: pending}
	case 1:
		var interrupts []events.Interrupt
		for range d.IntN(3) {
			interrupts = append(interrupts, events.Interrupt{ID: pick(d, "i", "j"), Reason: "x"})
		}
		ev.Outcome = events.RunInterrupted{Interrupts: interrupts}
	}
	return ev
}

func (d dice) messages() []events.Message {
	var list []events.Message
	for range d.IntN(4) {
		base := events.MessageBase{ID: d.id(), SubagentRunID: d.tag()}
		switch d.IntN(5) {
		case 0:
			list = append(list, &events.UserMessage{MessageBase: base})
		case 1:
			list = append(list, &events.ToolMessage{MessageBase: base, ToolCallID: d.call()})
		case 2:
			list = append(list, &events.ReasoningMessage{MessageBase: base})
		case 3:
			list = append(list, &events.ActivityMessage{MessageBase: base, ActivityType: "x", Content: events.MustJSON(struct{}{})})
		default:
			msg := &events.AssistantMessage{MessageBase: base}
			for range d.IntN(3) {
				msg.ToolCalls = append(msg.ToolCalls, events.ToolCall{ID: d.call(), Function: events.FunctionCall{Name: "f"}})
			}
			list = append(list, msg)
		}
	}
	return list
}

// event returns any event. Those that open and chunk come more often than the rest.
func (d dice) event() events.Event {
	id, call, t := d.id(), d.call(), d.tag()
	switch d.IntN(42) {
	case 0, 1, 2:
		return &events.TextMessageStart{MessageID: id, SubagentRunID: t}
	case 3, 4:
		return &events.TextMessageContent{MessageID: id, Delta: "x", SubagentRunID: t}
	case 5, 6:
		return &events.TextMessageEnd{MessageID: id, SubagentRunID: t}
	case 7, 8, 9:
		return &events.TextMessageChunk{
			MessageID: d.maybe(3, id), Role: pick(d, "", "", events.RoleAssistant, events.RoleUser),
			Name: d.name(), Delta: d.maybe(3, "x"), SubagentRunID: t,
		}
	case 10, 11:
		return &events.ToolCallStart{ToolCallID: call, ToolCallName: "f", ParentMessageID: d.maybe(2, id), SubagentRunID: t}
	case 12, 13:
		return &events.ToolCallArgs{ToolCallID: call, Delta: "{}", SubagentRunID: t}
	case 14, 15:
		return &events.ToolCallEnd{ToolCallID: call, SubagentRunID: t}
	case 16, 17, 18:
		return &events.ToolCallChunk{
			ToolCallID: d.maybe(3, call), ToolCallName: d.maybe(4, pick(d, "f", "f", "f", "g")),
			ParentMessageID: d.maybe(2, id), Delta: d.maybe(3, "x"), SubagentRunID: t,
		}
	case 19, 20:
		return &events.ToolCallResult{MessageID: pick(d, id, "x", "y"), ToolCallID: call, Content: events.Text("ok"), SubagentRunID: t}
	case 21:
		return &events.ReasoningStart{MessageID: id, SubagentRunID: t}
	case 22:
		return &events.ReasoningEnd{MessageID: id, SubagentRunID: t}
	case 23, 24:
		return &events.ReasoningMessageStart{MessageID: id, SubagentRunID: t}
	case 25:
		return &events.ReasoningMessageContent{MessageID: id, Delta: "x", SubagentRunID: t}
	case 26:
		return &events.ReasoningMessageEnd{MessageID: id, SubagentRunID: t}
	case 27, 28:
		return &events.ReasoningMessageChunk{MessageID: d.maybe(3, id), Delta: d.maybe(3, "x"), SubagentRunID: t}
	case 29:
		subtype := pick(d, events.EncryptedToolCall, events.EncryptedMessage, events.EncryptedMessage)
		if d.once(12) {
			subtype = "other"
		}
		return &events.ReasoningEncryptedValue{Subtype: subtype, EntityID: pick(d, id, call), EncryptedValue: "q", SubagentRunID: t}
	case 30:
		return &events.StepStarted{StepName: id, SubagentRunID: t}
	case 31:
		return &events.StepFinished{StepName: id, SubagentRunID: t}
	case 32:
		return &events.SubagentStarted{SubagentRunID: d.sub(), Name: "n", ParentSubagentRunID: t}
	case 33:
		return &events.SubagentFinished{SubagentRunID: d.sub()}
	case 34:
		return &events.SubagentError{SubagentRunID: d.sub(), Message: "x"}
	case 35:
		ev := &events.ActivitySnapshot{MessageID: id, ActivityType: "x", Content: events.MustJSON(struct{}{}), SubagentRunID: t}
		if d.once(2) {
			ev.Replace = events.Some(d.once(2))
		}
		return ev
	case 36:
		return &events.ActivityDelta{MessageID: id, ActivityType: "x", SubagentRunID: t}
	case 37:
		return &events.MessagesSnapshot{Messages: d.messages()}
	case 38:
		return pick[events.Event](d,
			&events.StateSnapshot{SubagentRunID: t}, &events.StateDelta{SubagentRunID: t},
			&events.Custom{Name: "x", SubagentRunID: t})
	case 39:
		return &events.Raw{SubagentRunID: t}
	case 40:
		return &events.Unknown{Name: "THINKING_START", JSON: events.MustJSON(map[string]any{"type": "THINKING_START"})}
	}
	if d.once(3) {
		return d.runStarted()
	}
	return &events.TextMessageStart{MessageID: id, Role: "wizard", SubagentRunID: t}
}

// name is an author's name, absent most of the time.
func (d dice) name() tag {
	if d.once(5) {
		return events.Some(pick(d, "n", "m"))
	}
	return tag{}
}
