// Package reporttest checks a group of benchmarks: it measures everything, small, has a figure for each
// column, and leaves nothing behind.
package reporttest

import (
	"errors"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/agui-go/agui/internal/bench/report"
)

// Short measures the group with [report.Options] that are short, and returns what it found. It fails the test
// when the group cannot be measured, has no rows, has a cell without a figure or a goal without a number, or
// leaves a goroutine or a child process behind.
func Short(t *testing.T, g report.Group) *report.Result {
	t.Helper()
	goroutines := runtime.NumGoroutine()
	var bench strings.Builder
	res, err := g.Measure(t.Context(), report.Options{Rounds: 2, Short: true, Bench: &bench})
	if err != nil {
		t.Fatal(err)
	}
	if len(res.Rows) == 0 {
		t.Error("rows: got none, want some")
	}
	for _, row := range res.Rows {
		checkRow(t, res.Header, row)
	}
	for _, goal := range res.Goals {
		if goal.Got != goal.Got {
			t.Errorf("goal %d, %s: got no number", goal.Number, goal.What)
		}
	}
	checkNothingLeft(t, goroutines)
	return res
}

func checkRow(t *testing.T, header, row []string) {
	t.Helper()
	if len(row) != len(header) {
		t.Fatalf("columns of %q\n got: %d\nwant: %d", row, len(row), len(header))
	}
	for i, cell := range row {
		if strings.Contains(cell, "NaN") || strings.Contains(cell, "Inf") {
			t.Errorf("%s of %q\n got: %s\nwant: a figure", header[i], row, cell)
		}
	}
}

// checkNothingLeft checks that there are no more goroutines than before, and no child.
func checkNothingLeft(t *testing.T, goroutines int) {
	t.Helper()
	for range 100 { // those of closed connections take a moment
		if runtime.NumGoroutine() <= goroutines {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("goroutines\n got: %d\nwant: %d, as before", n, goroutines)
	}
	if _, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); !errors.Is(err, syscall.ECHILD) {
		t.Errorf("children\n got: some (%v)\nwant: none", err)
	}
}
