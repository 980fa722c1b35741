package main

import (
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify/stream"
)

// maxSpanEvents is how many problems of a run become span events: few of the 128 that an SDK keeps.
const maxSpanEvents = 16

// framingEvent is the span event of a flaw of the framing. What package aguiotel records too has its names.
const framingEvent = "agui.verify.framing"

// runSpan is the span of one run that passes through the proxy.
type runSpan struct {
	span   trace.Span
	events int
}

// problem records a problem: a violation as the emitter's telemetry would, anything else by its name.
func (s *runSpan) problem(p problem) {
	if !s.span.IsRecording() {
		return
	}
	if p.level > warning {
		s.span.SetStatus(codes.Error, p.rule)
	}
	if s.events == maxSpanEvents {
		return
	}
	s.events++
	attrs := []attribute.KeyValue{
		aguiotel.KeyRule.String(p.rule),
		aguiotel.KeyIndex.Int(p.Index),
	}
	name := framingEvent
	if v := p.violation; v != nil {
		name = aguiotel.ViolationEvent
		attrs = append(attrs, aguiotel.KeyEventType.String(valid(string(v.EventType))), aguiotel.KeyEntityID.String(valid(v.ID)))
		if owner, tagged := v.Owner.Get(); tagged {
			attrs = append(attrs, aguiotel.KeyOwner.String(valid(owner)))
		}
	}
	s.span.AddEvent(name, trace.WithAttributes(attrs...))
}

// valid returns s as what telemetry can carry.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// status records the status of the agent's answer.
func (s *runSpan) status(code int) {
	s.span.SetAttributes(attribute.Int("http.response.status_code", code))
}

// fail ends the span of a request that the agent did not answer.
func (s *runSpan) fail(err error) {
	s.span.SetStatus(codes.Error, err.Error())
	s.span.End()
}

// end ends the span of what is not checked.
func (s *runSpan) end() { s.span.End() }

// finish ends the span of a stream.
func (s *runSpan) finish(c *stream.Checker, violations int) {
	s.span.SetAttributes(
		aguiotel.KeyEvents.Int(c.Position().Index),
		aguiotel.KeyViolations.Int(violations),
	)
	s.span.End()
}
