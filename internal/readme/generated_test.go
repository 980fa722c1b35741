package readme

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/verify"
)

var update = flag.Bool("update", false, "write the generated blocks of README.md")

const path = "../../README.md"

func readme(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// blocks are the generated parts of README.md, by name.
var blocks = map[string]func(t *testing.T) string{
	"rules":      rules,
	"defaults":   defaults,
	"curl":       curl,
	"error":      mistakeError,
	"log":        mistakeLog,
	"span":       mistakeSpan,
	"benchmarks": benchmarks,
}

var block = regexp.MustCompile(`(?s)(<!-- generated: (\w+) -->\n)(.*?)(<!-- end -->)`)

// TestGenerated checks that the generated blocks are what the code says now.
func TestGenerated(t *testing.T) {
	if build.Debug || build.NoVerify {
		t.Log("README.md shows the default build, whose run of this test compares it")
		return
	}
	old := readme(t)
	seen := map[string]bool{}
	fresh := block.ReplaceAllStringFunc(old, func(whole string) string {
		m := block.FindStringSubmatch(whole)
		generate, ok := blocks[m[2]]
		if !ok {
			t.Fatalf("README.md has a block %q that nothing generates", m[2])
		}
		seen[m[2]] = true
		text := generate(t)
		if stable(text) == stable(m[3]) {
			return whole
		}
		return m[1] + text + m[4]
	})
	for name := range blocks {
		if !seen[name] {
			t.Errorf("README.md has no block %q", name)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != fresh {
		t.Errorf("README.md is out of date: run go generate ./internal/readme\n got\n%s\nwant\n%s", old, fresh)
	}
}

var short = regexp.MustCompile(`(?s)<!-- short -->\n(.*?)<!-- end -->`)

// benchmarks are the lines that docs/benchmarks.md begins with, as make bench wrote them.
func benchmarks(t *testing.T) string {
	data, err := os.ReadFile("../../docs/benchmarks.md")
	if err != nil {
		t.Fatal(err)
	}
	m := short.FindSubmatch(data)
	if m == nil {
		t.Fatal("docs/benchmarks.md does not begin with its figures in short: run make bench")
	}
	return string(m[1])
}

// volatile are the parts of real output that differ from run to run.
var volatile = regexp.MustCompile(`(_)[0-9a-f]{32}|(?m:^)\d{4}/\d\d/\d\d \d\d:\d\d:\d\d|(span ".*") \S+`)

func stable(text string) string { return volatile.ReplaceAllString(text, "$1$2*") }

func rules(*testing.T) string {
	var b strings.Builder
	b.WriteString("| Rule | Set | Rejects |\n|---|---|---|\n")
	for _, r := range verify.Rules() {
		set := r.Set().String()
		if r == verify.Unterminated {
			set = "end of stream"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.String(), set, r.Sentence())
	}
	return b.String()
}

func defaults(*testing.T) string {
	const mib = 1 << 20
	rows := []struct{ what, value, option string }{
		{"Largest request body", fmt.Sprintf("%d MiB", middleware.DefaultMaxBody/mib), "middleware.WithMaxBody"},
		{"Largest event", fmt.Sprintf("%d MiB", emitter.DefaultMaxEventSize/mib), "emitter.WithMaxEventSize"},
		{"Keep-alive comment after a silence of", middleware.DefaultKeepAlive.String(), "middleware.WithKeepAlive"},
		{"Time for one event to be written and flushed", middleware.DefaultWriteTimeout.String(), "middleware.WithWriteTimeout"},
		{"Time for a run", "no limit", "middleware.WithRunTimeout"},
		{"Messages in a request", strconv.Itoa(middleware.DefaultMaxMessages), "middleware.WithMaxMessages"},
		{"Levels of nesting in a request", strconv.Itoa(middleware.DefaultMaxDepth), "middleware.WithMaxDepth"},
		{"Runs at a time", "no limit", "middleware.WithMaxRuns"},
		{"Ids that one run brings in", strconv.Itoa(emitter.DefaultMaxIDs), "emitter.WithMaxIDs"},
		{"When a client leaves", "the run is cancelled", "middleware.WithDetach"},
		{"A flush", "for each event", "emitter.WithFlushWindow"},
		{"Rules", verify.Strict.String(), "emitter.WithRules"},
		{"A broken rule", emitter.Reject.String() + ": nothing is written, the call returns the error", "emitter.WithPolicy"},
		{"Something open when the agent returns nil", "closed, unless that would lie", "middleware.WithOnOpenAtReturn"},
		{"Text of an error for the client", "a fixed sentence", "middleware.WithPublicError"},
		{"Log", "`slog.Default()`", "middleware.WithLogger"},
		{"Ids", "UUID version 7 behind a prefix", "emitter.WithIDs"},
	}
	var b strings.Builder
	b.WriteString("| What | Default | Option |\n|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "| %s | %s | `%s` |\n", r.what, r.value, r.option)
	}
	return b.String()
}
