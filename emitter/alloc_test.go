package emitter_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
)

// null is a sink that keeps nothing.
type null struct{}

func (null) Write(p []byte) (int, error) { return len(p), nil }
func (null) Flush() error                { return nil }

// contentCalls returns every way to write a delta, ready to be called again and again.
func contentCalls(tb testing.TB, opts ...emitter.Option) map[string]func(delta string) error {
	tb.Helper()
	em := emitter.New(context.Background(), null{}, append(opts, emitter.WithLogger(nil))...)
	tb.Cleanup(func() { em.Close(nil) })
	if err := em.RunStart("t", "r"); err != nil {
		tb.Fatal(err)
	}
	text, tool, reasoning := em.Text(), em.ToolCall("x"), em.Reasoning()
	sub := em.Subagent("s1", "one")
	subText := sub.Text()
	bytes := make([]byte, 0, 64<<10)
	return map[string]func(string) error{
		"TextByID":        func(s string) error { return em.TextContent(text.ID(), s) },
		"ToolByID":        func(s string) error { return em.ToolArgs(tool.ID(), s) },
		"ReasoningByID":   func(s string) error { return em.ReasoningContent(reasoning.ID(), s) },
		"SubagentByID":    func(s string) error { return sub.TextContent(subText.ID(), s) },
		"TextHandle":      func(s string) error { _, err := text.WriteString(s); return err },
		"TextHandleBytes": func(s string) error { _, err := text.Write(append(bytes, s...)); return err },
		"ToolHandle":      func(s string) error { _, err := tool.WriteString(s); return err },
		"ReasoningHandle": func(s string) error { _, err := reasoning.WriteString(s); return err },
		"SubagentHandle":  func(s string) error { _, err := subText.WriteString(s); return err },
	}
}

var deltas = map[string]string{
	"ascii":  "hello ",
	"cjk":    "漢字かな",
	"escape": "{\"a\":\n\t\"\\\"}",
	"64 KiB": strings.Repeat("x", 64<<10),
	"large":  strings.Repeat("The quick brown fox. ", 200),
}

// windows are the ways in which deltas are flushed.
var windows = map[string]emitter.Option{
	"each":   nil,
	"window": emitter.WithFlushWindow(time.Millisecond, 0),
}

func TestContentAllocatesNothing(t *testing.T) {
	for flush, opt := range windows {
		for name, call := range contentCalls(t, opt) {
			for text, delta := range deltas {
				if race && len(delta) > 4<<10 { // its room comes from a pool
					continue
				}
				var err error
				if got := testing.AllocsPerRun(100, func() { err = call(delta) }); got != 0 || err != nil {
					t.Errorf("%s, %s, flush %s\n got %v allocations, error %v\nwant none", name, text, flush, got, err)
				}
			}
		}
	}
}

func BenchmarkContent(b *testing.B) {
	for flush, opt := range windows {
		for name, call := range contentCalls(b, opt) {
			b.Run(flush+"/"+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					if err := call("hello "); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestLargeWindowsAllocateNothing checks the deltas of windows that are larger than what is kept without one.
func TestLargeWindowsAllocateNothing(t *testing.T) {
	const size = 256 << 10
	em := emitter.New(context.Background(), null{}, emitter.WithLogger(nil), emitter.WithFlushWindow(time.Hour, size))
	defer em.Close(nil)
	must(t, em.RunStart("t", "r"))
	msg := em.Text()
	delta := strings.Repeat("x", 1000)
	write := func() {
		for range 3 * size / len(delta) {
			if _, err := msg.WriteString(delta); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := testing.AllocsPerRun(10, write); got != 0 {
		t.Errorf("allocations in three windows of %d bytes\n got: %v\nwant: none", size, got)
	}
}

// TestAllocationsOfCalls states what the calls beside content allocate, those with options left out: the event,
// the entity that it opens and a copy of the id, and the JSON of a value. Ids that the run has not seen before
// take room in the machine's tables besides, which grow now and then.
func TestAllocationsOfCalls(t *testing.T) {
	if build.Debug || race {
		t.Log("the tag aguidebug adds the search for the call site, and the race detector what its pools forget")
		return
	}
	em := emitter.New(context.Background(), null{}, emitter.WithLogger(nil))
	defer em.Close(nil)
	must(t, em.RunStart("t", "r"))
	must(t, em.ToolStart("call", "f"))
	must(t, em.ToolEnd("call"))
	patch := events.Patch{events.Replace("/a", 1)}
	tests := []struct {
		name       string
		call       func() error
		want       float64
		unverified float64 // with the tag aguinoverify
	}{
		{"a message by id, opened and closed", func() error { return errors.Join(em.TextStart("m"), em.TextEnd("m")) }, 4, 2},
		{"a message by handle, opened and closed", func() error { return em.Text().Close() }, 7, 5},
		{"a tool call by id, opened and closed", func() error { return errors.Join(em.ToolStart("c", "f"), em.ToolEnd("c")) }, 4, 2},
		{"a step", func() error { return errors.Join(em.StepStart("s"), em.StepFinish("s")) }, 4, 2},
		{"a text chunk", func() error { return em.TextChunk("k", "hello") }, 1, 1},
		{"a state delta", func() error { return em.StateDelta(patch) }, 1, 1},
		{"a custom event of a number", func() error { return em.Custom("x:n", 1) }, 3, 3},
		{"a keep-alive comment", func() error { return em.KeepAlive("") }, 0, 0},
	}
	for _, tt := range tests {
		want := tt.want
		if build.NoVerify {
			want = tt.unverified
		}
		got := testing.AllocsPerRun(200, func() {
			if err := tt.call(); err != nil {
				t.Fatal(err)
			}
		})
		if got != want {
			t.Errorf("%s\n got: %v allocations\nwant: %v", tt.name, got, want)
		}
	}
}
