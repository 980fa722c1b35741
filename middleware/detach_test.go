package middleware_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/verify"
)

// TestDetach loses the client in each way that there is, ten seconds into a run.
func TestDetach(t *testing.T) {
	const limit = time.Minute
	gone := errors.New("connection reset")
	// talk emits an event each second, loses the client on the way, and returns when it has done so for
	// the time or is told to.
	talk := func(d time.Duration, lose func(), results chan<- result) middleware.RunFunc {
		return func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			start := time.Now()
			for time.Since(start) < d {
				if time.Since(start) == 10*time.Second {
					lose()
				}
				if err := em.Custom("x:n", 1); err != nil {
					results <- result{context.Cause(ctx), err, time.Since(start)}
					return err
				}
				time.Sleep(time.Second)
			}
			results <- result{context.Cause(ctx), nil, time.Since(start)}
			return nil
		}
	}
	lose := map[string]func(w *failing, leave context.CancelFunc){
		"the flush fails":          func(w *failing, _ context.CancelFunc) { w.flush = gone },
		"the request is cancelled": func(_ *failing, leave context.CancelFunc) { leave() },
		"both":                     func(w *failing, leave context.CancelFunc) { w.flush = gone; leave() },
	}
	tests := []struct {
		name string
		opts []middleware.Option
		run  time.Duration
		end  string // the last event that observers hear of
		at   time.Duration
		is   []error // the cause
	}{
		{"and the agent finishes", nil, 50 * time.Second, "RUN_FINISHED", 50 * time.Second, nil},
		{"until the limit", nil, time.Hour, "RUN_ERROR", 70 * time.Second, []error{emitter.ErrDisconnected}},
		{"until the run's time is up", []middleware.Option{middleware.WithRunTimeout(30 * time.Second)}, time.Hour, "RUN_ERROR", 30 * time.Second, []error{middleware.ErrRunTimeout}},
	}
	for what, lose := range lose {
		for _, tt := range tests {
			t.Run(what+", "+tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					w := &failing{ResponseRecorder: httptest.NewRecorder()}
					ctx, leave := context.WithCancel(t.Context())
					defer leave()
					var seen heard
					results := make(chan result, 1)
					handler := middleware.Handler(talk(tt.run, func() { lose(w, leave) }, results), append(tt.opts, middleware.WithLogger(nil), middleware.WithDetach(limit),
						middleware.WithEmitter(emitter.WithObserver(func() emitter.Observer { return &seen })))...)
					handler.ServeHTTP(w, newRequest(ctx))
					got := <-results
					if d := got.after - tt.at; d < 0 || d > time.Second {
						t.Errorf("the agent went on:\n got %v\nwant %v", got.after, tt.at)
					}
					for _, is := range tt.is {
						if !errors.Is(got.cause, is) || !errors.Is(got.late, emitter.ErrClosed) {
							t.Errorf("cause:\n got %v, and %v of the call\nwant %v", got.cause, got.late, is)
						}
					}
					if tt.is == nil && (got.cause != nil || got.late != nil) {
						t.Errorf("the agent was told of its client:\n got %v, %v\nwant nothing", got.cause, got.late)
					}
					if last := seen.last(); last != tt.end {
						t.Errorf("the last event observed:\n got %s\nwant %s", last, tt.end)
					}
				})
			})
		}
	}
}

type result struct {
	cause, late error
	after       time.Duration
}

// heard is an observer that keeps the types of events.
type heard struct {
	mu    sync.Mutex
	types []string
}

func (h *heard) Start(ctx context.Context, _ *events.RunAgentInput) context.Context { return ctx }
func (h *heard) Flush(error)                                                        {}
func (h *heard) Violation(context.Context, *verify.Violation)                       {}
func (h *heard) End(context.Context, events.Event, error)                           {}

func (h *heard) Event(t events.Type, _ events.Event, _ int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.types = append(h.types, string(t))
}

func (h *heard) last() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.types[len(h.types)-1]
}

// TestDetachedRunsAreVerified breaks a rule when nobody reads any more.
func TestDetachedRunsAreVerified(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &failing{ResponseRecorder: httptest.NewRecorder(), flush: nil}
		agent := func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			w.flush = errors.New("gone")
			if err := em.Custom("x:lost", nil); err != nil {
				t.Errorf("a call whose client is gone:\n got %v\nwant nil", err)
			}
			size := w.Body.Len()
			err := em.TextContent("m1", "x")
			if want := perBuild[error](verify.NotOpen, verify.NotOpen, nil); !errors.Is(err, want) {
				t.Errorf("a broken rule:\n got %v\nwant %v", err, want)
			}
			if w.Body.Len() != size {
				t.Error("the response was written to")
			}
			return nil
		}
		handler := middleware.Handler(agent, middleware.WithLogger(nil), middleware.WithDetach(time.Minute),
			middleware.WithEmitter(emitter.WithPolicy(emitter.Reject)))
		handler.ServeHTTP(w, newRequest(t.Context()))
	})
}

// TestDetachStillStreams goes on to write to a client that has only closed its half.
func TestDetachStillStreams(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, leave := context.WithCancel(t.Context())
		agent := func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			leave()
			time.Sleep(time.Second)
			return em.Custom("x:n", 1)
		}
		w := httptest.NewRecorder()
		middleware.Handler(agent, middleware.WithLogger(nil), middleware.WithDetach(time.Minute)).ServeHTTP(w, newRequest(ctx))
		if got, want := (answer{body: w.Body.String()}).types(t), "RUN_STARTED CUSTOM RUN_FINISHED"; got != want {
			t.Errorf("written:\n got %s\nwant %s", got, want)
		}
	})
}

// TestDetachedRunsAreDrained ends a run without a client when the server shuts down.
func TestDetachedRunsAreDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drainer := middleware.NewDrainer(time.Second)
		causes := make(chan error, 1)
		ctx, leave := context.WithCancel(t.Context())
		go middleware.Handler(waits(causes), middleware.WithLogger(nil), middleware.WithDetach(time.Hour),
			middleware.WithDrainer(drainer)).ServeHTTP(httptest.NewRecorder(), newRequest(ctx))
		synctest.Wait()
		leave()
		time.Sleep(time.Minute)
		if left := drainer.Wait(t.Context()); left != 0 {
			t.Errorf("runs left:\n got %d\nwant 0", left)
		}
		if cause := <-causes; !errors.Is(cause, middleware.ErrShutdown) {
			t.Errorf("cause:\n got %v\nwant %v", cause, middleware.ErrShutdown)
		}
	})
}

// TestDetachBeforeTheRun starts none for a client that is gone before RUN_STARTED.
func TestDetachBeforeTheRun(t *testing.T) {
	w := &failing{ResponseRecorder: httptest.NewRecorder(), flush: errors.New("gone")}
	middleware.Handler(notCalled(t), middleware.WithLogger(nil), middleware.WithDetach(time.Minute)).ServeHTTP(w, newRequest(t.Context()))
}

// TestDetachFromARealConnection leaves a server in mid-stream, in each shape.
func TestDetachFromARealConnection(t *testing.T) {
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		left, done := make(chan bool), make(chan error, 1)
		agent := func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			<-left
			text := strings.Repeat("x", 1<<16)
			var err error
			for range 100 {
				if err = errors.Join(err, em.Custom("x:n", text), ctx.Err()); err != nil {
					break
				}
			}
			done <- err
			return err
		}
		server := httptest.NewServer(serve(agent, middleware.WithLogger(nil), middleware.WithDetach(time.Minute)))
		defer server.Close()
		ctx, cancel := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, strings.NewReader(input))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/json")
		resp, err := server.Client().Do(req)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		resp.Body.Close()
		close(left)
		if err := <-done; err != nil {
			t.Errorf("calls of a run that goes on:\n got %v\nwant nil", err)
		}
	})
}
