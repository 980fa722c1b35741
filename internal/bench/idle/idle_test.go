package idle

import (
	"os"
	"strings"
	"testing"

	"github.com/agui-go/agui/internal/bench/report"
	"github.com/agui-go/agui/internal/bench/reporttest"
)

func TestMain(m *testing.M) {
	if Child() {
		return
	}
	os.Exit(m.Run())
}

func TestGroups(t *testing.T) {
	for _, g := range Groups() {
		res := reporttest.Short(t, g)
		if len(res.Rows) != len(kinds) || len(res.Goals) != 4 {
			t.Errorf("got %d rows and %d goals\nwant %d and 4", len(res.Rows), len(res.Goals), len(kinds))
		}
		for _, goal := range res.Goals {
			if strings.HasPrefix(goal.What, "goroutines") && goal.Got > 0.1 {
				t.Errorf("%s\n got: %v\nwant: none", goal.What, goal.Got)
			}
		}
	}
}

// TestHold checks that what is measured is what the streams hold: a goroutine for each that serves it and one
// that reads in the background, and the buffers of net/http.
func TestHold(t *testing.T) {
	const streams = 40
	for _, k := range kinds {
		f, err := hold(t.Context(), k, streams, 0)
		if err != nil {
			t.Fatal(err)
		}
		if f.Goroutines < 2*streams || f.Goroutines > 2*streams+5 {
			t.Errorf("%s: goroutines of %d streams\n got: %d\nwant: %d", k, streams, f.Goroutines, 2*streams)
		}
		if perStream := f.Heap / streams; perStream < 8<<10 || perStream > 64<<10 {
			t.Errorf("%s: heap of a stream\n got: %d B\nwant: that of net/http's buffers at least, 8 KiB", k, perStream)
		}
	}
	if _, err := hold(t.Context(), "none", 1, 0); err == nil || !strings.Contains(err.Error(), `no kind of server is "none"`) {
		t.Errorf("no such kind\n got: %v\nwant: an error that says so", err)
	}
}

// TestMore: a stream of ours that holds more by a fifth of what it holds above a bare one fails the check, and one
// that holds as much as before does not.
func TestMore(t *testing.T) {
	const streams = 10_000
	found := func(above int64) []report.Section {
		of := func(heap, stack int64) footprint {
			return footprint{Heap: streams * heap, Stack: streams * stack, Goroutines: 2 * streams}
		}
		held := map[kind]footprint{bare: of(15116, 10253), twin: of(15116, 10249), ours: of(15116+above, 10253)}
		res := &report.Result{}
		goals(res, streams, held, ours, bare, 0)
		return []report.Section{{Result: res}}
	}
	record := report.Record{}.With("", found(2363))
	for above, fails := range map[int64]bool{2363: false, 2400: false, 2363 * 6 / 5: true, 2 * 2363: true} {
		if got := report.Judge(found(above), record); fails != (len(got) > 0) {
			t.Errorf("%d bytes above bare, 2363 on record\n got: %q\nwant: a failure: %v", above, got, fails)
		}
	}
}
