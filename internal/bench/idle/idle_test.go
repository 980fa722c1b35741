package idle

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agui-go/agui/internal/bench/report"
)

func TestMain(m *testing.M) {
	if Child() {
		return
	}
	os.Exit(m.Run())
}

// TestGroups measures everything, small.
func TestGroups(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, g := range Groups() {
		res, err := g.Measure(t.Context(), report.Options{Short: true, Bench: t.Output()})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Rows) != len(kinds) {
			t.Errorf("rows\n got: %d\nwant: %d", len(res.Rows), len(kinds))
		}
		for _, row := range res.Rows {
			if len(row) != len(res.Header) {
				t.Errorf("columns of %q\n got: %d\nwant: %d", row, len(row), len(res.Header))
			}
		}
		if len(res.Goals) != 4 {
			t.Errorf("goals\n got: %d\nwant: 4", len(res.Goals))
		}
		for _, goal := range res.Goals {
			if strings.HasPrefix(goal.What, "goroutines") && goal.Got > 0.1 {
				t.Errorf("%s\n got: %v\nwant: none", goal.What, goal.Got)
			}
		}
	}
	for range 100 { // those of closed connections take a moment
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("goroutines\n got: %d\nwant: %d, as before", n, before)
	}
	if _, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); !errors.Is(err, syscall.ECHILD) {
		t.Errorf("children\n got: some (%v)\nwant: none", err)
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
