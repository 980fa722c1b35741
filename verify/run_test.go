package verify_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// nextRun observes a run that ends with last, and begins the next one.
func nextRun(t *testing.T, set verify.Set, run ...events.Event) *verify.Verifier {
	t.Helper()
	v := verify.New(set)
	for _, ev := range run {
		if err := v.Observe(ev); err != nil {
			t.Fatalf("the first run: %v", err)
		}
	}
	if !v.NextRun() {
		t.Fatal("NextRun refused after the run had ended")
	}
	if err := v.Observe(events.NewRunStarted("t", "r2")); err != nil {
		t.Fatalf("the second run: %v", err)
	}
	return v
}

func TestNextRun(t *testing.T) {
	finished := events.NewRunFinished("t", "r")
	failed := events.NewRunError("m")
	tagged := events.NewTextMessageStart("m")
	tagged.SubagentRunID = events.Some("s")
	foreign := events.NewTextMessageStart("m")
	foreign.SubagentRunID = events.Some("other")
	pending := events.NewRunFinished("t", "r2")
	pending.Outcome = events.RunSuccess{PendingToolCallIDs: []string{"c"}}
	sub := &events.SubagentStarted{SubagentRunID: "s", Name: "n"}
	child := &events.SubagentStarted{SubagentRunID: "child", Name: "n", ParentSubagentRunID: events.Some("s")}
	subFinished := &events.SubagentFinished{SubagentRunID: "s"}
	call, endCall := events.NewToolCallStart("c", "n"), events.NewToolCallEnd("c")
	result := events.NewToolCallResult("res", "c", "")
	chunk := &events.TextMessageChunk{MessageID: events.Some("m")}
	nameless := &events.TextMessageChunk{Delta: events.Some("x")}

	started := events.NewRunStarted("t", "r")
	for _, test := range []struct {
		name  string
		first []events.Event // after RUN_STARTED
		then  []events.Event // in the second run
		want  error          // of the last event
	}{
		{"a call may be answered", []events.Event{call, endCall, finished}, []events.Event{result}, nil},
		{"a call that was open may be answered", []events.Event{call, failed}, []events.Event{result}, nil},
		{"an answered call may be answered again", []events.Event{call, endCall, result, finished},
			[]events.Event{events.NewToolCallResult("res2", "c", "")}, nil},
		{"an owner stays", []events.Event{tagged, failed}, []events.Event{foreign}, verify.OwnerMismatch},
		{"a kind stays", []events.Event{events.NewTextMessageStart("m"), failed}, []events.Event{events.NewReasoningMessageStart("m")}, verify.IDCollision},

		{"what was open is not", []events.Event{events.NewTextMessageStart("m"), failed}, []events.Event{events.NewTextMessageContent("m", "x")}, verify.NotOpen},
		{"what was open does not hold up the end", []events.Event{events.NewStepStarted("s"), failed}, []events.Event{events.NewRunFinished("t", "r2")}, nil},
		{"a message may be opened again", []events.Event{events.NewTextMessageStart("m"), failed}, []events.Event{events.NewTextMessageStart("m")}, nil},
		{"the ids of the run are new", []events.Event{finished}, []events.Event{finished}, verify.RunMismatch},
		{"a subagent may be started again", []events.Event{sub, subFinished, finished}, []events.Event{sub}, nil},
		{"a subagent is no parent", []events.Event{sub, subFinished, finished}, []events.Event{child}, verify.UnknownID},
		{"a call is not pending", []events.Event{call, endCall, finished}, []events.Event{pending}, verify.PendingToolCalls},
		{"a call that is made again is pending", []events.Event{call, endCall, result, finished}, []events.Event{call, endCall, pending}, nil},
		{"a chunk stream is over", []events.Event{chunk, failed}, []events.Event{nameless}, verify.ChunkSequence},
	} {
		v := nextRun(t, verify.Strict, append([]events.Event{started}, test.first...)...)
		var err error
		for i, ev := range test.then {
			if err = v.Observe(ev); err != nil && i < len(test.then)-1 {
				t.Errorf("%s: event %d of the second run: %v", test.name, i, err)
			}
		}
		if got, want := err, test.want; !errors.Is(got, want) {
			t.Errorf("%s\n got: %v\nwant: %v", test.name, got, want)
		}
		if got, want := v.Index(), 2+len(test.first)+len(test.then); got != want {
			t.Errorf("%s: index\n got: %d\nwant: %d", test.name, got, want)
		}
	}
}

func TestNextRunClosesEntities(t *testing.T) {
	v := verify.New(verify.Core)
	_ = v.Observe(events.NewRunStarted("t", "r"))
	_ = v.Observe(events.NewTextMessageStart("m"))
	e := v.Entity(verify.KindTextMessage, "m", events.Opt[string]{})
	_ = v.Observe(events.NewRunError("m"))
	v.NextRun()
	_ = v.Observe(events.NewRunStarted("t", "r2"))
	if err := v.Continue(e, events.Opt[string]{}); !errors.Is(err, verify.NotOpen) {
		t.Errorf("content of an entity of the run before\n got: %v\nwant: %v", err, verify.NotOpen)
	}
	if got := v.Open(); len(got) != 0 {
		t.Errorf("open\n got: %v\nwant: nothing", got)
	}
}

func TestNextRunWaitsForTheEnd(t *testing.T) {
	v := verify.New(verify.Strict)
	if v.NextRun() {
		t.Error("before RUN_STARTED\n got: another run\nwant: none")
	}
	_ = v.Observe(events.NewRunStarted("t", "r"))
	if v.NextRun() {
		t.Error("in a run\n got: another run\nwant: none")
	}
	if err := v.Observe(events.NewRunFinished("t", "r")); err != nil {
		t.Errorf("the run was changed: %v", err)
	}
}

// TestNextRunTellsRunsApart looks at an id after so many runs that a count of 16 bits has come round: what
// happened to it in the first is not taken for something that happened in the last.
func TestNextRunTellsRunsApart(t *testing.T) {
	for _, runs := range []int{1, 1<<16 - 1, 1 << 16, 1<<16 + 1} {
		v := verify.New(verify.Strict)
		started, finished := events.NewRunStarted("t", "r"), events.NewRunFinished("t", "r")
		observe(t, v, started,
			events.NewToolCallStart("c", "n"), events.NewToolCallEnd("c"),
			events.NewTextMessageStart("m"), events.NewTextMessageEnd("m"), finished)
		for range runs - 1 {
			v.NextRun()
			observe(t, v, started, finished)
		}
		v.NextRun()
		observe(t, v, started)

		content := v.Would(events.NewTextMessageContent("m", "x"))
		violation, _ := errors.AsType[*verify.Violation](content)
		if got, want := violation.Sentence, `text message "m" was never opened`; got != want {
			t.Errorf("run %d: content of a message of the first\n got: %s\nwant: %s", runs, got, want)
		}
		pending := events.NewRunFinished("t", "r")
		pending.Outcome = events.RunSuccess{PendingToolCallIDs: []string{"c"}}
		if got, want := v.Would(pending), verify.PendingToolCalls; !errors.Is(got, want) {
			t.Errorf("run %d: a call of the first as pending\n got: %v\nwant: %v", runs, got, want)
		}
		if err := v.Would(events.NewToolCallResult("res", "c", "")); err != nil {
			t.Errorf("run %d: the result of a call of the first\n got: %v\nwant: nil", runs, err)
		}
	}
}

// BenchmarkNextRun is a run of one message after one that left n ids behind.
func BenchmarkNextRun(b *testing.B) {
	for _, n := range []int{10, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			v, ids := begun(b, verify.Strict, n)
			for _, id := range ids {
				observe(b, v, events.NewTextMessageEnd(id))
			}
			finished := events.NewRunFinished("t", "r")
			observe(b, v, finished)
			b.ReportAllocs()
			for b.Loop() {
				v.NextRun()
				observe(b, v, events.NewRunStarted("t", "r"), events.NewTextMessageStart("m"), events.NewTextMessageEnd("m"), finished)
			}
		})
	}
}
