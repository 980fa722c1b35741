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

func done(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return nil }

func TestDepthAndMessages(t *testing.T) {
	nested := func(levels int) string { // of the whole body
		return strings.TrimSuffix(input, "}") + `,"state":` + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1) + "}"
	}
	messages := func(n int) string {
		all := make([]string, n)
		for i := range all {
			all[i] = fmt.Sprintf(`{"id":"m%d","role":"user","content":""}`, i)
		}
		return `{"threadId":"t","runId":"r","messages":[` + strings.Join(all, ",") + `]}`
	}
	tests := []struct {
		name, body  string
		opts        []middleware.Option
		status      int
		code, field string
	}{
		{"as deep as may be", nested(20), []middleware.Option{middleware.WithMaxDepth(20)}, 200, "", ""},
		{"a level deeper", nested(21), []middleware.Option{middleware.WithMaxDepth(20)}, 422, "too_deep", ""},
		{"deeper than by default", nested(middleware.DefaultMaxDepth + 1), nil, 422, "too_deep", ""},
		{"no limit of our own", nested(5000), []middleware.Option{middleware.WithMaxDepth(0)}, 200, "", ""},
		{"brackets in strings", strings.TrimSuffix(input, "}") + `,"state":"\"[[[[{{{{\\"}`, []middleware.Option{middleware.WithMaxDepth(2)}, 200, "", ""},
		{"brackets side by side", strings.TrimSuffix(input, "}") + `,"state":[[],[],{},{}]}`, []middleware.Option{middleware.WithMaxDepth(3)}, 200, "", ""},
		{"deep and not JSON", strings.Repeat("[", 1000), nil, 422, "too_deep", ""},
		{"closed too often", "]]]]" + input, []middleware.Option{middleware.WithMaxDepth(2)}, 400, "invalid_json", ""},
		{"as many messages as may be", messages(3), []middleware.Option{middleware.WithMaxMessages(3)}, 200, "", ""},
		{"one message more", messages(4), []middleware.Option{middleware.WithMaxMessages(3)}, 422, "too_many_messages", "/messages"},
		{"more messages than by default", messages(middleware.DefaultMaxMessages + 1), nil, 422, "too_many_messages", "/messages"},
		{"no limit of messages", messages(middleware.DefaultMaxMessages + 1), []middleware.Option{middleware.WithMaxMessages(0)}, 200, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := post(t, middleware.Handler(done, tt.opts...), tt.body)
			if got.status != tt.status {
				t.Fatalf("status:\n got %d %s\nwant %d", got.status, got.body, tt.status)
			}
			if tt.status == http.StatusOK {
				return
			}
			if r := got.refusal(t); r.Error.Code != tt.code || r.Error.Field != tt.field {
				t.Errorf("refusal:\n got %s, field %q\nwant %s, field %q", r.Error.Code, r.Error.Field, tt.code, tt.field)
			}
		})
	}
}

// TestMaxRuns fills a handler, is refused, and is served when there is room again.
func TestMaxRuns(t *testing.T) {
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		running, release := make(chan bool), make(chan bool)
		agent := func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
			running <- true
			<-release
			return nil
		}
		server := httptest.NewServer(serve(agent, middleware.WithMaxRuns(2)))
		defer server.Close()
		ask := func() answer {
			req, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(input))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			return do(t, server, req)
		}
		answers := make(chan answer, 3)
		for range 2 {
			go func() { answers <- ask() }()
			<-running
		}
		for range 2 { // a refusal takes no place
			got := ask()
			if r := got.refusal(t); got.status != http.StatusServiceUnavailable || r.Error.Code != "too_many_runs" || got.header.Get("Retry-After") == "" {
				t.Errorf("answer:\n got %d %s, Retry-After %q\nwant %d too_many_runs with a Retry-After",
					got.status, r.Error.Code, got.header.Get("Retry-After"), http.StatusServiceUnavailable)
			}
		}
		release <- true
		if got := <-answers; got.types(t) != finished {
			t.Errorf("stream:\n got %s\nwant %s", got.body, finished)
		}
		go func() { answers <- ask() }()
		select {
		case <-running:
		case refused := <-answers:
			t.Fatalf("status of the run after the last event of another:\n got %d\nwant %d", refused.status, http.StatusOK)
		}
		close(release)
		for range 2 {
			if got := <-answers; got.types(t) != finished {
				t.Errorf("stream:\n got %s\nwant %s", got.body, finished)
			}
		}
	})
}

// TestPlacesAreGivenBack takes the only place again and again, whatever became of the last to have it.
func TestPlacesAreGivenBack(t *testing.T) {
	drainer := middleware.NewDrainer(0)
	step := 0
	prepare := func(*http.Request, *events.RunAgentInput) (context.Context, error) {
		switch step {
		case 0:
			return nil, errors.New("no")
		case 1:
			panic("prepare")
		}
		return nil, nil
	}
	agent := func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
		switch step {
		case 2:
			panic("agent")
		case 3:
			panic(http.ErrAbortHandler)
		}
		return nil
	}
	handler := middleware.Handler(agent, middleware.WithLogger(nil), middleware.WithPrepare(prepare),
		middleware.WithMaxRuns(1), middleware.WithDrainer(drainer), middleware.WithRegistry(middleware.NewMemoryRegistry(1)))
	for step = range 6 {
		w := httptest.NewRecorder()
		func() {
			defer func() { _ = recover() }() // of steps 1 and 3
			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(fmt.Sprintf(`{"threadId":"t","runId":"r%d","messages":[]}`, step)))
			r.Header.Set("Content-Type", "application/json")
			handler.ServeHTTP(w, r)
		}()
		if step >= 2 && w.Code != http.StatusOK {
			t.Errorf("step %d:\n got %d %s\nwant %d", step, w.Code, w.Body, http.StatusOK)
		}
		if got := drainer.Active(); got != 0 {
			t.Errorf("step %d: active runs:\n got %d\nwant 0", step, got)
		}
	}
}
