package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// TestMemoryRegistry plays a script of starts and ends.
func TestMemoryRegistry(t *testing.T) {
	const start, end = true, false
	tests := []struct {
		name  string
		known int
		steps []struct {
			start       bool
			thread, run string
			want        string // the code of the refusal
			names       string // something in its message
		}
	}{
		{"one active run for a thread", 0, []struct {
			start                    bool
			thread, run, want, names string
		}{
			{start, "t1", "r1", "", ""},
			{start, "t1", "r2", "thread_busy", `"r1"`},
			{start, "t2", "r3", "", ""},
			{end, "t1", "", "", ""},
			{start, "t1", "r2", "", ""},
		}},
		{"one start for a run", 0, []struct {
			start                    bool
			thread, run, want, names string
		}{
			{start, "t1", "r1", "", ""},
			{start, "t1", "r1", "thread_busy", `"r1"`},
			{start, "t2", "r1", "run_known", `"r1"`},
			{end, "t1", "", "", ""},
			{start, "t1", "r1", "run_known", `"r1"`},
		}},
		{"the oldest is forgotten", 2, []struct {
			start                    bool
			thread, run, want, names string
		}{
			{start, "t1", "r1", "", ""},
			{start, "t2", "r2", "", ""},
			{start, "t3", "r3", "", ""},
			{start, "t4", "r2", "run_known", ""},
			{start, "t4", "r1", "", ""},
			{start, "t5", "r2", "", ""},
			{start, "t6", "r1", "run_known", ""},
		}},
		{"a long id", 0, []struct {
			start                    bool
			thread, run, want, names string
		}{
			{start, "t1", strings.Repeat("r", 1<<20), "", ""},
			{start, "t2", strings.Repeat("r", 1<<20), "run_known", ""},
			{start, "t2", strings.Repeat("r", 1<<20) + "1", "", ""},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			registry := middleware.NewMemoryRegistry(tt.known)
			ends := map[string]func(){}
			for i, s := range tt.steps {
				if !s.start {
					ends[s.thread]()
					continue
				}
				endOf, err := registry.Start(t.Context(), s.thread, s.run)
				var refusal *middleware.Refusal
				switch {
				case s.want == "" && err == nil:
					ends[s.thread] = endOf
				case !errors.As(err, &refusal) || refusal.Code != s.want || refusal.Status != http.StatusConflict || !strings.Contains(refusal.Message, s.names):
					t.Errorf("step %d:\n got %v\nwant %d %s, naming %s", i, err, http.StatusConflict, s.want, s.names)
				case len(refusal.Message) > 1000:
					t.Errorf("step %d: the message has %d bytes", i, len(refusal.Message))
				}
			}
		})
	}
}

// TestRegistry asks twice for one thread.
func TestRegistry(t *testing.T) {
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		prepared := 0
		prepare := func(*http.Request, *events.RunAgentInput) (context.Context, error) { prepared++; return nil, nil }
		var handler http.Handler
		agent := func(_ context.Context, in *events.RunAgentInput, _ *emitter.Emitter) error {
			if in.RunID != "run_1" {
				return nil
			}
			got := post(t, handler, `{"threadId":"thread_1","runId":"run_2","messages":[]}`)
			r := got.refusal(t)
			if got.status != http.StatusConflict || r.Error.Code != "thread_busy" || r.Error.Field != "/threadId" || !strings.Contains(r.Error.Message, `"run_1"`) {
				t.Errorf("a second run on the thread:\n got %d %s\nwant %d thread_busy, naming run_1", got.status, got.body, http.StatusConflict)
			}
			if got := post(t, handler, `{"threadId":"thread_2","runId":"run_2","messages":[]}`); got.types(t) != finished {
				t.Errorf("a run on another thread:\n got %s\nwant %s", got.body, finished)
			}
			return nil
		}
		handler = serve(agent, middleware.WithRegistry(middleware.NewMemoryRegistry(0)), middleware.WithPrepare(prepare))
		if got := post(t, handler, input); got.types(t) != finished {
			t.Errorf("stream:\n got %s\nwant %s", got.body, finished)
		}
		got := post(t, handler, input)
		if r := got.refusal(t); got.status != http.StatusConflict || r.Error.Code != "run_known" || r.Error.Field != "/runId" {
			t.Errorf("the same request again:\n got %d %s\nwant %d run_known", got.status, got.body, http.StatusConflict)
		}
		if prepared != 4 {
			t.Errorf("requests prepared:\n got %d\nwant 4: nobody who was not let in hears of another's run", prepared)
		}
	})
}

// store is a registry of the user's own.
type store struct {
	ctx   context.Context
	err   error
	noEnd bool
	ended int
}

func (s *store) Start(ctx context.Context, threadID, runID string) (func(), error) {
	s.ctx = ctx
	if s.err != nil || s.noEnd {
		return nil, s.err
	}
	return func() { s.ended++ }, nil
}

func TestRegistryOfTheUsersOwn(t *testing.T) {
	type key struct{}
	prepare := func(r *http.Request, _ *events.RunAgentInput) (context.Context, error) {
		return context.WithValue(r.Context(), key{}, "mine"), nil
	}
	tests := []struct {
		name   string
		store  store
		status int
		ended  int
	}{
		{"that lets it pass", store{}, 200, 1},
		{"that has nothing to give back", store{noEnd: true}, 200, 0},
		{"that refuses", store{err: middleware.ThreadBusy("thread_1", "run_0")}, 409, 0},
		{"that fails", store{err: errors.New("no connection")}, 500, 0},
		{"that refuses by its own error", store{err: fmt.Errorf("store: %w", quota(429))}, 429, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			middleware.Handler(done, middleware.WithLogger(nil), middleware.WithRegistry(&tt.store), middleware.WithPrepare(prepare)).
				ServeHTTP(w, newRequest(t.Context()))
			if w.Code != tt.status || tt.store.ended != tt.ended {
				t.Errorf("answer:\n got %d, ended %d times\nwant %d, ended %d times", w.Code, tt.store.ended, tt.status, tt.ended)
			}
			if tt.store.ctx.Value(key{}) != "mine" {
				t.Errorf("context:\n got value %v\nwant that of Prepare", tt.store.ctx.Value(key{}))
			}
		})
	}
}
