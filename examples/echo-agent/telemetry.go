package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	agui "github.com/agui-go/agui/middleware"
	aguiotel "github.com/agui-go/agui/otel"
)

const name = "echo-agent"

// printEvery is how often metrics are printed, if any have changed.
const printEvery = 10 * time.Second

// telemetry is where spans and metrics go: to the terminal, and to an OTLP receiver when the environment
// names one.
type telemetry struct {
	spans   *sdktrace.TracerProvider
	metrics *sdkmetric.MeterProvider
}

// newTelemetry prints to out what the flag -otel says, and exports to OTEL_EXPORTER_OTLP_ENDPOINT. The
// exporters read the rest of their settings from the environment, too.
func newTelemetry(ctx context.Context, show string, out io.Writer) (*telemetry, error) {
	// OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come last, and so win.
	about, err := resource.New(ctx, resource.WithTelemetrySDK(), resource.WithAttributes(attribute.String("service.name", name)), resource.WithFromEnv())
	if err != nil {
		return nil, err
	}
	spans := []sdktrace.TracerProviderOption{sdktrace.WithResource(about)}
	metrics := []sdkmetric.Option{sdkmetric.WithResource(about)}
	switch show {
	case "console":
		metrics = append(metrics, sdkmetric.WithReader(sdkmetric.NewPeriodicReader(&metricPrinter{w: out}, sdkmetric.WithInterval(printEvery))))
		spans = append(spans, sdktrace.WithSpanProcessor(&spanPrinter{w: out, all: true}))
	case "violations":
		spans = append(spans, sdktrace.WithSpanProcessor(&spanPrinter{w: out}))
	case "off":
	default:
		return nil, fmt.Errorf("-otel %q: want console, violations or off", show)
	}
	if os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" {
		toSpans, err := otlptracehttp.New(ctx)
		if err != nil {
			return nil, err
		}
		toMetrics, err := otlpmetrichttp.New(ctx)
		if err != nil {
			return nil, err
		}
		spans = append(spans, sdktrace.WithBatcher(toSpans))
		metrics = append(metrics, sdkmetric.WithReader(sdkmetric.NewPeriodicReader(toMetrics)))
	}
	return &telemetry{sdktrace.NewTracerProvider(spans...), sdkmetric.NewMeterProvider(metrics...)}, nil
}

// tracer returns the tracer for requests.
func (t *telemetry) tracer() trace.Tracer { return t.spans.Tracer(name) }

// option gives each run a span, below the request's, and measures it. The front end is told the trace, so
// that it can name it when something went wrong.
func (t *telemetry) option() agui.Option {
	return agui.WithTelemetry(aguiotel.New(
		aguiotel.WithAgent(name),
		aguiotel.WithTracerProvider(t.spans),
		aguiotel.WithMeterProvider(t.metrics),
		aguiotel.WithTraceHeader(),
		aguiotel.WithToolSpans(), aguiotel.WithSubagentSpans(), aguiotel.WithStepSpans(), // nothing else here makes them
	))
}

// shutdown prints and exports what is left.
func (t *telemetry) shutdown(ctx context.Context) error {
	return errors.Join(t.spans.Shutdown(ctx), t.metrics.Shutdown(ctx))
}
