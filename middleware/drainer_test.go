package middleware_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// waits is an agent that goes on until its context is done, and reports the cause.
func waits(causes chan<- error) middleware.RunFunc {
	return func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
		<-ctx.Done()
		causes <- context.Cause(ctx)
		return ctx.Err()
	}
}

// TestDrainer has runs that are over before, in and after the grace period.
func TestDrainer(t *testing.T) {
	const grace = 10 * time.Second
	agent := func(d time.Duration) middleware.RunFunc {
		return func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			select {
			case <-time.After(d):
				return nil
			case <-ctx.Done():
				if cause := context.Cause(ctx); !errors.Is(cause, middleware.ErrShutdown) {
					t.Errorf("cause:\n got %v\nwant %v", cause, middleware.ErrShutdown)
				}
				if err := em.Custom("x:late", nil); !errors.Is(err, emitter.ErrClosed) || !errors.Is(err, middleware.ErrShutdown) {
					t.Errorf("a call after the shutdown:\n got %v\nwant one that Is ErrClosed and ErrShutdown", err)
				}
				time.Sleep(time.Second)
				return ctx.Err()
			}
		}
	}
	tests := []struct {
		name  string
		grace time.Duration
		run   time.Duration // how long the agent goes on
		wait  time.Duration // how long Wait may take
		notes string
		left  int
		over  time.Duration // when Wait returns
	}{
		{"over in the grace period", grace, 4 * time.Second, time.Minute, "0s RUN_STARTED, 4s RUN_FINISHED", 0, 4 * time.Second},
		{"ended after it", grace, time.Hour, time.Minute, "0s RUN_STARTED, 10s RUN_ERROR", 0, 11 * time.Second},
		{"ended at once", 0, time.Hour, time.Minute, "0s RUN_STARTED, 0s RUN_ERROR", 0, time.Second},
		{"left behind in the grace period", grace, time.Hour, 5 * time.Second, "0s RUN_STARTED, 10s RUN_ERROR", 1, 5 * time.Second},
		{"left behind after it", grace, time.Hour, grace + time.Second/2, "0s RUN_STARTED, 10s RUN_ERROR", 1, grace + time.Second/2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log logs
				drainer := middleware.NewDrainer(tt.grace)
				handler := middleware.Handler(agent(tt.run), middleware.WithDrainer(drainer), log.option())
				w := &timeline{ResponseRecorder: httptest.NewRecorder(), start: time.Now()}
				go handler.ServeHTTP(w, newRequest(t.Context()))
				synctest.Wait()
				if got := drainer.Active(); got != 1 {
					t.Errorf("active runs:\n got %d\nwant 1", got)
				}
				ctx, cancel := context.WithTimeout(t.Context(), tt.wait)
				defer cancel()
				left := drainer.Wait(ctx)
				if over := time.Since(w.start); left != tt.left || over != tt.over {
					t.Errorf("Wait:\n got %d left after %v\nwant %d left after %v", left, over, tt.left, tt.over)
				}
				time.Sleep(time.Hour)
				synctest.Wait()
				if got := strings.Join(w.notes, ", "); got != tt.notes {
					t.Errorf("written:\n got %s\nwant %s", got, tt.notes)
				}
				if drainer.Active() != 0 || drainer.Wait(t.Context()) != 0 {
					t.Errorf("active runs in the end:\n got %d\nwant 0", drainer.Active())
				}
				if strings.Contains(log.String(), "the agent failed") {
					t.Errorf("a shutdown is nobody's mistake, but this was logged:\n%s", log.String())
				}
			})
		})
	}
}

// TestShutdown ends a server in each shape: its clients are told, whole streams arrive, and nothing is
// left.
func TestShutdown(t *testing.T) {
	for _, http2 := range []bool{false, true} {
		name := "HTTP/1.1"
		if http2 {
			name = "HTTP/2"
		}
		t.Run(name, func(t *testing.T) {
			eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
				causes := make(chan error, 2)
				drainer := middleware.NewDrainer(0)
				server := httptest.NewUnstartedServer(serve(waits(causes), middleware.WithDrainer(drainer), middleware.WithLogger(nil)))
				server.Config.RegisterOnShutdown(drainer.Drain)
				startServer(server, http2)
				defer server.Close()
				answers := make(chan answer, 2)
				for range cap(answers) {
					resp, err := server.Client().Post(server.URL, "application/json", strings.NewReader(input)) //nolint:bodyclose // the goroutine below does
					if err != nil {
						t.Fatal(err)
					}
					go func() {
						defer resp.Body.Close()
						text, err := io.ReadAll(resp.Body)
						answers <- answer{body: string(text), err: err}
					}()
				}
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				if err := server.Config.Shutdown(ctx); err != nil {
					t.Errorf("Shutdown: %v", err)
				}
				if left := drainer.Wait(ctx); left != 0 {
					t.Errorf("runs left:\n got %d\nwant 0", left)
				}
				for range cap(answers) {
					if cause := <-causes; !errors.Is(cause, middleware.ErrShutdown) {
						t.Errorf("cause:\n got %v\nwant %v", cause, middleware.ErrShutdown)
					}
					got := <-answers
					if _, code := got.runError(t); got.types(t) != failed || code != middleware.CodeServerShutdown || got.err != nil {
						t.Errorf("stream:\n got %s (%v)\nwant RUN_ERROR %s", got.body, got.err, middleware.CodeServerShutdown)
					}
				}
			})
		})
	}
}

func TestNoNewRunsWhileDraining(t *testing.T) {
	drainer := middleware.NewDrainer(time.Hour)
	drainer.Drain()
	drainer.Drain()
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		prepare := func(*http.Request, *events.RunAgentInput) (context.Context, error) {
			t.Error("a request was prepared that cannot be served")
			return nil, nil
		}
		got := post(t, serve(notCalled(t), middleware.WithDrainer(drainer), middleware.WithPrepare(prepare)), input)
		if r := got.refusal(t); got.status != http.StatusServiceUnavailable || r.Error.Code != "server_shutdown" {
			t.Errorf("answer:\n got %d %s\nwant %d server_shutdown", got.status, r.Error.Code, http.StatusServiceUnavailable)
		}
		if got.header.Get("Retry-After") == "" {
			t.Error("the refusal has no Retry-After")
		}
	})
	if got := drainer.Active(); got != 0 {
		t.Errorf("active runs:\n got %d\nwant 0", got)
	}
}

// TestDrainerIsThereBeforeTheRun ends the grace period while a request is prepared.
func TestDrainerIsThereBeforeTheRun(t *testing.T) {
	drainer := middleware.NewDrainer(0)
	causes := make(chan error, 1)
	got := post(t, middleware.Handler(waits(causes), middleware.WithLogger(nil), middleware.WithDrainer(drainer),
		middleware.WithPrepare(func(*http.Request, *events.RunAgentInput) (context.Context, error) {
			drainer.Drain()
			return nil, nil
		})), input)
	if _, code := got.runError(t); code != middleware.CodeServerShutdown {
		t.Errorf("stream:\n got %s\nwant RUN_ERROR %s", got.body, middleware.CodeServerShutdown)
	}
}

// TestShutdownBesideAStalledClient ends the runs of others at once, whatever holds up one of them.
func TestShutdownBesideAStalledClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		drainer := middleware.NewDrainer(0)
		causes := make(chan error, 2)
		handler := middleware.Handler(waits(causes), middleware.WithLogger(nil), middleware.WithDrainer(drainer))
		stalled := &stalling{ResponseRecorder: httptest.NewRecorder(), free: make(chan bool)}
		w := &timeline{ResponseRecorder: httptest.NewRecorder(), start: time.Now()}
		go handler.ServeHTTP(stalled, newRequest(t.Context()))
		go handler.ServeHTTP(w, newRequest(t.Context()))
		synctest.Wait()
		drainer.Drain()
		synctest.Wait()
		if got, want := strings.Join(w.notes, ", "), "0s RUN_STARTED, 0s RUN_ERROR"; got != want {
			t.Errorf("written to the other client:\n got %s\nwant %s", got, want)
		}
		if got := drainer.Active(); got != 1 {
			t.Errorf("active runs:\n got %d\nwant 1, the one that is stuck", got)
		}
		close(stalled.free)
		if left := drainer.Wait(t.Context()); left != 0 {
			t.Errorf("runs left:\n got %d\nwant 0", left)
		}
	})
}

// stalling takes RUN_STARTED and then nothing until it is free.
type stalling struct {
	*httptest.ResponseRecorder
	free chan bool
	any  bool
}

func (s *stalling) Write(p []byte) (int, error) {
	if s.any {
		<-s.free
	}
	s.any = true
	return s.ResponseRecorder.Write(p)
}
