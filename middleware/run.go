package middleware

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/verify"
)

// run is one run from the committed response to its end. An idle stream holds one for hours, so its parts
// lie in it by value, and what few runs need is made when they do.
type run struct {
	*Runner
	outer   runContext // which the agent's derives from
	request *http.Request
	input   *events.RunAgentInput
	em      *emitter.Emitter
	stream  stream
	watcher watcher

	mu     sync.Mutex
	guard  *guard // see closedResponse
	failed error  // set by fail
	cut    error  // set by broken
}

// start makes the run and sends RUN_STARTED. If that fails, the run is over.
func (rn *Runner) start(ctx context.Context, w http.ResponseWriter, r *http.Request, in *events.RunAgentInput) (*run, error) {
	u := &run{Runner: rn, request: r, input: in}
	u.outer = runContext{ctx, u}
	u.stream.open(rn, w, r)
	opts := []emitter.Option{emitter.WithInput(in), emitter.WithTelemetry(rn.telemetry), emitter.WithOnFailure(u.broken)}
	if rn.logger != nil {
		opts = append(opts, emitter.WithLogger(rn.logger))
	}
	u.em = emitter.New(&u.outer, &u.stream, append(opts, rn.emitter...)...)

	var more []emitter.StartOption
	if parent, ok := in.ParentRunID.Get(); ok {
		more = append(more, emitter.ParentRun(parent))
	}
	if rn.telemetry != nil {
		rn.telemetry.SetHeader(u.em.Context(), w.Header())
	}
	if err := u.open(more); err != nil {
		_ = u.em.Close(err)
		u.closeStream()
		return u, err
	}
	if rn.detachLimit > 0 {
		u.stream.survive(u.goOn)
	}
	u.stream.keepAlive(u.beat)
	return u, nil
}

// open sends RUN_STARTED, and what a front end is told of the trace.
func (u *run) open(opts []emitter.StartOption) error {
	if err := u.em.RunStart(u.input.ThreadID, u.input.RunID, opts...); err != nil || u.telemetry == nil {
		return err
	}
	if trace := u.telemetry.CustomEvent(u.em.Context()); trace != nil {
		return u.em.Emit(trace)
	}
	return nil
}

// serve runs the agent and sees to it that the client gets one terminal event, whatever the agent does.
func (u *run) serve(agent RunFunc) {
	err := errExited // what remains when the agent ends the goroutine
	defer func() { u.end(err) }()
	err = u.call(agent)
}

// call runs the agent and finishes the run if the agent has not failed.
func (u *run) call(agent RunFunc) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	if err := agent(u.em.Context(), u.input, u.em); err != nil {
		return err
	}
	if err := u.failure(); err != nil {
		return err // and do not wait: what the agent's goroutines wait for may be this
	}
	if err := u.wait(); err != nil {
		return err
	}
	if err := u.failure(); err != nil { // a goroutine may have failed the run, too
		return err
	}
	return u.finish()
}

// finish ends the run of an agent that returned nil. What it left open is recorded by the first
// RUN_FINISHED, which the machine refuses, and closed unless that would be a lie.
func (u *run) finish() error {
	if u.em.Ended() {
		return nil
	}
	err := u.em.Complete()
	if u.em.Ended() { // by this call, by the policy for what it found, or by a goroutine that the agent left
		return nil
	}
	var open *verify.Violation
	if !errors.As(err, &open) {
		return err
	}
	if left := u.em.Incomplete(); u.openAtReturn == Fail || len(left) > 0 {
		return &openError{open, left}
	}
	if err := u.em.CloseOpen(); err != nil {
		return err
	}
	return u.em.Complete()
}

// end ends the run. err is why it failed, or nil.
func (u *run) end(err error) {
	if broken := u.brokenBy(); broken != nil {
		err = broken
	} else {
		u.report(err)
	}
	if err == nil {
		_ = u.em.Close(nil)
	} else {
		u.abort(err)
	}
	_ = u.wait()
	u.closeStream()
	// As net/http does it: only this very value asks for the connection to be cut.
	if panicked, ok := err.(*PanicError); ok && panicked.Value == http.ErrAbortHandler {
		panic(http.ErrAbortHandler)
	}
}

// closeStream lets go of the response.
func (u *run) closeStream() {
	var tail time.Duration
	if server, ok := u.request.Context().Value(http.ServerContextKey).(*http.Server); ok {
		tail = server.WriteTimeout
	}
	u.stream.close(tail)
}

// abort tells the client of a failure, unless a terminal event was written before, and ends the
// emitter with the failure as the cause. The agent may still be running.
func (u *run) abort(failure error) {
	u.stream.hurry() // first of all: a write that is stuck holds up everything else
	defer u.stream.rest()
	if u.em.Ended() {
		_ = u.em.Close(failure)
		return
	}
	message, code := u.publicText(failure)
	_ = u.em.Abort(message, code, failure) // a client that is gone cannot be told
}

// fail makes the run fail with err when the agent returns, unless it has failed before.
func (u *run) fail(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.failed == nil {
		u.failed = err
	}
}

// failure returns the error given to fail.
func (u *run) failure() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.failed
}

// report logs why the agent failed, where nobody else has or will.
func (u *run) report(err error) {
	if err == nil {
		return
	}
	var panicked *PanicError
	var open *openError
	switch cause := context.Cause(u.em.Context()); {
	case errors.As(err, &panicked):
		if panicked.Value != http.ErrAbortHandler { // which net/http does not log, either
			u.logAttrs(slog.LevelError, "agui: the agent panicked",
				slog.String("panic", fmt.Sprint(panicked.Value)), slog.String("stack", string(panicked.Stack)))
		}
	case errors.As(err, &open): // the emitter has logged the violation, but not what came of it
		u.logAttrs(slog.LevelError, "agui: the run failed because of what the agent left open",
			slog.String("open", fmt.Sprint(open.left)))
	case errors.Is(cause, ErrRunTimeout), errors.Is(cause, ErrShutdown): // interrupted has
	case errors.Is(cause, emitter.ErrDisconnected):
		u.logAttrs(slog.LevelDebug, "agui: the client left before the agent was done", slog.Any("error", err))
	default:
		u.logAttrs(slog.LevelError, "agui: the agent failed", slog.Any("error", err))
	}
}

// logAttrs logs about the run. A log handler that panics must not take the terminal event, or the process,
// with it.
func (u *run) logAttrs(level slog.Level, message string, attrs ...slog.Attr) {
	defer func() { _ = recover() }()
	attrs = append(attrs, slog.String("thread", clip.ID(u.input.ThreadID)), slog.String("run", clip.ID(u.input.RunID)))
	u.log().LogAttrs(u.em.Context(), level, message, attrs...) //nolint:sloglint // the callers have literals
}
