package aguiotel

import (
	"context"
	"errors"

	"go.opentelemetry.io/otel/trace"

	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/verify"
)

// panicked is what an error says that stands for a panic, as emitter.PanicError does.
type panicked interface {
	error
	// Panic returns what the agent panicked with, in words, and the stack at the panic.
	Panic() (value string, stack []byte)
}

// recordPanic records on the span in ctx that the agent panicked, if that is why the run ended, and not for
// a broken rule, which has an event of its own. The stack is the whole point of it, so it is not cut.
func recordPanic(ctx context.Context, cause error) {
	span := trace.SpanFromContext(ctx)
	if cause == nil || !span.IsRecording() {
		return
	}
	var p panicked
	var v *verify.Violation
	if !errors.As(cause, &p) || errors.As(cause, &v) {
		return
	}
	value, stack := p.Panic()
	span.AddEvent(PanicEvent, trace.WithAttributes(
		KeyMessage.String(clip.ID(value)),
		KeyStacktrace.String(string(stack)),
	))
}
