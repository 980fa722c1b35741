package wire

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/agui-go/agui/internal/bench/report"
	"github.com/agui-go/agui/middleware"
	aguiotel "github.com/agui-go/agui/otel"
)

// telemetryKinds are the rows of runs that are watched, and not.
var telemetryKinds = []kind{bare, twin, ours, watched}

// recorder is a processor of spans that counts them, and a reader of metrics, as exporters have them that take
// both away.
type recorder struct {
	spans  atomic.Int64
	reader *sdkmetric.ManualReader
}

func newRecorder() *recorder { return &recorder{reader: sdkmetric.NewManualReader()} }

func (r *recorder) OnStart(context.Context, sdktrace.ReadWriteSpan) {}
func (r *recorder) OnEnd(sdktrace.ReadOnlySpan)                     { r.spans.Add(1) }
func (r *recorder) ForceFlush(context.Context) error                { return nil }
func (r *recorder) Shutdown(context.Context) error                  { return nil }

// watching has runs leave their spans and metrics with the recorder.
func (r *recorder) watching() middleware.Option {
	return middleware.WithTelemetry(aguiotel.New(
		aguiotel.WithAgent("bench"),
		aguiotel.WithTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(r))),
		aguiotel.WithMeterProvider(sdkmetric.NewMeterProvider(sdkmetric.WithReader(r.reader))),
	))
}

// recorded is what watched runs have left so far.
type recorded struct {
	Spans  int64 // that have ended
	Events int64 // that the counter of events has
}

func (r *recorder) recorded(ctx context.Context) (recorded, error) {
	var metrics metricdata.ResourceMetrics
	if err := r.reader.Collect(ctx, &metrics); err != nil {
		return recorded{}, fmt.Errorf("wire: the metrics cannot be read: %w", err)
	}
	all := recorded{Spans: r.spans.Load()}
	for _, scope := range metrics.ScopeMetrics {
		for _, m := range scope.Metrics {
			sum, ok := m.Data.(metricdata.Sum[int64])
			if !ok || m.Name != string(aguiotel.KeyEvents) {
				continue
			}
			for _, point := range sum.DataPoints {
				all.Events += point.Value
			}
		}
	}
	return all, nil
}

func measureTelemetry(ctx context.Context, o report.Options) (_ *report.Result, err error) {
	p, err := start(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	res := &report.Result{
		About: `One run over HTTP/1.1 of 100,000 deltas of 16 B, with tracing and metrics of package otel and without, under the SDK of OpenTelemetry: its tracer samples every span, and its meter has a reader. Before
the clock starts, a run that is watched has to leave a span that has ended and a metric of its events, and the others nothing. Clients run in another process, so that only the server's CPU counts.`,
		Header: []string{"over, streams at once, deltas", "handler", "CPU, x bare", "(µs an event)", "write(2) an event", "bytes an event"},
	}
	s := setup{http1, 1, 1, load{Deltas: 100_000, Size: 16}}
	if o.Short {
		s.load.Deltas = 2_000
	}
	progress(o, "telemetry: %v", s)
	if err := p.checkRecorded(ctx, s, telemetryKinds); err != nil {
		return nil, err
	}
	t, err := p.take(ctx, s, telemetryKinds, roundsOf(o, 2), drained)
	if err != nil {
		return nil, err
	}
	t.benchLines(o.Bench, "telemetry", telemetryKinds)
	t.rows(res, telemetryKinds)
	t.judgeTelemetry(res)
	return res, nil
}

// judgeTelemetry adds what is asked of a run that is watched. It takes hardly more than one that is not, so it
// is checkRecorded that tells them apart.
func (t *turns) judgeTelemetry(res *report.Result) {
	t.goal(res, 19, watched, ours, 1.03, "")
	t.record(res, watched, bare)
	all := setups{t}
	all.alike(res)
	for _, k := range []kind{ours, watched} {
		all.falling(res, cpu, k, bare)
		all.falling(res, cpu, k, twin)
	}
}

// checkRecorded checks that a run that is watched is recorded in full, and that no other run is.
func (p *peers) checkRecorded(ctx context.Context, s setup, kinds []kind) error {
	if err := p.set(s.load); err != nil {
		return err
	}
	for _, k := range kinds {
		var before, after recorded
		if err := p.server.Ask(question{Recorded: true}, &before); err != nil {
			return err
		}
		if err := p.get(ctx, s.over, k, drain); err != nil {
			return err
		}
		if err := p.server.Ask(question{Recorded: true}, &after); err != nil {
			return err
		}
		want := recorded{}
		if k == watched {
			want = recorded{Spans: 1, Events: int64(s.load.events())}
		}
		if got := (recorded{after.Spans - before.Spans, after.Events - before.Events}); got != want {
			return fmt.Errorf("wire: a run of %s left %+v, not %+v", k, got, want)
		}
	}
	return nil
}
