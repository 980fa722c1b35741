package aguiotel_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/otel/codes"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	aguiotel "github.com/agui-go/agui/otel"
)

// busy is an agent with a tool call, a step, a subagent with a call and a step of its own, and things that
// get no span: a front-end tool's call, and the answer to a call of an earlier run.
func busy(t *testing.T, c *clock) func(em *emitter.Emitter) {
	t.Helper()
	second := func() { c.wait() }
	return func(em *emitter.Emitter) {
		must(t, em.RunStart("t", "r"))
		must(t, em.ToolStart("c1", "search"))
		second()
		must(t, em.ToolArgs("c1", "{}"), em.ToolEnd("c1"))
		second()
		second()
		must(t, em.ToolResult("c1", "found"))
		must(t, em.ToolStart("front", "confirm"), em.ToolEnd("front"))
		must(t, em.ToolResult("earlier", "late"))
		must(t, em.StepStart("plan"))
		second()
		sub := em.Subagent("s1", "researcher")
		must(t, sub.Err())
		must(t, sub.ToolStart("c2", "read"), sub.ToolEnd("c2"))
		second()
		must(t, sub.ToolResult("c2", "x"), sub.StepStart("look"))
		second()
		must(t, sub.StepFinish("look"), sub.Finish(nil))
		must(t, em.StepFinish("plan"))
		must(t, em.RunFinish(nil))
	}
}

var history = emitter.WithInput(&events.RunAgentInput{ThreadID: "t", RunID: "r", Messages: []events.Message{
	&events.AssistantMessage{MessageBase: events.MessageBase{ID: "a"}, ToolCalls: []events.ToolCall{{ID: "earlier", Function: events.FunctionCall{Name: "x", Arguments: "{}"}}}},
}})

func TestPartsAreOffByDefault(t *testing.T) {
	rec, c := newRecording(), newClock()
	emit(t, rec.telemetry(c.option()), busy(t, c), history)
	if got := len(rec.spans.Ended()); got != 1 {
		t.Errorf("spans\n got: %d\nwant: the run's", got)
	}
}

func TestParts(t *testing.T) {
	rec, c := newRecording(), newClock()
	begin := c.now
	emit(t, rec.telemetry(c.option(), aguiotel.WithToolSpans(), aguiotel.WithSubagentSpans(), aguiotel.WithStepSpans()), busy(t, c), history)
	tests := []struct {
		name     string
		parent   string
		from, to time.Duration
		attrs    []string
	}{
		{"execute_tool search", "invoke_agent tester", 1 * time.Second, 3 * time.Second, []string{
			"gen_ai.agent.name=tester", "gen_ai.operation.name=execute_tool", "gen_ai.tool.call.id=c1", "gen_ai.tool.name=search"}},
		{"invoke_agent researcher", "invoke_agent tester", 4 * time.Second, 6 * time.Second, []string{
			"agui.subagent.id=s1", "agui.subagent.outcome=success", "gen_ai.agent.name=researcher", "gen_ai.operation.name=invoke_agent"}},
		{"execute_tool read", "invoke_agent researcher", 4 * time.Second, 5 * time.Second, []string{
			"gen_ai.agent.name=tester", "gen_ai.operation.name=execute_tool", "gen_ai.tool.call.id=c2", "gen_ai.tool.name=read"}},
		{"agui.step plan", "invoke_agent tester", 3 * time.Second, 6 * time.Second, []string{"agui.step.name=plan"}},
		{"agui.step look", "invoke_agent researcher", 5 * time.Second, 6 * time.Second, []string{"agui.step.name=look"}},
	}
	spans := make(map[string]sdktrace.ReadOnlySpan)
	for _, span := range rec.spans.Ended() {
		name := span.Name()
		if name == "agui.step" {
			name += " " + value(span.Attributes(), "agui.step.name").AsString()
		}
		spans[name] = span
	}
	if got, want := len(spans), len(tests)+1; got != want || got != len(rec.spans.Ended()) {
		t.Fatalf("spans\n got: %d (%v)\nwant: %d", len(rec.spans.Ended()), spans, want)
	}
	for _, tt := range tests {
		span, ok := spans[tt.name]
		if !ok {
			t.Errorf("%s is not there", tt.name)
			continue
		}
		if got, want := span.Parent().SpanID(), spans[tt.parent].SpanContext().SpanID(); got != want {
			t.Errorf("%s: its parent is not %s", tt.name, tt.parent)
		}
		if from, to := span.StartTime().Sub(begin), span.EndTime().Sub(begin); from != tt.from || to != tt.to {
			t.Errorf("%s: time\n got: %v to %v\nwant: %v to %v", tt.name, from, to, tt.from, tt.to)
		}
		if got := attributesOf(span.Attributes()); !slices.Equal(got, tt.attrs) {
			t.Errorf("%s: attributes\n got: %q\nwant: %q", tt.name, got, tt.attrs)
		}
	}
}

func TestPartsThatEndOtherwise(t *testing.T) {
	rec, c := newRecording(), newClock()
	emit(t, rec.telemetry(c.option(), aguiotel.WithToolSpans(), aguiotel.WithSubagentSpans(), aguiotel.WithStepSpans()), func(em *emitter.Emitter) {
		must(t, em.RunStart("t", "r"))
		must(t, em.Subagent("s1", "failing").Fail("No luck.", "unlucky"))
		_ = em.RunSubagent("crashing", func(*emitter.Subagent) error { return errors.New("secret") })
		must(t, em.Subagent("s2", "waiting").Suspend("i1"))
		must(t, em.Subagent("s3", "left").Err(), em.StepStart("left"))
		must(t, em.ToolChunk("c1", "chunked", "{"))
		c.wait()
		must(t, em.ToolChunk("", "", "}"))
		c.wait()
		must(t, em.ToolResult("c1", "x"))
		must(t, em.RunError("no", ""))
	})
	for name, want := range map[string]struct {
		outcome, errorType, reason string
	}{
		"invoke_agent failing":  {"error", "unlucky", "No luck."},
		"invoke_agent crashing": {"error", "subagent_error", "The subagent failed."},
		"invoke_agent waiting":  {"suspended", "", ""},
		"invoke_agent left":     {"unfinished", "", ""},
	} {
		span := rec.span(t, name)
		if got := value(span.Attributes(), "agui.subagent.outcome").AsString(); got != want.outcome {
			t.Errorf("%s: outcome\n got: %q\nwant: %q", name, got, want.outcome)
		}
		if got := value(span.Attributes(), "error.type").AsString(); got != want.errorType {
			t.Errorf("%s: error.type\n got: %q\nwant: %q", name, got, want.errorType)
		}
		status := codes.Unset
		if want.errorType != "" {
			status = codes.Error
		}
		if got := span.Status(); got.Code != status || got.Description != want.reason {
			t.Errorf("%s: status\n got: %+v\nwant: %v %q", name, got, status, want.reason)
		}
	}
	if got := rec.span(t, "execute_tool chunked"); got.EndTime().Sub(got.StartTime()) != time.Second {
		t.Errorf("a call in chunks took %v, want 1s", got.EndTime().Sub(got.StartTime()))
	}
	rec.checkCatalogue(t)
	if got := value(rec.span(t, "agui.step").Attributes(), "agui.step.name").AsString(); got != "left" {
		t.Errorf("step\n got: %q\nwant: left", got)
	}
}

// TestPartsAreBounded opens more than a run is watched for.
func TestPartsAreBounded(t *testing.T) {
	rec := newRecording()
	run := rec.telemetry(aguiotel.WithSubagentSpans(), aguiotel.WithStepSpans(), aguiotel.WithToolSpans()).Run()
	ctx := run.Start(t.Context(), nil)
	for i := range 5000 {
		id := string(rune(i + 1000))
		run.Event(events.TypeSubagentStarted, &events.SubagentStarted{SubagentRunID: id, Name: "x"}, 1)
		run.Event(events.TypeStepStarted, events.NewStepStarted(id), 1)
		run.Event(events.TypeToolCallStart, events.NewToolCallStart(id, "x"), 1)
	}
	run.End(ctx, nil, nil)
	if got, want := len(rec.spans.Ended()), 1024+1024+1; got != want {
		t.Errorf("spans\n got: %d\nwant: %d", got, want)
	}
}
