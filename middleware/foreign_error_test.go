package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// unsound is an error that cannot be looked at: a nil pointer, as by a function that declares its result as
// one.
var unsound error = (*fs.PathError)(nil)

// halfSound can be looked at as long as nobody asks for its status.
type halfSound struct{ status int }

func (*halfSound) Error() string     { return "half sound" }
func (e *halfSound) HTTPStatus() int { return e.status }

// TestForeignErrors meets errors whose own methods panic, wherever somebody else's errors come in.
func TestForeignErrors(t *testing.T) {
	type agent = middleware.RunFunc
	returns := func(err error) agent {
		return func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return err }
	}
	refuses := func(err error) middleware.Option {
		return middleware.WithPrepare(func(*http.Request, *events.RunAgentInput) (context.Context, error) { return nil, err })
	}
	waits := func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	tests := []struct {
		name  string
		agent agent
		opts  []middleware.Option
		code  string // of the RUN_ERROR; empty: the request is refused
	}{
		{"returned", returns(unsound), nil, middleware.CodeAgentError},
		{"returned within another", returns(fmt.Errorf("more: %w", errors.Join(errors.New("x"), unsound))), nil, middleware.CodeAgentError},
		{"panicked with", func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { panic(unsound) }, nil, middleware.CodePanic},
		{"given to FailRun", func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
			middleware.FailRun(ctx, unsound)
			return nil
		}, nil, middleware.CodeAgentError},
		{"returned to Emitter.Go", func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.Go(func(context.Context) error { return unsound })
		}, nil, middleware.CodeAgentError},
		{"panicked with in Emitter.Go", func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.Go(func(context.Context) error { panic(unsound) })
		}, nil, middleware.CodePanic},
		{"the cause of the context", waits, []middleware.Option{
			middleware.WithPrepare(func(r *http.Request, _ *events.RunAgentInput) (context.Context, error) {
				ctx, cancel := context.WithCancelCause(r.Context())
				time.AfterFunc(10*time.Millisecond, func() { cancel(unsound) })
				return ctx, nil
			}),
		}, middleware.CodeRequestCancelled},
		{"the cause of a deadline", waits, []middleware.Option{
			middleware.WithPrepare(func(r *http.Request, _ *events.RunAgentInput) (context.Context, error) {
				ctx, cancel := context.WithTimeoutCause(r.Context(), 10*time.Millisecond, unsound)
				context.AfterFunc(r.Context(), cancel)
				return ctx, nil
			}),
		}, middleware.CodeRunTimeout},
		{"of the function that prepares", nil, []middleware.Option{refuses(unsound)}, ""},
		{"with a status that panics", nil, []middleware.Option{refuses((*halfSound)(nil))}, ""},
		{"of the registry", nil, []middleware.Option{middleware.WithRegistry(registry(func() (func(), error) { return nil, unsound }))}, ""},
	}
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				agent := tt.agent
				if agent == nil {
					agent = notCalled(t)
				}
				got := post(t, serve(agent, append(tt.opts, middleware.WithLogger(nil))...), input)
				if tt.code == "" {
					if r := got.refusal(t); got.status != http.StatusInternalServerError || r.Error.Code != "internal_error" {
						t.Errorf("answer:\n got %d %s\nwant %d internal_error", got.status, got.body, http.StatusInternalServerError)
					}
					return
				}
				if _, code := got.runError(t); got.types(t) != failed || code != tt.code || got.err != nil {
					t.Errorf("stream:\n got %s (%v)\nwant RUN_ERROR %s", got.body, got.err, tt.code)
				}
			})
		}
	})
}

// registry is a Registry of one function.
type registry func() (end func(), err error)

func (r registry) Start(context.Context, string, string) (func(), error) { return r() }

// unsoundWriter fails as what wraps a response may.
type unsoundWriter struct {
	*httptest.ResponseRecorder
	write, flush, deadline func() error
}

func (w unsoundWriter) Write(p []byte) (int, error) {
	if err := w.write(); err != nil {
		return 0, err
	}
	return w.ResponseRecorder.Write(p)
}

func (w unsoundWriter) FlushError() error                { return w.flush() }
func (w unsoundWriter) SetWriteDeadline(time.Time) error { return w.deadline() }

// TestForeignWriters meets response writers that fail with such an error or panic. Neither takes more than the
// run with it, and a panic is in the log once.
func TestForeignWriters(t *testing.T) {
	fine := func() error { return nil }
	fails := func() error { return unsound }
	panics := func() error { panic("the writer's own") }
	tests := []struct {
		name                   string
		write, flush, deadline func() error
		logged                 string
		finishes               bool
	}{
		{"a write fails", fails, fine, fine, "the run could not be started", false},
		{"a flush fails", fine, fails, fine, "the run could not be started", false},
		{"a deadline fails", fine, fine, fails, "", true},
		{"a write panics", panics, fine, fine, "the response writer panicked", false},
		{"a flush panics", fine, panics, fine, "the response writer panicked", false},
		{"a deadline panics", fine, fine, panics, "the response writer panicked", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var log logs
			w := unsoundWriter{httptest.NewRecorder(), tt.write, tt.flush, tt.deadline}
			middleware.Handler(done, log.option()).ServeHTTP(w, newRequest(t.Context()))
			if got := strings.Contains(w.Body.String(), "RUN_FINISHED"); got != tt.finishes {
				t.Errorf("RUN_FINISHED:\n got %t\nwant %t", got, tt.finishes)
			}
			errs := strings.Count(log.String(), "level=ERROR")
			if tt.logged == "" && errs != 0 || tt.logged != "" && (errs != 1 || !strings.Contains(log.String(), tt.logged)) {
				t.Errorf("log:\n got %s\nwant one error, with %q", log.String(), tt.logged)
			}
			if strings.Contains(tt.logged, "panicked") && !strings.Contains(log.String(), "the writer's own") {
				t.Errorf("log:\n got %s\nwant what the writer panicked with", log.String())
			}
		})
	}
}

// TestAClientThatLeftAtOnceIsNoError is the other reason for which a run does not start.
func TestAClientThatLeftAtOnceIsNoError(t *testing.T) {
	var log logs
	ctx, leave := context.WithCancel(t.Context())
	leaves := func() error { leave(); return errors.New("broken pipe") }
	w := unsoundWriter{httptest.NewRecorder(), leaves, leaves, leaves}
	middleware.Handler(done, log.option()).ServeHTTP(w, newRequest(ctx))
	if got := log.String(); !strings.Contains(got, "level=DEBUG") || strings.Contains(got, "level=ERROR") {
		t.Errorf("log:\n got %s\nwant a line for debugging", got)
	}
}

// TestEndGetsEverythingBack ends the goroutine of the handler while the run ends: what the run holds is given
// back all the same, and nothing beats any more.
func TestEndGetsEverythingBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drainer := middleware.NewDrainer(0)
		var em *emitter.Emitter
		agent := func(_ context.Context, _ *events.RunAgentInput, e *emitter.Emitter) error {
			em = e
			return errors.New("x")
		}
		handler := middleware.Handler(agent, middleware.WithLogger(nil), middleware.WithDrainer(drainer),
			middleware.WithPublicError(func(error) (message, code string) {
				runtime.Goexit()
				return "", ""
			}))
		w := &timeline{ResponseRecorder: httptest.NewRecorder(), start: time.Now()}
		go handler.ServeHTTP(w, newRequest(t.Context()))
		time.Sleep(time.Hour)
		synctest.Wait()
		if got, want := strings.Join(w.notes, ", "), "0s RUN_STARTED"; got != want {
			t.Errorf("written:\n got %s\nwant %s", got, want)
		}
		if err := em.Custom("x:late", nil); !errors.Is(err, emitter.ErrClosed) || em.Context().Err() == nil {
			t.Errorf("a call after the end:\n got %v, context done %t\nwant one that Is ErrClosed, and a context that is done", err, em.Context().Err() != nil)
		}
		if got := drainer.Active(); got != 0 {
			t.Errorf("active runs:\n got %d\nwant 0", got)
		}
	})
}
