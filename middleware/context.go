package middleware

import (
	"context"
	"net/http"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/sound"
)

type contextKey struct{}

// runFrom returns the run that ctx belongs to, or nil.
func runFrom(ctx context.Context) *run {
	u, _ := ctx.Value(contextKey{}).(*run)
	return u
}

// InputFromContext returns the input of the run that ctx belongs to, and whether there is one.
func InputFromContext(ctx context.Context) (*events.RunAgentInput, bool) {
	if u := runFrom(ctx); u != nil {
		return u.input, true
	}
	return nil, false
}

// RequestFromContext returns the request that the run answers, and whether ctx belongs to a run. Its
// body has been read; its context is the request's own and not the run's.
func RequestFromContext(ctx context.Context) (*http.Request, bool) {
	if u := runFrom(ctx); u != nil {
		return u.request, true
	}
	return nil, false
}

// ResponseFromContext returns the response as code inside a run may see it, and whether ctx belongs
// to a run. Write returns [ErrStreamOpen]; Write and WriteHeader are logged, once a run, and send
// nothing. It is for adapters to frameworks that hand a response to the agent's code.
func ResponseFromContext(ctx context.Context) (http.ResponseWriter, bool) {
	if u := runFrom(ctx); u != nil {
		return u.closedResponse(), true
	}
	return nil, false
}

// FailRun makes the run that ctx belongs to fail with err, as if the agent had returned it: for a
// handler under [Wrap], which returns nothing. The first error counts, and it counts when the handler
// returns. Outside a run, and with a nil error, FailRun does nothing.
func FailRun(ctx context.Context, err error) {
	if u := runFrom(ctx); u != nil && err != nil {
		u.fail(sound.Error(err))
	}
}

// runContext is what the context of a run derives from. It has the values of the one that the request
// came with, the run itself, and the deadline, and is not cancelled: the emitter cancels the run's context,
// with the cause.
type runContext struct {
	context.Context
	run *run
}

// Done returns nil: see [runContext].
func (runContext) Done() <-chan struct{} { return nil }

// Err returns nil.
func (runContext) Err() error { return nil }

// Value returns what the request's context carries, and the run.
func (c runContext) Value(key any) any {
	if key == (contextKey{}) {
		return c.run
	}
	return c.Context.Value(key)
}
