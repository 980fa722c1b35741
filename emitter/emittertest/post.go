package emittertest

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/watch"
)

// Response is what a handler answered.
type Response struct {
	stream
	// Status and Header are those of the HTTP response. A request that was refused has a status other
	// than 200, and its Bytes are not a stream.
	Status int
	Header http.Header
	violations
}

// Post sends input to the handler over a real connection, as a front end would, and returns the whole
// response. A rule that the handler's agent breaks fails the test, and so does an event that could not be
// written, unless [AllowViolations] is given. New ids are msg_1, msg_2 and so on, unless the handler has a
// source of its own.
// A request that cannot be sent, or a response that breaks off, ends the test.
func Post(t testing.TB, handler http.Handler, input *events.RunAgentInput, opts ...Option) *Response {
	t.Helper()
	c := newConfig(opts)
	resp := &Response{}
	server := httptest.NewUnstartedServer(handler)
	if input == nil {
		t.Fatal("emittertest: Post needs an input")
	}
	ctx := watch.With(context.WithoutCancel(t.Context()), resp.violations.watch(t, c.allowViolations))
	server.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	server.Start()
	defer server.Close()

	body, err := input.AppendJSON(nil)
	if err != nil {
		t.Fatalf("emittertest: the input cannot be encoded: %v", err)
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+c.path, bytes.NewReader(body))
	if err != nil {
		t.Fatalf("emittertest: %v", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	for name, value := range c.header {
		req.Header.Set(name, value)
	}
	got, err := server.Client().Do(req)
	if err != nil {
		t.Fatalf("emittertest: %v", err)
	}
	defer got.Body.Close()
	data, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatalf("emittertest: the response broke off after %d bytes: %v", len(data), err)
	}
	resp.Status, resp.Header = got.StatusCode, got.Header
	resp.stream = stream{t: t, bytes: func() []byte { return bytes.Clone(data) }}
	if got.StatusCode != http.StatusOK {
		resp.stream.refused = got.Status
	}
	return resp
}
