package aguiotel

import (
	"slices"
	"strings"

	"go.opentelemetry.io/otel/attribute"

	"github.com/agui-go/agui/events"
)

// EventTypes returns the values of agui.event.type on metrics.
func EventTypes() []events.Type { return slices.Clone(eventTypes[:]) }

// SpanAttributes returns the attributes that the catalogue has for a span or a span event, by the name it
// got: what follows its first word is a name of the agent's.
func SpanAttributes(name string, subagent bool) []attribute.Key {
	operation, _, _ := strings.Cut(name, " ")
	for _, s := range spans {
		known, of, _ := strings.Cut(s.name, " ")
		if known == operation && (of == "{subagent}") == subagent {
			return s.attrs
		}
	}
	return nil
}

// MetricAttributes returns the attributes that the catalogue has for a metric.
func MetricAttributes(name string) []attribute.Key {
	for _, m := range metrics {
		if m.name == name {
			return m.attrs
		}
	}
	return nil
}
