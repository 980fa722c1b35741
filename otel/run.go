package aguiotel

import (
	"context"
	"sync"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/verify"
)

// Run observes one run. Its methods are the emitter's observer interface, documented there; they
// return at once, never fail, and never call the emitter. Start comes first and End last; Event, Flush, Delta
// and Publish come one at a time; Violation may be called concurrently with itself and with the others. A panic
// of a provider passes through: the emitter logs it, and the run goes on.
type Run struct {
	telemetry *Telemetry
	ctx       context.Context // the agent's; nil before Start
	span      trace.Span      // nil: the run has no span of its own that records
	parts     *parts          // nil: the run's parts have no spans
	tally     *tally          // nil: nothing is measured
	begun     time.Time
	events    int64 // written

	mu         sync.Mutex
	violations int
	broken     []*verify.Violation // the first of them, and the last
	ended      bool
}

// Start begins the run's span and returns the context that carries it. The run counts as active until
// End.
func (r *Run) Start(ctx context.Context, in *events.RunAgentInput) context.Context {
	t := r.telemetry
	r.ctx = ctx
	tracer := t.tracing()
	measured := t.meters.enabled(ctx)
	if tracer == nil && !measured {
		return ctx
	}
	r.begun = t.clock()
	if tracer != nil {
		r.ctx = r.startSpan(ctx, tracer, in)
	}
	if measured {
		r.tally = newTally(t)
		t.meters.active.Add(r.ctx, 1, t.meters.agent...)
	}
	return r.ctx
}

// startSpan starts the spans that the Telemetry is to make.
func (r *Run) startSpan(ctx context.Context, tracer trace.Tracer, in *events.RunAgentInput) context.Context {
	t := r.telemetry
	if !t.runSpan {
		r.parts = newParts(ctx, t, tracer)
		return ctx
	}
	attrs := []attribute.KeyValue{KeyOperation.String(spanRun)}
	if t.agent != "" {
		attrs = append(attrs, KeyAgent.String(t.agent))
	}
	if t.provider != "" {
		attrs = append(attrs, KeyProvider.String(t.provider))
	}
	if in != nil {
		attrs = append(attrs, identity(in.ThreadID, in.RunID, in.ParentRunID)...)
	}
	spanCtx, span := tracer.Start(ctx, spanName(spanRun, t.agent), trace.WithTimestamp(r.begun), trace.WithAttributes(attrs...))
	if !span.IsRecording() {
		if trace.SpanFromContext(ctx).IsRecording() {
			return ctx // what records must not be hidden by what does not
		}
		return spanCtx // which says that the trace is not sampled
	}
	r.span = span
	r.parts = newParts(spanCtx, t, tracer)
	return spanCtx
}

// spanName is the name of a span for what has a name, or none.
func spanName(operation, name string) string {
	if name == "" {
		return operation
	}
	return operation + " " + clip.ID(name)
}

// identity returns the attributes that say which run it is.
func identity(thread, run string, parent events.Opt[string]) []attribute.KeyValue {
	attrs := []attribute.KeyValue{KeyConversation.String(clip.ID(thread)), KeyRun.String(clip.ID(run))}
	if parent, ok := parent.Get(); ok {
		attrs = append(attrs, KeyParentRun.String(clip.ID(parent)))
	}
	return attrs
}

// Measures reports whether the run is measured, so that there is something to Publish. It is false before Start,
// and does not change after it.
func (r *Run) Measures() bool { return r.tally != nil }

// Publish hands what was counted so far over to the instruments: for runs that go on for long. The emitter calls
// it every five seconds. It does nothing when the run is not measured.
func (r *Run) Publish() {
	if r.tally != nil {
		r.tally.publish(r)
	}
}

// Event counts the event. Where the parts of the run have spans, it begins or ends one.
func (r *Run) Event(t events.Type, ev events.Event, bytes int) {
	r.events++
	if r.tally != nil {
		r.tally.event(r, t, ev, bytes)
	}
	if ev == nil {
		return
	}
	if r.parts != nil {
		r.parts.event(ev)
	}
	if started, ok := ev.(*events.RunStarted); ok && r.span != nil {
		// The input may have said otherwise: what was sent counts.
		r.span.SetAttributes(identity(started.ThreadID, started.RunID, started.ParentRunID)...)
	}
}

// Delta is Event and Flush in one call, for a delta that was written and flushed; it comes in their order.
func (r *Run) Delta(t events.Type, bytes int) {
	r.events++
	if r.tally != nil {
		r.tally.delta(r, t, bytes)
	}
}

// Flush counts the flush, or the failure.
func (r *Run) Flush(err error) {
	if r.tally != nil {
		r.tally.flush(r, err)
	}
}

// End ends the run's span and publishes what was counted. A violation that is found later is still
// recorded, but not on the run's span.
func (r *Run) End(ctx context.Context, terminal events.Event, cause error) {
	r.mu.Lock()
	r.ended = true
	violations := r.violations
	r.mu.Unlock()

	recordPanic(ctx, cause)
	t := r.telemetry
	if r.span == nil && r.tally == nil && r.parts == nil {
		return
	}
	now := t.clock()
	if r.parts != nil {
		r.parts.end(now)
	}
	end := r.endingOf(terminal, cause)
	if r.tally != nil {
		r.tally.end(r, now, end)
	}
	if r.span != nil {
		r.span.SetAttributes(r.endAttributes(end, terminal, violations)...)
		if end.outcome.failed() {
			r.span.SetStatus(codes.Error, end.reason)
		}
		r.span.End(trace.WithTimestamp(now))
	}
}

// endAttributes returns what is known of a run when it is over.
func (r *Run) endAttributes(end ending, terminal events.Event, violations int) []attribute.KeyValue {
	attrs := []attribute.KeyValue{KeyOutcome.String(string(end.outcome)), KeyEvents.Int64(r.events)}
	if end.errorType != "" {
		attrs = append(attrs, KeyErrorType.String(end.errorType))
	}
	if violations > 0 {
		attrs = append(attrs, KeyViolations.Int(violations))
	}
	return append(attrs, r.telemetry.usage(terminal)...)
}
