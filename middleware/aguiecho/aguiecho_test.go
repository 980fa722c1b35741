package aguiecho_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	echomiddleware "github.com/labstack/echo/v4/middleware"
	"go.uber.org/goleak"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/middleware/aguiecho"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const input = `{"threadId":"thread_1","runId":"run_1","messages":[]}`

func quiet(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return nil }

// post sends body to an echo and returns the status and the body of the answer.
func post(t *testing.T, e *echo.Echo, body string) (status int, text string) {
	t.Helper()
	server := httptest.NewServer(e)
	defer server.Close()
	resp, err := server.Client().Post(server.URL, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(data)
}

// TestMiddlewaresInFrontSeeTheResponse holds for whatever the answer is.
func TestMiddlewaresInFrontSeeTheResponse(t *testing.T) {
	tests := []struct {
		name, body string
		agent      middleware.RunFunc
		status     int
	}{
		{"a run", input, quiet, http.StatusOK},
		{"a run that fails", input, func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return errors.New("x") }, http.StatusOK},
		{"a run that panics", input, func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { panic("x") }, http.StatusOK},
		{"a refusal", `{}`, quiet, http.StatusUnprocessableEntity},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := echo.New()
			e.HTTPErrorHandler = func(err error, c echo.Context) { t.Errorf("echo's error handler was called: %v", err) }
			var after echo.Response
			var flows bool
			e.POST("/", aguiecho.Handler(tt.agent, middleware.WithLogger(nil)), func(next echo.HandlerFunc) echo.HandlerFunc {
				return func(c echo.Context) error {
					request, response := c.Request(), c.Response()
					err := next(c)
					after = *c.Response()
					flows = c.Request() == request && c.Response() == response
					return err
				}
			})
			status, body := post(t, e, tt.body)
			if status != tt.status || after.Status != tt.status {
				t.Errorf("status:\n got %d, and %d in echo\nwant %d", status, after.Status, tt.status)
			}
			if after.Size != int64(len(body)) || !after.Committed {
				t.Errorf("echo's response:\n got size %d, committed %t\nwant size %d, committed", after.Size, after.Committed, len(body))
			}
			if !flows {
				t.Error("the echo.Context has not got back its request and response")
			}
		})
	}
}

func TestContextInsideARun(t *testing.T) {
	type key struct{}
	e := echo.New()
	e.POST("/agents/:name", aguiecho.Handler(func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
		c, ok := aguiecho.FromContext(ctx)
		if !ok {
			t.Fatal("no echo.Context in the run's context")
		}
		if c.Param("name") != "weather" || c.Get("user") != "ada" {
			t.Errorf("echo.Context:\n got name %q, user %v\nwant weather, ada", c.Param("name"), c.Get("user"))
		}
		if got, ok := emitter.FromContext(c.Request().Context()); !ok || !got.Started() {
			t.Errorf("emitter in the request's context:\n got %v, %t\nwant the run's", got, ok)
		}
		if c.Response().Status != http.StatusOK {
			t.Errorf("status of the response:\n got %d\nwant 200", c.Response().Status)
		}
		if ctx.Value(key{}) != "mine" {
			t.Errorf("value from Prepare:\n got %v\nwant mine", ctx.Value(key{}))
		}
		return nil
	}, aguiecho.WithPrepare(func(c echo.Context, in *events.RunAgentInput) (context.Context, error) {
		if in.RunID != "run_1" {
			t.Errorf("input:\n got run %q\nwant run_1", in.RunID)
		}
		c.Set("user", "ada")
		return context.WithValue(c.Request().Context(), key{}, "mine"), nil
	})))
	server := httptest.NewServer(e)
	defer server.Close()
	resp, err := server.Client().Post(server.URL+"/agents/weather", "application/json", strings.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); !strings.Contains(string(body), "RUN_FINISHED") {
		t.Errorf("stream:\n got %s\nwant RUN_FINISHED", body)
	}
}

// TestContextOfAnotherOrigin prepares a context that does not derive from the request's.
func TestContextOfAnotherOrigin(t *testing.T) {
	e := echo.New()
	e.POST("/", aguiecho.Handler(func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
		for whose, ctx := range map[string]context.Context{"agent": ctx, "emitter": em.Context()} {
			if _, ok := aguiecho.FromContext(ctx); !ok {
				t.Errorf("no echo.Context in the context of the %s", whose)
			}
		}
		return nil
	}, middleware.WithPrepare(func(r *http.Request, _ *events.RunAgentInput) (context.Context, error) {
		if _, ok := aguiecho.FromContext(r.Context()); !ok {
			t.Error("no echo.Context in the context of the request")
		}
		return context.Background(), nil
	})))
	if _, body := post(t, e, input); strings.Count(body, "RUN_FINISHED") != 1 {
		t.Errorf("stream:\n got %s\nwant RUN_FINISHED", body)
	}
}

func TestPrepare(t *testing.T) {
	tests := []struct {
		name   string
		err    error
		status int
		want   string
	}{
		{"an echo.HTTPError", echo.NewHTTPError(http.StatusForbidden, "not your thread"), 403,
			`{"error":{"code":"forbidden","message":"not your thread","field":""}}`},
		{"echo's own error", echo.ErrTooManyRequests, 429,
			`{"error":{"code":"too_many_requests","message":"Too Many Requests","field":""}}`},
		{"a structured message", echo.NewHTTPError(http.StatusUnauthorized, map[string]string{"a": "b"}), 401,
			`{"error":{"code":"unauthorized","message":"{\"a\":\"b\"}","field":""}}`},
		{"a nil Refusal", (*middleware.Refusal)(nil), 500,
			`{"error":{"code":"internal_error","message":"the request could not be served; the server's log has the reason","field":""}}`},
		{"a Refusal", &middleware.Refusal{Status: 404, Code: "no_thread", Message: "unknown thread", Field: "/threadId"}, 404,
			`{"error":{"code":"no_thread","message":"unknown thread","field":"/threadId"}}`},
		{"any other", errors.New("secret"), 500,
			`{"error":{"code":"internal_error","message":"the request could not be served; the server's log has the reason","field":""}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := echo.New()
			e.POST("/", aguiecho.Handler(quiet, middleware.WithLogger(nil),
				aguiecho.WithPrepare(func(echo.Context, *events.RunAgentInput) (context.Context, error) { return nil, tt.err })))
			status, body := post(t, e, input)
			if status != tt.status || strings.TrimSpace(body) != tt.want {
				t.Errorf("answer:\n got %d %s\nwant %d %s", status, body, tt.status, tt.want)
			}
		})
	}
}

// TestPrepareThatAnswers answers as echo's users are used to: nothing is added, and no run is started.
func TestPrepareThatAnswers(t *testing.T) {
	e := echo.New()
	started := false
	agent := func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
		started = true
		return nil
	}
	e.POST("/", aguiecho.Handler(agent, middleware.WithLogger(nil),
		aguiecho.WithPrepare(func(c echo.Context, _ *events.RunAgentInput) (context.Context, error) {
			return nil, c.JSON(http.StatusUnauthorized, "who are you?")
		})))
	status, body := post(t, e, input)
	if want := "\"who are you?\"\n"; status != http.StatusUnauthorized || body != want || started {
		t.Errorf("answer:\n got %d %q, agent called %v\nwant 401 %q, not called", status, body, started, want)
	}
}

// TestBodyLimitOfEcho checks that the answer of echo's own limit is passed on, also when only the
// reading shows that the body is too large.
func TestBodyLimitOfEcho(t *testing.T) {
	e := echo.New()
	e.Use(echomiddleware.BodyLimit("10B"))
	e.POST("/", aguiecho.Handler(quiet, middleware.WithLogger(nil)))
	server := httptest.NewServer(e)
	defer server.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, io.MultiReader(strings.NewReader(input)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status:\n got %d\nwant %d", resp.StatusCode, http.StatusRequestEntityTooLarge)
	}
}

func TestPrepareOutsideEcho(t *testing.T) {
	handler := middleware.Handler(quiet, middleware.WithLogger(nil),
		aguiecho.WithPrepare(func(echo.Context, *events.RunAgentInput) (context.Context, error) {
			t.Error("called without an echo.Context")
			return nil, nil
		}))
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(input))
	r.Header.Set("Content-Type", "application/json")
	handler.ServeHTTP(w, r)
	if w.Code != http.StatusInternalServerError {
		t.Errorf("status:\n got %d\nwant %d", w.Code, http.StatusInternalServerError)
	}
}

func TestSkipper(t *testing.T) {
	e := echo.New()
	e.Use(aguiecho.MiddlewareWithConfig(aguiecho.Config{
		Skipper: func(c echo.Context) bool { return c.Path() == "/health" },
	}))
	e.POST("/", func(c echo.Context) error {
		em, _ := emitter.FromContext(c.Request().Context())
		return em.Custom("x:n", 1)
	})
	e.GET("/health", func(c echo.Context) error { return c.String(http.StatusOK, "healthy") })

	if _, body := post(t, e, input); strings.Count(body, "data: ") != 3 {
		t.Errorf("answer of the agent:\n got %s\nwant three events", body)
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/health", nil))
	if w.Body.String() != "healthy" {
		t.Errorf("answer of what is skipped:\n got %s\nwant healthy", w.Body)
	}
}

func TestDefaultConfigSkipsNothing(t *testing.T) {
	e := echo.New()
	e.POST("/", func(echo.Context) error { return nil }, aguiecho.MiddlewareWithConfig(aguiecho.DefaultConfig))
	if _, body := post(t, e, input); strings.Count(body, "data: ") != 2 {
		t.Errorf("answer:\n got %s\nwant two events", body)
	}
}

// TestAbortGivesBackTheContext aborts under a Recover of the user's own, which goes on with c.
func TestAbortGivesBackTheContext(t *testing.T) {
	e := echo.New()
	e.POST("/", aguiecho.Handler(func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
		panic(http.ErrAbortHandler)
	}), func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			response := c.Response()
			defer func() {
				if v := recover(); v != http.ErrAbortHandler {
					t.Errorf("panic:\n got %v\nwant %v", v, http.ErrAbortHandler)
				}
				if c.Response() != response {
					t.Error("the echo.Context has not got back its response")
				}
			}()
			return next(c)
		}
	})
	if _, body := post(t, e, input); strings.Count(body, "RUN_ERROR") != 1 {
		t.Errorf("stream:\n got %s\nwant one RUN_ERROR", body)
	}
}

func TestAgentIsNeeded(t *testing.T) {
	defer func() {
		if got, want := recover(), "aguiecho: Handler needs an agent"; got != want {
			t.Errorf("panic:\n got %v\nwant %v", got, want)
		}
	}()
	aguiecho.Handler(nil)
}

func TestOutsideARun(t *testing.T) {
	if c, ok := aguiecho.FromContext(context.Background()); ok {
		t.Errorf("FromContext:\n got %v\nwant none", c)
	}
}
