package verify_test

import (
	"errors"
	"math"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

func TestRunNotStarted(t *testing.T) {
	script{}.
		no(verify.RunNotStarted, runError()).
		no(verify.RunNotStarted, runFinish()).
		no(verify.RunNotStarted, textStart("m1")).
		no(verify.RunNotStarted, activity("a1")).
		no(verify.RunNotStarted, snapshot()).
		no(verify.RunNotStarted, &events.StateSnapshot{}).
		no(verify.RunNotStarted, unknown("THINKING_START")).
		no(verify.RunNotStarted, unknown("NEWER")).
		ok(runStart(), textStart("m1"), textEnd("m1"), unknown("THINKING_END"), runFinish()).
		both(t)
}

func TestPreamble(t *testing.T) {
	script{}.
		no(verify.Preamble, raw()).
		no(verify.Preamble, custom()).
		ok(runStart(), raw(), custom(), runFinish()).
		strict(t)
	ok(raw(), custom(), runStart(), runFinish()).play(t, verify.New(verify.Core))
	ok(raw(), custom(), runStart(), runFinish()).both(t, verify.Allow(verify.Preamble))
}

func TestRunEnded(t *testing.T) {
	for _, terminal := range []events.Event{runFinish(), runError()} {
		ok(runStart(), terminal).
			no(verify.RunEnded, runStart()).
			no(verify.RunEnded, runError()).
			no(verify.RunEnded, runFinish()).
			no(verify.RunEnded, textStart("m1")).
			no(verify.RunEnded, textContent("m1")).
			no(verify.RunEnded, raw()).
			no(verify.RunEnded, unknown("THINKING_END")).
			both(t)
	}
	// What is open when the run fails can neither go on nor end.
	ok(runStart(), textStart("m1"), runError()).
		no(verify.RunEnded, textContent("m1")).
		no(verify.RunEnded, textEnd("m1")).
		both(t)
}

func TestDuplicateRunStarted(t *testing.T) {
	ok(runStart()).
		no(verify.DuplicateRunStarted, runStart()).
		ok(runFinish()).
		both(t)
}

func TestDuplicateStart(t *testing.T) {
	tests := []struct {
		name       string
		start, end events.Event
		again      verify.Rule // what a start after the end meets
	}{
		{"text message", textStart("a"), textEnd("a"), 0},
		{"tool call", callStart("a"), callEnd("a"), 0},
		{"reasoning span", spanStart("a"), spanEnd("a"), 0},
		{"reasoning message", thinkStart("a"), thinkEnd("a"), 0},
		{"step", stepStart("a"), stepFinish("a"), 0},
		{"subagent that finished", subStart("a"), subFinish("a"), verify.DuplicateStart},
		{"subagent that failed", subStart("a"), subError("a"), verify.DuplicateStart},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := ok(runStart(), tt.start).no(verify.DuplicateStart, tt.start).ok(tt.end)
			if tt.again != 0 {
				s.no(tt.again, tt.start).ok(runFinish()).both(t)
				return
			}
			s.ok(tt.start, tt.end, runFinish()).both(t)
		})
	}
	t.Run("kinds do not share ids", func(t *testing.T) {
		ok(runStart(), textStart("a"), callStart("a"), spanStart("a"), stepStart("a"), subStart("a"),
			stepFinish("a"), spanEnd("a"), callEnd("a"), textEnd("a"), subFinish("a"), runFinish()).both(t)
		ok(runStart(), subStart("a"), subFinish("a"), stepStart("a"), spanStart("a"), callStart("a"), textStart("a"),
			stepFinish("a"), spanEnd("a"), callEnd("a"), textEnd("a"), runFinish()).both(t)
	})
	t.Run("one name under two owners", func(t *testing.T) {
		ok(runStart(), stepStart("a"), stepStart("a", "s1"), stepStart("a", "")).
			no(verify.DuplicateStart, stepStart("a", "s1")).
			ok(stepFinish("a", ""), stepFinish("a"), stepFinish("a", "s1"), runFinish()).
			both(t)
	})
}

func TestNotOpen(t *testing.T) {
	tests := []struct {
		name                string
		start, content, end events.Event
		fails               events.Event // another terminator
	}{
		{"text message", textStart("a"), textContent("a"), textEnd("a"), nil},
		{"tool call", callStart("a"), callArgs("a"), callEnd("a"), nil},
		{"reasoning span", spanStart("a"), nil, spanEnd("a"), nil},
		{"reasoning message", thinkStart("a"), thinkContent("a"), thinkEnd("a"), nil},
		{"step", stepStart("a"), nil, stepFinish("a"), nil},
		{"subagent", subStart("a"), nil, subFinish("a"), subError("a")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := ok(runStart())
			for _, ev := range []events.Event{tt.content, tt.end, tt.fails} {
				if ev != nil {
					s = s.no(verify.NotOpen, ev)
				}
			}
			s = s.ok(tt.start)
			if tt.content != nil {
				s = s.ok(tt.content, tt.content)
			}
			s = s.ok(tt.end)
			for _, ev := range []events.Event{tt.content, tt.end, tt.fails} {
				if ev != nil {
					s = s.no(verify.NotOpen, ev)
				}
			}
			s.ok(runFinish()).both(t)
		})
	}
	t.Run("a span and the message of its id are two", func(t *testing.T) {
		ok(runStart(), spanStart("z")).
			no(verify.NotOpen, thinkContent("z")).
			ok(thinkStart("z"), spanEnd("z"), thinkContent("z"), thinkEnd("z"), runFinish()).
			both(t)
	})
	t.Run("a step ends under exactly its tag", func(t *testing.T) {
		ok(runStart(), stepStart("a")).
			no(verify.NotOpen, stepFinish("a", "")).
			no(verify.NotOpen, stepFinish("a", "s1")).
			ok(stepFinish("a"), stepStart("a", "s1")).
			no(verify.NotOpen, stepFinish("a")).
			ok(stepFinish("a", "s1"), runFinish()).
			both(t)
	})
	t.Run("chunks open nothing", func(t *testing.T) {
		ok(runStart(), textChunk("m1"), callChunk("t1"), thinkChunk("z1")).
			no(verify.NotOpen, textContent("m1")).
			no(verify.NotOpen, textEnd("m1")).
			no(verify.NotOpen, callArgs("t1")).
			no(verify.NotOpen, callEnd("t1")).
			no(verify.NotOpen, thinkEnd("z1")).
			ok(runFinish()).
			both(t)
	})
}

func TestUnknownID(t *testing.T) {
	t.Run("calls", func(t *testing.T) {
		ok(runStart()).
			no(verify.UnknownID, result("x1", "t1")).
			ok(callStart("t1"), callEnd("t1"), result("x1", "t1"), result("x2", "t1"), // a second result is legal
				callChunk("t2"), result("x3", "t2"),
				snapshot(assistant("a1", "t3")), result("x4", "t3"), runFinish()).
			both(t)
	})
	t.Run("an id-less chunk introduces nothing", func(t *testing.T) {
		idless := &events.ToolCallChunk{ToolCallName: events.Some("f"), Delta: events.Some("{}")}
		ok(runStart(), idless).no(verify.UnknownID, result("x1", "t1")).play(t, verify.New(verify.Core))
	})
	t.Run("the input introduces calls", func(t *testing.T) {
		ok(runStartWith(assistant("a1", "t1")), result("x1", "t1"), runFinish()).both(t)
	})
	t.Run("a seed introduces calls, until Reset", func(t *testing.T) {
		for _, set := range []verify.Set{verify.Core, verify.Strict} {
			v := verify.New(set)
			v.Seed([]events.Message{assistant("a1", "t1")})
			v.Seed([]events.Message{assistant("a2", "t2"), nil, (*events.UserMessage)(nil)})
			ok(runStart(), result("x1", "t1"), result("x2", "t2"), runFinish()).play(t, v)
			v.Reset()
			ok(runStart()).no(verify.UnknownID, result("x1", "t1")).ok(runFinish()).play(t, v)
		}
	})
	t.Run("parents", func(t *testing.T) {
		ok(runStart(), textStart("m1", "s9")).
			no(verify.UnknownID, subStart("s1", "s9")). // a tag announces nobody
			no(verify.UnknownID, subStart("s1", "s1")).
			ok(subStart("s1"), subStart("s2", "s1"), subFinish("s1"), subStart("s3", "s1"),
				subError("s2"), subStart("s4", "s2"), subFinish("s3"), subFinish("s4"), textEnd("m1"), runFinish()).
			both(t)
	})
}

func TestOutOfOrder(t *testing.T) {
	ok(runStart(), callStart("t1"), snapshot(assistant("a1", "t1"))).
		no(verify.OutOfOrder, result("x1", "t1")).
		ok(callEnd("t1"), result("x1", "t1"), callStart("t1")). // a call may be opened again
		no(verify.OutOfOrder, result("x2", "t1")).
		ok(callEnd("t1"), result("x2", "t1"), runFinish()).
		both(t)
	// A call that another lane assembles from chunks may be answered.
	ok(runStart(), callChunk("t1", "s1"), result("x1", "t1"), runFinish()).both(t)
}

func TestOpenAtFinish(t *testing.T) {
	tests := []struct {
		name       string
		start, end events.Event
	}{
		{"text message", textStart("a"), textEnd("a")},
		{"tool call", callStart("a"), callEnd("a")},
		{"reasoning span", spanStart("a"), spanEnd("a")},
		{"reasoning message", thinkStart("a"), thinkEnd("a")},
		{"step", stepStart("a", "s1"), stepFinish("a", "s1")},
		{"subagent", subStart("a"), subError("a")},
	}
	outcomes := []events.RunOutcome{
		nil, events.RunSuccess{}, events.RunCancelled{},
		events.RunInterrupted{Interrupts: []events.Interrupt{{ID: "i1", Reason: "confirmation"}}},
	}
	for _, tt := range tests {
		for _, outcome := range outcomes {
			ok(runStart(), tt.start).
				no(verify.OpenAtFinish, finish(outcome)).
				ok(tt.end, finish(outcome)).
				both(t)
		}
		ok(runStart(), tt.start, runError()).both(t)
	}
	// Neither chunks nor snapshots nor the end of its subagent leave or close anything.
	ok(runStart(), textChunk("m1"), callChunk("t1", "s1"), runFinish()).both(t)
	ok(runStart(), subStart("s1"), textStart("m1", "s1"), subFinish("s1"), snapshot(assistant("m1"))).
		no(verify.OpenAtFinish, runFinish()).
		ok(textEnd("m1"), runFinish()).
		both(t)
}

func TestOwnerMismatch(t *testing.T) {
	const no = verify.OwnerMismatch
	t.Run("text message", func(t *testing.T) {
		ok(runStart(), textStart("m1", "s1")).
			no(no, textContent("m1", "s2")).
			no(no, textEnd("m1", "")).
			ok(textContent("m1"), textContent("m1", "s1"), textEnd("m1")).
			no(no, textStart("m1", "s2")).
			ok(textStart("m1")). // an untagged re-open leaves the owner
			no(no, textContent("m1", "s2")).
			ok(textContent("m1", "s1"), textEnd("m1", "s1"), runFinish()).
			both(t)
	})
	t.Run("the parent agent owns too", func(t *testing.T) {
		ok(runStart(), textStart("m1")).no(no, textContent("m1", "s1")).no(no, textContent("m1", "")).ok(textEnd("m1")).both(t)
	})
	t.Run("tool call", func(t *testing.T) {
		ok(runStart(), callStart("t1", "s1")).
			no(no, callArgs("t1", "s2")).
			no(no, callEnd("t1", "s2")).
			ok(callArgs("t1", "s1"), callEnd("t1")).
			no(no, callStart("t1", "s2")).
			no(no, callChunk("t1", "s2")).
			ok(result("x1", "t1", "s2")). // the executor may be another than the caller
			ok(runFinish()).both(t)
	})
	t.Run("a call and its message", func(t *testing.T) {
		ok(runStart(), textStart("m1", "s1"), textStart("m2", "s2")).
			no(no, callIn("m1", "t1", "s2")).
			ok(callIn("m1", "t1")). // inherits s1
			no(no, callArgs("t1", "s2")).
			ok(callArgs("t1", "s1"), callEnd("t1")).
			no(no, callIn("m2", "t1")). // untagged, under a message of another owner
			no(no, callIn("m2", "t1", "s1")).
			ok(callIn("m1", "t1"), callEnd("t1"), callIn("unseen", "t2", "s1"), callEnd("t2"),
				textEnd("m1"), textEnd("m2"), runFinish()).
			both(t)
	})
	t.Run("a call without a message", func(t *testing.T) {
		ok(runStart(), textStart("", "s1"), callStart("t1", "s2"), callStart("t2")).
			no(no, callArgs("t2", "s1")). // the parent agent's: the message "" is not its message
			ok(callEnd("t1", "s2"), callEnd("t2"), textEnd(""), runFinish()).
			both(t)
	})
	t.Run("a call chunk and its message", func(t *testing.T) {
		in := func(parent string, by ...string) events.Event {
			ev := callChunk("t1", by...).(*events.ToolCallChunk)
			ev.ParentMessageID = events.Some(parent)
			return ev
		}
		ok(runStart(), textStart("m1", "s1"), textStart("m2", "s2")).
			no(no, in("m1", "s2")).
			ok(in("m1")).
			no(no, in("m2")).
			no(no, callChunk("t1", "s2")).
			both(t)
	})
	t.Run("reasoning has one owner for span and message", func(t *testing.T) {
		ok(runStart(), spanStart("z", "s1")).
			no(no, thinkStart("z", "s2")).
			ok(thinkStart("z")).
			no(no, thinkContent("z", "s2")).
			no(no, thinkEnd("z", "s2")).
			no(no, spanEnd("z", "s2")).
			ok(thinkEnd("z", "s1"), spanEnd("z")).
			no(no, thinkChunk("z", "s2")).
			no(no, spanStart("z", "s2")).
			ok(runFinish()).both(t)
	})
	t.Run("activity", func(t *testing.T) {
		ok(runStart(), activityDelta("a1", "s9"), activity("a1", "s1")).
			no(no, activityDelta("a1", "s2")).
			ok(keepActivity("a1", "s2"), activityDelta("a1", "s1"), activity("a1", "s2"), activityDelta("a1", "s2")).
			no(no, activityDelta("a1", "s1")).
			ok(keepActivity("a2", "s1")).
			no(no, activityDelta("a2", "s2")).
			ok(runFinish()).both(t)
	})
	t.Run("encrypted values", func(t *testing.T) {
		ok(runStart(), encrypted(events.EncryptedMessage, "m1", "s9"),
			callStart("q", "s1"), callEnd("q"), thinkStart("q", "s2"), thinkEnd("q")).
			no(no, encrypted(events.EncryptedToolCall, "q", "s2")).
			no(no, encrypted(events.EncryptedMessage, "q", "s1")).
			ok(encrypted(events.EncryptedToolCall, "q", "s1"), encrypted(events.EncryptedMessage, "q", "s2"),
				encrypted(events.EncryptedMessage, "q"), textStart("m1", "s1"), textEnd("m1")).
			no(no, encrypted(events.EncryptedMessage, "m1", "s2")).
			ok(runFinish()).both(t)
	})
	t.Run("an encrypted value of another subtype is of reasoning", func(t *testing.T) {
		ok(runStart(), textStart("m1", "s1"), thinkStart("z1", "s1"), encrypted("other", "m1", "s2")).
			no(no, encrypted("other", "z1", "s2")).
			play(t, verify.New(verify.Core))
	})
	t.Run("a message comes before reasoning of its id", func(t *testing.T) {
		ok(runStart(), spanStart("q", "s2"), spanEnd("q"), textStart("q", "s1"), textEnd("q"),
			encrypted(events.EncryptedMessage, "q", "s1")).
			no(no, encrypted(events.EncryptedMessage, "q", "s2")).
			ok(runFinish()).both(t)
	})
	t.Run("a result owns the message that it makes", func(t *testing.T) {
		ok(runStart(), callStart("t1"), callEnd("t1"), result("x1", "t1", "s1")).
			no(no, textStart("x1", "s2")).
			no(no, callIn("x1", "t2", "s2")).
			no(no, encrypted(events.EncryptedMessage, "x1", "s2")).
			ok(runFinish()).both(t)
	})
	t.Run("a result takes over an open message", func(t *testing.T) {
		ok(runStart(), callStart("t1"), callEnd("t1"), textStart("m1", "s1"), result("m1", "t1", "s2")).
			no(no, textContent("m1", "s1")).
			ok(textContent("m1", "s2"), textEnd("m1"), runFinish()).
			play(t, verify.New(verify.Core))
	})
	t.Run("a snapshot restates owners, also of what is open", func(t *testing.T) {
		m1 := assistant("m1", "t1")
		m1.SubagentRunID = events.Some("s2")
		ok(runStart(), textStart("m1", "s1"), callStart("t1", "s1"), spanStart("z1", "s1"),
			snapshot(m1, &events.ReasoningMessage{MessageBase: message("z1", "s2")},
				events.ActivityMessage{MessageBase: message("a1", "s2"), ActivityType: "plan", Content: events.MustJSON(struct{}{})})).
			no(no, textContent("m1", "s1")).
			no(no, callArgs("t1", "s1")).
			no(no, spanEnd("z1", "s1")).
			no(no, activityDelta("a1", "s1")).
			ok(textEnd("m1", "s2"), callEnd("t1", "s2"), spanEnd("z1", "s2"), snapshot(assistant("m1", "t1"))).
			no(no, textStart("m1", "s2")).
			ok(runFinish()).both(t)
	})
	t.Run("a snapshot restates owners kind by kind", func(t *testing.T) {
		for _, set := range sets {
			v := verify.New(set)
			ok(runStart(), textStart("q", "s1"), callStart("q", "s1"), spanStart("q", "s1"), snapshot(assistant("q"))).
				no(no, textContent("q", "s1")).
				ok(callArgs("q", "s1"), spanEnd("q", "s1"), textEnd("q")).
				play(t, v)
			if got, want := v.Open()[0].Owner, events.Some("s1"); got != want {
				t.Errorf("%s: owner of the call\n got: %v\nwant: %v", set, got, want)
			}
		}
	})
	t.Run("the input fills what is not on record, the first of two first", func(t *testing.T) {
		ok(runStartWith(&events.UserMessage{MessageBase: message("m1", "s1")}, &events.UserMessage{MessageBase: message("m1", "s2")})).
			no(no, textStart("m1", "s2")).
			ok(textStart("m1", "s1"), textEnd("m1"), runFinish()).both(t)
	})
	t.Run("earlier seeds win", func(t *testing.T) {
		v := verify.New(verify.Strict)
		v.Seed([]events.Message{&events.SystemMessage{MessageBase: message("m1", "s1")}})
		v.Seed([]events.Message{events.DeveloperMessage{MessageBase: message("m1", "s2")}})
		ok(runStartWith(events.ToolMessage{MessageBase: message("m1", "s3")})).
			no(no, textStart("m1", "s2")).
			no(no, textStart("m1", "s3")).
			ok(textStart("m1", "s1"), textEnd("m1"), runFinish()).play(t, v)
	})
	t.Run("a role that AG-UI does not know", func(t *testing.T) {
		stranger := &events.UnknownMessage{MessageBase: message("m1", "s1"), Role: "oracle", JSON: events.MustJSON(map[string]any{"id": "m1", "role": "oracle"})}
		ok(runStart(), snapshot(stranger)).no(no, textStart("m1", "s2")).play(t, verify.New(verify.Core))
		// Clients drop the message before they verify.
		ok(runStart(), snapshot(stranger), textStart("m1", "s2"), textEnd("m1"), runFinish()).play(t, verify.New(verify.Strict))
	})
}

func TestInvalidOutcome(t *testing.T) {
	ok(runStart()).
		no(verify.InvalidOutcome, finish(events.RunInterrupted{})).
		no(verify.InvalidOutcome, finish(&events.RunInterrupted{Interrupts: []events.Interrupt{}})).
		ok(finish(&events.RunInterrupted{Interrupts: []events.Interrupt{{ID: "i1", Reason: "x"}}})).
		both(t)
}

func TestRunMismatch(t *testing.T) {
	ok(runStart()).
		no(verify.RunMismatch, &events.RunFinished{ThreadID: "t", RunID: "r2"}).
		no(verify.RunMismatch, &events.RunFinished{ThreadID: "t2", RunID: "r"}).
		ok(runFinish()).
		strict(t)
	// Without a RUN_STARTED there is nothing to compare with.
	ok(runFinish()).play(t, verify.New(verify.Strict, verify.Allow(verify.RunNotStarted)))
}

func TestDuplicateInterrupt(t *testing.T) {
	interrupts := func(ids ...string) events.Event {
		var list []events.Interrupt
		for _, id := range ids {
			list = append(list, events.Interrupt{ID: id, Reason: "confirmation"})
		}
		return finish(events.RunInterrupted{Interrupts: list})
	}
	ok(runStart()).
		no(verify.DuplicateInterrupt, interrupts("i1", "i1")).
		no(verify.DuplicateInterrupt, interrupts("i1", "i2", "i2")).
		ok(interrupts("i1", "i2", "")).
		strict(t)
}

func TestPendingToolCalls(t *testing.T) {
	pending := func(ids ...string) events.Event { return finish(&events.RunSuccess{PendingToolCallIDs: ids}) }
	calls := ok(runStartWith(assistant("a0", "t0")), callStart("t1"), callStart("t2"), callEnd("t2"), callEnd("t1"),
		callChunk("t3"), callStart("t1"), callEnd("t1")) // a restart does not change the order
	calls.
		no(verify.PendingToolCalls, pending("t1")).
		no(verify.PendingToolCalls, pending("t1", "t2")).
		no(verify.PendingToolCalls, pending("t1", "t3", "t2")).
		no(verify.PendingToolCalls, pending("t1", "t2", "t3", "t3")).
		no(verify.PendingToolCalls, pending("t0", "t1", "t2", "t3")).
		ok(result("x2", "t2")).
		no(verify.PendingToolCalls, pending("t1", "t2", "t3")).
		ok(callStart("t2"), callEnd("t2")). // one result takes a call out for good
		no(verify.PendingToolCalls, pending("t1", "t2", "t3")).
		ok(pending("t1", "t3")).
		strict(t)
	t.Run("what is missing is counted once", func(t *testing.T) {
		ok(runStart(), callChunk("t1"), callChunk("t2"), callChunk("t3"), result("x1", "t1"), result("x2", "t1")).
			no(verify.PendingToolCalls, pending("t2")).
			ok(pending("t2", "t3")).
			strict(t)
		ok(runStartWith(assistant("a0", "t0")), result("x0", "t0"), callChunk("t1"), callChunk("t2")).
			no(verify.PendingToolCalls, pending("t1")).
			ok(pending("t1", "t2")).
			strict(t)
	})
	calls.ok(pending()).both(t)
	calls.ok(runFinish()).both(t)
	// A call known from history that is answered and then started is no pending call either.
	ok(runStartWith(assistant("a0", "t0")), result("x0", "t0"), callStart("t0"), callEnd("t0")).
		no(verify.PendingToolCalls, pending("t0")).
		strict(t)
}

func TestIDCollision(t *testing.T) {
	makers := []struct {
		kind string
		make func() script // events that make q a message of the kind
		mint events.Event  // the one that gives q its kind
	}{
		{"text", func() script { return ok(textStart("q"), textEnd("q")) }, textStart("q")},
		{"text", func() script { return ok(textChunk("q")) }, textChunk("q")},
		{"reasoning", func() script { return ok(thinkStart("q"), thinkEnd("q")) }, thinkStart("q")},
		{"reasoning", func() script { return ok(thinkChunk("q")) }, thinkChunk("q")},
		{"activity", func() script { return ok(activity("q")) }, activity("q")},
		{"tool", func() script { return ok(result("q", "t0")) }, result("q", "t0")},
		{"text", func() script { return ok(snapshot(assistant("q"))) }, nil},
		{"text", func() script { return ok(snapshot(&events.UserMessage{MessageBase: message("q")})) }, nil},
		{"tool", func() script { return ok(snapshot(&events.ToolMessage{MessageBase: message("q")})) }, nil},
		{"reasoning", func() script { return ok(snapshot(&events.ReasoningMessage{MessageBase: message("q")})) }, nil},
		{"activity", func() script {
			return ok(snapshot(&events.ActivityMessage{MessageBase: message("q"), Content: events.MustJSON(struct{}{})}))
		}, nil},
	}
	for _, first := range makers {
		for _, second := range makers {
			if second.mint == nil {
				continue
			}
			s := append(ok(runStartWith(assistant("a0", "t0"))), first.make()...)
			if first.kind == second.kind && second.kind != "tool" {
				s.ok(second.mint).strict(t)
				continue
			}
			s.no(verify.IDCollision, second.mint).no(verify.IDCollision, second.mint).strict(t)
		}
	}
	t.Run("spans, deltas, calls and clients' own messages mint nothing", func(t *testing.T) {
		ok(runStart(), spanStart("q"), spanEnd("q"), activityDelta("q"), callStart("q"), callEnd("q"), textStart("q"), textEnd("q"), runFinish()).both(t)
	})
	t.Run("a snapshot restates the kind", func(t *testing.T) {
		ok(runStart(), textStart("q"), textEnd("q"), snapshot(&events.ReasoningMessage{MessageBase: message("q")})).
			no(verify.IDCollision, textStart("q")).
			ok(thinkStart("q"), thinkEnd("q"), snapshot(), thinkChunk("q"), snapshot(assistant("q")), textChunk("q"), runFinish()).
			strict(t)
	})
	t.Run("a seed gives kinds, and the earlier wins", func(t *testing.T) {
		v := verify.New(verify.Strict)
		v.Seed([]events.Message{assistant("q"), &events.ReasoningMessage{MessageBase: message("q")}})
		ok(runStart()).no(verify.IDCollision, thinkStart("q")).ok(textStart("q"), textEnd("q"), runFinish()).play(t, v)
	})
}

func TestInvalidField(t *testing.T) {
	script{}.
		no(verify.InvalidField, &events.TextMessageStart{MessageID: "m1", Role: events.RoleTool}). // before the run: it comes first
		ok(runStart()).
		no(verify.InvalidField, &events.TextMessageStart{MessageID: "m1", Role: "wizard"}).
		ok(textStart("m1")).
		no(verify.InvalidField, &events.TextMessageContent{MessageID: "m1", Base: events.Base{Timestamp: events.Some[int64](math.MaxInt64)}}).
		no(verify.InvalidField, &events.TextMessageContent{MessageID: "m1", Base: events.Base{Metadata: events.MustJSON(1)}}).
		ok(textEnd("m1"), runFinish()).
		no(verify.InvalidField, &events.StateDelta{Delta: events.Patch{{Op: events.OpAdd, Path: "x"}}}). // after it too
		play(t, verify.New(verify.Strict))

	v := verify.New(verify.Strict)
	observe(t, v, runStart())
	err := v.Observe(&events.TextMessageStart{MessageID: "m1", Role: "wizard"})
	var field *events.FieldError
	if !errors.As(err, &field) || field.Pointer != "/role" {
		t.Errorf("field error\n got: %v\nwant: one of /role", field)
	}
	ok(runStart(), &events.TextMessageStart{MessageID: "m1", Role: "wizard"}, textEnd("m1"), runFinish()).
		play(t, verify.New(verify.Strict, verify.Allow(verify.InvalidField)))
	ok(runStart(), &events.TextMessageStart{MessageID: "m1", Role: "wizard"}, textEnd("m1"), runFinish()).
		play(t, verify.New(verify.Core))
}

func TestUnterminated(t *testing.T) {
	tests := []struct {
		name   string
		events script
		want   verify.Rule
	}{
		{"nothing", nil, verify.Unterminated},
		{"started", ok(runStart()), verify.Unterminated},
		{"open message", ok(runStart(), textStart("m1")), verify.Unterminated},
		{"finished", ok(runStart(), runFinish()), 0},
		{"failed", ok(runStart(), textStart("m1"), runError()), 0},
	}
	for _, tt := range tests {
		for _, set := range []verify.Set{verify.Core, verify.Strict} {
			v := verify.New(set)
			tt.events.play(t, v)
			var got verify.Rule
			if err := v.End(); err != nil {
				violation := violationOf(t, err)
				if got = violation.Rule; violation.Index != len(tt.events) {
					t.Errorf("%s: index\n got: %d\nwant: %d", tt.name, violation.Index, len(tt.events))
				}
			}
			if got != tt.want {
				t.Errorf("%s, %s\n got: %s\nwant: %s", set, tt.name, got.String(), tt.want.String())
			}
			if v.Index() != len(tt.events) {
				t.Errorf("%s: End moves the index", tt.name)
			}
		}
	}
	if err := verify.New(verify.Core, verify.Allow(verify.Unterminated)).End(); err != nil {
		t.Errorf("allowed: %v", err)
	}
	heard := 0
	v := verify.New(verify.Core, verify.Report(func(*verify.Violation) { heard++ }, verify.Unterminated))
	if err := v.End(); err != nil || heard != 1 {
		t.Errorf("reported\n got: %v, told %d times\nwant: nil, told once", err, heard)
	}
}
