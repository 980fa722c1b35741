package aguiotel

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	otellog "go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/trace"

	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/verify"
)

// maxEvents is how many violations of a run become span events: few of the 128 that an SDK keeps.
const maxEvents = 16

// Violation records v: an event for each of the first 16 violations of the run, on the span in ctx, or
// on the run's where that one does not record, and the count of all of them as the span's attribute
// agui.violations; a log event, where such are asked for; and the metric. A violation of the run found
// under another span goes to that span, and is part of the same count. Where nothing records, nothing is
// counted or allocated. Safe for concurrent use.
func (r *Run) Violation(ctx context.Context, v *verify.Violation) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() && r.span != nil && r.span.IsRecording() {
		span, ctx = r.span, r.ctx
	}
	severity := otellog.SeverityWarn
	if r.ctx != nil && context.Cause(r.ctx) == error(v) { //nolint:errorlint // for this very violation the emitter has ended the run
		severity = otellog.SeverityError
	}
	logs := r.telemetry.logs(ctx, severity)
	if !span.IsRecording() && !logs && r.tally == nil {
		return
	}
	// Held while recording, so that the count on the span never goes back.
	r.mu.Lock()
	defer r.mu.Unlock()
	r.violations++
	r.keep(v)
	if r.violations <= maxEvents {
		if r.telemetry.signal.span() && span.IsRecording() {
			span.AddEvent(ViolationEvent, trace.WithAttributes(attributes(v)...))
		}
		if logs {
			r.telemetry.log(ctx, severity, v)
		}
	}
	span.SetAttributes(KeyViolations.Int(r.violations))
	if r.tally != nil {
		r.tally.violation(v)
		if r.ended {
			r.tally.publishViolations(r)
		}
	}
}

// keep remembers that v is one of the run's: the first ones, and the last, in place of the one before. The
// caller holds the run's lock.
func (r *Run) keep(v *verify.Violation) {
	if len(r.broken) > maxEvents {
		r.broken = r.broken[:maxEvents]
	}
	r.broken = append(r.broken, v)
}

// broke reports whether v is one of the run's violations.
func (r *Run) broke(v *verify.Violation) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Contains(r.broken, v)
}

// log emits v as a log event.
func (t *Telemetry) log(ctx context.Context, severity otellog.Severity, v *verify.Violation) {
	var record otellog.Record
	record.SetEventName(ViolationEvent)
	record.SetTimestamp(t.clock())
	record.SetSeverity(severity)
	record.SetBody(attribute.StringValue(v.Sentence))
	record.AddAttributes(attributes(v)...)
	t.logger.Emit(ctx, record)
}

// attributes describes v, without its sentence: that holds ids of any number and has no place in a
// query.
func attributes(v *verify.Violation) []attribute.KeyValue {
	attrs := make([]attribute.KeyValue, 0, 7)
	attrs = append(attrs, KeyRule.String(v.Rule.String()))
	if v.EventType != "" {
		attrs = append(attrs, KeyEventType.String(clip.ID(string(v.EventType))))
	}
	if v.ID != "" {
		attrs = append(attrs, KeyEntityID.String(clip.ID(v.ID)))
	}
	if owner, tagged := v.Owner.Get(); tagged {
		attrs = append(attrs, KeyOwner.String(clip.ID(owner)))
	}
	attrs = append(attrs, KeyIndex.Int(v.Index))
	if file, line, ok := callSite(v.Caller); ok {
		attrs = append(attrs, KeyFile.String(file), KeyLine.Int(line))
	}
	return attrs
}

// callSite splits "file:line" at its last colon: a path of Windows has one of its own.
func callSite(caller string) (file string, line int, ok bool) {
	i := strings.LastIndexByte(caller, ':')
	if i < 0 {
		return "", 0, false
	}
	line, err := strconv.Atoi(caller[i+1:])
	return caller[:i], line, err == nil
}
