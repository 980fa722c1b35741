package session_test

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/session"
)

func TestRefusal(t *testing.T) {
	for _, test := range []struct {
		name   string
		status int
		body   string
		want   session.Refusal
		says   string
	}{
		{"of this library", 422, `{"error":{"code":"invalid_input","message":"want a string","field":"/threadId"}}`,
			session.Refusal{Code: "invalid_input", Message: "want a string", Field: "/threadId"},
			`session: the agent refused the run: 422 Unprocessable Entity: "want a string" (code "invalid_input") at "/threadId"`},
		{"of another form", 401, `{"error":"log in"}`, session.Refusal{},
			`session: the agent refused the run: 401 Unauthorized: "{\"error\":\"log in\"}"`},
		{"of a proxy", 502, "<h1>\nBad gateway</h1>\n", session.Refusal{},
			`session: the agent refused the run: 502 Bad Gateway: "<h1>\nBad gateway</h1>"`},
		{"without a body", 599, "", session.Refusal{}, `session: the agent refused the run: 599`},
		{"a redirect to nowhere", 304, "", session.Refusal{}, `session: the agent refused the run: 304 Not Modified`},
		{"a stream that is none", 500, sse(started, finished), session.Refusal{}, `500 Internal Server Error: "data: {`},
	} {
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(test.status)
			_, _ = io.WriteString(w, test.body)
		})
		got, err := read(t, session.Run(t.Context(), server.Client(), server.URL, input()))
		same(t, test.name, got, nil)
		refusal, ok := errors.AsType[*session.Refusal](err)
		if !ok {
			t.Errorf("%s\n got: %v\nwant: a *Refusal", test.name, err)
			continue
		}
		if refusal.Status != test.status || refusal.Code != test.want.Code || refusal.Message != test.want.Message || refusal.Field != test.want.Field {
			t.Errorf("%s\n got: %+v\nwant: status %d, %+v", test.name, refusal, test.status, test.want)
		}
		if string(refusal.Body) != test.body || refusal.Header.Get("Retry-After") != "7" {
			t.Errorf("%s\n got: %q, %v\nwant: %q, a header to retry after", test.name, refusal.Body, refusal.Header, test.body)
		}
		if !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s\n got: %s\nwant: %s", test.name, err, test.says)
		}
	}
}

func TestRefusalIsBounded(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusInternalServerError)
		for range 100 {
			_, _ = io.WriteString(w, strings.Repeat("é", 32<<10))
		}
	})
	_, err := read(t, session.Run(t.Context(), server.Client(), server.URL, input()))
	refusal, ok := errors.AsType[*session.Refusal](err)
	if !ok || len(refusal.Body) != 64<<10 {
		t.Fatalf("\n got: %d bytes\nwant: %d", len(refusal.Body), 64<<10)
	}
	if got, want := len(err.Error()), 2<<10; got > want {
		t.Errorf("the error has %d bytes, more than %d", got, want)
	}
}

// TestRefusalOfMiddleware has what this library's own middleware answers understood.
func TestRefusalOfMiddleware(t *testing.T) {
	agent := func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return nil }
	login := func(*http.Request, *events.RunAgentInput) (context.Context, error) {
		return nil, &middleware.Refusal{Status: 403, Code: "no_quota", Message: "ask for more", Field: "/threadId"}
	}
	server := serve(t, middleware.Handler(agent, middleware.WithPrepare(login)).ServeHTTP)
	_, err := read(t, session.Run(t.Context(), server.Client(), server.URL, input()))
	refusal, ok := errors.AsType[*session.Refusal](err)
	if !ok || refusal.Status != 403 || refusal.Code != "no_quota" || refusal.Message != "ask for more" || refusal.Field != "/threadId" {
		t.Errorf("\n got: %v\nwant: the refusal no_quota", err)
	}
}

func TestContentType(t *testing.T) {
	const page = "<html><body>Welcome</body></html>\n"
	for _, test := range []struct {
		name, contentType, body string
		want                    error  // nil for a whole run
		says                    string // in the error
	}{
		{"as it should be", "text/event-stream; charset=utf-8", sse(started, finished), nil, ""},
		{"JSON", "application/json", sse(started, finished), nil, ""},
		{"nothing that can be read", ";;", sse(started, finished), nil, ""},
		{"binary", "application/vnd.ag-ui.event+proto", "\x00\x00\x00\x0c", session.ErrBinary, "text/event-stream"},
		{"binary, in other letters", "Application/vnd.ag-ui.event+PROTO; v=1", "\x00", session.ErrBinary, ""},
		{"a stream, with a bad parameter", "text/event-stream; charset=a; charset=b", "", verify.Unterminated, "RUN_FINISHED"},
		{"a page", "text/html", page, verify.Unterminated, `"text/html"`},
		{"no page", "text/event-stream", "", verify.Unterminated, "RUN_FINISHED"},
	} {
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", test.contentType)
			_, _ = io.WriteString(w, test.body)
		})
		got, err := read(t, session.Run(t.Context(), server.Client(), server.URL, input()))
		if !errors.Is(err, test.want) || err != nil && !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s\n got: %v\nwant: %v, saying %s", test.name, err, test.want, test.says)
		}
		if test.want == nil {
			same(t, test.name, got, []string{started, finished})
		}
	}
}

// TestContentEncoding: an answer that cannot be read because it is compressed is not told as a truncated run.
func TestContentEncoding(t *testing.T) {
	for coding, want := range map[string]error{"br": session.ErrEncoded, "deflate, gzip": session.ErrEncoded, "identity": nil, "Identity": nil, "": nil} {
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			w.Header().Set("Content-Encoding", coding)
			_, _ = io.WriteString(w, sse(started, finished))
		})
		_, err := read(t, session.Run(t.Context(), server.Client(), server.URL, input()))
		if !errors.Is(err, want) || errors.Is(err, verify.Unterminated) {
			t.Errorf("%q\n got: %v\nwant: %v", coding, err, want)
		}
		if err != nil && !strings.Contains(err.Error(), `"`+coding+`"`) {
			t.Errorf("%q\n got: %v\nwant it to name the encoding", coding, err)
		}
	}
}

// TestTransportUndoesGzip: what Go's transport has asked for and undone itself is no encoding any more.
func TestTransportUndoesGzip(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		zip := gzip.NewWriter(w)
		_, _ = io.WriteString(zip, sse(started, finished))
		_ = zip.Close()
	})
	got, err := read(t, session.Run(t.Context(), server.Client(), server.URL, input()))
	same(t, "gzip", got, []string{started, finished})
	if err != nil {
		t.Error(err)
	}
}
