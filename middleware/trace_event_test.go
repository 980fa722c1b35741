package middleware_test

import (
	"strings"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/middleware"
	aguiotel "github.com/agui-go/agui/otel"
)

// TestRunGoesOnWithoutTheTraceEvent has limits that keep the event of the trace from being sent.
func TestRunGoesOnWithoutTheTraceEvent(t *testing.T) {
	const startedSize = len(`data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1","protocolVersion":"1.0"}` + "\n\n")
	telemetry := middleware.WithTelemetry(aguiotel.New(aguiotel.WithTracerProvider(sdktrace.NewTracerProvider()), aguiotel.WithTraceEvent()))
	tests := []struct {
		name string
		opts []emitter.Option
		want string
	}{
		{"sent", nil, "RUN_STARTED CUSTOM RUN_FINISHED"},
		{"too large", []emitter.Option{emitter.WithMaxEventSize(startedSize)}, "RUN_STARTED RUN_FINISHED"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var log logs
			got := post(t, middleware.Handler(done, telemetry, log.option(), middleware.WithEmitter(tt.opts...)), input)
			if got.types(t) != tt.want {
				t.Errorf("events:\n got %s\nwant %s", got.types(t), tt.want)
			}
			if lines := strings.Count(log.String(), "an event was not written"); lines != len(tt.opts) {
				t.Errorf("lines in the log:\n got %d\nwant %d\n%s", lines, len(tt.opts), log.String())
			}
		})
	}
}
