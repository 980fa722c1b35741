package middleware_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	chimiddleware "github.com/go-chi/chi/v5/middleware"
	"github.com/labstack/echo/v4"
	echomiddleware "github.com/labstack/echo/v4/middleware"
	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/middleware/aguiecho"
)

// wrapper is something that people put in front of an agent. README.md has the table of them.
type wrapper struct {
	name string
	echo echo.MiddlewareFunc             // one of these two
	http func(http.Handler) http.Handler // in front of every shape
	// refused is the type that the refusal names; empty: events arrive as they are sent.
	refused string
	remark  string
}

var wrappers = []wrapper{
	{name: "none", http: func(next http.Handler) http.Handler { return next }},
	{name: "echo Recover", echo: echomiddleware.Recover()},
	{name: "echo Logger", echo: echomiddleware.LoggerWithConfig(echomiddleware.LoggerConfig{Output: io.Discard}), remark: "logs a run when it is over"},
	{name: "echo Secure", echo: echomiddleware.Secure()},
	{name: "echo CORS", echo: echomiddleware.CORS()},
	{name: "echo BodyLimit", echo: echomiddleware.BodyLimit("1M")},
	{name: "echo Gzip", echo: echomiddleware.Gzip(), remark: "compresses each event by itself, and hides failed flushes: skip it on this route"},
	{name: "echo BodyDump", echo: echomiddleware.BodyDump(func(echo.Context, []byte, []byte) {}), remark: "keeps the whole stream in memory: skip it on this route"},
	{name: "echo ContextTimeout", echo: echomiddleware.ContextTimeout(time.Hour), remark: "ends a run with `run_timeout` when its time is up"},
	{name: "echo Timeout", echo: echomiddleware.TimeoutWithConfig(echomiddleware.TimeoutConfig{Timeout: time.Hour}), refused: "*http.timeoutWriter", remark: "use `middleware.WithRunTimeout`"},
	{name: "`http.TimeoutHandler`", http: func(next http.Handler) http.Handler { return http.TimeoutHandler(next, time.Hour, "") }, refused: "*http.timeoutWriter", remark: "use `middleware.WithRunTimeout`"},
	{name: "otelhttp", http: otelhttp.NewMiddleware("agent"), remark: "hides failed flushes: a client that has left is noticed by its request"},
	{name: "chi RequestLogger", http: chimiddleware.RequestLogger(&chimiddleware.DefaultLogFormatter{Logger: log.New(io.Discard, "", 0), NoColor: true}), remark: "its writer hides failed flushes, as otelhttp's does"},
	{name: "chi Compress", http: chimiddleware.Compress(5), remark: "leaves `text/event-stream` as it is unless told otherwise"},
	{name: "chi Timeout", http: chimiddleware.Timeout(time.Hour), remark: "ends a run with `run_timeout` when its time is up"},
	{name: "a writer with `Unwrap`", http: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(open{w}, r) })
	}},
	{name: "a writer with `Flush` and no `Unwrap`", http: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(flusher{w}, r) })
	}, remark: "takes no write deadline: a stalled client holds its run, and `http.Server.WriteTimeout` cuts it"},
	{name: "a writer with neither", http: func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { next.ServeHTTP(sealed{w}, r) })
	}, refused: "middleware_test.sealed", remark: "give it an `Unwrap`"},
}

// open can be unwrapped and does nothing else.
type open struct{ http.ResponseWriter }

func (o open) Unwrap() http.ResponseWriter { return o.ResponseWriter }

// flusher flushes and hides the rest.
type flusher struct{ http.ResponseWriter }

func (f flusher) Flush() { f.ResponseWriter.(http.Flusher).Flush() }

// stacks returns what there is to serve an agent behind the wrapper.
func (w wrapper) stacks() map[string]func(middleware.RunFunc) http.Handler {
	noLog := middleware.WithLogger(nil)
	if w.echo != nil {
		return map[string]func(middleware.RunFunc) http.Handler{
			"echo Handler": func(a middleware.RunFunc) http.Handler { return echoWith(aguiecho.Handler(a, noLog), w.echo) },
			"echo Middleware": func(a middleware.RunFunc) http.Handler {
				return echoWith(func(c echo.Context) error { return callFrom(c.Request().Context(), a) }, w.echo, aguiecho.Middleware(noLog))
			},
		}
	}
	stacks := map[string]func(middleware.RunFunc) http.Handler{
		"echo.WrapMiddleware": func(a middleware.RunFunc) http.Handler {
			return echoWith(aguiecho.Handler(a, noLog), echo.WrapMiddleware(w.http))
		},
	}
	for _, s := range shapes {
		stacks[s.name] = func(a middleware.RunFunc) http.Handler { return w.http(s.serve(a, noLog)) }
	}
	return stacks
}

// TestWrappers shows that events arrive as they are sent behind each wrapper, or that the run is refused
// before anything is sent.
func TestWrappers(t *testing.T) {
	for _, w := range wrappers {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			for name, serve := range w.stacks() {
				if w.refused != "" {
					t.Run(name, func(t *testing.T) {
						got := post(t, serve(notCalled(t)), input)
						if r := got.refusal(t); got.status != http.StatusInternalServerError || !strings.Contains(r.Error.Message, w.refused) {
							t.Errorf("answer:\n got %d %s\nwant %d, naming %s", got.status, r.Error.Message, http.StatusInternalServerError, w.refused)
						}
					})
					continue
				}
				t.Run(name+", HTTP/1.1", func(t *testing.T) { assertLive(t, serve, false) })
				t.Run(name+", HTTP/2", func(t *testing.T) { assertLive(t, serve, true) })
			}
		})
	}
}

// assertLive has an agent that goes on when its client has seen the event before.
func assertLive(t *testing.T, serve func(middleware.RunFunc) http.Handler, http2 bool) {
	t.Helper()
	const count = 3
	seen := make(chan bool, count) // a client whose agent has given up reads on
	server := httptest.NewUnstartedServer(serve(func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
		for i := range count {
			select {
			case <-seen:
			case <-time.After(20 * time.Second):
				t.Errorf("event %d has not arrived", i)
				return context.DeadlineExceeded
			}
			if err := em.Custom("x:n", i); err != nil {
				return err
			}
		}
		return nil
	}))
	startServer(server, http2)
	defer server.Close()
	resp, err := server.Client().Post(server.URL, "application/json", strings.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if http2 != (resp.ProtoMajor == 2) {
		t.Fatalf("protocol:\n got %s\nwant HTTP/2: %t", resp.Proto, http2)
	}
	r := bufio.NewReader(resp.Body)
	var body strings.Builder
	for i := 0; ; {
		line, err := r.ReadString('\n')
		body.WriteString(line)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("the stream broke off: %v", err)
		}
		if strings.HasPrefix(line, "data: ") && i < count {
			seen <- true
			i++
		}
	}
	if got, want := (answer{body: body.String()}).types(t), "RUN_STARTED CUSTOM CUSTOM CUSTOM RUN_FINISHED"; got != want {
		t.Errorf("events:\n got %s\nwant %s", got, want)
	}
}

// TestWrappersAreInTheREADME holds the table there against the one here.
func TestWrappersAreInTheREADME(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range wrappers {
		verdict := "one by one"
		if w.refused != "" {
			verdict = "refused with status 500"
		}
		row := fmt.Sprintf("| %s | %s | %s |\n", w.name, verdict, w.remark)
		if !strings.Contains(string(readme), row) {
			t.Errorf("README.md lacks the row\n%s", row)
		}
	}
}
