package emitter

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"

	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/internal/sound"
)

// errExited is the value of the PanicError of a function that ended its goroutine.
var errExited = errors.New("runtime.Goexit ended the goroutine")

// A PanicError is the failure of code that panicked: of a function given to [Emitter.Go], or, under
// package middleware, of the agent itself.
type PanicError struct {
	Value any    // what the code panicked with
	Stack []byte // the stack at the panic
}

// Error returns the value. It does not include the stack.
func (e *PanicError) Error() string {
	return fmt.Sprintf("emitter: the agent panicked: %v", e.Value)
}

// Unwrap returns the value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// Panic returns the value in words, and the stack: what telemetry records of it.
func (e *PanicError) Panic() (value string, stack []byte) { return fmt.Sprint(e.Value), e.Stack }

// ErrorType returns "panic", the low-cardinality error type that telemetry wants.
func (e *PanicError) ErrorType() string { return "panic" }

// group is the goroutines that were started by Go; most runs have none. It is guarded by the emitter's lock.
type group struct {
	live   int
	idle   *sync.Cond // live has become 0
	failed error      // the first failure
}

func newGroup(mu *sync.Mutex) *group { return &group{idle: sync.NewCond(mu)} }

// Go calls do in a goroutine of the run's own. do gets the view's context, with the view in it for
// [FromContext]. A panic in do does not end the process, as it does in a goroutine started by a go
// statement: it becomes a [*PanicError], is logged with its stack, and fails the run. So does an error
// that do returns: the run's context is cancelled with the first such failure as its cause, and
// [Emitter.Wait] returns it.
//
// Under package middleware the run then ends at once: the client gets RUN_ERROR, later calls return an
// error that Is [ErrClosed], and what the agent itself returns no longer counts. The response ends when
// the agent and all functions have returned, so do must return when its context is done. An agent that
// returns nil needs not wait: RUN_FINISHED comes after the last function has returned.
//
// Go returns an error that Is [ErrClosed], and does not call do, when the run is over.
func (em *Emitter) Go(do func(ctx context.Context) error) error {
	if em.refused != nil {
		return em.refused
	}
	em.mu.Lock()
	defer em.mu.Unlock()
	if err := em.over(); err != nil {
		return err
	}
	if em.group == nil {
		em.group = newGroup(&em.mu)
	}
	em.group.live++
	go em.goDo(do)
	return nil
}

// Wait waits until all functions given to [Emitter.Go] have returned and returns the first failure of
// any, or nil. It may be called any number of times, also after the end of the run, but not in such a
// function, which would wait for itself.
func (em *Emitter) Wait() error {
	em.mu.Lock()
	defer em.mu.Unlock()
	if em.group == nil {
		return nil
	}
	for em.group.live > 0 {
		em.group.idle.Wait()
	}
	return em.group.failed
}

// over returns why the run is over, or nil.
func (r *run) over() error {
	if r.closed == nil && r.terminal != nil {
		return &closedError{what: "the run has ended"}
	}
	return r.closed
}

// goDo runs do, and then one goroutine less is live.
func (em *Emitter) goDo(do func(ctx context.Context) error) {
	defer em.goDone()
	em.guard(func() error { return do(NewContext(em.ctx, em)) }, em.goFailed)
}

// guard calls do, and failed if do returns an error, panics or ends the goroutine. The last two it logs.
func (r *run) guard(do func() error, failed func(error)) {
	var err error
	returned := false
	defer func() {
		if !returned {
			err = r.panicked(recover())
		}
		if err != nil {
			failed(err)
		}
	}()
	err = sound.Error(do())
	returned = true
}

// goFailed fails the run. What fails once the run is over fails it no more.
func (r *run) goFailed(err error) {
	r.mu.Lock()
	first, over := r.group.failed == nil, r.over() != nil
	if first {
		r.group.failed = err
	}
	r.mu.Unlock()
	if !first || over {
		return
	}
	if r.onFailure != nil {
		r.guard(func() error { r.onFailure(err); return nil }, func(error) {})
	}
	r.cancel(err)
}

func (r *run) goDone() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.group.live--; r.group.live == 0 {
		r.group.idle.Broadcast()
	}
}

// panicked logs a panic and returns it as an error. A nil value stands for runtime.Goexit.
func (r *run) panicked(value any) error {
	if value == nil {
		value = errExited
	}
	if err, ok := value.(error); ok {
		value = sound.Error(err) // it is in the chain of the PanicError
	}
	err := &PanicError{Value: value, Stack: debug.Stack()}
	attrs := []slog.Attr{slog.Any("panic", value), slog.String("stack", string(err.Stack))}
	if r.input != nil {
		attrs = append(attrs, slog.String("thread", clip.ID(r.input.ThreadID)), slog.String("run", clip.ID(r.input.RunID)))
	}
	r.log(&r.carrier, slog.LevelError, "agui: a goroutine of the run panicked", attrs...)
	return err
}
