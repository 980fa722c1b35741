package verify_test

import (
	"fmt"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// TestHistory gives every type of message, as a value and as a pointer, in every way that history comes, and
// asks who owns its id and what kind of message it is.
func TestHistory(t *testing.T) {
	base := message("q", "s1")
	object := events.MustJSON(struct{}{})
	stranger := events.UnknownMessage{MessageBase: base, Role: "oracle", JSON: events.MustJSON(map[string]any{"id": "q", "role": "oracle"})}
	call := []events.ToolCall{{ID: "t1", Function: events.FunctionCall{Name: "f"}}}
	tests := []struct {
		messages []events.Message
		kind     string
	}{
		{[]events.Message{events.DeveloperMessage{MessageBase: base}, &events.DeveloperMessage{MessageBase: base}}, "text"},
		{[]events.Message{events.SystemMessage{MessageBase: base}, &events.SystemMessage{MessageBase: base}}, "text"},
		{[]events.Message{events.UserMessage{MessageBase: base}, &events.UserMessage{MessageBase: base}}, "text"},
		{[]events.Message{
			events.AssistantMessage{MessageBase: base, ToolCalls: call}, &events.AssistantMessage{MessageBase: base, ToolCalls: call},
		}, "text with a call"},
		{[]events.Message{events.ToolMessage{MessageBase: base}, &events.ToolMessage{MessageBase: base}}, "tool"},
		{[]events.Message{
			events.ActivityMessage{MessageBase: base, Content: object}, &events.ActivityMessage{MessageBase: base, Content: object},
		}, "activity"},
		{[]events.Message{events.ReasoningMessage{MessageBase: base}, &events.ReasoningMessage{MessageBase: base}}, "reasoning"},
		{[]events.Message{stranger, &stranger}, "unknown"},
	}
	for _, tt := range tests {
		for _, m := range tt.messages {
			t.Run(fmt.Sprintf("%T", m), func(t *testing.T) {
				for _, set := range sets {
					if tt.kind == "unknown" && set == verify.Strict {
						continue // dropped, as clients do
					}
					seeded := verify.New(set)
					seeded.Seed([]events.Message{m})
					asked(tt.kind, set, ok(runStart())).play(t, seeded)
					asked(tt.kind, set, ok(runStartWith(m))).play(t, verify.New(set))
					asked(tt.kind, set, ok(runStart(), snapshot(m))).play(t, verify.New(set))
				}
			})
		}
	}
}

// asked goes on with a run in which q is a message of a kind and of s1.
func asked(kind string, set verify.Set, s script) script {
	const owner = verify.OwnerMismatch
	collides := func(s script, ev events.Event) script {
		if set == verify.Strict {
			return s.no(verify.IDCollision, ev)
		}
		return s
	}
	switch kind {
	case "text with a call":
		s = s.no(owner, callStart("t1", "s2")).ok(result("x1", "t1", "s2"))
		return asked("text", set, s)
	case "text":
		s = s.no(owner, textStart("q", "s2"))
		return collides(s, thinkStart("q")).ok(textStart("q", "s1"), textEnd("q"), runFinish())
	case "tool":
		s = s.no(owner, textStart("q", "s2"))
		return collides(collides(s, thinkStart("q")), textStart("q")).ok(runFinish())
	case "activity":
		s = s.no(owner, activityDelta("q", "s2"))
		return collides(s, textStart("q")).ok(activity("q", "s2"), runFinish())
	case "reasoning":
		s = s.no(owner, thinkStart("q", "s2"))
		return collides(s, textStart("q")).ok(thinkStart("q", "s1"), thinkEnd("q"), runFinish())
	}
	return s.no(owner, textStart("q", "s2")).ok(thinkStart("q", "s2"), thinkEnd("q"), runFinish())
}

// TestNilMessages has messages that are not there: they name nothing, the empty id included.
func TestNilMessages(t *testing.T) {
	for _, m := range []events.Message{nil, (*events.UserMessage)(nil), (*events.UnknownMessage)(nil)} {
		for _, set := range sets {
			v := verify.New(set)
			v.Seed([]events.Message{m})
			ok(runStart(), textStart("", "s1"), textEnd("", "s1"), runFinish()).play(t, v)
		}
	}
}

// TestSnapshotChangesKinds: what a later snapshot says that an id is, it is, and no longer what an earlier one
// said.
func TestSnapshotChangesKinds(t *testing.T) {
	base := message("q")
	kinds := map[string]struct {
		message events.Message
		again   events.Event // opens or writes q as a message of the kind
	}{
		"text":      {events.AssistantMessage{MessageBase: base}, textStart("q")},
		"reasoning": {events.ReasoningMessage{MessageBase: base}, thinkStart("q")},
		"activity":  {events.ActivityMessage{MessageBase: base, Content: events.MustJSON(struct{}{})}, activity("q")},
	}
	for before, was := range kinds {
		for after, is := range kinds {
			if before == after {
				continue
			}
			t.Run(before+" becomes "+after, func(t *testing.T) {
				s := ok(runStart(), snapshot(was.message), snapshot(is.message))
				s.no(verify.IDCollision, was.again).play(t, verify.New(verify.Strict))
				s.ok(is.again).play(t, verify.New(verify.Strict))
			})
		}
	}
}
