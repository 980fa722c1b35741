package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/labstack/echo/v4"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	aguiotel "github.com/agui-go/agui/otel"
)

// violationEvent is the span event that a broken rule is recorded as: on the run's span, or without one on
// that of the request's context. With no span at all, the log line is what remains.
const violationEvent = aguiotel.ViolationEvent

// traced gives each request a span, in the trace of the front end if it names one. Any other middleware that
// does so will serve: the library looks for a span in the request's context.
func traced(tracer trace.Tracer) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			r := c.Request()
			ctx := propagation.TraceContext{}.Extract(r.Context(), propagation.HeaderCarrier(r.Header))
			ctx, span := tracer.Start(ctx, r.Method+" "+c.Path(), trace.WithSpanKind(trace.SpanKindServer))
			defer span.End()
			c.SetRequest(r.WithContext(ctx))
			if err := next(c); err != nil {
				c.Error(err) // answers it now, or the status would not be known yet
			}
			span.SetAttributes(attribute.Int("http.response.status_code", c.Response().Status))
			return nil
		}
	}
}

// spanPrinter prints spans when they end, attributes and events below them: all, or those with a violation.
type spanPrinter struct {
	all bool

	mu sync.Mutex
	w  io.Writer
}

var _ sdktrace.SpanProcessor = (*spanPrinter)(nil)

// OnEnd implements sdktrace.SpanProcessor.
func (p *spanPrinter) OnEnd(s sdktrace.ReadOnlySpan) {
	broken := slices.ContainsFunc(s.Events(), func(e sdktrace.Event) bool { return e.Name == violationEvent })
	if !p.all && !broken {
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, "span %q %s\n", s.Name(), s.EndTime().Sub(s.StartTime()).Round(time.Millisecond))
	if status := s.Status(); status.Code == codes.Error {
		fmt.Fprintf(&b, "  status Error %q\n", status.Description)
	}
	printAttributes(&b, "  ", s.Attributes())
	for _, e := range s.Events() {
		fmt.Fprintf(&b, "  event %q\n", e.Name)
		printAttributes(&b, "    ", e.Attributes)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprint(p.w, b.String())
}

func printAttributes(b *strings.Builder, indent string, attributes []attribute.KeyValue) {
	for _, a := range attributes {
		fmt.Fprintf(b, "%s%s = %s\n", indent, a.Key, a.Value.String())
	}
}

// OnStart implements sdktrace.SpanProcessor.
func (p *spanPrinter) OnStart(context.Context, sdktrace.ReadWriteSpan) {}

// Shutdown implements sdktrace.SpanProcessor.
func (p *spanPrinter) Shutdown(context.Context) error { return nil }

// ForceFlush implements sdktrace.SpanProcessor.
func (p *spanPrinter) ForceFlush(context.Context) error { return nil }
