package aguiotel_test

import (
	"context"
	"io"
	"net/http/httptest"
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
	aguiotel "github.com/agui-go/agui/otel"
)

// fragileProcessor panics at the spans that it is told of.
type fragileProcessor struct{ start, end string }

func (p fragileProcessor) OnStart(_ context.Context, s sdktrace.ReadWriteSpan) {
	if s.Name() == p.start {
		panic("processor")
	}
}

func (p fragileProcessor) OnEnd(s sdktrace.ReadOnlySpan) {
	if s.Name() == p.end {
		panic("processor")
	}
}

func (fragileProcessor) Shutdown(context.Context) error   { return nil }
func (fragileProcessor) ForceFlush(context.Context) error { return nil }

// TestProvidersThatPanic: a run goes its way when what takes its spans panics.
func TestProvidersThatPanic(t *testing.T) {
	for name, p := range map[string]fragileProcessor{
		"at the start of the run":  {start: "invoke_agent a"},
		"at the end of the run":    {end: "invoke_agent a"},
		"at the start of a part":   {start: "agui.step"},
		"at the end of a part":     {end: "agui.step"},
		"at the end of a subagent": {end: "invoke_agent helper"},
	} {
		t.Run(name, func(t *testing.T) {
			telemetry := aguiotel.New(aguiotel.WithAgent("a"), aguiotel.WithStepSpans(), aguiotel.WithSubagentSpans(),
				aguiotel.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(p))))
			server := httptest.NewServer(middleware.Handler(func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
				must(t, em.Step("plan", func() error { return nil }))
				return em.RunSubagent("helper", func(*emitter.Subagent) error { return nil })
			}, middleware.WithTelemetry(telemetry), middleware.WithLogger(nil)))
			defer server.Close()
			request(t, server, func(_ context.CancelFunc, body io.Reader) {
				text, err := io.ReadAll(body)
				if got := strings.Count(string(text), `"RUN_FINISHED"`); err != nil || got != 1 {
					t.Errorf("\n got: %v, %s\nwant: one RUN_FINISHED", err, text)
				}
			}, func() {})
		})
	}
}

// TestSpanHasTheIDsThatWereSent: the ids of RUN_STARTED count, and not those of the request.
func TestSpanHasTheIDsThatWereSent(t *testing.T) {
	rec := newRecording()
	emit(t, rec.telemetry(), func(em *emitter.Emitter) {
		must(t, em.RunStart("T2", "R2"), em.RunFinish(nil))
	}, emitter.WithInput(&events.RunAgentInput{ThreadID: "T1", RunID: "R1"}))
	attrs := rec.span(t, "invoke_agent tester").Attributes()
	if got := value(attrs, "gen_ai.conversation.id").AsString() + " " + value(attrs, "agui.run.id").AsString(); got != "T2 R2" {
		t.Errorf("ids\n got: %s\nwant: T2 R2", got)
	}
}

// TestChunkWithoutADelta is none of the content that somebody waits for.
func TestChunkWithoutADelta(t *testing.T) {
	rec := newRecording()
	emit(t, rec.telemetry(), func(em *emitter.Emitter) {
		must(t, em.RunStart("t", "r"), em.Emit(&events.TextMessageChunk{MessageID: events.Some("m")}))
		if got := rec.histogram(t, "agui.run.time_to_first_content"); len(got) != 0 {
			t.Errorf("a chunk without a delta\n got: %v\nwant: nothing measured", got)
		}
		must(t, em.TextChunk("m", "x"))
		if got := rec.histogram(t, "agui.run.time_to_first_content"); len(got) != 1 {
			t.Errorf("a chunk with a delta\n got: %v\nwant: one measured", got)
		}
	})
}
