package middleware_test

import (
	"context"
	"net/http"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
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
