package aguiotel

import (
	"testing"

	"go.opentelemetry.io/otel"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// TestPlaceholder checks that the global provider is known for what it is until one is set. No test here
// sets one.
func TestPlaceholder(t *testing.T) {
	for name, tt := range map[string]struct {
		provider trace.TracerProvider
		want     bool
	}{
		"global": {otel.GetTracerProvider(), true},
		"no-op":  {noop.NewTracerProvider(), false},
		"SDK":    {sdktrace.NewTracerProvider(), false},
	} {
		if got := isPlaceholder(tt.provider); got != tt.want {
			t.Errorf("%s is a placeholder\n got: %t\nwant: %t", name, got, tt.want)
		}
	}
}

func TestGlobalProviderMayBeSetLater(t *testing.T) {
	telemetry := New()
	if telemetry.tracing() != nil {
		t.Error("a tracer while no provider is set")
	}
	telemetry.unset = noop.NewTracerProvider() // as if the global one were another by now
	if telemetry.tracing() == nil {
		t.Error("no tracer once a provider is set")
	}
}
