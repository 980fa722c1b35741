package aguiotel

import (
	"context"
	"strconv"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/verify"
)

// maxEvents is how many violations of a run become span events: few of the 128 that an SDK keeps.
const maxEvents = 16

// ViolationEvent is the name of the span event that records a violation.
const ViolationEvent = "agui.verify.violation"

// The attributes of a violation's event, but for KeyViolations, which is the span's. Those of the code.*
// namespace are OpenTelemetry's semantic conventions (version 1.43), the others this library's own.
const (
	KeyViolations = attribute.Key("agui.violations")  // how many violations there were
	KeyRule       = attribute.Key("agui.rule")        // the rule's name
	KeyEventType  = attribute.Key("agui.event.type")  // the type of the event that broke it
	KeyEntityID   = attribute.Key("agui.entity.id")   // the id of what the event is about
	KeyOwner      = attribute.Key("agui.owner")       // the event's subagentRunId, if it has one
	KeyIndex      = attribute.Key("agui.event.index") // the number of events before it
	KeyFile       = attribute.Key("code.file.path")   // where the call is that broke it, where known
	KeyLine       = attribute.Key("code.line.number")
)

// Violation records v on the span in ctx: an event for each of the first 16 violations of the run,
// and the count of all of them as the span's attribute agui.violations. Where ctx has no span that
// records, nothing is recorded, counted or allocated. A violation of the run found under another span
// goes to that span, and is part of the same count. Safe for concurrent use.
func (r *Run) Violation(ctx context.Context, v *verify.Violation) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	// Held while recording, so that the count on the span never goes back.
	r.mu.Lock()
	defer r.mu.Unlock()
	r.violations++
	if r.violations <= maxEvents {
		span.AddEvent(ViolationEvent, trace.WithAttributes(attributes(v)...))
	}
	span.SetAttributes(KeyViolations.Int(r.violations))
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
