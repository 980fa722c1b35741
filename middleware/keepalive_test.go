package middleware_test

import (
	"context"
	"errors"
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

// timeline is a response that notes what was written, and when.
type timeline struct {
	*httptest.ResponseRecorder
	start time.Time
	notes []string
	fail  error // what the write of a comment returns
}

func (l *timeline) Write(p []byte) (int, error) {
	what, _, _ := strings.Cut(strings.TrimPrefix(string(p), `data: {"type":"`), `"`)
	l.notes = append(l.notes, time.Since(l.start).String()+" "+strings.TrimSpace(what))
	if l.fail != nil && strings.HasPrefix(what, ":") {
		return 0, l.fail
	}
	return l.ResponseRecorder.Write(p)
}

func TestKeepAlive(t *testing.T) {
	tests := []struct {
		name  string
		opts  []middleware.Option
		agent middleware.RunFunc
		want  string
	}{
		{
			name: "a comment after each silence, before the agent has spoken",
			agent: func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
				time.Sleep(40 * time.Second)
				return nil
			},
			want: "0s RUN_STARTED, 15s : keep-alive, 30s : keep-alive, 40s RUN_FINISHED",
		},
		{
			name: "none while the agent speaks",
			agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
				for range 3 {
					time.Sleep(14 * time.Second)
					if err := em.Custom("x:n", nil); err != nil {
						return err
					}
				}
				time.Sleep(16 * time.Second)
				return nil
			},
			want: "0s RUN_STARTED, 14s CUSTOM, 28s CUSTOM, 42s CUSTOM, 57s : keep-alive, 58s RUN_FINISHED",
		},
		{
			name: "none after the agent's own terminal event",
			agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
				defer time.Sleep(time.Minute)
				return em.RunFinish(nil)
			},
			want: "0s RUN_STARTED, 0s RUN_FINISHED",
		},
		{
			name: "a comment for each heartbeat that is too large",
			opts: []middleware.Option{
				middleware.WithHeartbeat("acme:" + strings.Repeat("x", 200)),
				middleware.WithEmitter(emitter.WithMaxEventSize(150)),
			},
			agent: func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
				time.Sleep(40 * time.Second)
				return nil
			},
			want: "0s RUN_STARTED, 15s : keep-alive, 30s : keep-alive, 40s RUN_FINISHED",
		},
		{
			name: "none after the run's time is up",
			opts: []middleware.Option{middleware.WithRunTimeout(20 * time.Second)},
			agent: func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
				time.Sleep(time.Minute)
				return nil
			},
			want: "0s RUN_STARTED, 15s : keep-alive, 20s RUN_ERROR",
		},
		{
			name: "another interval",
			opts: []middleware.Option{middleware.WithKeepAlive(30 * time.Second)},
			agent: func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
				time.Sleep(time.Minute - 1)
				return nil
			},
			want: "0s RUN_STARTED, 30s : keep-alive, 59.999999999s RUN_FINISHED",
		},
		{
			name: "off",
			opts: []middleware.Option{middleware.WithKeepAlive(0)},
			agent: func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
				time.Sleep(time.Hour)
				return nil
			},
			want: "0s RUN_STARTED, 1h0m0s RUN_FINISHED",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &timeline{ResponseRecorder: httptest.NewRecorder(), start: time.Now()}
				handler := middleware.Handler(tt.agent, append(tt.opts, middleware.WithLogger(nil))...)
				handler.ServeHTTP(w, newRequest(t.Context()))
				time.Sleep(time.Hour) // a timer that was left would write
				synctest.Wait()
				if got := strings.Join(w.notes, ", "); got != tt.want {
					t.Errorf("written:\n got %s\nwant %s", got, tt.want)
				}
			})
		})
	}
}

func TestKeepAliveThatFailsEndsTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reset := errors.New("connection reset")
		agent := func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			start := time.Now()
			<-ctx.Done()
			if after := time.Since(start); after != middleware.DefaultKeepAlive {
				t.Errorf("a silent agent hears of it:\n got after %v\nwant after %v", after, middleware.DefaultKeepAlive)
			}
			for what, err := range map[string]error{"cause": context.Cause(ctx), "a later call": em.Custom("x:late", nil)} {
				if !errors.Is(err, emitter.ErrDisconnected) || !errors.Is(err, reset) {
					t.Errorf("%s:\n got %v\nwant one that Is ErrDisconnected and %v", what, err, reset)
				}
			}
			return ctx.Err()
		}
		w := &timeline{ResponseRecorder: httptest.NewRecorder(), start: time.Now(), fail: reset}
		middleware.Handler(agent, middleware.WithLogger(nil)).ServeHTTP(w, newRequest(t.Context()))
		if got, want := strings.Join(w.notes, ", "), "0s RUN_STARTED, 15s : keep-alive"; got != want {
			t.Errorf("written:\n got %s\nwant %s", got, want)
		}
	})
}

// TestKeepAliveBesideEvents lets comments and events from many goroutines race for one connection.
func TestKeepAliveBesideEvents(t *testing.T) {
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		const goroutines, each = 8, 20
		agent := func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			errs := make(chan error)
			for range goroutines {
				go func() {
					var first error
					for i := range each {
						time.Sleep(time.Millisecond)
						if err := em.Custom("x:n", i); err != nil && first == nil {
							first = err
						}
					}
					errs <- first
				}()
			}
			var all []error
			for range goroutines {
				all = append(all, <-errs)
			}
			time.Sleep(20 * time.Millisecond)
			return errors.Join(all...)
		}
		got := post(t, serve(agent, middleware.WithKeepAlive(time.Millisecond)), input)
		if n := strings.Count(got.types(t), "CUSTOM"); n != goroutines*each {
			t.Errorf("events:\n got %d\nwant %d", n, goroutines*each)
		}
		if !strings.Contains(got.body, ": keep-alive\n\n") {
			t.Error("no comment was sent")
		}
		if !strings.HasSuffix(got.body, `"RUN_FINISHED","threadId":"thread_1","runId":"run_1"}`+"\n\n") {
			t.Errorf("the stream does not end with its terminal event:\n%s", got.body[max(0, len(got.body)-200):])
		}
	})
}

func TestNoDeadlineIsSaidOnce(t *testing.T) {
	var log logs
	agent := func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return nil }
	handler := middleware.Handler(agent, log.option())
	for range 3 {
		w := httptest.NewRecorder() // takes no deadline
		handler.ServeHTTP(w, newRequest(t.Context()))
		if got := (answer{body: w.Body.String()}).types(t); got != finished {
			t.Errorf("events:\n got %s\nwant %s", got, finished)
		}
	}
	if got, want := strings.Count(log.String(), "takes no write deadline"), 1; got != want {
		t.Errorf("lines in the log of three runs:\n got %d\nwant %d\n%s", got, want, log.String())
	}
}
