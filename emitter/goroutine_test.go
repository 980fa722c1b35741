package emitter_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/verify"
)

// lockedBuffer is a log that goroutines write to.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func (b *lockedBuffer) option() emitter.Option {
	return emitter.WithLogger(slog.New(slog.NewTextHandler(b, nil)))
}

func TestGo(t *testing.T) {
	boom := errors.New("boom")
	for name, tt := range map[string]struct {
		do    func(ctx context.Context) error
		want  error  // what Wait returns Is this
		value any    // of the PanicError
		log   string // what is logged; empty: nothing
	}{
		"nil":     {do: func(context.Context) error { return nil }},
		"error":   {do: func(context.Context) error { return boom }, want: boom},
		"panic":   {do: func(context.Context) error { panic("secret") }, value: "secret", log: "panic=secret"},
		"stack":   {do: func(context.Context) error { return blowUp() }, value: boomText, log: "emitter_test.blowUp"},
		"wrapped": {do: func(context.Context) error { panic(boom) }, want: boom, value: boom, log: "panic=boom"},
		"Goexit":  {do: func(context.Context) error { runtime.Goexit(); return nil }, log: "runtime.Goexit"},
	} {
		t.Run(name, func(t *testing.T) {
			var log lockedBuffer
			var told []error
			var em *emitter.Emitter
			em = emitter.New(t.Context(), null{}, log.option(), emitter.WithOnFailure(func(err error) {
				if em.Context().Err() != nil {
					t.Error("the context was cancelled before WithOnFailure's function was called")
				}
				told = append(told, err)
			}))
			must(t, em.RunStart("t", "r"))
			must(t, em.Go(tt.do))
			err := em.Wait()
			var panicked *emitter.PanicError
			if tt.want == nil && tt.log == "" {
				must(t, err)
				if len(told) != 0 || em.Context().Err() != nil {
					t.Errorf("told %v, context %v\nwant nothing", told, em.Context().Err())
				}
			} else if err == nil || len(told) != 1 || told[0] != err || context.Cause(em.Context()) != err {
				t.Errorf("Wait, told, cause\n got %v, %v, %v\nwant the same error", err, told, context.Cause(em.Context()))
			}
			if tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("Wait\n got %v\nwant %v", err, tt.want)
			}
			if isPanic := errors.As(err, &panicked); isPanic != (tt.log != "") || tt.value != nil && panicked.Value != tt.value {
				t.Errorf("Wait\n got %#v\nwant a PanicError: %t, of %v", err, tt.log != "", tt.value)
			}
			if got := log.String(); !strings.Contains(got, tt.log) || tt.log == "" && got != "" {
				t.Errorf("log\n got %q\nwant %q", got, tt.log)
			}
			if em.Ended() {
				t.Error("the emitter has ended the run by itself")
			}
			must(t, em.Close(nil))
		})
	}
}

const boomText = "boom"

func blowUp() error { panic(boomText) }

// TestGoAndABrokenRule breaks a rule in a goroutine of an emitter that panics.
func TestGoAndABrokenRule(t *testing.T) {
	em := emitter.New(t.Context(), null{}, emitter.WithLogger(nil), emitter.FailFast())
	defer em.Close(nil)
	must(t, em.RunStart("t", "r"))
	must(t, em.Go(func(context.Context) error { return em.TextContent("m1", "x") }))
	err := em.Wait()
	if build.NoVerify {
		must(t, err)
		return
	}
	var panicked *emitter.PanicError
	if !errors.As(err, &panicked) || !errors.Is(err, verify.NotOpen) || panicked.ErrorType() != "panic" {
		t.Errorf("Wait\n got %v\nwant a PanicError with a violation of NotOpen", err)
	}
}

func TestOnlyTheFirstFailureCounts(t *testing.T) {
	var log lockedBuffer
	var told atomic.Int32
	first := errors.New("first")
	em := emitter.New(t.Context(), null{}, log.option(), emitter.WithOnFailure(func(error) { told.Add(1) }))
	defer em.Close(nil)
	must(t, em.RunStart("t", "r"))
	for i := range 4 {
		must(t, em.Go(func(ctx context.Context) error {
			<-ctx.Done()
			if i == 0 {
				panic("later")
			}
			return ctx.Err()
		}))
	}
	must(t, em.Go(func(context.Context) error { return first }))
	if err := em.Wait(); err != first {
		t.Errorf("Wait\n got %v\nwant %v", err, first)
	}
	if told.Load() != 1 {
		t.Errorf("told %d times, want once", told.Load())
	}
	if !strings.Contains(log.String(), "panic=later") {
		t.Errorf("a panic that comes later is logged\n got %q", log.String())
	}
}

func TestGoAfterTheRun(t *testing.T) {
	cause := errors.New("because")
	for name, tt := range map[string]struct {
		end  func(em *emitter.Emitter) error
		want error
	}{
		"closed":  {func(em *emitter.Emitter) error { return em.Close(cause) }, cause},
		"aborted": {func(em *emitter.Emitter) error { return em.Abort("x", "y", cause) }, cause},
		"ended":   {func(em *emitter.Emitter) error { return em.RunFinish(nil) }, emitter.ErrClosed},
	} {
		t.Run(name, func(t *testing.T) {
			em := emitter.New(t.Context(), null{}, emitter.WithLogger(nil))
			defer em.Close(nil)
			must(t, em.RunStart("t", "r"))
			must(t, tt.end(em))
			err := em.Go(func(context.Context) error { t.Error("called"); return nil })
			if !errors.Is(err, emitter.ErrClosed) || !errors.Is(err, tt.want) {
				t.Errorf("Go\n got %v\nwant ErrClosed, for %v", err, tt.want)
			}
			must(t, em.Wait())
		})
	}
}

// TestFailureAfterTheRun has a function fail because the run was ended.
func TestFailureAfterTheRun(t *testing.T) {
	var log lockedBuffer
	em := emitter.New(t.Context(), null{}, log.option(), emitter.WithOnFailure(func(err error) { t.Errorf("told of %v", err) }))
	must(t, em.RunStart("t", "r"))
	must(t, em.Go(func(ctx context.Context) error {
		<-ctx.Done()
		if err := em.Custom("acme.x", 1); !errors.Is(err, emitter.ErrClosed) {
			t.Errorf("a call after the end\n got %v\nwant ErrClosed", err)
		}
		panic("late")
	}))
	cause := errors.New("because")
	must(t, em.Close(cause))
	var panicked *emitter.PanicError
	if err := em.Wait(); !errors.As(err, &panicked) || panicked.Value != "late" {
		t.Errorf("Wait\n got %v\nwant the panic", err)
	}
	if got := context.Cause(em.Context()); got != cause {
		t.Errorf("cause of the context\n got %v\nwant %v", got, cause)
	}
	if !strings.Contains(log.String(), "panic=late") {
		t.Errorf("log\n got %q\nwant the panic", log.String())
	}
}

// TestFailureAfterTheEnd has a function fail when the run has had its terminal event.
func TestFailureAfterTheEnd(t *testing.T) {
	em := emitter.New(t.Context(), null{}, emitter.WithLogger(nil), emitter.WithOnFailure(func(err error) { t.Errorf("told of %v", err) }))
	defer em.Close(nil)
	must(t, em.RunStart("t", "r"))
	late := errors.New("late")
	ended := make(chan struct{})
	must(t, em.Go(func(context.Context) error {
		<-ended
		return late
	}))
	must(t, em.RunFinish(nil))
	close(ended)
	if err := em.Wait(); err != late {
		t.Errorf("Wait\n got: %v\nwant: %v", err, late)
	}
	if err := em.Context().Err(); err != nil {
		t.Errorf("the context of a run that has finished\n got: %v\nwant: not cancelled", err)
	}
}

func TestGoOnAView(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf)
	sub := em.Subagent("s1", "one")
	must(t, sub.Go(func(ctx context.Context) error {
		view, ok := emitter.FromContext(ctx)
		if !ok {
			return errors.New("no emitter in the context")
		}
		return view.Custom("acme.x", 1)
	}))
	must(t, em.Wait())
	must(t, sub.Finish(nil))
	if !strings.Contains(buf.String(), `{"type":"CUSTOM","name":"acme.x","subagentRunId":"s1","value":1}`) {
		t.Errorf("the view in the context has no tag: %s", buf.String())
	}
	bad := em.Subagent("s2", "x", emitter.Metadata(make(chan int)))
	var encode *emitter.EncodeError
	if err := bad.Go(func(context.Context) error { t.Error("called"); return nil }); !errors.As(err, &encode) {
		t.Errorf("Go of a subagent that could not be started\n got %v\nwant an EncodeError", err)
	}
}

// TestGoInGo waits in several goroutines for functions that start others.
func TestGoInGo(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf)
	var ran atomic.Int32
	var grow func(depth int) func(context.Context) error
	grow = func(depth int) func(context.Context) error {
		return func(context.Context) error {
			ran.Add(1)
			if depth == 0 {
				return nil
			}
			return errors.Join(em.Go(grow(depth-1)), em.Go(grow(depth-1)))
		}
	}
	must(t, em.Go(grow(6)))
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			must(t, em.Wait())
			if got := ran.Load(); got != 127 {
				t.Errorf("functions that had run when Wait returned\n got %d\nwant 127", got)
			}
		})
	}
	wg.Wait()
}

func TestOnFailureThatPanics(t *testing.T) {
	var log lockedBuffer
	boom := errors.New("boom")
	em := emitter.New(t.Context(), null{}, log.option(), emitter.WithOnFailure(func(error) { panic("oh") }))
	defer em.Close(nil)
	must(t, em.RunStart("t", "r"))
	must(t, em.Go(func(context.Context) error { return boom }))
	if err := em.Wait(); err != boom || context.Cause(em.Context()) != boom {
		t.Errorf("Wait, cause\n got %v, %v\nwant boom", err, context.Cause(em.Context()))
	}
	if !strings.Contains(log.String(), "panic=oh") {
		t.Errorf("log\n got %q\nwant the panic", log.String())
	}
}

// TestComplete ends a run while goroutines go on calling, which breaks no rule. A slow sink has them queue
// for the emitter, so that there is no gap which they would miss.
func TestComplete(t *testing.T) {
	slow := sinkFunc(func(p []byte) (int, error) { time.Sleep(2 * time.Millisecond); return len(p), nil })
	em := emitter.New(t.Context(), slow, emitter.WithLogger(nil))
	must(t, em.RunStart("t", "r"))
	var calls, running sync.WaitGroup
	for range 4 {
		running.Add(1)
		calls.Go(func() {
			for i := 0; ; i++ {
				if i == 5 {
					running.Done()
				}
				err := em.Custom("acme.x", i)
				if err == nil {
					continue
				}
				if !errors.Is(err, emitter.ErrClosed) || errors.Is(err, verify.RunEnded) {
					t.Errorf("call %d\n got %v\nwant ErrClosed, and no violation", i, err)
				}
				return
			}
		})
	}
	running.Wait()
	must(t, em.Complete())
	calls.Wait()
	if em.Context().Err() == nil || em.Err() != nil || !em.Ended() {
		t.Errorf("context %v, Err %v, ended %t\nwant a cancelled context, no error, an ended run", em.Context().Err(), em.Err(), em.Ended())
	}
}

func TestCompleteThatIsRefused(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf)
	must(t, em.TextStart("m1"))
	if wantViolation(t, verify.OpenAtFinish, em.Complete) == nil {
		return
	}
	must(t, em.TextEnd("m1"))
	must(t, em.Complete())
	if want := "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n"; !strings.HasSuffix(buf.String(), want) {
		t.Errorf("wrote %s\nwant RUN_FINISHED last", buf.String())
	}
	if err := em.Complete(); !errors.Is(err, emitter.ErrClosed) {
		t.Errorf("second Complete\n got %v\nwant ErrClosed", err)
	}
	if err := em.Subagent("", "x").Complete(); !errors.Is(err, emitter.ErrClosed) {
		t.Errorf("Complete of a subagent that could not be started\n got %v\nwant ErrClosed", err)
	}
}

// lateCalls are calls of every kind on an emitter and on its handles.
func lateCalls(em *emitter.Emitter, msg *emitter.TextMessage, call *emitter.ToolCall, think *emitter.ReasoningMessage, sub *emitter.Subagent) map[string]func() error {
	return map[string]func() error{
		"TextStart":        func() error { return em.TextStart("late") },
		"TextContent":      func() error { return em.TextContent(msg.ID(), "x") },
		"huge TextContent": func() error { return em.TextContent(msg.ID(), strings.Repeat("x", 2<<20)) },
		"TextMessage":      func() error { _, err := msg.WriteString("x"); return err },
		"TextMessage end":  msg.Close,
		"ToolCall":         func() error { return call.WriteJSON(1) },
		"ToolCall result":  func() error { return call.Result("x") },
		"Reasoning":        func() error { _, err := think.Write([]byte("x")); return err },
		"Reasoning end":    think.Close,
		"new handle":       func() error { return em.Text().Err() },
		"new subagent":     func() error { return em.Subagent("", "x").Err() },
		"subagent":         func() error { return sub.Custom("acme.x", 1) },
		"subagent end":     func() error { return sub.Finish(nil) },
		"subagent close":   sub.Close,
		"Step":             func() error { return em.Step("s", func() error { return nil }) },
		"CloseOpen":        func() error { return errors.Join(em.CloseOpen(), emitter.ErrClosed) }, // nil when nothing is tracked
		"Custom":           func() error { return em.Custom("acme.x", 1) },
		"Emit":             func() error { return em.Emit(events.Custom{Name: "acme.x"}) },
		"Emit unknown":     func() error { return em.Emit(&events.Unknown{Name: "THINKING_START"}) },
		"Go":               func() error { return em.Go(func(context.Context) error { return nil }) },
		"RunFinish":        func() error { return em.RunFinish(nil) },
		"Complete":         em.Complete,
		"RunError":         func() error { return em.RunError("x", "y") },
		"RunStart":         func() error { return em.RunStart("t", "r") },
	}
}

// TestCallsAfterClose makes every call on an emitter that was closed.
func TestCallsAfterClose(t *testing.T) {
	cause := errors.New("because")
	for name, end := range map[string]func(em *emitter.Emitter) error{
		"Close": func(em *emitter.Emitter) error { return em.Close(cause) },
		"Abort": func(em *emitter.Emitter) error { return em.Abort("x", "y", cause) },
	} {
		var buf bytes.Buffer
		em := newEmitter(t, &buf, emitter.WithFlushWindow(window, 0))
		msg, call, think, sub := em.Text(), em.ToolCall("x"), em.Reasoning(), em.Subagent("", "x")
		msg.Write([]byte("\xe6")) // waits for the rest of its character
		must(t, end(em))
		before := buf.Len()
		for what, late := range lateCalls(em, msg, call, think, sub) {
			recovered, err := attempt(late)
			if recovered != nil || !errors.Is(err, emitter.ErrClosed) {
				t.Errorf("%s after %s\n got error %v, panic %v\nwant ErrClosed", what, name, err, recovered)
			}
			if !errors.Is(err, cause) && what != "CloseOpen" && !strings.Contains(fmt.Sprint(err), "is closed") {
				t.Errorf("%s after %s\n got %v\nwant the cause in it", what, name, err)
			}
		}
		if buf.Len() != before {
			t.Errorf("written after %s: %s", name, buf.String()[before:])
		}
	}
}
