package aguiotel_test

import (
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	lognoop "go.opentelemetry.io/otel/log/noop"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify"
)

// clock is a clock that stands still until it is moved, by a second.
type clock struct{ now time.Time }

func newClock() *clock                   { return &clock{time.Unix(1_800_000_000, 0)} }
func (c *clock) read() time.Time         { return c.now }
func (c *clock) wait()                   { c.now = c.now.Add(time.Second) }
func (c *clock) option() aguiotel.Option { return aguiotel.WithClock(c.read) }

// emit runs do with an emitter whose run is recorded, and ends it.
func emit(tb testing.TB, telemetry *aguiotel.Telemetry, do func(em *emitter.Emitter), opts ...emitter.Option) {
	tb.Helper()
	opts = append([]emitter.Option{emitter.WithTelemetry(telemetry), emitter.WithLogger(nil), emitter.WithPolicy(emitter.Reject)}, opts...)
	em := emitter.New(tb.Context(), emitter.ToWriter(io.Discard), opts...)
	defer em.Close(nil)
	do(em)
}

func must(tb testing.TB, errs ...error) {
	tb.Helper()
	if err := errors.Join(errs...); err != nil {
		tb.Fatal(err)
	}
}

func TestRunSpan(t *testing.T) {
	input := &events.RunAgentInput{ThreadID: "thread_1", RunID: "run_1", ParentRunID: events.Some("run_0")}
	usage := func(provider string) events.TokenUsage {
		return events.TokenUsage{Provider: events.Some(provider), Model: events.Some("m"), InputTokens: events.Some[int64](10),
			CachedInputTokens: events.Some[int64](4), CacheWriteInputTokens: events.Some[int64](3), OutputTokens: events.Some[int64](2), ReasoningTokens: events.Some[int64](1)}
	}
	ids := []string{"agui.run.id=run_1", "gen_ai.conversation.id=thread_1"}
	tests := []struct {
		name string
		opts []aguiotel.Option
		emit []emitter.Option
		do   func(em *emitter.Emitter)
		span string
		want []string // beside gen_ai.operation.name
	}{
		{
			name: "what the input says",
			emit: []emitter.Option{emitter.WithInput(input)},
			do:   func(em *emitter.Emitter) { must(t, em.RunStart("thread_1", "run_1"), em.RunFinish(nil)) },
			span: "invoke_agent tester",
			want: append([]string{"agui.events=2", "agui.parent_run.id=run_0", "agui.run.outcome=success", "gen_ai.agent.name=tester"}, ids...),
		},
		{
			name: "what RUN_STARTED says",
			do: func(em *emitter.Emitter) {
				must(t, em.RunStart("thread_1", "run_1", emitter.ParentRun("run_0")), em.RunFinish(nil))
			},
			span: "invoke_agent tester",
			want: append([]string{"agui.events=2", "agui.parent_run.id=run_0", "agui.run.outcome=success", "gen_ai.agent.name=tester"}, ids...),
		},
		{
			name: "no agent, a provider",
			opts: []aguiotel.Option{aguiotel.WithAgent(""), aguiotel.WithProvider("acme")},
			do:   func(em *emitter.Emitter) { must(t, em.RunStart("thread_1", "run_1"), em.RunFinish(nil)) },
			span: "invoke_agent",
			want: append([]string{"agui.events=2", "agui.run.outcome=success", "gen_ai.provider.name=acme"}, ids...),
		},
		{
			name: "usage of one model",
			do: func(em *emitter.Emitter) {
				must(t, em.RunStart("thread_1", "run_1"), em.RunFinish(nil, emitter.Usage(usage("acme"), usage("acme"))))
			},
			span: "invoke_agent tester",
			want: append([]string{"agui.events=2", "agui.run.outcome=success", "gen_ai.agent.name=tester",
				"gen_ai.provider.name=acme", "gen_ai.request.model=m", "gen_ai.usage.cache_creation.input_tokens=6",
				"gen_ai.usage.cache_read.input_tokens=8", "gen_ai.usage.input_tokens=20", "gen_ai.usage.output_tokens=4",
				"gen_ai.usage.reasoning.output_tokens=2"}, ids...),
		},
		{
			name: "usage of two providers, in RUN_ERROR",
			do: func(em *emitter.Emitter) {
				must(t, em.RunStart("thread_1", "run_1"), em.RunError("no", "", emitter.Usage(usage("acme"), usage("other"),
					events.TokenUsage{Provider: events.Some("acme"), Model: events.Some("m")})))
			},
			span: "invoke_agent tester",
			want: append([]string{"agui.events=2", "agui.run.outcome=error", "error.type=_OTHER", "gen_ai.agent.name=tester",
				"gen_ai.request.model=m", "gen_ai.usage.cache_creation.input_tokens=6",
				"gen_ai.usage.cache_read.input_tokens=8", "gen_ai.usage.input_tokens=20", "gen_ai.usage.output_tokens=4",
				"gen_ai.usage.reasoning.output_tokens=2"}, ids...),
		},
		{
			name: "no terminal event",
			do:   func(em *emitter.Emitter) { must(t, em.RunStart("thread_1", "run_1")) },
			span: "invoke_agent tester",
			want: append([]string{"agui.events=1", "agui.run.outcome=error", "error.type=_OTHER", "gen_ai.agent.name=tester"}, ids...),
		},
		{
			name: "an error that names its type",
			do:   func(em *emitter.Emitter) { must(t, em.RunStart("thread_1", "run_1"), em.Abort("no", "x", quota{})) },
			span: "invoke_agent tester",
			want: append([]string{"agui.events=2", "agui.run.outcome=error", "error.type=quota", "gen_ai.agent.name=tester"}, ids...),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rec := newRecording()
			emit(t, rec.telemetry(tt.opts...), tt.do, tt.emit...)
			want := append([]string{"gen_ai.operation.name=invoke_agent"}, tt.want...)
			slices.Sort(want)
			if got := attributesOf(rec.span(t, tt.span).Attributes()); !slices.Equal(got, want) {
				t.Errorf("attributes\n got: %q\nwant: %q", got, want)
			}
			rec.checkCatalogue(t)
		})
	}
}

// quota is an error with a type.
type quota struct{}

func (quota) Error() string     { return "over quota" }
func (quota) ErrorType() string { return "quota" }

// TestRunSpanIsInTheAgentsContext checks that what the agent calls is below the run's span, with and
// without a span around the run.
func TestRunSpanIsInTheAgentsContext(t *testing.T) {
	rec := newRecording()
	emit(t, rec.telemetry(), func(em *emitter.Emitter) {
		_, tool := rec.tracer.Tracer("client").Start(em.Context(), "GET")
		tool.End()
	})
	run := rec.span(t, "invoke_agent tester")
	if got, want := rec.span(t, "GET").Parent().SpanID(), run.SpanContext().SpanID(); got != want {
		t.Errorf("parent of the tool's span\n got: %v\nwant: %v", got, want)
	}
	if run.Parent().IsValid() {
		t.Errorf("parent of the run's span\n got: %v\nwant: none", run.Parent())
	}
}

func TestViolationsAreOnTheRunsSpan(t *testing.T) {
	rec := newRecording()
	ctx, outer := rec.tracer.Tracer("server").Start(t.Context(), "POST /")
	run := rec.telemetry().Run()
	ctx = run.Start(ctx, nil)
	for range 3 {
		run.Violation(ctx, &verify.Violation{Rule: verify.NotOpen})
	}
	run.Violation(t.Context(), &verify.Violation{Rule: verify.NotOpen}) // on a view whose context is foreign
	run.End(ctx, nil, nil)
	run.Violation(ctx, &verify.Violation{Rule: verify.RunEnded}) // too late for the span
	outer.End()
	span := rec.span(t, "invoke_agent tester")
	if got, want := len(span.Events()), 4; got != want {
		t.Errorf("events on the run's span\n got: %d\nwant: %d", got, want)
	}
	if got, want := value(span.Attributes(), "agui.violations").AsInt64(), int64(4); got != want {
		t.Errorf("agui.violations\n got: %d\nwant: %d", got, want)
	}
	if got := len(rec.span(t, "POST /").Events()); got != 0 {
		t.Errorf("events on the request's span\n got: %d\nwant: none", got)
	}
	want := map[string]int64{"agui.event.type=other,agui.rule=NotOpen": 4, "agui.event.type=other,agui.rule=RunEnded": 1}
	if got := rec.sum(t, "agui.verify.violations"); !equal(got, want) {
		t.Errorf("agui.verify.violations\n got: %v\nwant: %v", got, want)
	}
}

func TestWithoutRunSpan(t *testing.T) {
	rec := newRecording()
	ctx, outer := rec.tracer.Tracer("server").Start(t.Context(), "POST /")
	run := rec.telemetry(aguiotel.WithoutRunSpan()).Run()
	if got := run.Start(ctx, nil); got != ctx {
		t.Errorf("context\n got: %v\nwant: %v", got, ctx)
	}
	run.Violation(ctx, &verify.Violation{Rule: verify.NotOpen})
	run.End(ctx, &events.RunFinished{}, nil)
	outer.End()
	if got := len(rec.spans.Ended()); got != 1 {
		t.Errorf("spans\n got: %d\nwant: 1", got)
	}
	if got := len(rec.span(t, "POST /").Events()); got != 1 {
		t.Errorf("events on the request's span\n got: %d\nwant: 1", got)
	}
	if got := rec.histogram(t, "gen_ai.invoke_agent.duration"); len(got) != 1 {
		t.Errorf("gen_ai.invoke_agent.duration\n got: %v\nwant: one", got)
	}
}

// TestSpanThatDoesNotRecord checks that a provider that records nothing takes nothing away: neither the
// span around the run, nor the decision not to sample.
func TestSpanThatDoesNotRecord(t *testing.T) {
	never := sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample()))
	telemetry := aguiotel.New(aguiotel.WithTracerProvider(never))

	spans := tracetest.NewSpanRecorder()
	ctx, outer := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)).Tracer("").Start(t.Context(), "outer")
	run := telemetry.Run()
	run.Violation(run.Start(ctx, nil), &verify.Violation{Rule: verify.NotOpen})
	run.End(ctx, nil, nil)
	outer.End()
	if got := len(spans.Ended()[0].Events()); got != 1 {
		t.Errorf("events on the span around the run\n got: %d\nwant: 1", got)
	}

	root := telemetry.Run().Start(t.Context(), nil)
	if sc := trace.SpanContextFromContext(root); !sc.IsValid() || sc.IsSampled() {
		t.Errorf("span of a trace that is not sampled\n got: %+v\nwant: a valid one that is not sampled", sc)
	}
}

// TestWithoutProvidersNothingIsAllocated holds a whole run without any provider to the cost of none.
func TestWithoutProvidersNothingIsAllocated(t *testing.T) {
	remote := trace.ContextWithRemoteSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}, TraceFlags: trace.FlagsSampled, Remote: true,
	}))
	var (
		in       = &events.RunAgentInput{ThreadID: "t", RunID: "r"}
		started  = events.NewRunStarted("t", "r")
		finished = events.NewRunFinished("t", "r")
		broken   = &verify.Violation{Rule: verify.NotOpen, ID: "m1"}
		all      = []aguiotel.Option{aguiotel.WithAgent("a"), aguiotel.WithToolSpans(), aguiotel.WithViolationSignal(aguiotel.SpanAndLogEvent)}
	)
	for name, telemetry := range map[string]*aguiotel.Telemetry{
		"zero":              new(aguiotel.Telemetry),
		"global, never set": aguiotel.New(all...),
		"no-op": aguiotel.New(append(all, aguiotel.WithTracerProvider(tracenoop.NewTracerProvider()),
			aguiotel.WithMeterProvider(metricnoop.NewMeterProvider()), aguiotel.WithLoggerProvider(lognoop.NewLoggerProvider()))...),
		"no reader": aguiotel.New(append(all, aguiotel.WithMeterProvider(sdkmetric.NewMeterProvider()))...),
	} {
		got := testing.AllocsPerRun(100, func() {
			run := telemetry.Run() // its one allocation
			ctx := run.Start(remote, in)
			if ctx != remote {
				t.Fatalf("%s: the context is another", name)
			}
			run.Event(events.TypeRunStarted, started, 10)
			run.Flush(nil)
			run.Event(events.TypeTextMessageContent, nil, 10)
			run.Flush(nil)
			run.Violation(ctx, broken)
			run.Event(events.TypeRunFinished, finished, 10)
			run.Flush(nil)
			run.End(ctx, finished, nil)
		})
		if got > 1 {
			t.Errorf("%s: allocations\n got: %v\nwant: the Run alone", name, got)
		}
	}
}

func TestTraceIDsReachTheFrontEnd(t *testing.T) {
	rec := newRecording()
	ctx, span := rec.tracer.Tracer("").Start(t.Context(), "x")
	sc := span.SpanContext()
	on := rec.telemetry(aguiotel.WithTraceHeader(), aguiotel.WithTraceEvent())
	off := rec.telemetry()

	header := make(headers)
	on.SetHeader(ctx, header)
	want := headers{
		"traceresponse":                 {"00-" + sc.TraceID().String() + "-" + sc.SpanID().String() + "-01"},
		"Access-Control-Expose-Headers": {"traceresponse"},
	}
	if !slices.Equal(header["traceresponse"], want["traceresponse"]) || len(header) != len(want) {
		t.Errorf("header\n got: %v\nwant: %v", header, want)
	}
	custom := on.CustomEvent(ctx)
	if custom == nil || custom.Name != "agui.trace" {
		t.Fatalf("event\n got: %+v\nwant: agui.trace", custom)
	}
	if got, want := custom.Value.String(), `{"traceId":"`+sc.TraceID().String()+`","spanId":"`+sc.SpanID().String()+`"}`; got != want {
		t.Errorf("value\n got: %s\nwant: %s", got, want)
	}

	none := make(headers)
	off.SetHeader(ctx, none)
	on.SetHeader(t.Context(), none)
	new(aguiotel.Telemetry).SetHeader(ctx, none)
	if len(none) != 0 {
		t.Errorf("header that nobody asked for, or without a trace\n got: %v\nwant: none", none)
	}
	if off.CustomEvent(ctx) != nil || on.CustomEvent(t.Context()) != nil || new(aguiotel.Telemetry).CustomEvent(ctx) != nil {
		t.Error("an event that nobody asked for, or without a trace")
	}
}

type headers map[string][]string

func (h headers) Add(key, value string) { h[key] = append(h[key], value) }
