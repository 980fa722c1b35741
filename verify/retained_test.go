package verify_test

import (
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

func TestIntroduces(t *testing.T) {
	keep := activity("a1", "s3").(*events.ActivitySnapshot)
	keep.Replace = events.Some(false)
	tests := []struct {
		name  string
		event events.Event
		want  bool
	}{
		{"RUN_STARTED", runStartWith(assistant("new", "new")), false},
		{"RUN_FINISHED", runFinish(), false},
		{"RUN_ERROR", runError(), false},
		{"a new message", textStart("new"), true},
		{"a known message", textStart("m1"), false},
		{"a known message, a new tag", textStart("m1", "s3"), true},
		{"a known message, a known tag", textStart("m1", "s1"), false},
		{"content and end of a new message", textContent("new", "s3"), false},
		{"", textEnd("new", "s3"), false},
		{"a new call", callStart("new"), true},
		{"a call with the id of a message", callStart("m1"), true},
		{"a known call", callStart("t1"), false},
		{"a call known from history", callStart("t0"), false},
		{"a new reasoning span", spanStart("new"), true},
		{"a span with the id of a reasoning message", spanStart("z1"), false},
		{"a new step", stepStart("new"), true},
		{"a known step", stepStart("plan"), false},
		{"a new subagent", subStart("new"), true},
		{"a known subagent", subStart("s2"), false},
		{"the end of a new step", stepFinish("new"), false},
		{"a chunk of a new message", textChunk("new"), true},
		{"a chunk of a known message", textChunk("m1"), false},
		{"a chunk of a known message, a new tag", textChunk("m1", "s3"), true},
		{"a chunk without an id", moreText("s3"), false},
		{"a result", result("new", "t1"), true},
		{"a result in a known message", result("m1", "t1"), false},
		{"a result for a new call", result("m1", "new"), true},
		{"a result, a new tag", result("m1", "t1", "s3"), true},
		{"a new activity", activity("new"), true},
		{"a known activity", activity("a1"), false},
		{"a known activity, a new tag", activity("a1", "s3"), true},
		{"a known activity, a new tag that does not count", keep, false},
		{"an activity that only a delta named", activityDelta("new", "s3"), false},
		{"a snapshot of nothing", snapshot(), false},
		{"a snapshot of what is known", snapshot(nil, assistant("m1", "t1"), &events.ReasoningMessage{MessageBase: message("z1", "s1")}), false},
		{"a snapshot with a new message", snapshot(assistant("m1"), assistant("new")), true},
		{"a snapshot with a new call", snapshot(assistant("m1", "t1", "new")), true},
		{"a snapshot with a new tag", snapshot(&events.UserMessage{MessageBase: message("m1", "s3")}), true},
		{"a snapshot with a message of another kind", snapshot(&events.ReasoningMessage{MessageBase: message("m1")}), true},
		{"state, RAW, CUSTOM", &events.StateSnapshot{SubagentRunID: events.Some("s3")}, false},
		{"", &events.Raw{SubagentRunID: events.Some("s3")}, false},
		{"", custom("s3"), false},
		{"an encrypted value", encrypted(events.EncryptedMessage, "new", "s3"), false},
		{"nil", nil, false},
	}
	for _, set := range sets {
		v := verify.New(set)
		v.Seed([]events.Message{assistant("a0", "t0")})
		observe(t, v, runStart(), subStart("s2"), subFinish("s2"), textStart("m1", "s1"), textEnd("m1"), callStart("t1"), callEnd("t1"),
			thinkStart("z1"), thinkEnd("z1"), stepStart("plan"), stepFinish("plan"), activity("a1"))
		for _, tt := range tests {
			if got := v.Introduces(tt.event); got != tt.want {
				t.Errorf("%s, %s: %v\n got: %t\nwant: %t", set, tt.name, tt.event, got, tt.want)
			}
		}
		stranger := events.UnknownMessage{MessageBase: message("new"), Role: "oracle"}
		if got, want := v.Introduces(snapshot(stranger)), set == verify.Core; got != want {
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
			case introduces && grown < 1:
				t.Fatalf("an event introduces something and adds %d ids\n%s", grown, p)
			case !introduces && grown > max(opened, 0):
				t.Fatalf("an event introduces nothing, opens %d and adds %d ids\n%s", opened, grown, p)
			}
		}
	}
}
