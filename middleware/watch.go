package middleware

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/agui-go/agui/emitter"
)

// watcher is what may end a run from outside: contexts, and the clock of a run without a client.
type watcher struct {
	ending sync.WaitGroup // the calls that are under way

	mu    sync.Mutex
	stops []func() bool
	over  bool
}

// on calls do with ctx when that is done.
func (w *watcher) on(ctx context.Context, do func(context.Context)) {
	w.add(func() func() bool {
		return context.AfterFunc(ctx, func() {
			defer w.ending.Done()
			do(ctx)
		})
	})
}

// in calls do when the time is up.
func (w *watcher) in(d time.Duration, do func()) {
	w.add(func() func() bool {
		return time.AfterFunc(d, func() {
			defer w.ending.Done()
			do()
		}).Stop
	})
}

// add arranges for a call, unless the watcher was stopped.
func (w *watcher) add(arrange func() (stop func() bool)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		return
	}
	w.ending.Add(1)
	w.stops = append(w.stops, arrange())
}

// stop calls off what has not begun and waits for the rest.
func (w *watcher) stop() {
	w.mu.Lock()
	w.over = true
	for _, stop := range w.stops {
		if stop() {
			w.ending.Done()
		}
	}
	w.mu.Unlock()
	w.ending.Wait()
}

// watch ends the run when ctx, the request's context or the drainer's is done, until the watcher is
// stopped.
func (u *run) watch(ctx context.Context) {
	u.watcher.on(ctx, u.interrupted)
	if request := u.request.Context(); request.Done() != ctx.Done() { // ctx need not derive from it
		u.watcher.on(request, u.interrupted)
	}
	if u.drainer != nil {
		u.watcher.on(u.drainer.over, u.interrupted)
	}
}

// interrupted ends the run because ctx is done. A deadline and a shutdown leave the client there to be
// told; a cancelled request, by a client that has left as a rule, may.
func (u *run) interrupted(ctx context.Context) {
	cause := context.Cause(ctx)
	switch {
	case errors.Is(cause, ErrShutdown):
		u.logAttrs(slog.LevelInfo, "agui: the run was ended because the server shuts down")
		u.abort(cause)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		u.timedOut(cause)
	case u.detachLimit > 0 && u.request.Context().Err() != nil:
		u.goOn(cause)
	default:
		u.abort(fmt.Errorf("%w: %w", emitter.ErrDisconnected, cause))
	}
}

// timedOut ends the run because its time is up; cause is the context's.
func (u *run) timedOut(cause error) {
	timeout := ErrRunTimeout
	if cause != context.DeadlineExceeded {
		timeout = fmt.Errorf("%w: %w", ErrRunTimeout, cause)
	}
	u.logAttrs(slog.LevelWarn, "agui: the run took too long and was ended", slog.Any("error", timeout))
	u.abort(timeout)
}

// goOn lets the run go on without its client, within its time. It does not write: it is also called
// from inside a write that has failed.
func (u *run) goOn(cause error) {
	u.alone.Do(func() {
		limit := u.detachLimit
		end := func() {
			u.abort(fmt.Errorf("%w, and the time that the run may go on without it (%v) is up: %w", emitter.ErrDisconnected, limit, cause))
		}
		// A context that was cancelled does not tell of its deadline any more.
		if deadline, ok := u.ctx.Deadline(); ok && time.Until(deadline) < limit {
			limit = time.Until(deadline)
			end = func() { u.timedOut(context.DeadlineExceeded) }
		}
		u.watcher.in(limit, end)
	})
}
