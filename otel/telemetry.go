package aguiotel

import (
	"context"
	"reflect"
	"time"

	"go.opentelemetry.io/otel"
	otellog "go.opentelemetry.io/otel/log"
	lognoop "go.opentelemetry.io/otel/log/noop"
	"go.opentelemetry.io/otel/trace"
	tracenoop "go.opentelemetry.io/otel/trace/noop"
)

// Telemetry makes the observers of runs. It is safe for concurrent use; one serves any number of runs.
//
// The zero Telemetry, which the emitter uses by default, records broken rules alone, on the span that
// it finds in the context. [New] makes one that records all there is.
type Telemetry struct {
	config
	tracer trace.Tracer         // nil: no spans
	unset  trace.TracerProvider // the global provider as long as none is set, or nil
	logger otellog.Logger       // nil: no log events
	meters *meters              // nil: no metrics
}

// New returns a Telemetry that records runs: a span for each, its broken rules, and metrics. Where no
// provider is given it uses the global ones of this moment; those may be set later. Nothing is recorded
// for which there is no provider, and nothing allocated. New does not fail: an instrument that cannot be
// made is told to otel.Handle, and records nothing.
func New(opts ...Option) *Telemetry {
	t := &Telemetry{config: config{runSpan: true, clock: time.Now}}
	for _, o := range opts {
		if o != nil {
			o.apply(&t.config)
		}
	}
	if t.tracerProvider == nil {
		t.tracerProvider = otel.GetTracerProvider()
	}
	if isPlaceholder(t.tracerProvider) {
		t.unset = t.tracerProvider
	}
	if _, none := t.tracerProvider.(tracenoop.TracerProvider); !none {
		t.tracer = t.tracerProvider.Tracer(ScopeName)
	}
	if t.signal.log() {
		t.logger = newLogger(t.loggerProvider)
	}
	t.meters = newMeters(&t.config)
	return t
}

func newLogger(p otellog.LoggerProvider) otellog.Logger {
	if p == nil {
		p = otel.GetLoggerProvider()
	}
	if _, none := p.(lognoop.LoggerProvider); none {
		return nil
	}
	return p.Logger(ScopeName)
}

// isPlaceholder reports whether p is what the global tracer provider is until one is set. Its spans record
// nothing, but cost; a placeholder's instruments and loggers say themselves whether they do.
func isPlaceholder(p trace.TracerProvider) bool {
	t := reflect.TypeOf(p)
	return t.Kind() == reflect.Pointer && t.Elem().PkgPath() == "go.opentelemetry.io/otel/internal/global"
}

// tracing returns the tracer, or nil while there is none that records.
func (t *Telemetry) tracing() trace.Tracer {
	if t.unset != nil && otel.GetTracerProvider() == t.unset {
		return nil
	}
	return t.tracer
}

// logs reports whether log events are recorded.
func (t *Telemetry) logs(ctx context.Context, severity otellog.Severity) bool {
	return t.logger != nil && t.logger.Enabled(ctx, otellog.EnabledParameters{Severity: severity, EventName: ViolationEvent})
}

// Run returns the observer of one run: what emitter.WithObserver takes. The emitter calls it by itself
// for the Telemetry of emitter.WithTelemetry.
func (t *Telemetry) Run() *Run { return &Run{telemetry: t} }
