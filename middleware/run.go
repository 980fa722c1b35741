package middleware

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"runtime/debug"
	"sync"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/internal/sound"
	"github.com/agui-go/agui/verify"
)

// run is one run from the committed response to its end. An idle stream holds one for hours, so its parts
// lie in it by value, and what few runs need is made when they do.
type run struct {
	*admission
	outer   runContext // which the agent's derives from
	em      *emitter.Emitter
	stream  stream
	watcher watcher

	mu     sync.Mutex
	guard  *guard // see closedResponse
	failed error  // set by fail
	cut    error  // set by broken
}

// newRun makes the run of a request that was admitted. Nothing is sent.
func newRun(ctx context.Context, w http.ResponseWriter, a *admission) *run {
	u := &run{admission: a}
	u.outer = runContext{ctx, u}
	u.stream.open(u, w)
	opts := []emitter.Option{emitter.WithInput(a.input), emitter.WithTelemetry(a.telemetry), emitter.WithOnFailure(u.broken)}
	if a.logger != nil {
		opts = append(opts, emitter.WithLogger(a.logger))
	}
	u.em = emitter.New(&u.outer, &u.stream, append(opts, a.emitter...)...)
	return u
}

// start sends RUN_STARTED. If that fails, the run is over. A panic, of an emitter that fails fast, passes
// through: nothing was sent.
func (u *run) start() error {
	err := errNotStarted // what remains of a panic
	defer func() {
		if err != nil {
			u.close(err)
		}
	}()
	if err = u.open(); err != nil {
		return err
	}
	if u.detachLimit > 0 {
		u.stream.survive(u.goOn)
	}
	u.stream.keepAlive(u.beat)
	return nil
}

// open sends RUN_STARTED, and what a front end is told of the trace.
func (u *run) open() error {
	var opts []emitter.StartOption
	if parent, ok := u.input.ParentRunID.Get(); ok {
		opts = append(opts, emitter.ParentRun(parent))
	}
	if u.telemetry != nil {
		u.telemetry.SetHeader(u.em.Context(), u.stream.w.Header())
	}
	if err := u.em.RunStart(u.input.ThreadID, u.input.RunID, opts...); err != nil || u.telemetry == nil {
		return err
	}
	if err := u.sendTrace(); err != nil && u.em.Context().Err() != nil { // and not the event alone has failed
		return err
	}
	return nil
}

// sendTrace sends the event that tells a front end of the trace. A run goes on without one that cannot be
// sent; the emitter has logged why it was refused.
func (u *run) sendTrace() error {
	defer func() {
		if v := recover(); v != nil {
			u.logAttrs(slog.LevelError, "agui: the event of the trace panicked, and was left out",
				slog.Any("panic", v), slog.String("stack", string(debug.Stack())))
		}
	}()
	if trace := u.telemetry.CustomEvent(u.em.Context()); trace != nil {
		return u.em.Emit(trace)
	}
	return nil
}

// startFailed logs why a run whose response had begun did not come to its agent. When the request was not
// cancelled and the network is not to blame, the response or what wraps it is.
func (u *run) startFailed(err error) {
	var logged *writerPanic
	var network *net.OpError
	switch {
	case errors.As(err, &logged):
	case u.request.Context().Err() != nil, errors.As(err, &network), errors.Is(err, os.ErrDeadlineExceeded):
		u.logAttrs(slog.LevelDebug, "agui: the client left before the agent was called", slog.Any("error", err))
	default:
		u.logAttrs(slog.LevelError, "agui: the run could not be started", slog.Any("error", err),
			slog.String("writer", fmt.Sprintf("%T", u.stream.w)))
	}
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
			err = newPanicError(v)
		}
	}()
	if err := sound.Error(agent(u.em.Context(), u.input, u.em)); err != nil {
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
	u.vacate()
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

// end ends the run of an agent that has returned. err is why it failed, or nil.
func (u *run) end(err error) {
	u.vacate()
	broken := u.brokenBy()
	if broken != nil {
		err = broken
	}
	defer u.close(err)
	before := context.Cause(u.em.Context())
	if err != nil {
		u.abort(err)
	}
	if broken == nil {
		u.report(err, before)
	}
	// As net/http does it: only this very value asks for the connection to be cut.
	if panicked, ok := err.(*PanicError); ok && panicked.Value == http.ErrAbortHandler {
		panic(http.ErrAbortHandler)
	}
}

// close ends the emitter, if nobody has, waits for those who have it, and lets go of the response.
func (u *run) close(cause error) {
	defer u.closeStream()
	defer func() { _ = u.wait() }()
	_ = u.em.Close(cause)
}

// closeStream lets go of the response.
func (u *run) closeStream() {
	u.stream.close(serverWriteTimeout(u.request))
}

// abort tells the client of a failure, unless a terminal event was written before, and ends the
// emitter with the failure as the cause. The agent may still be running, and may be stuck in a write:
// Abort gets past that, and any other call of the emitter would wait for it.
func (u *run) abort(failure error) {
	u.stream.hurry()
	defer u.stream.rest()
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

// report logs why the agent failed, where nobody else has or will. before is why the run's context was
// done when it did, or nil.
func (u *run) report(err, before error) {
	if err == nil {
		return
	}
	var panicked *PanicError
	var open *openError
	switch {
	case errors.As(err, &panicked):
		if panicked.Value != http.ErrAbortHandler { // which net/http does not log, either
			u.logAttrs(slog.LevelError, "agui: the agent panicked",
				slog.String("panic", fmt.Sprint(panicked.Value)), slog.String("stack", string(panicked.Stack)))
		}
	case errors.As(err, &open): // the emitter has logged the violation, but not what came of it
		u.logAttrs(slog.LevelError, "agui: the run failed because of what the agent left open",
			slog.String("open", fmt.Sprint(open.left)))
	case errors.Is(before, ErrRunTimeout), errors.Is(before, ErrShutdown): // interrupted has
	case errors.Is(before, emitter.ErrDisconnected):
		u.logAttrs(slog.LevelDebug, "agui: the client left before the agent was done", slog.Any("error", err))
	default:
		u.logAttrs(slog.LevelError, "agui: the agent failed", slog.Any("error", err))
	}
}
