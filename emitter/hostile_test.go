package emitter_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/verify"
)

// fragile is an observer of which each method panics.
type fragile struct{}

func (fragile) Start(context.Context, *events.RunAgentInput) context.Context { panic("fragile") }
func (fragile) Event(events.Type, events.Event, int)                         { panic("fragile") }
func (fragile) Flush(error)                                                  { panic("fragile") }
func (fragile) Violation(context.Context, *verify.Violation)                 { panic("fragile") }
func (fragile) End(context.Context, events.Event, error)                     { panic("fragile") }

// writesBack is a log handler that writes through the emitter of its context.
type writesBack struct{ slog.Handler }

func (h writesBack) Enabled(context.Context, slog.Level) bool { return true }

func (h writesBack) Handle(ctx context.Context, _ slog.Record) error {
	if em, ok := emitter.FromContext(ctx); ok {
		return em.Custom("acme:logged", nil)
	}
	return nil
}

// TestObserversThatPanic: a run whose observers panic goes its way, and a log handler that writes through the
// emitter does not wait for itself.
func TestObserversThatPanic(t *testing.T) {
	var log lockedBuffer
	for name, logger := range map[string]*slog.Logger{"log": slog.New(slog.NewTextHandler(&log, nil)), "log that writes": slog.New(writesBack{})} {
		var buf bytes.Buffer
		em := newEmitter(t, &buf, emitter.WithObserver(func() emitter.Observer { return fragile{} }), emitter.WithLogger(logger))
		for _, err := range []error{em.TextStart("m"), em.TextContent("m", "x"), em.TextEnd("m"), em.RunFinish(nil), em.Close(nil)} {
			must(t, err)
		}
		if got := strings.Count(buf.String(), "data: "); got != 5 {
			t.Errorf("%s: events\n got: %d\nwant: 5\n%s", name, got, buf.String())
		}
	}
	for _, method := range []string{"Start", "Event", "Flush", "End"} {
		if !strings.Contains(log.String(), "method="+method) {
			t.Errorf("the log does not tell of %s:\n%s", method, log.String())
		}
	}
}

// TestErrorsThatPanic: an error whose own methods panic, as those of many nil pointers do, is an error like
// others.
func TestErrorsThatPanic(t *testing.T) {
	var broken error = (*fs.PathError)(nil)
	t.Run("of a goroutine", func(t *testing.T) {
		var buf bytes.Buffer
		em := newEmitter(t, &buf)
		em.Go(func(context.Context) error { return broken })
		if err := em.Wait(); err == nil || !strings.Contains(err.Error(), "*fs.PathError") {
			t.Errorf("Wait\n got: %v\nwant: an error that names the type", err)
		}
	})
	t.Run("that a goroutine panics with", func(t *testing.T) {
		var buf bytes.Buffer
		em := newEmitter(t, &buf, emitter.WithLogger(nil))
		em.Go(func(context.Context) error { panic(broken) })
		var panicked *emitter.PanicError
		if err := em.Wait(); !errors.As(err, &panicked) || !strings.Contains(err.Error(), "*fs.PathError") || errors.Is(err, errPipe) {
			t.Errorf("Wait\n got: %v\nwant: a PanicError that names the type", err)
		}
	})
	t.Run("that ends the run", func(t *testing.T) {
		var buf bytes.Buffer
		end := &ending{}
		em := newEmitter(t, &buf, emitter.WithObserver(func() emitter.Observer { return end }))
		must(t, em.Abort("no more", "agent_error", broken))
		if !strings.Contains(buf.String(), `"RUN_ERROR"`) || end.cause == nil || !strings.Contains(end.cause.Error(), "*fs.PathError") {
			t.Errorf("\n got: %v, %s\nwant: RUN_ERROR, and a cause that names the type", end.cause, buf.String())
		}
	})
	t.Run("of the sink", func(t *testing.T) {
		em := emitter.New(t.Context(), failing{broken}, emitter.WithLogger(nil))
		err := em.RunStart("t", "r")
		if !errors.Is(err, emitter.ErrDisconnected) || !strings.Contains(err.Error(), "*fs.PathError") {
			t.Errorf("\n got: %v\nwant: ErrDisconnected that names the type", err)
		}
	})
}

// failing is a sink that fails.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
func (f failing) Flush() error              { return f.err }

// TestLogThatPanics: a log handler that panics takes no process with it, also where a goroutine of the run has
// panicked.
func TestLogThatPanics(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf, emitter.WithLogger(slog.New(panics{})))
	em.Go(func(context.Context) error { panic("boom") })
	if err := em.Wait(); err == nil || !strings.Contains(err.Error(), "boom") {
		t.Errorf("Wait\n got: %v\nwant: the panic", err)
	}
}

type panics struct{ slog.Handler }

func (panics) Enabled(context.Context, slog.Level) bool  { return true }
func (panics) Handle(context.Context, slog.Record) error { panic("log") }

// TestEndWhileAWriteIsStuck: the run's context is cancelled with the cause that ends the run while a write does
// not come to an end.
func TestEndWhileAWriteIsStuck(t *testing.T) {
	reason := errors.New("no more")
	for name, end := range map[string]func(em *emitter.Emitter){
		"Close": func(em *emitter.Emitter) { _ = em.Close(reason) },
		"Abort": func(em *emitter.Emitter) { _ = em.Abort("no more", "stop", reason) },
	} {
		t.Run(name, func(t *testing.T) {
			sink := &sticky{release: make(chan struct{}), stuck: make(chan struct{})}
			em := emitter.New(t.Context(), sink)
			must(t, em.RunStart("t", "r"))
			sink.sticks = true
			wrote, ended := make(chan error, 1), make(chan struct{})
			go func() { wrote <- em.Custom("acme:x", nil) }()
			<-sink.stuck
			go func() { end(em); close(ended) }()
			select {
			case <-em.Context().Done():
			case <-time.After(10 * time.Second):
				t.Error("the context is not cancelled while a write is stuck")
			}
			if cause := context.Cause(em.Context()); cause != reason {
				t.Errorf("cause\n got: %v\nwant: %v", cause, reason)
			}
			close(sink.release)
			<-ended
			if err := <-wrote; err != nil {
				t.Errorf("the write that was stuck\n got: %v\nwant: nil", err)
			}
		})
	}
}

// sticky is a sink whose writes stick when it is told so, until it is released.
type sticky struct {
	sticks         bool
	stuck, release chan struct{}
}

func (s *sticky) Write(p []byte) (int, error) {
	if s.sticks {
		s.sticks = false
		close(s.stuck)
		<-s.release
	}
	return len(p), nil
}

func (s *sticky) Flush() error { return nil }

// TestLimitTooSmallForAHandle: no event is larger than the limit, however small that is.
func TestLimitTooSmallForAHandle(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf, emitter.WithMaxEventSize(120), emitter.WithIDs(onlyID("m")))
	msg := em.Text()
	must(t, msg.Err())
	var limit *emitter.LimitError
	n, err := msg.WriteString("some text")
	if n != 0 || !errors.As(err, &limit) || limit.Max != 120 || limit.Size <= 120 {
		t.Errorf("\n got: %d, %v\nwant: 0 and a LimitError", n, err)
	}
	if strings.Contains(buf.String(), "CONTENT") {
		t.Errorf("it was written all the same: %s", buf.String())
	}
}

type onlyID string

func (id onlyID) NewID(ids.Kind) string { return string(id) }
