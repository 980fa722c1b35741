//go:build conformance

package conformance

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

type tag = events.Opt[string]

// dice makes random events over few ids and owners, so that they meet.
type dice struct {
	*rand.Rand
	results int // tool messages need an id of their own
}

func newDice(seed, stream uint64) *dice { return &dice{Rand: rand.New(rand.NewPCG(seed, stream))} }

func (d *dice) once(n int) bool { return d.IntN(n) == 0 }

func pick[T any](d *dice, list ...T) T { return list[d.IntN(len(list))] }

// id returns an id of the kind that prefix stands for, or now and then one that all kinds share.
func (d *dice) id(prefix string) string {
	if d.once(8) {
		return pick(d, "a", "b", "")
	}
	return fmt.Sprintf("%s%d", prefix, d.IntN(5))
}

func (d *dice) message() string   { return d.id("m") }
func (d *dice) call() string      { return d.id("c") }
func (d *dice) reasoning() string { return d.id("z") }
func (d *dice) sub() string       { return pick(d, "s1", "s2", "s3", "") }

// tag is absent most of the time.
func (d *dice) tag() tag { return d.maybe(3, d.sub()) }

// maybe returns s once in n, else an absent string.
func (d *dice) maybe(n int, s string) tag {
	if d.once(n) {
		return events.Some(s)
	}
	return tag{}
}

// event returns any event, now and then with members that are rarely sent.
func (d *dice) event() events.Event {
	ev := d.plain()
	if d.once(12) {
		base := reflect.ValueOf(ev).Elem().FieldByName("Base")
		if base.IsValid() {
			base.Set(reflect.ValueOf(d.base()))
		}
	}
	return ev
}

func (d *dice) base() events.Base {
	var base events.Base
	if d.once(2) {
		base.Timestamp = events.Some(int64(1767225600000))
	}
	if d.once(2) {
		base.RawEvent = events.MustJSON(map[string]any{"n": nil})
	}
	if d.once(2) {
		base.Metadata = events.MustJSON(map[string]any{"k": 1})
	}
	return base
}

// plain makes each event type about as often as any other.
func (d *dice) plain() events.Event {
	switch d.IntN(9) {
	case 0, 1:
		return d.text()
	case 2, 3:
		return d.tool()
	case 4:
		return d.thought()
	case 5:
		return d.chunk()
	case 6:
		return d.scope()
	case 7:
		return d.unordered()
	}
	return d.terminal("t", "r")
}

func (d *dice) text() events.Event {
	id, by := d.message(), d.tag()
	switch d.IntN(3) {
	case 0:
		return &events.TextMessageStart{
			MessageID: id, SubagentRunID: by, Name: d.maybe(8, "n"),
			Role: pick(d, "", "", events.RoleAssistant, events.RoleUser, events.RoleSystem, events.RoleDeveloper),
		}
	case 1:
		return &events.TextMessageContent{MessageID: id, Delta: pick(d, "x", "", "ü\n"), SubagentRunID: by}
	}
	return &events.TextMessageEnd{MessageID: id, SubagentRunID: by}
}

func (d *dice) tool() events.Event {
	id, by := d.call(), d.tag()
	switch d.IntN(4) {
	case 0:
		return &events.ToolCallStart{ToolCallID: id, ToolCallName: pick(d, "f", "g"), ParentMessageID: d.maybe(3, d.message()), SubagentRunID: by}
	case 1:
		return &events.ToolCallArgs{ToolCallID: id, Delta: pick(d, `{"q":`, "1}", "", "{}"), SubagentRunID: by}
	case 2:
		return &events.ToolCallEnd{ToolCallID: id, SubagentRunID: by}
	}
	content := events.Text("ok")
	if d.once(4) {
		content = events.Parts(events.TextPart{Text: "x"}, events.MediaPart{Type: events.Image, Source: events.URLSource{Value: "https://example.com/a.png"}})
	}
	d.results++
	message := fmt.Sprintf("result%d", d.results)
	if d.once(8) {
		message = d.message()
	}
	return &events.ToolCallResult{MessageID: message, ToolCallID: id, Content: content, SubagentRunID: by}
}

func (d *dice) thought() events.Event {
	id, by := d.reasoning(), d.tag()
	switch d.IntN(7) {
	case 0:
		return &events.ReasoningStart{MessageID: id, SubagentRunID: by}
	case 1:
		return &events.ReasoningEnd{MessageID: id, SubagentRunID: by}
	case 2:
		return &events.ReasoningMessageStart{MessageID: id, SubagentRunID: by}
	case 3:
		return &events.ReasoningMessageContent{MessageID: id, Delta: "x", SubagentRunID: by}
	case 4:
		return &events.ReasoningMessageEnd{MessageID: id, SubagentRunID: by}
	case 5:
		return &events.ReasoningEncryptedValue{Subtype: events.EncryptedToolCall, EntityID: d.call(), EncryptedValue: "q", SubagentRunID: by}
	}
	return &events.ReasoningEncryptedValue{Subtype: events.EncryptedMessage, EntityID: pick(d, d.message(), id), EncryptedValue: "q", SubagentRunID: by}
}

func (d *dice) chunk() events.Event {
	by, delta := d.tag(), d.maybe(2, "x")
	switch d.IntN(3) {
	case 0:
		ev := &events.TextMessageChunk{Delta: delta, Name: d.maybe(10, "n"), SubagentRunID: by, Role: pick(d, "", "", "", events.RoleAssistant, events.RoleUser)}
		if !d.once(3) {
			ev.MessageID = events.Some(d.message())
		}
		return ev
	case 1:
		ev := &events.ToolCallChunk{Delta: delta, ParentMessageID: d.maybe(4, d.message()), SubagentRunID: by}
		if !d.once(3) {
			ev.ToolCallID = events.Some(d.call())
		}
		if !d.once(4) {
			ev.ToolCallName = events.Some(pick(d, "f", "f", "f", "g"))
		}
		return ev
	}
	ev := &events.ReasoningMessageChunk{Delta: delta, SubagentRunID: by}
	if !d.once(3) {
		ev.MessageID = events.Some(d.reasoning())
	}
	return ev
}

// scope returns the events of steps and subagents.
func (d *dice) scope() events.Event {
	switch d.IntN(5) {
	case 0:
		return &events.StepStarted{StepName: pick(d, "a", "b"), SubagentRunID: d.tag()}
	case 1:
		return &events.StepFinished{StepName: pick(d, "a", "b"), SubagentRunID: d.tag()}
	case 2:
		return &events.SubagentStarted{
			SubagentRunID: d.sub(), Name: "n", Description: d.maybe(4, "d"),
			ParentSubagentRunID: d.maybe(3, d.sub()), ParentToolCallID: d.maybe(4, d.call()), ParentMessageID: d.maybe(4, d.message()),
		}
	case 3:
		ev := &events.SubagentFinished{SubagentRunID: d.sub()}
		switch d.IntN(4) {
		case 0:
			ev.Outcome = events.SubagentSuspended{InterruptIDs: []string{"i"}}
		case 1:
			ev.Result, ev.Outcome = events.MustJSON(1), events.SubagentSuccess{}
		}
		return ev
	}
	return &events.SubagentError{SubagentRunID: d.sub(), Message: "x", Code: d.maybe(2, "e")}
}

// unordered returns the events that have no order within the run.
func (d *dice) unordered() events.Event {
	by := d.tag()
	switch d.IntN(9) {
	case 0:
		return &events.StateSnapshot{Snapshot: pick(d, events.MustJSON(nil), events.MustJSON(map[string]any{"n": 1})), SubagentRunID: by}
	case 1:
		return &events.StateDelta{Delta: events.Patch{pick(d, events.Add("/n", 2), events.Replace("/n", 3), events.Remove("/none"), events.Test("/n", 1))}, SubagentRunID: by}
	case 2:
		return &events.MessagesSnapshot{Messages: d.history()}
	case 3, 4:
		ev := &events.ActivitySnapshot{MessageID: d.id("v"), ActivityType: "plan", Content: events.MustJSON(map[string]any{"n": 1}), SubagentRunID: by}
		if d.once(3) {
			ev.Replace = events.Some(d.once(3))
		}
		return ev
	case 5:
		return &events.ActivityDelta{MessageID: d.id("v"), ActivityType: "plan", Patch: events.Patch{pick(d, events.Replace("/n", 2), events.Remove("/none"))}, SubagentRunID: by}
	case 6:
		return &events.Raw{Event: events.MustJSON(map[string]any{"n": nil}), Source: d.maybe(2, "openai"), SubagentRunID: by}
	case 7:
		return &events.Custom{Name: "example.x", Value: events.MustJSON(nil), SubagentRunID: by}
	}
	return unknown(pick[events.Type](d, "NEWER_EVENT", "NEWER_EVENT", "NEWER_EVENT", "THINKING_START", "THINKING_TEXT_MESSAGE_CONTENT", "THINKING_END"))
}

// unknown returns an event of a type that AG-UI 1.0 does not have.
func unknown(name events.Type) events.Event {
	return &events.Unknown{Name: name, JSON: events.MustJSON(map[string]any{"type": name, "delta": "x"})}
}

// history returns messages, as a request or a snapshot has them.
func (d *dice) history() []events.Message {
	list := []events.Message{}
	for range d.IntN(4) {
		base := events.MessageBase{ID: d.message(), SubagentRunID: d.tag()}
		switch d.IntN(8) {
		case 0:
			list = append(list, &events.UserMessage{MessageBase: base, Content: events.Text("x")})
		case 1:
			list = append(list, &events.ToolMessage{MessageBase: base, ToolCallID: d.call(), Content: events.Text("x")})
		case 2:
			base.ID = d.reasoning()
			list = append(list, &events.ReasoningMessage{MessageBase: base})
		case 3:
			base.ID = d.id("v")
			list = append(list, &events.ActivityMessage{MessageBase: base, ActivityType: "plan", Content: events.MustJSON(struct{}{})})
		case 4:
			list = append(list, &events.SystemMessage{MessageBase: base})
		case 5:
			list = append(list, &events.DeveloperMessage{MessageBase: base})
		default:
			message := &events.AssistantMessage{MessageBase: base}
			for range d.IntN(3) {
				message.ToolCalls = append(message.ToolCalls, events.NewToolCall(d.call(), "f", "{}"))
			}
			list = append(list, message)
		}
	}
	return list
}

func (d *dice) runStarted() events.Event {
	ev := events.NewRunStarted("t", "r")
	if d.once(3) {
		ev.Input = &events.RunAgentInput{ThreadID: "t", RunID: "r", Messages: d.history()}
	}
	return ev
}

// terminal returns a RUN_FINISHED with any outcome, seldom another run event.
func (d *dice) terminal(thread, run string) events.Event {
	switch d.IntN(12) {
	case 0:
		return &events.RunError{Message: "x", Code: d.maybe(2, "e")}
	case 1:
		return d.runStarted()
	case 2:
		return events.NewRunFinished(thread, "another")
	}
	ev := events.NewRunFinished(thread, run)
	switch d.IntN(5) {
	case 0:
		var pending []string
		for range d.IntN(3) {
			pending = append(pending, d.call())
		}
		ev.Outcome = events.RunSuccess{PendingToolCallIDs: pending}
	case 1, 2:
		interrupts := []events.Interrupt{}
		for range d.IntN(3) {
			interrupts = append(interrupts, events.Interrupt{ID: pick(d, "i", "j"), Reason: "x", SubagentRunID: d.tag()})
		}
		ev.Outcome = events.RunInterrupted{Interrupts: interrupts}
	case 3:
		ev.Outcome = events.RunCancelled{}
	}
	return ev
}

// continuation returns an event for something that is open: more of it, or its end.
func (d *dice) continuation(open []verify.Open) events.Event {
	o := open[d.IntN(len(open))]
	by := tag{}
	if o.Kind == verify.KindStep || d.once(2) {
		by = o.Owner
	}
	if d.once(2) {
		switch o.Kind {
		case verify.KindTextMessage:
			return &events.TextMessageContent{MessageID: o.ID, Delta: "x", SubagentRunID: by}
		case verify.KindToolCall:
			return &events.ToolCallArgs{ToolCallID: o.ID, Delta: "{}", SubagentRunID: by}
		case verify.KindReasoningMessage:
			return &events.ReasoningMessageContent{MessageID: o.ID, Delta: "x", SubagentRunID: by}
		}
	}
	return closing(o, by)
}

// closing returns the event that closes o.
func closing(o verify.Open, by tag) events.Event {
	switch o.Kind {
	case verify.KindTextMessage:
		return &events.TextMessageEnd{MessageID: o.ID, SubagentRunID: by}
	case verify.KindToolCall:
		return &events.ToolCallEnd{ToolCallID: o.ID, SubagentRunID: by}
	case verify.KindReasoningSpan:
		return &events.ReasoningEnd{MessageID: o.ID, SubagentRunID: by}
	case verify.KindReasoningMessage:
		return &events.ReasoningMessageEnd{MessageID: o.ID, SubagentRunID: by}
	case verify.KindStep:
		return &events.StepFinished{StepName: o.ID, SubagentRunID: by}
	}
	return &events.SubagentFinished{SubagentRunID: o.ID}
}

// malformed returns an event with a value that the schema refuses: one that a typed value can hold, or a
// text that cannot be decoded.
func (d *dice) malformed() (events.Event, json.RawMessage) {
	switch d.IntN(8) {
	case 0:
		return &events.TextMessageStart{MessageID: d.message(), Role: events.RoleTool}, nil
	case 1:
		return &events.Custom{Base: events.Base{Metadata: events.MustJSON(1)}, Name: "x", Value: events.MustJSON(1)}, nil
	case 2:
		return &events.StateSnapshot{Base: events.Base{Timestamp: events.Some(int64(1) << 53)}, Snapshot: events.MustJSON(1)}, nil
	case 3:
		return &events.StateDelta{Delta: events.Patch{{Op: events.OpAdd, Path: "n", Value: events.MustJSON(1)}}}, nil
	case 4:
		return &events.ReasoningEncryptedValue{Subtype: "other", EntityID: d.message(), EncryptedValue: "q"}, nil
	case 5:
		return &events.ActivitySnapshot{MessageID: d.id("v"), ActivityType: "x", Content: events.MustJSON([]int{})}, nil
	}
	return nil, json.RawMessage(strings.ReplaceAll(pick(d,
		`{"type":"TEXT_MESSAGE_START","messageId":null}`,
		`{"type":"TEXT_MESSAGE_CONTENT","messageId":"ID"}`,
		`{"type":"TOOL_CALL_START","toolCallId":"ID","toolCallName":5}`,
		`{"type":"TEXT_MESSAGE_END","messageId":"ID","subagentRunId":null}`,
		`{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":[]}`,
		// The client's boundary takes these nulls out.
		`{"type":"TOOL_CALL_START","toolCallId":"ID","toolCallName":"f","parentMessageId":null}`,
		`{"type":"CUSTOM","name":"x","value":1,"rawEvent":null}`,
		`{"type":"SUBAGENT_ERROR","subagentRunId":"s9","message":null}`,
	), "ID", d.message()))
}
