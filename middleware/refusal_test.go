package middleware_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// refusal is the body of a refusal.
type refusal struct {
	Error struct{ Code, Message, Field string }
}

func (a answer) refusal(t *testing.T) refusal {
	t.Helper()
	if got, want := a.header.Get("Content-Type"), "application/json"; got != want {
		t.Errorf("Content-Type of a refusal:\n got %q\nwant %q", got, want)
	}
	var body map[string]map[string]string
	if err := json.Unmarshal([]byte(a.body), &body); err != nil {
		t.Fatalf("body of a refusal: %v: %s", err, a.body)
	}
	for _, member := range []string{"code", "message", "field"} {
		if _, ok := body["error"][member]; !ok {
			t.Errorf("the body of a refusal has no member %q: %s", member, a.body)
		}
	}
	var r refusal
	r.Error.Code, r.Error.Message, r.Error.Field = body["error"]["code"], body["error"]["message"], body["error"]["field"]
	return r
}

// notCalled is an agent that no refused request may reach.
func notCalled(t *testing.T) middleware.RunFunc {
	t.Helper()
	return func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
		t.Error("the agent was called for a request that is refused")
		return nil
	}
}

func TestRefusals(t *testing.T) {
	const jsonType = "application/json"
	tests := []struct {
		name, method, contentType, body string
		status                          int
		code, remedy, field             string
		allow                           string
	}{
		{"GET", http.MethodGet, "", "", 405, "method_not_allowed", "POST", "", "POST"},
		{"PUT", http.MethodPut, jsonType, input, 405, "method_not_allowed", "POST", "", "POST"},
		{"OPTIONS", http.MethodOptions, "", "", 405, "method_not_allowed", "CORS", "", "POST"},
		{"no Content-Type", http.MethodPost, "", input, 415, "unsupported_media_type", "Content-Type: application/json", "", ""},
		{"a form", http.MethodPost, "application/x-www-form-urlencoded", input, 415, "unsupported_media_type", "application/json", "", ""},
		{"a cross-site form", http.MethodPost, "text/plain", input, 415, "unsupported_media_type", "application/json", "", ""},
		{"a type in a parameter", http.MethodPost, "text/plain; a=application/json", input, 415, "unsupported_media_type", "", "", ""},
		{"a list of types", http.MethodPost, "text/plain, application/json", input, 415, "unsupported_media_type", "", "", ""},
		{"JSON lines", http.MethodPost, "application/jsonl", input, 415, "unsupported_media_type", "", "", ""},
		{"an empty body", http.MethodPost, jsonType, "", 400, "invalid_json", "RunAgentInput", "", ""},
		{"half a body", http.MethodPost, jsonType, `{"threadId":`, 400, "invalid_json", "RunAgentInput", "", ""},
		{"two documents", http.MethodPost, jsonType, input + input, 400, "invalid_json", "", "", ""},
		{"an array", http.MethodPost, jsonType, `[]`, 422, "invalid_input", "", "", ""},
		{"no thread", http.MethodPost, jsonType, `{"runId":"r","messages":[]}`, 422, "invalid_input", "", "/threadId", ""},
		{"a null in a message", http.MethodPost, jsonType, `{"threadId":"t","runId":"r","messages":[{"id":null,"role":"user","content":""}]}`,
			422, "invalid_input", "", "/messages/0/id", ""},
		{"a later major version", http.MethodPost, jsonType, `{"threadId":"t","runId":"r","protocolVersion":"2.0","messages":[]}`,
			422, "unsupported_protocol_version", "1.0", "/protocolVersion", ""},
		{"a much later major version", http.MethodPost, jsonType, `{"threadId":"t","runId":"r","protocolVersion":"99999999999999999999.1","messages":[]}`,
			422, "unsupported_protocol_version", "1.0", "/protocolVersion", ""},
		{"a large body", http.MethodPost, jsonType, `{"threadId":"` + strings.Repeat("x", 1000) + `"}`, 413, "body_too_large", "WithMaxBody", "", ""},
		{"a very large body", http.MethodPost, jsonType, strings.Repeat(" ", 1<<20), 413, "body_too_large", "WithMaxBody", "", ""},
	}
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		server := httptest.NewServer(serve(notCalled(t), middleware.WithMaxBody(1000)))
		defer server.Close()
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				req, err := http.NewRequest(tt.method, server.URL, strings.NewReader(tt.body))
				if err != nil {
					t.Fatal(err)
				}
				if tt.contentType != "" {
					req.Header.Set("Content-Type", tt.contentType)
				}
				got := do(t, server, req)
				r := got.refusal(t)
				if got.status != tt.status || r.Error.Code != tt.code {
					t.Errorf("answer:\n got %d %s\nwant %d %s", got.status, r.Error.Code, tt.status, tt.code)
				}
				if !strings.Contains(r.Error.Message, tt.remedy) {
					t.Errorf("message:\n got %s\nwant it to name %q", r.Error.Message, tt.remedy)
				}
				if r.Error.Field != tt.field {
					t.Errorf("field:\n got %q\nwant %q", r.Error.Field, tt.field)
				}
				if allow := got.header.Get("Allow"); allow != tt.allow {
					t.Errorf("Allow:\n got %q\nwant %q", allow, tt.allow)
				}
			})
		}
	})
}

func TestHEADIsRefused(t *testing.T) {
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		server := httptest.NewServer(serve(notCalled(t)))
		defer server.Close()
		resp, err := server.Client().Head(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusMethodNotAllowed || resp.Header.Get("Allow") != "POST" {
			t.Errorf("answer to HEAD:\n got %d, Allow %q\nwant %d, Allow POST", resp.StatusCode, resp.Header.Get("Allow"), http.StatusMethodNotAllowed)
		}
	})
}

func TestAcceptedRequests(t *testing.T) {
	version := func(v string) string {
		return fmt.Sprintf(`{"threadId":"t","runId":"r","protocolVersion":%q,"messages":[]}`, v)
	}
	tests := []struct{ name, contentType, accept, body string }{
		{"with a charset", "application/json; charset=utf-8", "", input},
		{"in capitals", "Application/JSON", "", input},
		{"with a broken parameter", "application/json; charset", "", input},
		{"of a +json type", "application/vnd.agent+json;v=1", "", input},
		{"that accept protobuf alone", "application/json", "application/vnd.ag-ui.event+proto", input},
		{"of just the size allowed", "application/json", "", input + strings.Repeat(" ", 1000-len(input))},
		{"of version 1.0", "application/json", "", version("1.0")},
		{"of a later minor version", "application/json", "", version("1.10")},
		{"of an older version", "application/json", "", version("0.0")},
		{"of a version that cannot be read", "application/json", "", version("2")},
		{"of a version that is a word", "application/json", "", version("2.x")},
	}
	agent := func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return nil }
	var log logs
	server := httptest.NewServer(middleware.Handler(agent, middleware.WithMaxBody(1000), log.option()))
	defer server.Close()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			req, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(tt.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", tt.contentType)
			req.Header.Set("Accept", tt.accept)
			got := do(t, server, req)
			if got.status != http.StatusOK || got.types(t) != finished {
				t.Errorf("answer:\n got %d %s\nwant %d %s", got.status, got.body, http.StatusOK, finished)
			}
		})
	}
	if got, want := strings.Count(log.String(), "another version"), 1; got != want {
		t.Errorf("lines in the log about other versions:\n got %d\nwant %d\n%s", got, want, log.String())
	}
}

func TestBodyThatBreaksOff(t *testing.T) {
	answers := make(chan answer, 1)
	handler := middleware.Handler(notCalled(t))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		recorded := httptest.NewRecorder()
		handler.ServeHTTP(recorded, r)
		answers <- answer{status: recorded.Code, header: recorded.Header(), body: recorded.Body.String()}
	}))
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{")
	conn.Close()
	got := <-answers
	if code := got.refusal(t).Error.Code; got.status != http.StatusBadRequest || code != "unreadable_body" {
		t.Errorf("answer:\n got %d %s\nwant %d unreadable_body", got.status, code, http.StatusBadRequest)
	}
}

func TestLimitOfAnotherMiddleware(t *testing.T) {
	handler := middleware.Handler(notCalled(t))
	got := post(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 10)
		handler.ServeHTTP(w, r)
	}), input)
	if r := got.refusal(t); got.status != http.StatusRequestEntityTooLarge || !strings.Contains(r.Error.Message, "more than 10 bytes") {
		t.Errorf("answer:\n got %d %s\nwant %d, more than 10 bytes", got.status, r.Error.Message, http.StatusRequestEntityTooLarge)
	}
}

// quota is a user's own error with a status.
type quota int

func (q quota) Error() string   { return "the quota of this thread is used up" }
func (q quota) HTTPStatus() int { return int(q) }

func TestPrepareRefuses(t *testing.T) {
	tests := []struct {
		name    string
		err     error
		status  int
		code    string
		message string
		retry   string
		logged  bool
	}{
		{"with a status", quota(429), 429, "too_many_requests", "the quota of this thread is used up", "", false},
		{"with a status, wrapped", fmt.Errorf("secret: %w", quota(402)), 402, "payment_required", "the quota of this thread is used up", "", false},
		{"with a Refusal", &middleware.Refusal{Status: 503, Code: "busy", Message: "come back", Header: http.Header{"Retry-After": {"7"}}},
			503, "busy", "come back", "7", false},
		{"without a status", errors.New("secret"), 500, "internal_error", "the request could not be served; the server's log has the reason", "", true},
		{"with a status that is no error", quota(200), 500, "internal_error", "the request could not be served; the server's log has the reason", "", true},
		{"with a Refusal without a status", &middleware.Refusal{Message: "secret"}, 500, "internal_error", "the request could not be served; the server's log has the reason", "", true},
	}
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				var log logs
				got := post(t, serve(notCalled(t), log.option(),
					middleware.WithPrepare(func(_ *http.Request, in *events.RunAgentInput) (context.Context, error) {
						if in.ThreadID != "thread_1" {
							t.Errorf("input:\n got thread %q\nwant thread_1", in.ThreadID)
						}
						return nil, tt.err
					})), input)
				r := got.refusal(t)
				if got.status != tt.status || r.Error.Code != tt.code || r.Error.Message != tt.message {
					t.Errorf("answer:\n got %d %s %q\nwant %d %s %q", got.status, r.Error.Code, r.Error.Message, tt.status, tt.code, tt.message)
				}
				if retry := got.header.Get("Retry-After"); retry != tt.retry {
					t.Errorf("Retry-After:\n got %q\nwant %q", retry, tt.retry)
				}
				if strings.Contains(log.String(), "could not be served") != tt.logged {
					t.Errorf("log:\n got %s\nwant logged: %t", log.String(), tt.logged)
				}
			})
		}
	})
}

func TestPrepareMayReturnNothing(t *testing.T) {
	agent := func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return nil }
	got := post(t, middleware.Handler(agent, nil,
		middleware.WithPrepare(func(*http.Request, *events.RunAgentInput) (context.Context, error) { return nil, nil })), input)
	if types := got.types(t); types != finished {
		t.Errorf("events:\n got %s\nwant %s", types, finished)
	}
}

// sealed hides what the writer beneath can do, as loggers of old do.
type sealed struct{ http.ResponseWriter }

// hollow can be unwrapped, to nothing.
type hollow struct{ http.ResponseWriter }

func (hollow) Unwrap() http.ResponseWriter { return nil }

// panicky has a Flush that panics, as echo's do, where what it unwraps to cannot flush.
type panicky struct{ sealed }

func (panicky) Flush()                        { panic("not supported") }
func (p panicky) Unwrap() http.ResponseWriter { return p.sealed }

func TestResponseThatCannotStream(t *testing.T) {
	wrappers := []struct {
		name string
		wrap func(http.ResponseWriter) http.ResponseWriter
		want string
	}{
		{"without Unwrap", func(w http.ResponseWriter) http.ResponseWriter { return sealed{w} }, "middleware_test.sealed"},
		{"that unwraps to nothing", func(w http.ResponseWriter) http.ResponseWriter { return hollow{w} }, "middleware_test.hollow"},
		{"that flushes and is around one that cannot", func(w http.ResponseWriter) http.ResponseWriter { return panicky{sealed{w}} }, "middleware_test.sealed"},
	}
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		for _, tt := range wrappers {
			t.Run(tt.name, func(t *testing.T) {
				var log logs
				handler := serve(notCalled(t), log.option())
				got := post(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					handler.ServeHTTP(tt.wrap(w), r)
				}), input)
				r := got.refusal(t)
				if got.status != http.StatusInternalServerError || r.Error.Code != "cannot_stream" || !strings.Contains(r.Error.Message, tt.want) {
					t.Errorf("answer:\n got %d %s %s\nwant %d cannot_stream, naming %s", got.status, r.Error.Code, r.Error.Message, http.StatusInternalServerError, tt.want)
				}
				if !strings.Contains(log.String(), tt.want) {
					t.Errorf("log:\n got %s\nwant it to name %s", log.String(), tt.want)
				}
			})
		}
	})
}

// TestRefusalIsSeenByALateReader sends a whole body that is too large before it reads the answer.
func TestRefusalIsSeenByALateReader(t *testing.T) {
	const limit, size = 16 << 20, 31 << 20 // what is left does not fit into the buffers of a connection
	server := httptest.NewServer(middleware.Handler(notCalled(t), middleware.WithMaxBody(limit)))
	defer server.Close()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", size)
	if _, err := io.Copy(conn, io.LimitReader(zeros{}, size)); err != nil {
		t.Fatalf("the server did not read the body: %v", err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status:\n got %d\nwant %d", resp.StatusCode, http.StatusRequestEntityTooLarge)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

// TestRunThatCannotBeStarted answers with a refusal, since nothing was sent yet.
func TestRunThatCannotBeStarted(t *testing.T) {
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		var log logs
		got := post(t, serve(notCalled(t), log.option(), middleware.WithEmitter(emitter.WithMaxEventSize(10))), input)
		if r := got.refusal(t); got.status != http.StatusInternalServerError || r.Error.Code != "internal_error" {
			t.Errorf("answer:\n got %d %s\nwant %d internal_error", got.status, r.Error.Code, http.StatusInternalServerError)
		}
		if !strings.Contains(log.String(), "RUN_STARTED takes") {
			t.Errorf("log:\n got %s\nwant the emitter's error", log.String())
		}
	})
}

func TestPanicBeforeTheRunIsTheServers(t *testing.T) {
	handler := middleware.Handler(notCalled(t),
		middleware.WithPrepare(func(*http.Request, *events.RunAgentInput) (context.Context, error) { panic("prepare") }))
	got := post(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			if recover() == "prepare" {
				w.WriteHeader(http.StatusTeapot)
			}
		}()
		handler.ServeHTTP(w, r)
	}), input)
	if got.status != http.StatusTeapot {
		t.Errorf("status:\n got %d\nwant %d", got.status, http.StatusTeapot)
	}
}
