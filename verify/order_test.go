package verify_test

import (
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// TestOrderOfChecks has events that break two rules: the first is the verdict.
func TestOrderOfChecks(t *testing.T) {
	bad := events.Base{Metadata: events.MustJSON(1)}
	interrupts := []events.Interrupt{{ID: "i", Reason: "x"}, {ID: "i", Reason: "x"}}
	tests := []struct {
		name   string
		before script
		event  events.Event
		first  verify.Rule
		second verify.Rule // once the first is allowed
	}{
		{"InvalidField, RunEnded", ok(runStart(), runFinish()), &events.Raw{Base: bad}, verify.InvalidField, verify.RunEnded},
		{"InvalidField, RunNotStarted", nil, &events.StateSnapshot{Base: bad}, verify.InvalidField, verify.RunNotStarted},
		{"InvalidField, Preamble", nil, &events.Raw{Base: bad}, verify.InvalidField, verify.Preamble},
		{"InvalidField, DuplicateRunStarted", ok(runStart()), &events.RunStarted{Base: bad}, verify.InvalidField, verify.DuplicateRunStarted},
		{"InvalidField, NotOpen", ok(runStart()), &events.TextMessageEnd{Base: bad, MessageID: "a"}, verify.InvalidField, verify.NotOpen},
		{"RunNotStarted, NotOpen", nil, textEnd("a"), verify.RunNotStarted, verify.NotOpen},
		{"RunEnded, NotOpen", ok(runStart(), runFinish()), textEnd("a"), verify.RunEnded, verify.NotOpen},
		{"RunEnded, OpenAtFinish", ok(runStart(), textStart("a"), runError()), runFinish(), verify.RunEnded, verify.OpenAtFinish},

		{"text start: DuplicateStart, OwnerMismatch", ok(runStart(), textStart("a")), textStart("a", "s1"), verify.DuplicateStart, verify.OwnerMismatch},
		{"text start: OwnerMismatch, ChunkSequence", ok(runStart(), textChunk("a", "s1")), textStart("a", "s2"), verify.OwnerMismatch, verify.ChunkSequence},
		{"call start: DuplicateStart, OwnerMismatch", ok(runStart(), callStart("t1")), callStart("t1", "s1"), verify.DuplicateStart, verify.OwnerMismatch},
		{"content: NotOpen, OwnerMismatch", ok(runStart(), textStart("a", "s1"), textEnd("a")), textContent("a", "s2"), verify.NotOpen, verify.OwnerMismatch},
		{"end: NotOpen, OwnerMismatch", ok(runStart(), thinkStart("a", "s1"), thinkEnd("a")), thinkEnd("a", "s2"), verify.NotOpen, verify.OwnerMismatch},
		{"chunk: OwnerMismatch, ChunkSequence", ok(runStart(), textStart("a")), textChunk("a", "s1"), verify.OwnerMismatch, verify.ChunkSequence},
		{"chunk: OwnerMismatch, IdCollision", ok(runStart(), callStart("t1"), callEnd("t1"), result("a", "t1", "s2")), textChunk("a", "s1"), verify.OwnerMismatch, verify.IDCollision},
		{"chunk: ChunkSequence, IdCollision", ok(runStart(), textStart("a"), snapshot(&events.ReasoningMessage{MessageBase: message("a")})), textChunk("a"), verify.ChunkSequence, verify.IDCollision},
		{"result: UnknownId, IdCollision", ok(runStart(), textStart("a")), result("a", "t1"), verify.UnknownID, verify.IDCollision},
		{"result: OutOfOrder, IdCollision", ok(runStart(), textStart("a"), callStart("t1")), result("a", "t1"), verify.OutOfOrder, verify.IDCollision},
		{"subagent: DuplicateStart, UnknownId", ok(runStart(), subStart("s1")), subStart("s1", "s9"), verify.DuplicateStart, verify.UnknownID},

		{"finish: InvalidOutcome, OpenAtFinish", ok(runStart(), textStart("a")), finish(events.RunInterrupted{}), verify.InvalidOutcome, verify.OpenAtFinish},
		{"finish: OpenAtFinish, RunMismatch", ok(runStart(), textStart("a")), &events.RunFinished{ThreadID: "t", RunID: "r2"}, verify.OpenAtFinish, verify.RunMismatch},
		{"finish: RunMismatch, DuplicateInterrupt", ok(runStart()), &events.RunFinished{ThreadID: "t", RunID: "r2", Outcome: events.RunInterrupted{Interrupts: interrupts}}, verify.RunMismatch, verify.DuplicateInterrupt},
		{"finish: RunMismatch, PendingToolCalls", ok(runStart()), &events.RunFinished{ThreadID: "t", RunID: "r2", Outcome: events.RunSuccess{PendingToolCallIDs: []string{"t1"}}}, verify.RunMismatch, verify.PendingToolCalls},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			append(tt.before, ok()...).no(tt.first, tt.event).play(t, verify.New(verify.Strict))
			append(tt.before, ok()...).no(tt.second, tt.event).play(t, verify.New(verify.Strict, verify.Allow(tt.first)))
		})
	}
}

// TestLetThrough holds the state after an event that an option lets through to what the option promises.
func TestLetThrough(t *testing.T) {
	tests := []struct {
		name   string
		rule   verify.Rule
		script script
	}{
		{"a start that is open stays open once", verify.DuplicateStart,
			ok(runStart(), textStart("a"), textStart("a"), textEnd("a")).no(verify.NotOpen, textEnd("a")).ok(runFinish())},
		{"a subagent that has finished is active again", verify.DuplicateStart,
			ok(runStart(), subStart("s1"), subFinish("s1"), subStart("s1")).no(verify.OpenAtFinish, runFinish()).ok(subFinish("s1"), runFinish())},
		{"content and end of nothing change nothing", verify.NotOpen,
			ok(runStart(), textContent("a"), textEnd("a"), stepFinish("a"), subFinish("s1"), callEnd("t1")).
				no(verify.UnknownID, result("x", "t1")).
				no(verify.UnknownID, subStart("s2", "s1")).
				ok(thinkStart("a"), thinkEnd("a"), runFinish())},
		{"a result for an unknown call introduces nothing", verify.UnknownID,
			ok(runStart(), result("x", "t1"), result("y", "t1"), callStart("t1"), callEnd("t1")).
				no(verify.PendingToolCalls, finish(events.RunSuccess{PendingToolCallIDs: []string{"t1"}})).
				ok(runFinish())},
		{"a tag changes no owner", verify.OwnerMismatch,
			ok(runStart(), textStart("a", "s1"), textContent("a", "s2"), textEnd("a", "s2"), textStart("a", "s2"), textEnd("a"), runFinish())},
		{"a result before its call ends leaves it open", verify.OutOfOrder,
			ok(runStart(), callStart("t1"), result("x", "t1")).no(verify.OpenAtFinish, runFinish()).ok(callArgs("t1"), callEnd("t1"), runFinish())},
		{"RUN_FINISHED ends the run", verify.OpenAtFinish,
			ok(runStart(), textStart("a"), runFinish()).no(verify.RunEnded, textEnd("a"))},
		{"RUN_STARTED while active changes nothing", verify.DuplicateRunStarted,
			ok(runStart(), textStart("a"), textChunk("m1", "s1"),
				&events.RunStarted{ThreadID: "t2", RunID: "r2", Input: &events.RunAgentInput{ThreadID: "t2", RunID: "r2", Messages: []events.Message{assistant("m2", "t1")}}}).
				no(verify.UnknownID, result("x", "t1")).
				ok(moreText("s1"), textEnd("a")).
				no(verify.RunMismatch, &events.RunFinished{ThreadID: "t2", RunID: "r2"}).
				ok(runFinish())},
		{"anything after the end changes nothing", verify.RunEnded,
			ok(runStart(), runFinish(), textStart("a")).no(verify.NotOpen, textContent("a")).
				ok(runStart(), runError(), runFinish(), callChunk("t1")).no(verify.UnknownID, result("x", "t1"))},
		{"before the run everything counts", verify.RunNotStarted,
			ok(textStart("a"), runStart(), textContent("a"), textEnd("a"), runFinish())},
		{"a second kind does not take the id over", verify.IDCollision,
			ok(runStart(), textStart("a"), textEnd("a"), thinkStart("a"), thinkEnd("a"), textStart("a"), textEnd("a"), runFinish())},
		{"a chunk that no client expands still introduces its call", verify.ChunkSequence,
			ok(runStart(), &events.ToolCallChunk{ToolCallID: events.Some("t1")}, result("x", "t1"), moreText(), runFinish())},
		{"an empty interrupt list ends the run", verify.InvalidOutcome,
			ok(runStart(), finish(events.RunInterrupted{})).no(verify.RunEnded, raw())},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.script.play(t, verify.New(verify.Strict, verify.Allow(tt.rule)))
			switch tt.rule {
			case verify.RunNotStarted, verify.RunEnded, verify.DuplicateRunStarted, verify.InvalidField:
				return // cannot be reported
			}
			heard := 0
			v := verify.New(verify.Strict, verify.Report(func(*verify.Violation) { heard++ }, tt.rule))
			tt.script.play(t, v)
			if heard == 0 {
				t.Error("nothing was reported")
			}
		})
	}
}

// TestOwnerStaysWithTheFirst shows that a tag that was let through left the owner.
func TestOwnerStaysWithTheFirst(t *testing.T) {
	let := true
	var v *verify.Verifier
	v = verify.New(verify.Strict, verify.Report(func(got *verify.Violation) {
		let = false
		if got.Index != v.Index() {
			t.Errorf("index inside the reporter\n got: %d\nwant: %d", v.Index(), got.Index)
		}
	}, verify.OwnerMismatch))
	observe(t, v, runStart(), textStart("a", "s1"), textContent("a", "s2"))
	if let {
		t.Error("the first tag of another was not reported")
	}
	if got, want := v.Open()[0].Owner, events.Some("s1"); got != want {
		t.Errorf("owner\n got: %v\nwant: %v", got, want)
	}
}

// TestTagBesideItsMessage lets a call be of another owner than its message.
func TestTagBesideItsMessage(t *testing.T) {
	v := verify.New(verify.Strict, verify.Allow(verify.OwnerMismatch))
	observe(t, v, runStart(), textStart("m1", "s1"), callIn("m1", "t1", "s2"))
	if got, want := v.Open()[1].Owner, events.Some("s2"); got != want {
		t.Errorf("owner of the call\n got: %v\nwant: %v", got, want)
	}
}

func TestReportBounds(t *testing.T) {
	// These four are rejected though they are named.
	v := verify.New(verify.Strict, verify.Report(func(*verify.Violation) {}, verify.Rules()...))
	script{}.
		no(verify.RunNotStarted, textStart("a")).
		no(verify.InvalidField, &events.TextMessageStart{MessageID: "a", Role: "wizard"}).
		ok(raw(), runStart()).
		no(verify.DuplicateRunStarted, runStart()).
		ok(textContent("a"), textStart("a"), textStart("a"), runFinish()).
		no(verify.RunEnded, runFinish()).
		play(t, v)
}

func TestReportsComeBeforeARejection(t *testing.T) {
	var heard []verify.Rule
	v := verify.New(verify.Strict, verify.Report(func(got *verify.Violation) { heard = append(heard, got.Rule) }, verify.DuplicateStart))
	ok(runStart(), textStart("a")).no(verify.OwnerMismatch, textStart("a", "s1")).play(t, v)
	if len(heard) != 1 || heard[0] != verify.DuplicateStart {
		t.Errorf("reported\n got: %v\nwant: [DuplicateStart]", names(heard))
	}
}

func TestLaterOptionCounts(t *testing.T) {
	heard := 0
	report := verify.Report(func(*verify.Violation) { heard++ }, verify.NotOpen)
	ok(runStart(), textEnd("a")).play(t, verify.New(verify.Core, report, verify.Allow(verify.NotOpen), nil))
	if heard != 0 {
		t.Error("an allowed rule was reported")
	}
	ok(runStart(), textEnd("a")).play(t, verify.New(verify.Core, verify.Allow(verify.NotOpen), report))
	if heard != 1 {
		t.Errorf("reports\n got: %d\nwant: 1", heard)
	}
	ok(runStart(), textEnd("a")).play(t, verify.New(verify.Core, verify.Report(nil, verify.NotOpen, verify.Rule(99))))
}
