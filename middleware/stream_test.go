package middleware_test

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	echomiddleware "github.com/labstack/echo/v4/middleware"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/middleware/aguiecho"
)

func TestHeader(t *testing.T) {
	want := map[string]string{
		"Content-Type":           "text/event-stream",
		"Cache-Control":          "no-cache, no-transform",
		"X-Accel-Buffering":      "no",
		"X-Content-Type-Options": "nosniff",
		"Content-Length":         "",
		"Connection":             "",
	}
	agent := func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return nil }
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		handler := serve(agent)
		got := post(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Length", "1")
			handler.ServeHTTP(w, r)
		}), input)
		for name, value := range want {
			if got.header.Get(name) != value {
				t.Errorf("%s:\n got %q\nwant %q", name, got.header.Get(name), value)
			}
		}
	})
}

// TestEventsArriveAsTheyAreSent has an agent that waits for its client to have seen each event.
func TestEventsArriveAsTheyAreSent(t *testing.T) {
	agentWith := func(seen <-chan bool) middleware.RunFunc {
		return func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			for i := range 3 {
				select {
				case <-seen:
				case <-ctx.Done():
					return ctx.Err()
				}
				if err := em.Custom("x:n", i); err != nil {
					return err
				}
			}
			return nil
		}
	}
	const want = "RUN_STARTED CUSTOM CUSTOM CUSTOM RUN_FINISHED"
	test := func(t *testing.T, handlerOf func(middleware.RunFunc) http.Handler, tls bool) {
		seen := make(chan bool)
		server := httptest.NewUnstartedServer(handlerOf(agentWith(seen)))
		server.EnableHTTP2 = tls
		if tls {
			server.StartTLS()
		} else {
			server.Start()
		}
		defer server.Close()
		resp, err := server.Client().Post(server.URL, "application/json", strings.NewReader(input))
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if tls && resp.ProtoMajor != 2 {
			t.Fatalf("protocol:\n got %s\nwant HTTP/2", resp.Proto)
		}
		r := bufio.NewReader(resp.Body)
		var body strings.Builder
		for i := 0; ; i++ {
			line, err := r.ReadString('\n')
			body.WriteString(line)
			if err != nil {
				break
			}
			if strings.HasPrefix(line, "data: ") && i < 2*3 {
				seen <- true
			}
		}
		if got := (answer{body: body.String()}).types(t); got != want {
			t.Errorf("events:\n got %s\nwant %s", got, want)
		}
	}
	for _, s := range shapes {
		serve := func(a middleware.RunFunc) http.Handler { return s.serve(a) }
		t.Run(s.name, func(t *testing.T) { test(t, serve, false) })
		t.Run(s.name+" over HTTP/2", func(t *testing.T) { test(t, serve, true) })
		t.Run(s.name+" behind a wrapper with Unwrap alone", func(t *testing.T) {
			test(t, func(a middleware.RunFunc) http.Handler {
				handler := serve(a)
				return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					handler.ServeHTTP(open{w}, r)
				})
			}, false)
		})
	}
	for name, m := range map[string]echo.MiddlewareFunc{
		"echo Gzip":           echomiddleware.Gzip(),
		"echo Recover":        echomiddleware.Recover(),
		"echo BodyDump":       echomiddleware.BodyDump(func(echo.Context, []byte, []byte) {}),
		"echo Secure":         echomiddleware.Secure(),
		"echo ContextTimeout": echomiddleware.ContextTimeout(time.Hour),
	} {
		t.Run("behind "+name, func(t *testing.T) {
			test(t, func(a middleware.RunFunc) http.Handler { return echoWith(aguiecho.Handler(a), m) }, false)
		})
	}
}

// open can be unwrapped and does nothing else.
type open struct{ http.ResponseWriter }

func (o open) Unwrap() http.ResponseWriter { return o.ResponseWriter }

func TestTimeoutMiddlewaresAreRefused(t *testing.T) {
	for name, handler := range map[string]http.Handler{
		"http.TimeoutHandler": http.TimeoutHandler(middleware.Handler(notCalled(t), middleware.WithLogger(nil)), time.Hour, ""),
		"echo Timeout": echoWith(aguiecho.Handler(notCalled(t), middleware.WithLogger(nil)),
			echomiddleware.TimeoutWithConfig(echomiddleware.TimeoutConfig{Timeout: time.Hour})),
	} {
		t.Run(name, func(t *testing.T) {
			got := post(t, handler, input)
			if r := got.refusal(t); got.status != http.StatusInternalServerError || !strings.Contains(r.Error.Message, "*http.timeoutWriter") {
				t.Errorf("answer:\n got %d %s\nwant %d, naming *http.timeoutWriter", got.status, r.Error.Message, http.StatusInternalServerError)
			}
		})
	}
}
