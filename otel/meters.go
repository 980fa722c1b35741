package aguiotel

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"

	"github.com/agui-go/agui/verify"
)

// meters are the instruments, and the attributes that measurements have, made once.
type meters struct {
	duration, firstEvent, firstContent              metric.Float64Histogram
	active                                          metric.Int64UpDownCounter
	events, violations, bytes, flushes, writeErrors metric.Int64Counter

	agent      []metric.AddOption
	ofAgent    []metric.RecordOption
	ofType     [len(eventTypes)][]metric.AddOption
	late, gone []metric.AddOption // the client read too slowly; it left
	errorTypes map[string]bool    // the values of error.type
	agentAttrs []attribute.KeyValue
}

// newMeters returns the instruments of the provider, or nil if it makes none.
func newMeters(c *config) *meters {
	if c.meterProvider == nil {
		c.meterProvider = otel.GetMeterProvider()
	}
	if _, none := c.meterProvider.(noop.MeterProvider); none {
		return nil
	}
	maker := maker{meter: c.meterProvider.Meter(ScopeName)}
	m := &meters{
		duration:     maker.histogram(duration),
		firstEvent:   maker.histogram(firstEvent),
		firstContent: maker.histogram(firstContent),
		active:       maker.upDownCounter(activeRuns),
		events:       maker.counter(eventCount),
		violations:   maker.counter(violationCount),
		bytes:        maker.counter(byteCount),
		flushes:      maker.counter(flushCount),
		writeErrors:  maker.counter(writeErrorCount),
		late:         adding(KeyErrorType.String(string(OutcomeTimeout))),
		gone:         adding(KeyErrorType.String(string(OutcomeClientDisconnected))),
		errorTypes:   make(map[string]bool),
	}
	if c.agent != "" {
		m.agentAttrs = []attribute.KeyValue{KeyAgent.String(c.agent)}
	}
	m.agent = adding(m.agentAttrs...)
	m.ofAgent = []metric.RecordOption{metric.WithAttributeSet(attribute.NewSet(m.agentAttrs...))}
	for i, t := range eventTypes {
		m.ofType[i] = adding(KeyEventType.String(string(t)))
	}
	for _, row := range errorTypes {
		m.errorTypes[row.name] = true
	}
	for _, rule := range verify.Rules() {
		m.errorTypes[rule.String()] = true
	}
	for _, name := range c.errorTypes {
		m.errorTypes[name] = true
	}
	return m
}

// adding returns the attributes as an argument of Add, which then allocates nothing.
func adding(attrs ...attribute.KeyValue) []metric.AddOption {
	return []metric.AddOption{metric.WithAttributeSet(attribute.NewSet(attrs...))}
}

// enabled reports whether anything that is measured is recorded.
func (m *meters) enabled(ctx context.Context) bool {
	return m != nil && (m.events.Enabled(ctx) || m.duration.Enabled(ctx) || m.firstEvent.Enabled(ctx) || m.firstContent.Enabled(ctx) ||
		m.active.Enabled(ctx) || m.violations.Enabled(ctx) || m.bytes.Enabled(ctx) || m.flushes.Enabled(ctx) || m.writeErrors.Enabled(ctx))
}

// ofEnd returns the attributes of a run that is over.
func (m *meters) ofEnd(end ending) metric.RecordOption {
	attrs := append([]attribute.KeyValue{KeyOutcome.String(string(end.outcome))}, m.agentAttrs...)
	if end.errorType != "" {
		attrs = append(attrs, KeyErrorType.String(m.known(end.errorType)))
	}
	return metric.WithAttributeSet(attribute.NewSet(attrs...))
}

// known folds an error type that nobody has announced.
func (m *meters) known(errorType string) string {
	if m.errorTypes[errorType] {
		return errorType
	}
	return errorTypeOther
}

// maker makes instruments from their rows. One that the provider refuses records nothing.
type maker struct {
	meter metric.Meter
}

func (m maker) histogram(row instrument) metric.Float64Histogram {
	h, err := m.meter.Float64Histogram(row.name, metric.WithUnit(row.unit), metric.WithDescription(row.text),
		metric.WithExplicitBucketBoundaries(row.buckets...))
	return made[metric.Float64Histogram](h, err, noop.Float64Histogram{})
}

func (m maker) counter(row instrument) metric.Int64Counter {
	c, err := m.meter.Int64Counter(row.name, metric.WithUnit(row.unit), metric.WithDescription(row.text))
	return made[metric.Int64Counter](c, err, noop.Int64Counter{})
}

func (m maker) upDownCounter(row instrument) metric.Int64UpDownCounter {
	c, err := m.meter.Int64UpDownCounter(row.name, metric.WithUnit(row.unit), metric.WithDescription(row.text))
	return made[metric.Int64UpDownCounter](c, err, noop.Int64UpDownCounter{})
}

func made[I any](instrument I, err error, none I) I {
	if err != nil {
		otel.Handle(err)
		return none
	}
	return instrument
}
