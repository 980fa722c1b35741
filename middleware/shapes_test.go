package middleware_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/middleware/aguiecho"
	"github.com/agui-go/agui/verify"
)

// shapes are the ways to serve an agent. What holds for one holds for all.
var shapes = []struct {
	name  string
	serve func(middleware.RunFunc, ...middleware.Option) http.Handler
}{
	{"Handler", middleware.Handler},
	{"Wrap", wrapped},
	{"echo Handler", func(agent middleware.RunFunc, opts ...middleware.Option) http.Handler {
		return echoWith(aguiecho.Handler(agent, opts...))
	}},
	{"echo Middleware", func(agent middleware.RunFunc, opts ...middleware.Option) http.Handler {
		return echoWith(func(c echo.Context) error {
			return callFrom(c.Request().Context(), agent)
		}, aguiecho.Middleware(opts...))
	}},
}

func wrapped(agent middleware.RunFunc, opts ...middleware.Option) http.Handler {
	return middleware.Wrap(opts...)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		middleware.FailRun(r.Context(), callFrom(r.Context(), agent))
	}))
}

// callFrom calls the agent with what a handler finds in its context.
func callFrom(ctx context.Context, agent middleware.RunFunc) error {
	em, _ := emitter.FromContext(ctx)
	in, _ := middleware.InputFromContext(ctx)
	return agent(ctx, in, em)
}

// echoWith returns an echo that answers every method on / with the handler. Its error handler spoils
// a stream that it gets to see.
func echoWith(h echo.HandlerFunc, m ...echo.MiddlewareFunc) *echo.Echo {
	e := echo.New()
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		_ = c.String(http.StatusInternalServerError, "echo's error handler: "+err.Error())
	}
	e.Any("/", h, m...)
	return e
}

// eachShape runs a test for each shape.
func eachShape(t *testing.T, test func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler)) {
	t.Helper()
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) { test(t, s.serve) })
	}
}

// perBuild returns what is expected of an emitter that meets a wrong event: by default, with the tag
// aguidebug and with the tag aguinoverify.
func perBuild[T any](byDefault, debug, noVerify T) T {
	switch {
	case build.Debug:
		return debug
	case build.NoVerify:
		return noVerify
	}
	return byDefault
}

const input = `{"threadId":"thread_1","runId":"run_1","messages":[]}`

// answer is what a client got.
type answer struct {
	status int
	header http.Header
	body   string
	err    error // why the body broke off
}

// post sends body to the handler over a connection of its own.
func post(t *testing.T, handler http.Handler, body string) answer {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	req, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	return do(t, server, req)
}

func do(t *testing.T, server *httptest.Server, req *http.Request) answer {
	t.Helper()
	resp, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	return answer{status: resp.StatusCode, header: resp.Header, body: string(text), err: err}
}

func newRequest(ctx context.Context) *http.Request {
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/", strings.NewReader(input))
	r.Header.Set("Content-Type", "application/json")
	return r
}

// events returns the events of the stream, which has nothing in it but whole frames.
func (a answer) events(t *testing.T) []events.Event {
	t.Helper()
	frames, ok := strings.CutSuffix(a.body, "\n\n")
	if !ok {
		t.Fatalf("the stream does not end with a whole frame:\n%s", a.body)
	}
	var list []events.Event
	for frame := range strings.SplitSeq(frames, "\n\n") {
		if strings.HasPrefix(frame, ":") {
			continue
		}
		data, ok := strings.CutPrefix(frame, "data: ")
		if !ok || strings.Contains(data, "\n") {
			t.Fatalf("not a frame: %q", frame)
		}
		ev, err := events.Decode([]byte(data))
		if err != nil {
			t.Fatalf("%v: %s", err, data)
		}
		list = append(list, ev)
	}
	return list
}

// types returns the types of the events, separated by spaces.
func (a answer) types(t *testing.T) string {
	t.Helper()
	var types []string
	for _, ev := range a.events(t) {
		types = append(types, string(ev.EventType()))
	}
	return strings.Join(types, " ")
}

// runError returns the message and the code of the RUN_ERROR that ends the stream, if one does.
func (a answer) runError(t *testing.T) (message, code string) {
	t.Helper()
	list := a.events(t)
	if e, ok := list[len(list)-1].(*events.RunError); ok {
		return e.Message, e.Code.Or("")
	}
	return "", ""
}

// assertValid checks the stream as the official client does.
func (a answer) assertValid(t *testing.T) {
	t.Helper()
	verifier := verify.New(verify.Strict)
	for _, ev := range a.events(t) {
		if err := verifier.Observe(ev); err != nil {
			t.Errorf("the client refuses the stream: %v\n%s", err, a.body)
		}
	}
	if err := verifier.End(); err != nil {
		t.Errorf("the client refuses the stream: %v\n%s", err, a.body)
	}
}

// logs is a logger that keeps its lines.
type logs struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.buf.String()
}

func (l *logs) option() middleware.Option {
	return middleware.WithLogger(slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug})))
}

// startServer starts the server with HTTP/2, over TLS, or with HTTP/1.1.
func startServer(server *httptest.Server, http2 bool) {
	server.EnableHTTP2 = http2
	if http2 {
		server.StartTLS()
		return
	}
	server.Start()
}
