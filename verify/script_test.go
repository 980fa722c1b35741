package verify_test

import (
	"errors"
	"reflect"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// step is one event and the rule that should reject it, 0 if none should.
type step struct {
	event events.Event
	want  verify.Rule
}

// script is a list of steps: what ok and no return, put together.
type script []step

func ok(list ...events.Event) script {
	var s script
	for _, ev := range list {
		s = append(s, step{event: ev})
	}
	return s
}

func (s script) ok(list ...events.Event) script { return append(s, ok(list...)...) }

// no adds an event that want rejects. The events after it see the state of before it.
func (s script) no(want verify.Rule, ev events.Event) script {
	return append(s, step{event: ev, want: want})
}

// play runs the script through v, and holds Would to Observe, the index to the count, and what is open
// after a rejection to what was open before it.
func (s script) play(t *testing.T, v *verify.Verifier) {
	t.Helper()
	for i, step := range s {
		before, would := v.Open(), v.Would(step.event)
		if got, want := v.Index(), i; got != want {
			t.Fatalf("Index before event %d\n got: %d\nwant: %d", i, got, want)
		}
		err := v.Observe(step.event)
		if got, want := errorText(err), errorText(would); got != want {
			t.Errorf("event %d: Observe and Would\nObserve: %s\n  Would: %s", i, got, want)
		}
		var got verify.Rule
		if err != nil {
			violation := violationOf(t, err)
			if got = violation.Rule; violation.Index != i {
				t.Errorf("event %d: index\n got: %d\nwant: %d", i, violation.Index, i)
			}
			if after := v.Open(); !reflect.DeepEqual(before, after) {
				t.Errorf("event %d: open after a rejection\n got: %v\nwant: %v", i, after, before)
			}
		}
		if got != step.want {
			t.Fatalf("event %d, %s\n got: %s (%v)\nwant: %s", i, step.event.EventType(), got.String(), err, step.want.String())
		}
	}
}

// both plays the script under both sets.
func (s script) both(t *testing.T, opts ...verify.Option) {
	t.Helper()
	for _, set := range []verify.Set{verify.Core, verify.Strict} {
		s.play(t, verify.New(set, opts...))
	}
}

// strict plays the script under Strict, and under Core without the rejections.
func (s script) strict(t *testing.T) {
	t.Helper()
	s.play(t, verify.New(verify.Strict))
	var core script
	for _, step := range s {
		if step.want == 0 || step.want.Set() == verify.Core {
			core = append(core, step)
		}
	}
	core.play(t, verify.New(verify.Core))
}

func violationOf(t testing.TB, err error) *verify.Violation {
	t.Helper()
	var v *verify.Violation
	if !errors.As(err, &v) {
		t.Fatalf("no violation: %v", err)
	}
	return v
}

// The events of the scripts, in short. The last argument is the tag, if there is one.

func opt(tags []string) tag {
	if len(tags) == 0 {
		return tag{}
	}
	return events.Some(tags[0])
}

func runStart() events.Event  { return &events.RunStarted{ThreadID: "t", RunID: "r"} }
func runFinish() events.Event { return &events.RunFinished{ThreadID: "t", RunID: "r"} }
func runError() events.Event  { return &events.RunError{Message: "failed"} }

func finish(outcome events.RunOutcome) events.Event {
	return &events.RunFinished{ThreadID: "t", RunID: "r", Outcome: outcome}
}

func textStart(id string, by ...string) events.Event {
	return &events.TextMessageStart{MessageID: id, SubagentRunID: opt(by)}
}

func textContent(id string, by ...string) events.Event {
	return &events.TextMessageContent{MessageID: id, Delta: "x", SubagentRunID: opt(by)}
}

func textEnd(id string, by ...string) events.Event {
	return &events.TextMessageEnd{MessageID: id, SubagentRunID: opt(by)}
}

func textChunk(id string, by ...string) events.Event {
	return &events.TextMessageChunk{MessageID: events.Some(id), Delta: events.Some("x"), SubagentRunID: opt(by)}
}

// moreText is a text chunk without an id.
func moreText(by ...string) events.Event {
	return &events.TextMessageChunk{Delta: events.Some("x"), SubagentRunID: opt(by)}
}

func callStart(id string, by ...string) events.Event {
	return &events.ToolCallStart{ToolCallID: id, ToolCallName: "f", SubagentRunID: opt(by)}
}

// callIn starts a call in the message parent.
func callIn(parent, id string, by ...string) events.Event {
	return &events.ToolCallStart{ToolCallID: id, ToolCallName: "f", ParentMessageID: events.Some(parent), SubagentRunID: opt(by)}
}

func callArgs(id string, by ...string) events.Event {
	return &events.ToolCallArgs{ToolCallID: id, Delta: "{}", SubagentRunID: opt(by)}
}

func callEnd(id string, by ...string) events.Event {
	return &events.ToolCallEnd{ToolCallID: id, SubagentRunID: opt(by)}
}

func callChunk(id string, by ...string) events.Event {
	return &events.ToolCallChunk{ToolCallID: events.Some(id), ToolCallName: events.Some("f"), Delta: events.Some("{}"), SubagentRunID: opt(by)}
}

// result answers the call with the tool message id.
func result(id, call string, by ...string) events.Event {
	return &events.ToolCallResult{MessageID: id, ToolCallID: call, Content: events.Text("ok"), SubagentRunID: opt(by)}
}

func spanStart(id string, by ...string) events.Event {
	return &events.ReasoningStart{MessageID: id, SubagentRunID: opt(by)}
}

func spanEnd(id string, by ...string) events.Event {
	return &events.ReasoningEnd{MessageID: id, SubagentRunID: opt(by)}
}

func thinkStart(id string, by ...string) events.Event {
	return &events.ReasoningMessageStart{MessageID: id, SubagentRunID: opt(by)}
}

func thinkContent(id string, by ...string) events.Event {
	return &events.ReasoningMessageContent{MessageID: id, Delta: "x", SubagentRunID: opt(by)}
}

func thinkEnd(id string, by ...string) events.Event {
	return &events.ReasoningMessageEnd{MessageID: id, SubagentRunID: opt(by)}
}

func thinkChunk(id string, by ...string) events.Event {
	return &events.ReasoningMessageChunk{MessageID: events.Some(id), Delta: events.Some("x"), SubagentRunID: opt(by)}
}

func stepStart(name string, by ...string) events.Event {
	return &events.StepStarted{StepName: name, SubagentRunID: opt(by)}
}

func stepFinish(name string, by ...string) events.Event {
	return &events.StepFinished{StepName: name, SubagentRunID: opt(by)}
}

func subStart(id string, parent ...string) events.Event {
	return &events.SubagentStarted{SubagentRunID: id, Name: "worker", ParentSubagentRunID: opt(parent)}
}

func subFinish(id string) events.Event { return &events.SubagentFinished{SubagentRunID: id} }
func subError(id string) events.Event {
	return &events.SubagentError{SubagentRunID: id, Message: "failed"}
}

func activity(id string, by ...string) events.Event {
	return &events.ActivitySnapshot{MessageID: id, ActivityType: "plan", Content: events.MustJSON(struct{}{}), SubagentRunID: opt(by)}
}

// keepActivity is an activity snapshot with replace false.
func keepActivity(id string, by ...string) events.Event {
	ev := activity(id, by...).(*events.ActivitySnapshot)
	ev.Replace = events.Some(false)
	return ev
}

func activityDelta(id string, by ...string) events.Event {
	return &events.ActivityDelta{MessageID: id, ActivityType: "plan", SubagentRunID: opt(by)}
}

func encrypted(subtype events.EncryptedValueSubtype, id string, by ...string) events.Event {
	return &events.ReasoningEncryptedValue{Subtype: subtype, EntityID: id, EncryptedValue: "q", SubagentRunID: opt(by)}
}

func snapshot(list ...events.Message) events.Event { return &events.MessagesSnapshot{Messages: list} }

// runStartWith starts the run with history in its input.
func runStartWith(list ...events.Message) events.Event {
	return &events.RunStarted{ThreadID: "t", RunID: "r", Input: &events.RunAgentInput{ThreadID: "t", RunID: "r", Messages: list}}
}

func message(id string, by ...string) events.MessageBase {
	return events.MessageBase{ID: id, SubagentRunID: opt(by)}
}

// assistant is an assistant message of the parent agent with calls.
func assistant(id string, calls ...string) *events.AssistantMessage {
	m := &events.AssistantMessage{MessageBase: message(id)}
	for _, call := range calls {
		m.ToolCalls = append(m.ToolCalls, events.ToolCall{ID: call, Function: events.FunctionCall{Name: "f"}})
	}
	return m
}

func custom(by ...string) events.Event {
	return &events.Custom{Name: "app.note", SubagentRunID: opt(by)}
}

func raw() events.Event { return &events.Raw{Event: events.MustJSON(1)} }

func unknown(name events.Type) events.Event {
	return &events.Unknown{Name: name, JSON: events.MustJSON(map[string]any{"type": name})}
}
