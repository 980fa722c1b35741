package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agui-go/agui/internal/bench/report"
)

func TestMain(m *testing.M) {
	if child() {
		return
	}
	m.Run()
}

func TestCommand(t *testing.T) {
	for _, tt := range []struct {
		name   string
		args   []string
		code   int
		stdout string
		stderr string
	}{
		{"list", []string{"-list"}, 0, "content", ""},
		{"help", []string{"-h"}, 0, "", "-rounds"},
		{"short", []string{"-short", "-run", "^encode$"}, 0, "## Every event as JSON", "encode: "},
		{"readme", []string{"-short", "-readme", "-run", "^machine$"}, 0, "|  | measured |", ""},
		{"no such group", []string{"-short", "-run", "nothing"}, 2, "", `no group matches "nothing"`},
		{"bad pattern", []string{"-run", "("}, 2, "", "-run:"},
		{"no rounds", []string{"-rounds", "0"}, 2, "", "-rounds is 0"},
		{"an argument", []string{"all"}, 2, "", `unexpected argument "all"`},
		{"short record", []string{"-short", "-record", "x"}, 2, "", "-record"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var stdout, stderr strings.Builder
			code := run(context.Background(), tt.args, &stdout, &stderr)
			if code != tt.code || !strings.Contains(stdout.String(), tt.stdout) || !strings.Contains(stderr.String(), tt.stderr) {
				t.Errorf("got code %d, output %q, errors %q\nwant %d, %q, %q", code, stdout.String(), stderr.String(), tt.code, tt.stdout, tt.stderr)
			}
		})
	}
}

// TestFiles: the report and the lines for benchstat go to files, too.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	written, bench := filepath.Join(dir, "report.md"), filepath.Join(dir, "bench.txt")
	var stdout, stderr strings.Builder
	if code := run(context.Background(), []string{"-short", "-run", "^machine$", "-write", written, "-bench", bench}, &stdout, &stderr); code != 0 {
		t.Fatalf("got code %d: %s", code, stderr.String())
	}
	text, err := os.ReadFile(written)
	if err != nil || string(text) != stdout.String() {
		t.Errorf("got %v and %d bytes in the file\nwant the %d of the output", err, len(text), stdout.Len())
	}
	lines, err := os.ReadFile(bench)
	if err != nil || !strings.Contains(string(lines), "\nBenchmarkMachine/1_open/by_id-") {
		t.Errorf("got %v and %q\nwant lines of go test -bench", err, lines)
	}
}

// TestGroups: each group has a key of its own.
func TestGroups(t *testing.T) {
	seen := map[string]bool{}
	for _, g := range groups() {
		if g.Key == "" || g.Title == "" || g.Measure == nil || seen[g.Key] {
			t.Errorf("got the group %q, %q\nwant a key of its own, a title, and a way to measure", g.Key, g.Title)
		}
		seen[g.Key] = true
	}
}

// TestRecorded: the checked-in record can be read.
func TestRecorded(t *testing.T) {
	if _, err := report.ParseRecord(recorded); err != nil {
		t.Error(err)
	}
}
