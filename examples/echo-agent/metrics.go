package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// metricPrinter prints what has changed since it last did.
type metricPrinter struct {
	mu sync.Mutex
	w  io.Writer
}

var _ sdkmetric.Exporter = (*metricPrinter)(nil)

// Temporality implements sdkmetric.Exporter: what is counted begins anew after each print.
func (p *metricPrinter) Temporality(kind sdkmetric.InstrumentKind) metricdata.Temporality {
	return sdkmetric.DeltaTemporalitySelector(kind)
}

// Aggregation implements sdkmetric.Exporter.
func (p *metricPrinter) Aggregation(kind sdkmetric.InstrumentKind) sdkmetric.Aggregation {
	return sdkmetric.DefaultAggregationSelector(kind)
}

// Export implements sdkmetric.Exporter.
func (p *metricPrinter) Export(_ context.Context, all *metricdata.ResourceMetrics) error {
	var lines []string
	changed := false
	for _, scope := range all.ScopeMetrics {
		for _, m := range scope.Metrics {
			switch data := m.Data.(type) {
			case metricdata.Sum[int64]:
				for _, point := range data.DataPoints {
					changed = changed || data.IsMonotonic // how many there are now is no change
					lines = append(lines, fmt.Sprintf("  %s %d", series(m.Name, point.Attributes), point.Value))
				}
			case metricdata.Histogram[float64]:
				for _, point := range data.DataPoints {
					changed = true
					mean := point.Sum / float64(point.Count)
					lines = append(lines, fmt.Sprintf("  %s %d, %.3f %s on average", series(m.Name, point.Attributes), point.Count, mean, m.Unit))
				}
			}
		}
	}
	if !changed {
		return nil
	}
	slices.Sort(lines)
	p.mu.Lock()
	defer p.mu.Unlock()
	_, err := fmt.Fprintf(p.w, "metrics\n%s\n", strings.Join(lines, "\n"))
	return err
}

// series is the name of a metric with its attributes: agui.events{agui.event.type=CUSTOM}.
func series(name string, attributes attribute.Set) string {
	if attributes.Len() == 0 {
		return name
	}
	return name + "{" + attributes.Encoded(attribute.DefaultEncoder()) + "}"
}

// ForceFlush implements sdkmetric.Exporter.
func (p *metricPrinter) ForceFlush(context.Context) error { return nil }

// Shutdown implements sdkmetric.Exporter.
func (p *metricPrinter) Shutdown(context.Context) error { return nil }
