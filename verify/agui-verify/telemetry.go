package main

import (
	"context"
	"log/slog"
	"net/http"
	"os"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

// telemetry makes the spans of runs. Without a collector to send them to it makes none that record.
type telemetry struct {
	tracer     trace.Tracer
	propagator propagation.TextMapPropagator
	provider   *sdktrace.TracerProvider // nil without a collector
}

const scopeName = "agui-verify"

// newTelemetry sets up spans as OpenTelemetry's environment variables say: none unless
// OTEL_EXPORTER_OTLP_ENDPOINT, or the one for traces alone, is set.
func newTelemetry(ctx context.Context, log *slog.Logger) (*telemetry, error) {
	if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") == "" && os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") == "" {
		return &telemetry{tracer: noop.NewTracerProvider().Tracer(scopeName)}, nil
	}
	exporter, err := otlptracehttp.New(ctx)
	if err != nil {
		return nil, err
	}
	res, err := resource.New(ctx,
		resource.WithTelemetrySDK(),
		resource.WithAttributes(attribute.String("service.name", "agui-verify")),
		resource.WithFromEnv(), // OTEL_SERVICE_NAME says it better
	)
	if err != nil {
		return nil, err
	}
	// A collector that cannot be reached is told here alone.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Warn("telemetry", "err", err) }))
	return withProvider(sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(res))), nil
}

func withProvider(provider *sdktrace.TracerProvider) *telemetry {
	return &telemetry{tracer: provider.Tracer(scopeName), propagator: propagation.TraceContext{}, provider: provider}
}

// shutdown sends what has not been sent.
func (t *telemetry) shutdown(ctx context.Context) error {
	if t.provider == nil {
		return nil
	}
	return t.provider.Shutdown(ctx)
}

// start begins the span of a run, below the span that the client names, and names it to the agent.
func (t *telemetry) start(req *http.Request) (*http.Request, *runSpan) {
	ctx := req.Context()
	if t.provider == nil {
		_, span := t.tracer.Start(ctx, "")
		return req.Clone(ctx), &runSpan{span: span}
	}
	ctx = t.propagator.Extract(ctx, propagation.HeaderCarrier(req.Header))
	ctx, span := t.tracer.Start(ctx, "agui proxy", trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(
		attribute.String("http.request.method", req.Method),
		attribute.String("url.path", req.URL.Path),
	))
	req = req.Clone(ctx)
	t.propagator.Inject(ctx, propagation.HeaderCarrier(req.Header))
	return req, &runSpan{span: span}
}
