package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/agui-go/agui/emitter/emittertest"
	"github.com/agui-go/agui/internal/build"
)

// TestReadme holds README.md against what the agent does.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	readme := string(data)
	for word := range modes {
		if !strings.Contains(readme, "\n| `"+word+"` |") {
			t.Errorf("README.md has no row for %q", word)
		}
	}

	stream := emittertest.Post(t, newServer(untraced()), saying("Hello, echo!"), emittertest.WithPath("/agent")).Bytes()
	checkShown(t, readme, numberIDs(strings.TrimSpace(string(stream))))

	if build.Debug || build.NoVerify {
		return // what is shown below is the default build's
	}
	var out bytes.Buffer
	telemetry, err := newTelemetry(t.Context(), "violations", &out)
	if err != nil {
		t.Fatal(err)
	}
	emittertest.Post(t, newServer(telemetry.tracer(), telemetry.option()), saying("break"), emittertest.WithPath("/agent"), emittertest.AllowViolations())
	checkShown(t, duration.ReplaceAllString(readme, "$1 0s"), duration.ReplaceAllString(out.String(), "$1 0s"))

	out.Reset()
	if telemetry, err = newTelemetry(t.Context(), "console", &out); err != nil {
		t.Fatal(err)
	}
	emittertest.Post(t, newServer(telemetry.tracer(), telemetry.option()), saying("Hello, echo!"), emittertest.WithPath("/agent"))
	if err := telemetry.shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	_, metrics, _ := strings.Cut(out.String(), "metrics\n")
	checkShown(t, varying.ReplaceAllString(readme, "$1 #"), varying.ReplaceAllString("metrics\n"+metrics, "$1 #"))
}

// duration and varying match what differs from run to run.
var (
	duration = regexp.MustCompile(`(?m)(span ".*") \S+$`)
	varying  = regexp.MustCompile(`(agui\.stream\.bytes| 1,) [0-9.]+`)
)

// checkShown fails the test unless a block of README.md is the text, but for its ids.
func checkShown(t *testing.T, readme, text string) {
	t.Helper()
	if !strings.Contains(numberIDs(readme), "```\n"+strings.TrimSpace(text)+"\n```") {
		t.Errorf("README.md does not show\n%s", text)
	}
}
