package emitter_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/internal/build"
	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify"
)

// recorded runs do under a recording span and returns the span.
func recorded(t *testing.T, do func(ctx context.Context)) sdktrace.ReadOnlySpan {
	t.Helper()
	spans := tracetest.NewSpanRecorder()
	provider := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans))
	t.Cleanup(func() { provider.Shutdown(context.Background()) })
	ctx, span := provider.Tracer("test").Start(t.Context(), "request")
	do(ctx)
	span.End()
	return spans.Ended()[0]
}

func attributesOf(e sdktrace.Event) map[attribute.Key]attribute.Value {
	attrs := make(map[attribute.Key]attribute.Value)
	for _, a := range e.Attributes {
		attrs[a.Key] = a.Value
	}
	return attrs
}

func TestViolationIsASpanEvent(t *testing.T) {
	var line int
	span := recorded(t, func(ctx context.Context) {
		em := emitter.New(ctx, null{}, emitter.WithLogger(nil))
		defer em.Close(nil)
		must(t, em.RunStart("t", "r"))
		wantViolation(t, verify.NotOpen, func() error {
			_, _, line, _ = runtime.Caller(0)
			return em.TextContent("m1", "x")
		})
	})
	if build.NoVerify {
		if got := span.Events(); len(got) != 0 {
			t.Errorf("events\n got %v\nwant none", got)
		}
		return
	}
	if got := span.Events(); len(got) != 1 || got[0].Name != "agui.verify.violation" {
		t.Fatalf("events\n got %v\nwant one agui.verify.violation", got)
	}
	attrs := attributesOf(span.Events()[0])
	for key, want := range map[attribute.Key]string{
		"agui.rule":        "NotOpen",
		"agui.event.type":  "TEXT_MESSAGE_CONTENT",
		"agui.entity.id":   "m1",
		"agui.event.index": "1",
	} {
		if got := attrs[key].String(); got != want {
			t.Errorf("%s\n got %q\nwant %q", key, got, want)
		}
	}
	if !build.Debug {
		return
	}
	file, at := attrs["code.file.path"].AsString(), attrs["code.line.number"].AsInt64()
	if !strings.HasSuffix(file, "telemetry_test.go") || at != int64(line+1) {
		t.Errorf("call site\n got %s:%d\nwant line %d of this file", file, at, line+1)
	}
}

func TestViolationsLandOnTheViewsSpan(t *testing.T) {
	if build.NoVerify {
		t.Log("nothing is verified in this build: TestViolationIsASpanEvent shows that nothing is recorded")
		return
	}
	provider := sdktrace.NewTracerProvider()
	var child trace.Span
	outer := recorded(t, func(ctx context.Context) {
		em := emitter.New(ctx, null{}, emitter.WithLogger(nil), emitter.WithPolicy(emitter.Reject))
		defer em.Close(nil)
		must(t, em.RunStart("t", "r"))
		ctx, child = provider.Tracer("test").Start(ctx, "tool")
		em.WithContext(ctx).TextEnd("m1")
		em.Subagent("s1", "x").WithContext(ctx).TextEnd("m1")
		from, ok := emitter.FromContext(emitter.NewContext(ctx, em))
		if !ok {
			t.Fatal("the context carries no emitter")
		}
		from.TextEnd("m1")
	})
	if got := len(outer.Events()); got != 0 {
		t.Errorf("events on the outer span\n got %d\nwant none", got)
	}
	if got := len(child.(sdktrace.ReadOnlySpan).Events()); got != 3 {
		t.Errorf("events on the view's span\n got %d\nwant 3", got)
	}
}

// TestWithoutSetUp has the telemetry that is there by default, with none and with two broken rules.
func TestWithoutSetUp(t *testing.T) {
	for _, broken := range []int64{0, 2} {
		if build.NoVerify {
			broken = 0
		}
		span := recorded(t, func(ctx context.Context) {
			em := emitter.New(ctx, null{}, emitter.WithLogger(nil), emitter.WithPolicy(emitter.Reject))
			must(t, em.RunStart("t", "r"))
			for range broken {
				em.TextEnd("m1")
			}
			must(t, em.Close(&emitter.PanicError{Value: "broken agent"}))
		})
		var names []string
		for range broken {
			names = append(names, aguiotel.ViolationEvent)
		}
		names = append(names, aguiotel.PanicEvent)
		var got []string
		for _, e := range span.Events() {
			got = append(got, e.Name)
		}
		if !slices.Equal(got, names) {
			t.Errorf("events\n got %q\nwant %q", got, names)
		}
		var count int64
		for _, a := range span.Attributes() {
			if a.Key == aguiotel.KeyViolations {
				count = a.Value.AsInt64()
			}
		}
		if count != broken {
			t.Errorf("%s\n got %d\nwant %d", aguiotel.KeyViolations, count, broken)
		}
	}
}

func TestWithoutTelemetry(t *testing.T) {
	span := recorded(t, func(ctx context.Context) {
		em := emitter.New(ctx, null{}, emitter.WithLogger(nil), emitter.WithoutTelemetry(), emitter.WithPolicy(emitter.Reject))
		defer em.Close(nil)
		err := em.RunFinish(nil)
		if !build.NoVerify && !errors.Is(err, verify.RunNotStarted) {
			t.Errorf("got %v\nwant RunNotStarted", err)
		}
	})
	if got := span.Events(); len(got) != 0 {
		t.Errorf("events\n got %v\nwant none", got)
	}
}

func TestCallSiteSkipsTheStandardLibrary(t *testing.T) {
	if build.NoVerify {
		t.Log("nothing is verified in this build, so there is no violation to locate")
		return
	}
	em := emitter.New(t.Context(), null{}, emitter.WithLogger(nil), emitter.WithCallers(), emitter.WithPolicy(emitter.Reject))
	defer em.Close(nil)
	must(t, em.RunStart("t", "r"))
	msg := em.Text()
	must(t, em.TextEnd(msg.ID()))
	_, _, line, _ := runtime.Caller(0)
	_, err := fmt.Fprintf(msg, "%d results", 3)
	var v *verify.Violation
	if !errors.As(err, &v) {
		t.Fatalf("got %v\nwant a violation", err)
	}
	if want := fmt.Sprintf("telemetry_test.go:%d", line+1); !strings.HasSuffix(v.Caller, want) {
		t.Errorf("call site\n got %q\nwant %q", v.Caller, want)
	}
}
