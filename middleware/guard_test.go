package middleware_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/middleware/aguiecho"
)

// TestForeignWrites writes past the emitter, in each way that a handler has.
func TestForeignWrites(t *testing.T) {
	wrap := func(h http.HandlerFunc) func(...middleware.Option) http.Handler {
		return func(opts ...middleware.Option) http.Handler { return middleware.Wrap(opts...)(h) }
	}
	underEcho := func(h echo.HandlerFunc) func(...middleware.Option) http.Handler {
		return func(opts ...middleware.Option) http.Handler { return echoWith(h, aguiecho.Middleware(opts...)) }
	}
	wantRefused := func(err error) {
		t.Helper()
		if !errors.Is(err, middleware.ErrStreamOpen) {
			t.Errorf("a foreign write:\n got %v\nwant %v", err, middleware.ErrStreamOpen)
		}
	}
	tests := []struct {
		name  string
		serve func(...middleware.Option) http.Handler
		types string
		call  string // as logged
	}{
		{
			name: "Write",
			serve: wrap(func(w http.ResponseWriter, _ *http.Request) {
				n, err := w.Write([]byte("foreign"))
				wantRefused(err)
				if n != 0 {
					t.Errorf("bytes written:\n got %d\nwant 0", n)
				}
			}),
			types: finished,
			call:  "Write of 7 bytes",
		},
		{
			name: "io.WriteString, twice",
			serve: wrap(func(w http.ResponseWriter, _ *http.Request) {
				for range 2 {
					_, err := io.WriteString(w, "foreign")
					wantRefused(err)
				}
			}),
			types: finished,
			call:  "Write of 7 bytes",
		},
		{
			name:  "WriteHeader with success",
			serve: wrap(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusAccepted) }),
			types: finished,
			call:  "WriteHeader(202)",
		},
		{
			name:  "http.Error, which means that the run has failed",
			serve: wrap(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "foreign", http.StatusBadGateway) }),
			types: failed,
			call:  "WriteHeader(502)",
		},
		{
			name: "by the ResponseController",
			serve: wrap(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Trailer:X-Foreign", "foreign")
				rc := http.NewResponseController(w)
				if err := rc.Flush(); err != nil {
					t.Errorf("Flush:\n got %v\nwant nil", err)
				}
				if _, _, err := rc.Hijack(); !errors.Is(err, http.ErrNotSupported) {
					t.Errorf("Hijack:\n got %v\nwant %v", err, http.ErrNotSupported)
				}
				_, err := w.Write(nil)
				wantRefused(err)
			}),
			types: finished,
			call:  "Write of 0 bytes",
		},
		{
			name: "from the agent's context",
			serve: func(opts ...middleware.Option) http.Handler {
				return middleware.Handler(func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
					w, _ := middleware.ResponseFromContext(ctx)
					_, err := w.Write([]byte("foreign"))
					wantRefused(err)
					return nil
				}, opts...)
			},
			types: finished,
			call:  "Write of 7 bytes",
		},
		{
			name: "echo's JSON, its error returned",
			serve: underEcho(func(c echo.Context) error {
				err := c.JSON(http.StatusInternalServerError, "foreign")
				wantRefused(err)
				return err
			}),
			types: failed,
			call:  "WriteHeader(500)",
		},
		{
			name: "echo's String, from an agent",
			serve: func(opts ...middleware.Option) http.Handler {
				return echoWith(aguiecho.Handler(func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
					c, _ := aguiecho.FromContext(ctx)
					wantRefused(c.String(http.StatusOK, "foreign"))
					c.Response().Flush()
					return nil
				}, opts...))
			},
			types: finished,
			call:  "WriteHeader(200)",
		},
		{
			name:  "echo's NoContent, which means that the run has failed",
			serve: underEcho(func(c echo.Context) error { return c.NoContent(http.StatusUnauthorized) }),
			types: failed,
			call:  "WriteHeader(401)",
		},
		{
			name:  "echo's Redirect",
			serve: underEcho(func(c echo.Context) error { return c.Redirect(http.StatusFound, "/foreign") }),
			types: finished,
			call:  "WriteHeader(302)",
		},
		{
			name: "echo's Error",
			serve: underEcho(func(c echo.Context) error {
				c.Error(echo.NewHTTPError(http.StatusForbidden, "foreign"))
				return nil
			}),
			types: failed,
			call:  "WriteHeader(500)", // of echoWith's error handler
		},
		{
			name:  "echo's error handler, by an error returned",
			serve: underEcho(func(echo.Context) error { return echo.NewHTTPError(http.StatusNotFound, "foreign") }),
			types: failed,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var log logs
			got := post(t, tt.serve(log.option()), input)
			if types := got.types(t); types != tt.types || got.status != http.StatusOK {
				t.Errorf("answer:\n got %d %s\nwant %d %s", got.status, types, http.StatusOK, tt.types)
			}
			if strings.Contains(got.body, "foreign") {
				t.Errorf("the client got what is not the emitter's:\n%s", got.body)
			}
			want := 1
			if tt.call == "" {
				want = 0
			}
			if n := strings.Count(log.String(), "a foreign write"); n != want || !strings.Contains(log.String(), tt.call) {
				t.Errorf("log:\n got %s\nwant %d line that names %q", log.String(), want, tt.call)
			}
		})
	}
}
