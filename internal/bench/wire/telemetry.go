package wire

import (
	"context"
	"errors"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/agui-go/agui/internal/bench/report"
	"github.com/agui-go/agui/middleware"
	aguiotel "github.com/agui-go/agui/otel"
)

// telemetryKinds are the rows of runs that are watched, and not.
var telemetryKinds = []kind{bare, twin, ours, watched}

// telemetry records spans and metrics, as it does where an exporter takes them away.
func telemetry() middleware.Option {
	return middleware.WithTelemetry(aguiotel.New(
		aguiotel.WithAgent("bench"),
		aguiotel.WithTracerProvider(sdktrace.NewTracerProvider()),
		aguiotel.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewManualReader()))),
	))
}

func measureTelemetry(ctx context.Context, o report.Options) (_ *report.Result, err error) {
	p, err := start(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	res := &report.Result{
		About:  `One run over HTTP/1.1 of 100,000 deltas of 16 B, with tracing and metrics of package otel and without, under the SDK of OpenTelemetry: its tracer samples every span, and its meter has a reader. Clients run in another process, so that only the server's CPU counts.`,
		Header: []string{"over, streams at once, deltas", "handler", "CPU, x bare", "(µs an event)", "write(2) an event", "bytes an event"},
	}
	s := setup{http1, 1, 1, load{Deltas: 100_000, Size: 16}}
	if o.Short {
		s.load.Deltas = 2_000
	}
	progress(o, "telemetry: %v", s)
	t, err := p.take(ctx, s, telemetryKinds, roundsOf(o, 2), drained)
	if err != nil {
		return nil, err
	}
	t.benchLines(o.Bench, "telemetry", telemetryKinds)
	t.rows(res, telemetryKinds)
	t.goal(res, 19, watched, ours, 1.03, "")
	return res, nil
}
