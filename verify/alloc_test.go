package verify_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// begun returns a Verifier with a run under way and n text messages open, and their ids.
func begun(t testing.TB, set verify.Set, n int) (*verify.Verifier, []string) {
	t.Helper()
	v := verify.New(set)
	observe(t, v, &events.RunStarted{ThreadID: "t", RunID: "r"})
	ids := make([]string, n)
	for i := range ids {
		ids[i] = longID(i)
		observe(t, v, &events.TextMessageStart{MessageID: ids[i]})
	}
	return v, ids
}

// longID returns an id of the 36 characters of a UUID.
func longID(i int) string { return fmt.Sprintf("0199f0c2-7d5e-7c3a-9b1e-%012d", i) }

func observe(t testing.TB, v *verify.Verifier, list ...events.Event) {
	t.Helper()
	for _, ev := range list {
		if err := v.Observe(ev); err != nil {
			t.Fatal(err)
		}
	}
}

func TestContentAllocatesNothing(t *testing.T) {
	tagged := events.Some("s1")
	for _, set := range []verify.Set{verify.Core, verify.Strict} {
		for _, n := range []int{1, 2, 100} {
			v, ids := begun(t, set, n)
			observe(t, v,
				&events.ToolCallStart{ToolCallID: "call", ToolCallName: "f", SubagentRunID: tagged},
				&events.ReasoningMessageStart{MessageID: "think"},
				// A chunk stream in another lane must not make content dearer.
				&events.TextMessageChunk{MessageID: events.Some("chunked"), SubagentRunID: events.Some("s2")},
			)
			entity := v.Entity(verify.KindTextMessage, ids[0], tag{})
			text := &events.TextMessageContent{MessageID: ids[n-1], Delta: "x", Base: events.Base{Timestamp: events.Some[int64](1)}}
			args := &events.ToolCallArgs{ToolCallID: "call", Delta: "{}", SubagentRunID: tagged}
			reasoning := &events.ReasoningMessageContent{MessageID: "think", Delta: "x"}
			tests := []struct {
				name string
				call func() error
			}{
				{"Content text", func() error { _, err := v.Content(verify.KindTextMessage, ids[n-1], tag{}); return err }},
				{"Content tagged", func() error { _, err := v.Content(verify.KindToolCall, "call", tagged); return err }},
				{"Continue", func() error { return v.Continue(entity, tag{}) }},
				{"Observe text", func() error { return v.Observe(text) }},
				{"Observe args", func() error { return v.Observe(args) }},
				{"Observe reasoning", func() error { return v.Observe(reasoning) }},
			}
			for _, tt := range tests {
				got := testing.AllocsPerRun(100, func() {
					if err := tt.call(); err != nil {
						t.Fatal(err)
					}
				})
				if got != 0 {
					t.Errorf("%s, %s with %d open: allocations\n got: %v\nwant: 0", set, tt.name, n, got)
				}
			}
		}
	}
}

// TestContentThatClosesALaneAllocatesNothing covers the content event that ends the chunk stream of its own
// lane, which is judged in full.
func TestContentThatClosesALaneAllocatesNothing(t *testing.T) {
	v, ids := begun(t, verify.Strict, 1)
	chunk := &events.TextMessageChunk{MessageID: events.Some("chunked")}
	content := &events.TextMessageContent{MessageID: ids[0], Delta: "x"}
	opening := testing.AllocsPerRun(100, func() { observe(t, v, chunk) })
	if opening != 0 {
		t.Errorf("a chunk that goes on: allocations\n got: %v\nwant: 0", opening)
	}
	closing := testing.AllocsPerRun(100, func() {
		v.Would(content)
		observe(t, v, content)
	})
	if closing != 0 {
		t.Errorf("content: allocations\n got: %v\nwant: 0", closing)
	}
}

// TestAllocationsOfAMessage states what the events around the content cost.
func TestAllocationsOfAMessage(t *testing.T) {
	v, _ := begun(t, verify.Strict, 0)
	start := &events.TextMessageStart{MessageID: longID(0)}
	end := &events.TextMessageEnd{MessageID: longID(0)}
	got := testing.AllocsPerRun(100, func() { observe(t, v, start, end) })
	// The entity, and its copy of the id.
	if want := 2.0; got != want {
		t.Errorf("re-opening and closing a message: allocations\n got: %v\nwant: %v", got, want)
	}
	step := &events.StepStarted{StepName: "a"}
	done := &events.StepFinished{StepName: "a"}
	got = testing.AllocsPerRun(100, func() { observe(t, v, step, done) })
	if want := 2.0; got != want {
		t.Errorf("a step: allocations\n got: %v\nwant: %v", got, want)
	}
}

// TestRetainedIDBytes holds the doc comment of Verifier to what a closed message costs.
func TestRetainedIDBytes(t *testing.T) {
	n, most := 200_000, 55.0
	if testing.Short() {
		n, most = 20_000, 60 // a chunk that is half full counts for more
	}
	v, _ := begun(t, verify.Strict, 0)
	before := heap()
	for i := range n {
		id := longID(i)
		observe(t, v, &events.TextMessageStart{MessageID: id}, &events.TextMessageEnd{MessageID: id})
	}
	got := float64(heap()-before) / float64(n)
	runtime.KeepAlive(v)
	t.Logf("%.1f bytes per closed message with an id of 36", got)
	if got > most {
		t.Errorf("bytes per retained id\n got: %.1f\nwant: at most %.1f", got, most)
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
