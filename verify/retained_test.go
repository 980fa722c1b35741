package verify_test

import (
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

func TestIntroduces(t *testing.T) {
	keep := activity("a1", "s3").(*events.ActivitySnapshot)
	keep.Replace = events.Some(false)
	keepNew := activity("new", "s3").(*events.ActivitySnapshot)
	keepNew.Replace = events.Some(false)
	tests := []struct {
		name  string
		event events.Event
		want  int
	}{
		{"RUN_STARTED", runStartWith(assistant("new", "new")), 0},
		{"RUN_FINISHED", runFinish(), 0},
		{"RUN_ERROR", runError(), 0},
		{"a new message", textStart("new"), 1},
		{"a known message", textStart("m1"), 0},
		{"a known message, a new tag", textStart("m1", "s3"), 1},
		{"a known message, a known tag", textStart("m1", "s1"), 0},
		{"content and end of a new message", textContent("new", "s3"), 0},
		{"", textEnd("new", "s3"), 0},
		{"a new call", callStart("new"), 1},
		{"a call with the id of a message", callStart("m1"), 1},
		{"a known call", callStart("t1"), 0},
		{"a call known from history", callStart("t0"), 0},
		{"a new reasoning span", spanStart("new"), 1},
		{"a span with the id of a reasoning message", spanStart("z1"), 0},
		{"a new step", stepStart("new"), 1},
		{"a known step", stepStart("plan"), 0},
		{"a new subagent, and its tag", subStart("new"), 2},
		{"a known subagent", subStart("s2"), 0},
		{"the end of a new step", stepFinish("new"), 0},
		{"a chunk of a new message", textChunk("new"), 1},
		{"a chunk of a known message", textChunk("m1"), 0},
		{"a chunk of a known message, a new tag", textChunk("m1", "s3"), 1},
		{"a chunk without an id", moreText("s3"), 0},
		{"a result", result("new", "t1"), 1},
		{"a result in a known message", result("m1", "t1"), 0},
		{"a result for a new call", result("m1", "new"), 1},
		{"a result, a new tag", result("m1", "t1", "s3"), 1},
		{"a result in a new message for a new call, a new tag", result("new", "new", "s3"), 3},
		{"a new activity", activity("new"), 1},
		{"a known activity", activity("a1"), 0},
		{"a known activity, a new tag", activity("a1", "s3"), 1},
		{"a known activity, a new tag that does not count", keep, 0},
		{"a new activity that would replace none, a new tag", keepNew, 2},
		{"an activity that only a delta named", activityDelta("new", "s3"), 0},
		{"a snapshot of nothing", snapshot(), 0},
		{"a snapshot of what is known", snapshot(nil, assistant("m1", "t1"), &events.ReasoningMessage{MessageBase: message("z1", "s1")}), 0},
		{"a snapshot with a new message", snapshot(assistant("m1"), assistant("new")), 1},
		{"a snapshot with all that is new", snapshot(assistant("new", "new", "new2"), &events.UserMessage{MessageBase: message("new3", "s3")}), 5},
		{"a snapshot with a new call", snapshot(assistant("m1", "t1", "new")), 1},
		{"a snapshot with a new tag", snapshot(&events.UserMessage{MessageBase: message("m1", "s3")}), 1},
		{"a snapshot with a message of another kind", snapshot(&events.ReasoningMessage{MessageBase: message("m1")}), 1},
		{"state, RAW, CUSTOM", &events.StateSnapshot{SubagentRunID: events.Some("s3")}, 0},
		{"", &events.Raw{SubagentRunID: events.Some("s3")}, 0},
		{"", custom("s3"), 0},
		{"an encrypted value", encrypted(events.EncryptedMessage, "new", "s3"), 0},
		{"nil", nil, 0},
	}
	for _, set := range sets {
		v := verify.New(set)
		v.Seed([]events.Message{assistant("a0", "t0")})
		observe(t, v, runStart(), subStart("s2"), subFinish("s2"), textStart("m1", "s1"), textEnd("m1"), callStart("t1"), callEnd("t1"),
			thinkStart("z1"), thinkEnd("z1"), stepStart("plan"), stepFinish("plan"), activity("a1"))
		for _, tt := range tests {
			if got := v.Introduces(tt.event); got != tt.want {
				t.Errorf("%s, %s: %v\n got: %d\nwant: %d", set, tt.name, tt.event, got, tt.want)
			}
		}
		stranger := events.UnknownMessage{MessageBase: message("new"), Role: "oracle"}
		if got, want := v.Introduces(snapshot(stranger)) > 0, set == verify.Core; got != want {
			t.Errorf("%s: a snapshot with a message that Strict drops\n got: %t\nwant: %t", set, got, want)
		}
		// a0, t0, m1, t1, z1, plan, s2, a1, and the tags s2 and s1.
		if got, want := v.Retained(), 10; got != want {
			t.Errorf("%s: Retained\n got: %d\nwant: %d", set, got, want)
		}
	}
}

// TestRandomIntroduces holds what Introduces promises to what is retained then.
func TestRandomIntroduces(t *testing.T) {
	for i := range uint64(rounds()) {
		p := newPair(i)
		for _, ev := range p.events(10 + p.IntN(50)) {
			_, starts := ev.(*events.RunStarted)
			before, open := p.a.Retained(), len(p.a.Open())
			introduces := p.a.Introduces(ev)
			rejected := p.a.Would(ev) != nil
			p.both(t, ev)
			grown, opened := p.a.Retained()-before, len(p.a.Open())-open
			switch {
			case rejected && grown != 0:
				t.Fatalf("a rejected event adds %d ids\n%s", grown, p)
			case rejected || starts:
			case introduces > 0 && grown < 1, grown > introduces+max(opened, 0):
				t.Fatalf("an event introduces %d ids, opens %d and adds %d\n%s", introduces, opened, grown, p)
			}
		}
	}
}
