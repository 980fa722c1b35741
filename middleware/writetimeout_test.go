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

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// TestWriteTimeoutBeforeTheRun takes longer to prepare than the server gives an answer: a run, and a refusal,
// come all the same.
func TestWriteTimeoutBeforeTheRun(t *testing.T) {
	const limit = 300 * time.Millisecond
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"a run", nil, "RUN_FINISHED"},
		{"a refusal", &middleware.Refusal{Status: http.StatusForbidden, Code: "forbidden", Message: "no"}, "forbidden"},
	}
	for _, http2 := range []bool{false, true} {
		for _, tt := range tests {
			name := tt.name + ", HTTP/1.1"
			if http2 {
				name = tt.name + ", HTTP/2"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				prepare := func(*http.Request, *events.RunAgentInput) (context.Context, error) {
					time.Sleep(2 * limit)
					return nil, tt.err
				}
				server := httptest.NewUnstartedServer(middleware.Handler(done, middleware.WithPrepare(prepare), middleware.WithLogger(nil)))
				server.Config.WriteTimeout = limit
				startServer(server, http2)
				defer server.Close()
				req, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(input))
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Content-Type", "application/json")
				if got := do(t, server, req); got.err != nil || !strings.Contains(got.body, tt.want) {
					t.Errorf("answer:\n got %d %s (%v)\nwant %s", got.status, got.body, got.err, tt.want)
				}
			})
		}
	}
}

// TestAnswersHaveADeadline lifts the server's limit while the request is looked at, and no longer.
func TestAnswersHaveADeadline(t *testing.T) {
	const limit, prepares = time.Minute, time.Hour
	tests := []struct {
		name    string
		major   int
		limit   time.Duration
		prepare func() error
		want    string // deadlines since the beginning
	}{
		{"refused, HTTP/1.1", 1, limit, func() error { return errors.New("no") }, "1h1m0s"},
		{"refused, HTTP/2", 2, limit, func() error { return errors.New("no") }, "none 1h1m0s"},
		{"answered by the function, HTTP/2", 2, limit, func() error { return middleware.ErrAnswered }, "none 1h1m0s"},
		{"a panic, HTTP/2", 2, limit, func() error { panic("prepare") }, "none 1h1m0s"},
		{"no limit of the server, HTTP/2", 2, 0, func() error { return errors.New("no") }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				handler := middleware.Handler(done, middleware.WithLogger(nil),
					middleware.WithPrepare(func(*http.Request, *events.RunAgentInput) (context.Context, error) {
						time.Sleep(prepares)
						return nil, tt.prepare()
					}))
				w := &deadlined{failing: failing{ResponseRecorder: httptest.NewRecorder()}, start: time.Now()}
				r := newRequest(context.WithValue(t.Context(), http.ServerContextKey, &http.Server{WriteTimeout: tt.limit}))
				r.ProtoMajor = tt.major
				func() {
					defer func() { _ = recover() }()
					handler.ServeHTTP(w, r)
				}()
				if got := strings.Join(w.deadlines, " "); got != tt.want {
					t.Errorf("deadlines:\n got %s\nwant %s", got, tt.want)
				}
			})
		})
	}
}
