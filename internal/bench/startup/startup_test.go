package startup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/agui-go/agui/internal/bench/reporttest"
)

// TestGroups measures one build, once.
func TestGroups(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, g := range Groups() {
		res := reporttest.Short(t, g)
		if len(res.Rows) != 1 {
			t.Fatalf("rows\n got: %q\nwant: one", res.Rows)
		}
		for i, cell := range res.Rows[0] {
			if cell == "0.00" || cell == "(0.0)" {
				t.Errorf("%s\n got: %s\nwant: more than nothing", res.Header[i], cell)
			}
		}
		if len(res.Ratios) != 1 || res.Ratios[0].Got < 1 {
			t.Errorf("ratios\n got: %+v\nwant: the size of a program that is more than a MiB", res.Ratios)
		}
	}
	if left, err := filepath.Glob(filepath.Join(dir, "agui-bench-*")); err != nil || len(left) > 0 {
		t.Errorf("files that are left\n got: %q (%v)\nwant: none", left, err)
	}
}

// TestBuilds checks that the builds are six, and named apart.
func TestBuilds(t *testing.T) {
	names := map[string]bool{}
	for _, b := range builds {
		names[b.String()] = true
	}
	if len(names) != 6 {
		t.Errorf("builds\n got: %v\nwant: three, each with symbols and without", names)
	}
}

func TestFailures(t *testing.T) {
	script := filepath.Join(t.TempDir(), "fails")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho no port >&2\nexit 3\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := builds[0].make(t.Context(), script); err == nil || !strings.Contains(err.Error(), "go build") {
		t.Errorf("a build into what is no directory\n got: %v\nwant: an error that names the command", err)
	}
	p := &program{build: builds[0], path: script}
	if _, err := p.start(t.Context()); err == nil || !strings.Contains(err.Error(), "no port") || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("a program that fails\n got: %v\nwant: an error with its status and what it printed", err)
	}
}
