package aguiotel_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/agui-go/agui/events"
	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify"
)

func TestViolationAttributes(t *testing.T) {
	full := verify.Violation{
		Rule:      verify.NotOpen,
		EventType: events.TypeTextMessageContent,
		ID:        "m1",
		Owner:     events.Some("sub_1"),
		Index:     7,
		Sentence:  "the message was never opened",
		Caller:    "/src/agent/main.go:42",
	}
	tests := []struct {
		name   string
		change func(v *verify.Violation)
		want   []attribute.KeyValue
	}{
		{"everything known", func(v *verify.Violation) {}, []attribute.KeyValue{
			attribute.String("agui.rule", "NotOpen"),
			attribute.String("agui.event.type", "TEXT_MESSAGE_CONTENT"),
			attribute.String("agui.entity.id", "m1"),
			attribute.String("agui.owner", "sub_1"),
			attribute.Int("agui.event.index", 7),
			attribute.String("code.file.path", "/src/agent/main.go"),
			attribute.Int("code.line.number", 42),
		}},
		{"only a rule", func(v *verify.Violation) { *v = verify.Violation{Rule: verify.Unterminated} }, []attribute.KeyValue{
			attribute.String("agui.rule", "Unterminated"),
			attribute.Int("agui.event.index", 0),
		}},
		{"tagged with the empty owner", func(v *verify.Violation) { v.Owner, v.Caller = events.Some(""), "" }, []attribute.KeyValue{
			attribute.String("agui.rule", "NotOpen"),
			attribute.String("agui.event.type", "TEXT_MESSAGE_CONTENT"),
			attribute.String("agui.entity.id", "m1"),
			attribute.String("agui.owner", ""),
			attribute.Int("agui.event.index", 7),
		}},
		{"a path with a colon", func(v *verify.Violation) { *v = verify.Violation{Caller: `C:\agent\main.go:9`, Rule: v.Rule} }, []attribute.KeyValue{
			attribute.String("agui.rule", "NotOpen"),
			attribute.Int("agui.event.index", 0),
			attribute.String("code.file.path", `C:\agent\main.go`),
			attribute.Int("code.line.number", 9),
		}},
		{"a call site without a line", func(v *verify.Violation) { *v = verify.Violation{Caller: `C:\agent\main.go`, Rule: v.Rule} }, []attribute.KeyValue{
			attribute.String("agui.rule", "NotOpen"),
			attribute.Int("agui.event.index", 0),
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := full
			tt.change(&v)
			span := record(t, func(ctx context.Context) { aguiotel.New().Run().Violation(ctx, &v) })
			events := span.Events()
			if got, want := len(events), 1; got != want {
				t.Fatalf("span events\n got: %d\nwant: %d", got, want)
			}
			if got, want := events[0].Name, "agui.verify.violation"; got != want {
				t.Errorf("name\n got: %q\nwant: %q", got, want)
			}
			if got := events[0].Attributes; !slices.Equal(got, tt.want) {
				t.Errorf("attributes\n got: %v\nwant: %v", got, tt.want)
			}
			if got, want := span.Attributes(), []attribute.KeyValue{attribute.Int("agui.violations", 1)}; !slices.Equal(got, want) {
				t.Errorf("span attributes\n got: %v\nwant: %v", got, want)
			}
		})
	}
}

func TestViolationCutsAndCleansIDs(t *testing.T) {
	tests := []struct{ name, id, want string }{
		{"256 bytes stay", strings.Repeat("x", 256), strings.Repeat("x", 256)},
		{"257 bytes are cut", strings.Repeat("x", 257), strings.Repeat("x", 256)},
		{"no character is split", strings.Repeat("x", 254) + "日本", strings.Repeat("x", 254)},
		{"a character that just fits", strings.Repeat("x", 253) + "日本", strings.Repeat("x", 253) + "日"},
		{"a long one", strings.Repeat("日本", 1<<16), strings.Repeat("日本", 42) + "日"},
		{"not UTF-8", "m\xff1", "m\ufffd1"},
		{"not UTF-8 and long", strings.Repeat("\xff", 1<<10), "\ufffd"},
		{"longer once replaced", strings.Repeat("a\xff", 128), strings.Repeat("a\ufffd", 64)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := verify.Violation{ID: tt.id, Owner: events.Some(tt.id), EventType: events.Type(tt.id)}
			span := record(t, func(ctx context.Context) { aguiotel.New().Run().Violation(ctx, &v) })
			for _, key := range []attribute.Key{"agui.entity.id", "agui.owner", "agui.event.type"} {
				got := value(span.Events()[0].Attributes, key).AsString()
				if got != tt.want {
					t.Errorf("%s\n got: %q\nwant: %q", key, got, tt.want)
				}
				if len(got) > 256 || !utf8.ValidString(got) {
					t.Errorf("%s is %d bytes, valid UTF-8: %t", key, len(got), utf8.ValidString(got))
				}
			}
		})
	}
}

func TestFirstSixteenViolationsAreEvents(t *testing.T) {
	for _, n := range []int{1, 15, 16, 17, 200} {
		span := record(t, func(ctx context.Context) {
			run := aguiotel.New().Run()
			for i := range n {
				run.Violation(ctx, &verify.Violation{Rule: verify.NotOpen, Index: i})
			}
		})
		var indexes []int
		for _, ev := range span.Events() {
			indexes = append(indexes, int(value(ev.Attributes, "agui.event.index").AsInt64()))
		}
		want := make([]int, min(n, 16))
		for i := range want {
			want[i] = i
		}
		if !slices.Equal(indexes, want) {
			t.Errorf("%d violations: indexes of the events\n got: %v\nwant: %v", n, indexes, want)
		}
		if got := value(span.Attributes(), "agui.violations").AsInt64(); got != int64(n) {
			t.Errorf("%d violations: agui.violations\n got: %d\nwant: %d", n, got, n)
		}
	}
}

func TestRunsCountApart(t *testing.T) {
	telemetry := aguiotel.New()
	for range 2 {
		span := record(t, func(ctx context.Context) {
			telemetry.Run().Violation(ctx, &verify.Violation{Rule: verify.NotOpen})
		})
		if got, want := value(span.Attributes(), "agui.violations").AsInt64(), int64(1); got != want {
			t.Errorf("agui.violations\n got: %d\nwant: %d", got, want)
		}
	}
}

func TestViolationsOfOneRunUnderTwoSpans(t *testing.T) {
	recorder := tracetest.NewSpanRecorder()
	tracer := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder)).Tracer("test")
	ctx, outer := tracer.Start(context.Background(), "outer")
	inner, innerSpan := tracer.Start(ctx, "inner")
	run := aguiotel.New().Run()
	run.Violation(ctx, &verify.Violation{Index: 1})
	run.Violation(inner, &verify.Violation{Index: 2})
	innerSpan.End()
	run.Violation(inner, &verify.Violation{Index: 3}) // after its end a span records no more
	outer.End()
	for i, want := range []struct {
		name         string
		index, count int64
	}{{"inner", 2, 2}, {"outer", 1, 1}} {
		span := recorder.Ended()[i]
		if got := span.Name(); got != want.name {
			t.Fatalf("span\n got: %s\nwant: %s", got, want.name)
		}
		if got := len(span.Events()); got != 1 {
			t.Fatalf("%s: span events\n got: %d\nwant: 1", want.name, got)
		}
		if got := value(span.Events()[0].Attributes, "agui.event.index").AsInt64(); got != want.index {
			t.Errorf("%s: agui.event.index\n got: %d\nwant: %d", want.name, got, want.index)
		}
		if got := value(span.Attributes(), "agui.violations").AsInt64(); got != want.count {
			t.Errorf("%s: agui.violations\n got: %d\nwant: %d", want.name, got, want.count)
		}
	}
}

func TestConcurrentViolations(t *testing.T) {
	const goroutines, each = 8, 50
	span := record(t, func(ctx context.Context) {
		run := aguiotel.New().Run()
		var wg sync.WaitGroup
		for range goroutines {
			wg.Go(func() {
				for i := range each {
					run.Violation(ctx, &verify.Violation{Rule: verify.NotOpen, ID: "m1", Index: i})
				}
			})
		}
		for range each {
			run.Event(events.TypeCustom, nil, 10)
			run.Flush(nil)
		}
		wg.Wait()
		run.End(ctx, nil, nil)
	})
	if got, want := len(span.Events()), 16; got != want {
		t.Errorf("span events\n got: %d\nwant: %d", got, want)
	}
	if got, want := value(span.Attributes(), "agui.violations").AsInt64(), int64(goroutines*each); got != want {
		t.Errorf("agui.violations\n got: %d\nwant: %d", got, want)
	}
}

func TestWithoutARecordingSpanNothingIsAllocated(t *testing.T) {
	unsampled := sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample()))
	dropped, _ := unsampled.Tracer("test").Start(context.Background(), "dropped")
	remote := trace.ContextWithRemoteSpanContext(context.Background(), trace.NewSpanContext(trace.SpanContextConfig{
		TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}, TraceFlags: trace.FlagsSampled, Remote: true,
	}))
	v := &verify.Violation{Rule: verify.NotOpen, ID: "m1", Owner: events.Some("sub_1"), Caller: "main.go:1"}
	for name, ctx := range map[string]context.Context{
		"no span": context.Background(), "span that is not sampled": dropped, "remote parent": remote,
	} {
		run := aguiotel.New().Run()
		if got := testing.AllocsPerRun(100, func() { run.Violation(ctx, v) }); got != 0 {
			t.Errorf("%s: allocations\n got: %v\nwant: 0", name, got)
		}
		// What was not recorded does not use up the run's sixteen.
		span := record(t, func(ctx context.Context) { run.Violation(ctx, v) })
		if got, want := len(span.Events()), 1; got != want {
			t.Errorf("%s: events on a span that records\n got: %d\nwant: %d", name, got, want)
		}
	}
}

func TestARunWithoutViolationsLeavesNoTrace(t *testing.T) {
	type key struct{}
	span := record(t, func(ctx context.Context) {
		ctx = context.WithValue(ctx, key{}, "kept")
		run := aguiotel.New().Run()
		if got := run.Start(ctx, &events.RunAgentInput{ThreadID: "t1", RunID: "r1"}); got != ctx {
			t.Errorf("context of the run\n got: %v\nwant: %v", got, ctx)
		}
		run.Event(events.TypeRunStarted, nil, 64)
		run.Flush(errors.New("broken pipe"))
		run.Event(events.TypeRunError, nil, 64)
		run.End(ctx, &events.RunError{Message: "no"}, errors.New("gone"))
	})
	if got := span.Attributes(); len(got) != 0 {
		t.Errorf("span attributes\n got: %v\nwant: none", got)
	}
	if got := span.Events(); len(got) != 0 {
		t.Errorf("span events\n got: %v\nwant: none", got)
	}
}

func BenchmarkViolationWithoutSpan(b *testing.B) {
	run, ctx := aguiotel.New().Run(), context.Background()
	v := &verify.Violation{Rule: verify.NotOpen, ID: "m1"}
	b.ReportAllocs()
	for b.Loop() {
		run.Violation(ctx, v)
	}
}

// record runs f with a context whose span records, and returns that span, ended.
func record(t *testing.T, f func(ctx context.Context)) sdktrace.ReadOnlySpan {
	t.Helper()
	recorder := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder))
	ctx, span := provider.Tracer("test").Start(context.Background(), "POST /agent")
	f(ctx)
	span.End()
	ended := recorder.Ended()
	if len(ended) != 1 {
		t.Fatalf("spans\n got: %d\nwant: 1", len(ended))
	}
	return ended[0]
}

// value returns the value of the attribute, invalid when it is not there.
func value(attrs []attribute.KeyValue, key attribute.Key) attribute.Value {
	for _, attr := range attrs {
		if attr.Key == key {
			return attr.Value
		}
	}
	return attribute.Value{}
}
