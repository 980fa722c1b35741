package aguiotel_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	otellog "go.opentelemetry.io/otel/log"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	"go.opentelemetry.io/otel/trace"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/internal/build"
	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify"
)

// logs keeps log records.
type logs struct {
	mu      sync.Mutex
	records []sdklog.Record
}

func (l *logs) Export(_ context.Context, records []sdklog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, r := range records {
		l.records = append(l.records, r.Clone())
	}
	return nil
}
func (l *logs) Shutdown(context.Context) error   { return nil }
func (l *logs) ForceFlush(context.Context) error { return nil }

func (l *logs) option() aguiotel.Option {
	return aguiotel.WithLoggerProvider(sdklog.NewLoggerProvider(sdklog.WithProcessor(sdklog.NewSimpleProcessor(l))))
}

func TestViolationSignal(t *testing.T) {
	tests := []struct {
		name        string
		opts        []aguiotel.Option
		spans, logs int
	}{
		{"default", nil, 16, 0},
		{"span event", []aguiotel.Option{aguiotel.WithViolationSignal(aguiotel.SpanEvent)}, 16, 0},
		{"log event", []aguiotel.Option{aguiotel.WithViolationSignal(aguiotel.LogEvent)}, 0, 16},
		{"both", []aguiotel.Option{aguiotel.WithViolationSignal(aguiotel.SpanAndLogEvent)}, 16, 16},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec, out := newRecording(), new(logs)
			run := rec.telemetry(append(tt.opts, out.option())...).Run()
			ctx := run.Start(t.Context(), nil)
			for range 20 {
				run.Violation(ctx, &verify.Violation{Rule: verify.NotOpen, ID: "m1", Sentence: "it is not open"})
			}
			run.End(ctx, nil, nil)
			span := rec.span(t, "invoke_agent tester")
			if got := len(span.Events()); got != tt.spans {
				t.Errorf("span events\n got: %d\nwant: %d", got, tt.spans)
			}
			if got := len(out.records); got != tt.logs {
				t.Errorf("log events\n got: %d\nwant: %d", got, tt.logs)
			}
			if got := value(span.Attributes(), "agui.violations").AsInt64(); got != 20 {
				t.Errorf("agui.violations\n got: %d\nwant: 20", got)
			}
			if tt.logs == 0 || tt.spans == 0 {
				return
			}
			checkRecord(t, out.records[0], span.SpanContext(), span.Events()[0].Attributes)
		})
	}
}

func checkRecord(t *testing.T, record sdklog.Record, span trace.SpanContext, want []attribute.KeyValue) {
	t.Helper()
	if got, want := record.EventName(), "agui.verify.violation"; got != want {
		t.Errorf("event name\n got: %q\nwant: %q", got, want)
	}
	if record.TraceID() != span.TraceID() || record.SpanID() != span.SpanID() {
		t.Errorf("span of the record\n got: %v %v\nwant: %v %v", record.TraceID(), record.SpanID(), span.TraceID(), span.SpanID())
	}
	if got, want := record.Severity(), otellog.SeverityWarn; got != want {
		t.Errorf("severity\n got: %v\nwant: %v", got, want)
	}
	if got, want := record.Body().AsString(), "it is not open"; got != want {
		t.Errorf("body\n got: %q\nwant: %q", got, want)
	}
	var attrs []attribute.KeyValue
	record.WalkAttributes(func(kv attribute.KeyValue) bool { attrs = append(attrs, kv); return true })
	if !slices.Equal(attrs, want) {
		t.Errorf("attributes\n got: %v\nwant: %v, as the span event", attrs, want)
	}
}

// TestViolationThatEndsTheRunIsAnError checks the severity, also where no span records.
func TestViolationThatEndsTheRunIsAnError(t *testing.T) {
	out := new(logs)
	telemetry := aguiotel.New(out.option(), aguiotel.WithViolationSignal(aguiotel.LogEvent))
	emit(t, telemetry, func(em *emitter.Emitter) {
		must(t, em.RunStart("t", "r"))
		_ = em.TextContent("m1", "x")
	}, emitter.FailOnViolation())
	if build.NoVerify {
		if len(out.records) != 0 {
			t.Errorf("records\n got: %d\nwant: none, nothing is verified", len(out.records))
		}
		return
	}
	if len(out.records) != 1 || out.records[0].Severity() != otellog.SeverityError {
		t.Errorf("records\n got: %v\nwant: one, of severity ERROR", out.records)
	}
}
