package middleware

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/internal/ended"
	"github.com/agui-go/agui/internal/sound"
	"github.com/agui-go/agui/verify"
)

// The codes of the RUN_ERROR that ends a failed run, beside [emitter.CodeProtocolViolation].
const (
	CodeAgentError       = "agent_error"       // the agent returned an error
	CodePanic            = "panic"             // the agent panicked
	CodeRunTimeout       = "run_timeout"       // the run's time was up
	CodeServerShutdown   = "server_shutdown"   // the server is shutting down: see Drainer
	CodeRequestCancelled = "request_cancelled" // the request was cancelled and its client may still read
)

// ErrRunTimeout is matched by the cause of a context whose run took too long. The cause also Is
// context.DeadlineExceeded.
var ErrRunTimeout error = &typedError{fmt.Errorf("middleware: the run's time is up: %w", context.DeadlineExceeded), "timeout", ended.Timeout}

// typedError is an error that ends a run, and tells telemetry what it is.
type typedError struct {
	error
	errorType string
	kind      ended.Kind
}

func (e *typedError) Unwrap() error         { return e.error }
func (e *typedError) ErrorType() string     { return e.errorType }
func (e *typedError) RunEnding() ended.Kind { return e.kind }

// errNotStarted is why a run is over whose start panicked.
var errNotStarted = errors.New("middleware: RUN_STARTED could not be sent")

// errExited is the failure of an agent that ended the handler's goroutine.
var errExited = errors.New("middleware: the agent neither returned nor panicked (runtime.Goexit)")

// A PanicError is the failure of an agent that panicked, itself or in a function that it gave to
// [emitter.Emitter.Go].
type PanicError = emitter.PanicError

// newPanicError returns the error of what was recovered just now. An error that was panicked with and cannot
// be looked at is replaced, since PanicError wraps it.
func newPanicError(value any) *PanicError {
	if err, ok := value.(error); ok {
		value = sound.Error(err)
	}
	return &PanicError{Value: value, Stack: debug.Stack()}
}

// panickedWith returns the violation that a fail-fast emitter panicked with, or nil.
func panickedWith(e *PanicError) *verify.Violation {
	v, _ := e.Value.(*verify.Violation)
	return v
}

// openError is the failure of an agent that returned and left something open that could not, or must
// not, be closed for it.
type openError struct {
	violation *verify.Violation
	left      []verify.Open // what could not be closed truthfully, empty when the option says to fail
}

func (e *openError) Error() string { return e.violation.Error() }
func (e *openError) Unwrap() error { return e.violation }

// publicText returns the message and the code that tell the client of a failure.
func (c *config) publicText(err error) (message, code string) {
	message, code = fixedText(err)
	if c.publicError == nil {
		return message, code
	}
	ownMessage, ownCode := c.askPublicError(err)
	if ownMessage != "" {
		message = ownMessage
	}
	if ownCode != "" {
		code = ownCode
	}
	return message, code
}

// askPublicError calls the user's function. If that panics, the client gets the fixed text.
func (c *config) askPublicError(err error) (message, code string) {
	defer func() {
		if v := recover(); v != nil {
			c.note(context.Background(), slog.LevelError, "agui: the function given to WithPublicError panicked",
				slog.Any("panic", v), slog.String("stack", string(debug.Stack())))
			message, code = "", ""
		}
	}()
	return c.publicError(err)
}

// fixedText returns what the client is told by default: nothing of the error's own text, except for
// the sentence of a violation in fail-fast mode, which is for the developer at the other end.
func fixedText(err error) (message, code string) {
	var panicked *PanicError
	var open *openError
	switch {
	case errors.As(err, &panicked) && panickedWith(panicked) != nil:
		return panickedWith(panicked).Sentence, emitter.CodeProtocolViolation
	case errors.As(err, &panicked) || errors.Is(err, errExited):
		return "The agent failed unexpectedly.", CodePanic
	case errors.As(err, &open):
		return emitter.ViolationMessage, emitter.CodeProtocolViolation
	case errors.Is(err, ErrRunTimeout):
		return "The run took too long and was ended.", CodeRunTimeout
	case errors.Is(err, ErrShutdown):
		return "The server is shutting down. Try again.", CodeServerShutdown
	case errors.Is(err, emitter.ErrDisconnected):
		return "The request was cancelled.", CodeRequestCancelled
	}
	return "The agent failed.", CodeAgentError
}
