package aguiotel_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/agui-go/agui/emitter"
	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify"
)

// TestPanicIsASpanEvent checks that what an agent panicked with is on the span in the context, with no
// set-up, and that no other failure is.
func TestPanicIsASpanEvent(t *testing.T) {
	panicked := &emitter.PanicError{Value: "no more " + strings.Repeat("x", 1000), Stack: []byte("goroutine 1")}
	for name, tt := range map[string]struct {
		cause error
		want  int
	}{
		"a panic":         {panicked, 1},
		"a wrapped panic": {fmt.Errorf("agent: %w", panicked), 1},
		"a broken rule":   {&emitter.PanicError{Value: &verify.Violation{Rule: verify.NotOpen}}, 0},
		"another failure": {errors.New("boom"), 0},
		"a good end":      {nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			spans := tracetest.NewSpanRecorder()
			ctx, span := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)).Tracer("test").Start(t.Context(), "request")
			run := aguiotel.New().Run()
			ctx = run.Start(ctx, nil)
			run.End(ctx, nil, tt.cause)
			span.End()
			var got []sdktrace.Event
			for _, s := range spans.Ended() {
				for _, e := range s.Events() {
					if e.Name == aguiotel.PanicEvent {
						got = append(got, e)
					}
				}
			}
			if len(got) != tt.want {
				t.Fatalf("events\n got %v\nwant %d", got, tt.want)
			}
			if tt.want == 0 {
				return
			}
			text := fmt.Sprint(got[0].Attributes)
			if !strings.Contains(text, "no more xxx") || !strings.Contains(text, "goroutine 1") || len(text) > 600 {
				t.Errorf("attributes\n got %s\nwant the value, cut, and the stack", text)
			}
		})
	}
}
