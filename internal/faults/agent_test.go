package faults

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"sync"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/verify"
)

// agent is a random agent: what it does, and how it ends.
type agent struct {
	rand     *rand.Rand
	steps    int
	careless bool // goes on when a call fails
	end      ending
	strays   int // goroutines that outlive the agent
	straying sync.WaitGroup
}

// errAgent is what an agent fails with of its own.
var errAgent = errors.New("the agent failed")

// ending is how an agent ends.
type ending struct {
	name string
	end  func(ctx context.Context, em *emitter.Emitter) error
	// cause says whether the run's context may have been cancelled with it by such an end.
	cause func(error) bool
	// terminal is the type and the code of the last event.
	terminal string
	aborts   bool // the connection
}

func finished(cause error) bool { return cause == context.Canceled }
func failedAs(want error) func(error) bool {
	return func(cause error) bool { return errors.Is(cause, want) }
}
func panicked(cause error) bool {
	var p *emitter.PanicError
	return errors.As(cause, &p)
}

// endings are the ways to end without being told to.
var endings = []ending{
	{name: "nil", end: func(context.Context, *emitter.Emitter) error { return nil }, cause: finished, terminal: "RUN_FINISHED"},
	{name: "nil after a rest", end: func(ctx context.Context, _ *emitter.Emitter) error { rest(ctx, serverTimeout*3/2); return nil }, cause: finished, terminal: "RUN_FINISHED"},
	{name: "error", end: func(context.Context, *emitter.Emitter) error { return errAgent }, cause: failedAs(errAgent), terminal: "RUN_ERROR agent_error"},
	{name: "error, something open", end: func(_ context.Context, em *emitter.Emitter) error { em.Text(); return errAgent }, cause: failedAs(errAgent), terminal: "RUN_ERROR agent_error"},
	{name: "panic", end: func(context.Context, *emitter.Emitter) error { panic(errAgent) }, cause: failedAs(errAgent), terminal: "RUN_ERROR panic"},
	{name: "panic in a goroutine", end: func(_ context.Context, em *emitter.Emitter) error {
		return em.Go(func(context.Context) error { panic(errAgent) })
	}, cause: failedAs(errAgent), terminal: "RUN_ERROR panic"},
	{name: "error in a goroutine", end: func(_ context.Context, em *emitter.Emitter) error {
		return em.Go(func(context.Context) error { return errAgent })
	}, cause: failedAs(errAgent), terminal: "RUN_ERROR agent_error"},
	{name: "abort", end: func(context.Context, *emitter.Emitter) error { panic(abortHandler) }, cause: panicked, terminal: "RUN_ERROR panic", aborts: true},
	{name: "its own RUN_FINISHED", end: func(_ context.Context, em *emitter.Emitter) error { return em.RunFinish("done") }, cause: finished, terminal: "RUN_FINISHED"},
	{name: "its own RUN_ERROR", end: func(_ context.Context, em *emitter.Emitter) error { return em.RunError("x", "own") }, cause: finished, terminal: "RUN_ERROR own"},
	{name: "an interrupt", end: func(_ context.Context, em *emitter.Emitter) error {
		return em.RunInterrupt(events.Interrupt{ID: "i", Reason: "x"})
	}, cause: finished, terminal: "RUN_FINISHED"},
}

// openAtReturn leaves a message open, which the machine records: in its absence nobody closes it.
var openAtReturn = ending{
	name: "nil, something open",
	end:  func(_ context.Context, em *emitter.Emitter) error { em.Text(); return nil },
	cause: func(cause error) bool {
		if build.Debug {
			return errors.Is(cause, verify.OpenAtFinish)
		}
		return finished(cause)
	},
	terminal: "RUN_FINISHED",
}

// untilTold waits in silence, or flood talks, until the run is ended from outside.
var (
	untilTold = ending{name: "silence until told", end: func(ctx context.Context, _ *emitter.Emitter) error {
		if !rest(ctx, patience) {
			return errDeaf
		}
		return ctx.Err()
	}}
	flood = ending{name: "a flood until told", end: func(_ context.Context, em *emitter.Emitter) error {
		text := strings.Repeat("flood ", 10_000)
		for begin := time.Now(); time.Since(begin) < patience; {
			if err := em.Custom("faults:flood", text); err != nil {
				return err
			}
		}
		return errDeaf
	}}
)

// errDeaf is the failure of an agent that was never told of a fault.
var errDeaf = errors.New("the agent was never told")

// rest waits, and reports whether ctx was done before the time was up.
func rest(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return true
	case <-time.After(d):
		return false
	}
}

// run is the agent.
func (a *agent) run(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
	for range a.strays {
		a.straying.Go(func() { stray(em) })
	}
	if err := a.script(ctx, em, a.rand, a.steps, 0); err != nil {
		return err
	}
	return a.end.end(ctx, em)
}

// stray emits from a goroutine of its own until it is refused, which it must be.
func stray(em *emitter.Emitter) {
	defer func() { // a build that fails fast panics on what comes after the run's own terminal event
		if v, ok := recover().(error); ok && !errors.Is(v, emitter.ErrClosed) && !errors.Is(v, verify.RunEnded) {
			panic(v)
		}
	}()
	for begin := time.Now(); time.Since(begin) < 2*patience; time.Sleep(200 * time.Microsecond) {
		if err := em.Custom("faults:stray", nil); err != nil {
			return
		}
	}
	panic("faults: a run takes events for ever")
}

// script does the steps, each a random act. A careful agent returns the first error.
func (a *agent) script(ctx context.Context, em *emitter.Emitter, r *rand.Rand, steps, depth int) error {
	for range steps {
		if err := choose(r, depth)(a, ctx, em, rand.New(rand.NewPCG(r.Uint64(), 0)), depth); err != nil && !a.careless {
			return err
		}
	}
	return nil
}

// choose returns a random act, plain when it is deep enough already.
func choose(r *rand.Rand, depth int) act {
	nested := []act{(*agent).inStep, (*agent).inSubagent, (*agent).inGoroutines}
	n := len(plain)
	if depth < 3 {
		n += len(nested)
	}
	i := r.IntN(n)
	if i < len(plain) {
		return plain[i]
	}
	return nested[i-len(plain)]
}

// act is something that an agent may do. It closes what it opens, also when a call fails, and is given a
// source of chance that no other act shares.
type act func(a *agent, ctx context.Context, em *emitter.Emitter, r *rand.Rand, depth int) error

// plain are acts that have no others in them; nested have.
var plain = []act{
	func(_ *agent, _ context.Context, em *emitter.Emitter, r *rand.Rand, _ int) error { // flat text
		id := em.NewID("msg")
		errs := []error{em.TextStart(id)}
		for range r.IntN(6) {
			errs = append(errs, em.TextContent(id, words(r)))
		}
		return errors.Join(append(errs, em.TextEnd(id))...)
	},
	func(_ *agent, _ context.Context, em *emitter.Emitter, r *rand.Rand, _ int) error { // a handle
		return writeAll(em.Text(), r)
	},
	func(_ *agent, _ context.Context, em *emitter.Emitter, r *rand.Rand, _ int) error {
		return writeAll(em.Reasoning(), r)
	},
	func(_ *agent, _ context.Context, em *emitter.Emitter, r *rand.Rand, _ int) error { // a call and its result
		call := em.ToolCall("search")
		return errors.Join(call.WriteJSON(map[string]string{"q": words(r)}), call.Close(), call.Result(words(r)))
	},
	func(a *agent, ctx context.Context, em *emitter.Emitter, r *rand.Rand, depth int) error { // chunks
		id := em.NewID("msg")
		first := em.TextChunk(id, words(r))
		if depth == 0 && a.strays == 0 { // nobody else can come between: the next needs no id
			rest(ctx, 4*time.Millisecond)
			id = ""
		}
		return errors.Join(first, em.TextChunk(id, words(r)), em.Custom("faults:end", nil))
	},
	func(_ *agent, _ context.Context, em *emitter.Emitter, r *rand.Rand, _ int) error {
		return errors.Join(em.StateSnapshot(map[string]int{"n": 0}), em.StateDelta(events.Patch{events.Replace("/n", r.IntN(9))}))
	},
	func(_ *agent, _ context.Context, em *emitter.Emitter, r *rand.Rand, _ int) error {
		return errors.Join(em.Custom("faults:x", words(r)), em.Raw(map[string]string{"x": words(r)}))
	},
	func(_ *agent, ctx context.Context, _ *emitter.Emitter, r *rand.Rand, _ int) error { // silence
		rest(ctx, time.Duration(r.IntN(8))*time.Millisecond)
		return nil
	},
}

// inStep does acts in a step.
func (a *agent) inStep(ctx context.Context, em *emitter.Emitter, r *rand.Rand, depth int) error {
	return em.Step(fmt.Sprintf("step %d", r.Uint32()), func() error { return a.script(ctx, em, r, r.IntN(3), depth+1) })
}

// inSubagent does acts as a subagent.
func (a *agent) inSubagent(ctx context.Context, em *emitter.Emitter, r *rand.Rand, depth int) error {
	return em.RunSubagent("helper", func(sub *emitter.Subagent) error { return a.script(ctx, sub.Emitter, r, r.IntN(3), depth+1) })
}

// inGoroutines does acts in goroutines, of the agent's own and of the emitter's.
func (a *agent) inGoroutines(ctx context.Context, em *emitter.Emitter, r *rand.Rand, depth int) error {
	errs := make([]error, 1+r.IntN(4))
	var wg sync.WaitGroup
	for i := range errs {
		own := rand.New(rand.NewPCG(r.Uint64(), 0))
		do := func() { errs[i] = a.script(ctx, em, own, 1+own.IntN(3), depth+1) }
		if r.IntN(2) == 0 {
			wg.Go(do)
			continue
		}
		wg.Add(1)
		if err := em.Go(func(context.Context) error { defer wg.Done(); do(); return nil }); err != nil {
			wg.Done()
			errs[i] = err
		}
	}
	wg.Wait()
	return errors.Join(errs...)
}

func writeAll(w io.WriteCloser, r *rand.Rand) error {
	defer w.Close()
	for range r.IntN(6) {
		if _, err := io.WriteString(w, words(r)); err != nil {
			return err
		}
	}
	return w.Close()
}

// words returns text, at times a lot of it, with characters of several bytes and what JSON escapes.
func words(r *rand.Rand) string {
	text := []string{"a ", "Hello, ", "\"quoted\" ", "zwei\n", "日本 ", "😀 "}
	n := 1 + r.IntN(8)
	if r.IntN(20) == 0 {
		n = 4000
	}
	var b strings.Builder
	for range n {
		b.WriteString(text[r.IntN(len(text))])
	}
	return b.String()
}
