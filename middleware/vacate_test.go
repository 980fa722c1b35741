package middleware_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// onTerminal is a response that calls a function before it takes the end of the run.
type onTerminal struct {
	*httptest.ResponseRecorder
	call func(terminal string)
}

func (w *onTerminal) Write(p []byte) (int, error) {
	for _, terminal := range []string{"RUN_FINISHED", "RUN_ERROR"} {
		if strings.Contains(string(p), terminal) {
			w.call(terminal)
		}
	}
	return w.ResponseRecorder.Write(p)
}

// TestVacate follows when a run gives up its thread: the client must not be able to learn of the end before,
// unless the agent goes on after it.
func TestVacate(t *testing.T) {
	type agent = middleware.RunFunc
	tests := []struct {
		name  string
		agent agent
		opts  []middleware.Option
		want  string
	}{
		{"an agent that returns", done, nil, "returned, given up, RUN_FINISHED"},
		{"one that leaves something open", func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			_, err := em.Text().WriteString("x")
			return err
		}, nil, "returned, given up, " + perBuild("RUN_FINISHED", "RUN_ERROR", "RUN_FINISHED")},
		{"one that fails", func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return errors.New("x") }, nil,
			"returned, given up, RUN_ERROR"},
		{"one that panics", func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { panic("x") }, nil,
			"returned, given up, RUN_ERROR"},
		{"one whose goroutine goes on", func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.Go(func(context.Context) error {
				time.Sleep(20 * time.Millisecond)
				return em.Custom("x:n", nil)
			})
		}, nil, "returned, given up, RUN_FINISHED"},
		{"one that sends the end itself", func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.RunFinish(nil)
		}, nil, "RUN_FINISHED, returned, given up"},
		{"one whose time is up", func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
			<-ctx.Done()
			return nil
		}, []middleware.Option{middleware.WithRunTimeout(10 * time.Millisecond)}, "RUN_ERROR, returned, given up"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			steps := make(chan string, 10)
			agent := func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
				defer func() { steps <- "returned" }()
				return tt.agent(ctx, in, em)
			}
			claims := registry(func() (func(), error) { return func() { steps <- "given up" }, nil })
			w := &onTerminal{httptest.NewRecorder(), func(terminal string) { steps <- terminal }}
			middleware.Handler(agent, append(tt.opts, middleware.WithLogger(nil), middleware.WithRegistry(claims))...).ServeHTTP(w, newRequest(t.Context()))
			close(steps)
			var got []string
			for step := range steps {
				got = append(got, step)
			}
			if got := strings.Join(got, ", "); got != tt.want {
				t.Errorf("steps:\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// TestNextRun asks for the next run as early as a client can, where only one is allowed. To the drainer the
// first is active still.
func TestNextRun(t *testing.T) {
	drainer := middleware.NewDrainer(0)
	handler := middleware.Handler(done, middleware.WithLogger(nil), middleware.WithMaxRuns(1),
		middleware.WithRegistry(middleware.NewMemoryRegistry(0)), middleware.WithDrainer(drainer))
	next := httptest.NewRecorder()
	active := 0
	w := &onTerminal{httptest.NewRecorder(), func(string) {
		active = drainer.Active()
		r := newRequest(t.Context())
		r.Body = io.NopCloser(strings.NewReader(`{"threadId":"thread_1","runId":"run_2","messages":[]}`))
		handler.ServeHTTP(next, r)
	}}
	handler.ServeHTTP(w, newRequest(t.Context()))
	if next.Code != http.StatusOK {
		t.Errorf("the next run on the thread:\n got %d %s\nwant %d", next.Code, next.Body, http.StatusOK)
	}
	if active != 1 || drainer.Active() != 0 {
		t.Errorf("active runs:\n got %d at the last event and %d in the end\nwant 1 and 0", active, drainer.Active())
	}
}

// TestRegistryThatPanics gives everything else back, ends the run as ever, and says so in the log.
func TestRegistryThatPanics(t *testing.T) {
	var log logs
	drainer := middleware.NewDrainer(0)
	claims := registry(func() (func(), error) { return func() { panic("the store is gone") }, nil })
	handler := middleware.Handler(done, log.option(), middleware.WithMaxRuns(1), middleware.WithDrainer(drainer), middleware.WithRegistry(claims))
	for range 2 {
		if got := post(t, handler, input); got.status != http.StatusOK || got.types(t) != finished {
			t.Errorf("stream:\n got %d %s\nwant %s", got.status, got.body, finished)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if got := drainer.Wait(ctx); got != 0 {
		t.Errorf("runs left:\n got %d\nwant 0", got)
	}
	if got := strings.Count(log.String(), "the store is gone"); got != 2 {
		t.Errorf("panics in the log of two runs:\n got %d\nwant 2\n%s", got, log.String())
	}
}
