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

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/middleware/aguiecho"
)

// TestNothingComesBehindTheAnswer has middlewares that fail or write when the answer is whole, and an error
// handler that does not look whether something was sent.
func TestNothingComesBehindTheAnswer(t *testing.T) {
	after := func(do func(c echo.Context) error) echo.MiddlewareFunc {
		return func(next echo.HandlerFunc) echo.HandlerFunc {
			return func(c echo.Context) error {
				if err := next(c); err != nil {
					return err
				}
				return do(c)
			}
		}
	}
	panics := func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { panic(http.ErrAbortHandler) }
	const last = `{"type":"RUN_FINISHED","threadId":"thread_1","runId":"run_1"}` + "\n\n"
	tests := []struct {
		name       string
		middleware echo.MiddlewareFunc
		agent      middleware.RunFunc
		body       string
		end        string // of the answer
	}{
		{"an error", after(func(echo.Context) error { return errors.New("the session could not be saved") }), quiet, input, last},
		{"a panic", after(func(echo.Context) error { panic("x") }), quiet, input, last},
		{"a write and a flush", after(func(c echo.Context) error {
			if n, err := io.WriteString(c.Response(), "x"); n != 0 || err == nil {
				t.Errorf("Write:\n got %d, %v\nwant 0 and an error", n, err)
			}
			c.Response().WriteHeader(http.StatusTeapot)
			c.Response().Flush()
			return nil
		}), quiet, input, last},
		{"a run that is aborted", after(func(echo.Context) error { return nil }), panics, input, `"code":"panic"}` + "\n\n"},
		{"an error behind a refusal", after(func(echo.Context) error { return errors.New("x") }), quiet, `{}`, `"field":"/threadId"}}` + "\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := echo.New()
			e.Logger.SetOutput(io.Discard)
			e.HTTPErrorHandler = func(err error, c echo.Context) { _ = c.JSON(http.StatusInternalServerError, err.Error()) }
			var size int64
			e.Use(func(next echo.HandlerFunc) echo.HandlerFunc {
				return func(c echo.Context) error {
					if err := next(c); err != nil {
						c.Error(err)
					}
					size = c.Response().Size
					return nil
				}
			}, recovers, tt.middleware)
			e.POST("/", aguiecho.Handler(tt.agent, middleware.WithLogger(nil)))
			_, body := post(t, e, tt.body)
			if !strings.HasSuffix(body, tt.end) {
				t.Errorf("answer:\n got %s\nwant it to end with %s", body, tt.end)
			}
			if size != int64(len(body)) {
				t.Errorf("size of echo's response:\n got %d\nwant %d", size, len(body))
			}
		})
	}
}

// recovers is a Recover that hands every panic to the error handler, as one's own may.
func recovers(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) (err error) {
		defer func() {
			if v := recover(); v != nil {
				err = errors.New("panic")
			}
		}()
		return next(c)
	}
}

// TestTheNextRequestIsNotShut serves one by the same echo.Context.
func TestTheNextRequestIsNotShut(t *testing.T) {
	e := echo.New()
	e.Use(echomiddleware.Gzip())
	e.POST("/", aguiecho.Handler(quiet, middleware.WithLogger(nil)))
	e.POST("/plain", func(c echo.Context) error { return c.String(http.StatusOK, "plain") })
	for range 20 {
		if _, body := post(t, e, input); !strings.Contains(body, "RUN_FINISHED") {
			t.Fatalf("stream:\n got %s\nwant RUN_FINISHED", body)
		}
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/plain", nil))
		if got := w.Body.String(); got != "plain" {
			t.Fatalf("the next answer:\n got %q\nwant plain", got)
		}
	}
}
