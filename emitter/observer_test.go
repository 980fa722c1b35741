package emitter_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"reflect"
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify"
)

// ending is an observer that keeps how the run ended.
type ending struct {
	terminal events.Event
	cause    error
	ends     int
	flushes  []error
	seen     []events.Event
	types    []events.Type
}

func (e *ending) Start(ctx context.Context, _ *events.RunAgentInput) context.Context { return ctx }
func (e *ending) Violation(context.Context, *verify.Violation)                       {}
func (e *ending) Flush(err error)                                                    { e.flushes = append(e.flushes, err) }

func (e *ending) Event(t events.Type, ev events.Event, _ int) {
	e.types, e.seen = append(e.types, t), append(e.seen, ev)
}

func (e *ending) End(_ context.Context, terminal events.Event, cause error) {
	e.terminal, e.cause = terminal, cause
	e.ends++
}

// flaky is a sink whose writes fail from the given one on, counted from one. Zero never fails.
type flaky struct {
	from, writes int
}

var errPipe = errors.New("broken pipe")

func (f *flaky) Write(p []byte) (int, error) {
	f.writes++
	if f.from > 0 && f.writes >= f.from {
		return 0, errPipe
	}
	return len(p), nil
}

func (f *flaky) Flush() error { return nil }

// TestEndSaysWhy holds what an observer is told to the first reason for the end of the run.
func TestEndSaysWhy(t *testing.T) {
	because, late := errors.New("because"), errors.New("late")
	tests := []struct {
		name     string
		failFrom int // the write that fails
		do       func(em *emitter.Emitter)
		opts     []emitter.Option
		terminal events.Type
		cause    error // nil: none
	}{
		{name: "its own end", do: func(em *emitter.Emitter) { em.RunFinish(nil); em.Close(nil) }, terminal: events.TypeRunFinished},
		{name: "what comes after its own end", do: func(em *emitter.Emitter) { em.RunFinish(nil); em.Close(late) }, terminal: events.TypeRunFinished},
		{name: "an abort after its own end", do: func(em *emitter.Emitter) { em.RunError("x", ""); em.Abort("y", "z", late) }, terminal: events.TypeRunError},
		{name: "an abort", do: func(em *emitter.Emitter) { em.Abort("x", "y", because); em.Close(late) }, terminal: events.TypeRunError, cause: because},
		{name: "a close", do: func(em *emitter.Emitter) { em.Close(because) }, cause: because},
		{name: "a write that failed, and then an error", failFrom: 2, do: func(em *emitter.Emitter) { em.Custom("x:y", nil); em.Close(late) }, cause: emitter.ErrDisconnected},
		{name: "a terminal event that was not written", failFrom: 2, do: func(em *emitter.Emitter) { em.RunFinish(nil); em.Close(nil) }, terminal: events.TypeRunFinished, cause: emitter.ErrDisconnected},
		{name: "an abort that was not written", failFrom: 2, do: func(em *emitter.Emitter) { em.Abort("x", "y", because) }, terminal: events.TypeRunError, cause: because},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := &ending{}
			opts := append([]emitter.Option{emitter.WithLogger(nil), emitter.WithObserver(func() *ending { return e })}, tt.opts...)
			em := emitter.New(t.Context(), &flaky{from: tt.failFrom}, opts...)
			must(t, em.RunStart("t", "r"))
			tt.do(em)
			if e.ends != 1 {
				t.Fatalf("End\n got %d times\nwant once", e.ends)
			}
			var terminal events.Type
			if e.terminal != nil {
				terminal = e.terminal.EventType()
			}
			if terminal != tt.terminal {
				t.Errorf("terminal\n got %q\nwant %q", terminal, tt.terminal)
			}
			if !errors.Is(e.cause, tt.cause) || (e.cause == nil) != (tt.cause == nil) {
				t.Errorf("cause\n got %v\nwant %v", e.cause, tt.cause)
			}
			if failed := errors.Is(e.flushes[len(e.flushes)-1], errPipe); failed != (tt.failFrom > 0) {
				t.Errorf("the last flush failed\n got %t\nwant %t", failed, tt.failFrom > 0)
			}
		})
	}
}

func TestFailOnViolationIsTheCause(t *testing.T) {
	if build.NoVerify {
		t.Log("nothing is verified in this build, so no violation ends a run")
		return
	}
	e, log := &ending{}, new(bytes.Buffer)
	em := emitter.New(t.Context(), null{}, emitter.FailOnViolation(), emitter.WithPolicy(emitter.Reject), emitter.WithObserver(func() *ending { return e }),
		emitter.WithLogger(slog.New(slog.NewTextHandler(log, nil))), emitter.WithInput(&events.RunAgentInput{ThreadID: "thread_1", RunID: "run_1"}))
	must(t, em.RunStart("thread_1", "run_1"))
	err := em.TextContent("m1", "x")
	must(t, em.Close(errors.New("late")))
	if v, ok := e.cause.(*verify.Violation); !ok || error(v) != err {
		t.Errorf("cause\n got %v\nwant %v", e.cause, err)
	}
	for _, want := range []string{"level=ERROR", "rule=NotOpen", "thread=thread_1", "run=run_1"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("log\n got %s\nwant %s in it", log, want)
		}
	}
}

// TestEventHasTheEvent checks that an observer gets the event but for a delta, which has none.
func TestEventHasTheEvent(t *testing.T) {
	e := &ending{}
	em := emitter.New(t.Context(), null{}, emitter.WithLogger(nil), emitter.WithObserver(func() *ending { return e }))
	must(t, em.RunStart("t", "r"))
	must(t, em.TextStart("m1"))
	must(t, em.TextContent("m1", "x"))
	must(t, em.Emit(events.TextMessageEnd{MessageID: "m1"})) // a value
	must(t, em.RunFinish(nil))
	must(t, em.Close(nil))
	for i, ev := range e.seen {
		if delta := e.types[i] == events.TypeTextMessageContent; delta != (ev == nil) {
			t.Errorf("event %d, %s\n got %v", i, e.types[i], ev)
		} else if !delta && (reflect.TypeOf(ev).Kind() != reflect.Pointer || ev.EventType() != e.types[i]) {
			t.Errorf("event %d\n got %T\nwant a pointer to a %s", i, ev, e.types[i])
		}
	}
	if e.terminal != e.seen[len(e.seen)-1] {
		t.Errorf("terminal\n got %v\nwant the last event", e.terminal)
	}
}

// TestWithTelemetryReplacesTheDefault checks that a violation is recorded once, on the run's span.
func TestWithTelemetryReplacesTheDefault(t *testing.T) {
	spans := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	for name, opts := range map[string][]emitter.Option{
		"set":                  {emitter.WithTelemetry(aguiotel.New(aguiotel.WithTracerProvider(provider)))},
		"set, and nil ignored": {emitter.WithTelemetry(aguiotel.New(aguiotel.WithTracerProvider(provider))), emitter.WithTelemetry(nil)},
	} {
		spans.Reset()
		ctx, outer := provider.Tracer("").Start(t.Context(), "request")
		em := emitter.New(ctx, null{}, append(opts, emitter.WithLogger(nil))...)
		must(t, em.RunStart("t", "r"))
		wantViolation(t, verify.NotOpen, func() error { return em.TextContent("m1", "x") })
		must(t, em.RunFinish(nil))
		must(t, em.Close(nil))
		outer.End()
		want := map[string]int{"invoke_agent": 1, "request": 0}
		if build.NoVerify {
			want["invoke_agent"] = 0
		}
		got := map[string]int{}
		for _, span := range spans.Ended() {
			got[span.Name()] = len(span.Events())
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: violations by span\n got %v\nwant %v", name, got, want)
		}
	}
}
