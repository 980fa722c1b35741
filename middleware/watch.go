package middleware

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/internal/sound"
)

// watcher is what may end a run from outside: contexts, a [Drainer], and the clock of a run without a client.
type watcher struct {
	// These call off the contexts' calls.
	ignoreOuter, ignoreRequest func() bool

	mu     sync.Mutex
	over   bool
	clock  *time.Timer
	ending sync.WaitGroup // the calls that are under way
}

// call calls do, unless the watcher was stopped.
func (w *watcher) call(do func()) {
	if w.begin() {
		defer w.ending.Done()
		do()
	}
}

func (w *watcher) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return false
	}
	w.ending.Add(1)
	return true
}

// in calls do when the time is up. Later calls of in do nothing.
func (w *watcher) in(d time.Duration, do func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over || w.clock != nil {
		return
	}
	w.clock = time.AfterFunc(d, func() { w.call(do) })
}

// stop makes later calls do nothing and waits for those that are under way.
func (w *watcher) stop() {
	w.mu.Lock()
	w.over = true
	if w.clock != nil {
		w.clock.Stop()
	}
	w.mu.Unlock()
	w.ending.Wait()
}

// watch ends the run when the request's context, the one that was made of it, or the drainer's grace period
// is over, until unwatch.
func (u *run) watch() {
	u.watcher.ignoreOuter = context.AfterFunc(u.outer.Context, u.outerDone)
	if request := u.request.Context(); request.Done() != u.outer.Context.Done() { // which need not derive from it
		u.watcher.ignoreRequest = context.AfterFunc(request, u.requestDone)
	}
	if u.drainer != nil {
		u.drainer.watch(u)
	}
}

// unwatch undoes watch, and waits until nobody is ending the run any more.
func (u *run) unwatch() {
	u.watcher.ignoreOuter()
	if u.watcher.ignoreRequest != nil {
		u.watcher.ignoreRequest()
	}
	if u.drainer != nil {
		u.drainer.forget(u)
	}
	u.watcher.stop()
}

func (u *run) outerDone() { u.watcher.call(func() { u.interrupted(u.outer.Context) }) }

func (u *run) requestDone() { u.watcher.call(func() { u.interrupted(u.request.Context()) }) }

// drained is called when the drainer's grace period is over.
func (u *run) drained() { u.watcher.call(func() { u.shutDown(ErrShutdown) }) }

// interrupted ends the run because ctx is done. A deadline and a shutdown leave the client there to be
// told; a cancelled request, by a client that has left as a rule, may.
func (u *run) interrupted(ctx context.Context) {
	cause := sound.Error(context.Cause(ctx))
	switch {
	case errors.Is(cause, ErrShutdown):
		u.shutDown(cause)
	case errors.Is(sound.Error(ctx.Err()), context.DeadlineExceeded):
		u.timedOut(cause)
	case u.detachLimit > 0 && u.request.Context().Err() != nil:
		u.goOn(cause)
	default:
		u.abort(fmt.Errorf("%w: %w", emitter.ErrDisconnected, cause))
	}
}

// shutDown ends the run because the server shuts down.
func (u *run) shutDown(cause error) {
	u.abort(cause)
	u.logAttrs(slog.LevelInfo, "agui: the run was ended because the server shuts down")
}

// timedOut ends the run because its time is up; cause is the context's.
func (u *run) timedOut(cause error) {
	timeout := ErrRunTimeout
	if cause != context.DeadlineExceeded { //nolint:errorlint // an error that wraps it says more
		timeout = fmt.Errorf("%w: %w", ErrRunTimeout, cause)
	}
	u.abort(timeout)
	u.logAttrs(slog.LevelWarn, "agui: the run took too long and was ended", slog.Any("error", timeout))
}

// goOn lets the run go on without its client, within its time. It does not write: it is also called
// from inside a write that has failed.
func (u *run) goOn(cause error) {
	limit := u.detachLimit
	end := func() {
		u.abort(fmt.Errorf("%w, and the time that the run may go on without it (%v) is up: %w", emitter.ErrDisconnected, limit, cause))
	}
	// A context that was cancelled does not tell of its deadline any more.
	if deadline, ok := u.outer.Deadline(); ok && time.Until(deadline) < limit {
		limit = time.Until(deadline)
		end = func() { u.timedOut(context.DeadlineExceeded) }
	}
	u.watcher.in(limit, end)
}
