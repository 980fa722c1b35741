package aguiotel

import (
	"context"

	"go.opentelemetry.io/otel/trace"

	"github.com/agui-go/agui/events"
)

// TraceHeader is the response header of [WithTraceHeader].
const TraceHeader = "traceresponse"

// SetHeader sets the header traceresponse to the span in ctx, and lets scripts of other origins read it,
// if [WithTraceHeader] was given and the span has a trace. The middleware calls it before it sends the
// header; http.Header is what h is as a rule.
func (t *Telemetry) SetHeader(ctx context.Context, h interface{ Add(key, value string) }) {
	span := trace.SpanContextFromContext(ctx)
	if !t.traceHeader || !span.IsValid() {
		return
	}
	h.Add(TraceHeader, "00-"+span.TraceID().String()+"-"+span.SpanID().String()+"-"+span.TraceFlags().String())
	h.Add("Access-Control-Expose-Headers", TraceHeader)
}

// CustomEvent returns the event that tells a front end the trace of the span in ctx, or nil unless
// [WithTraceEvent] was given and the span has a trace. The middleware sends it after RUN_STARTED.
func (t *Telemetry) CustomEvent(ctx context.Context) *events.Custom {
	span := trace.SpanContextFromContext(ctx)
	if !t.traceEvent || !span.IsValid() {
		return nil
	}
	ids := `{"traceId":"` + span.TraceID().String() + `","spanId":"` + span.SpanID().String() + `"}`
	return &events.Custom{Name: TraceEvent, Value: events.MustParseJSON(ids)}
}

// isTrace reports whether ev is what CustomEvent has made.
func isTrace(ev events.Event) bool {
	custom, ok := ev.(*events.Custom)
	return ok && custom.Name == TraceEvent
}
