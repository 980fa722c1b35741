package session_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/session"
	"github.com/agui-go/agui/verify/stream"
)

func TestEventsAndErrors(t *testing.T) {
	const (
		malformed = `{"type":"RUN_ERROR","message":"cannot reach the model","code":"model","usage":7}`
		unknown   = `{"type":"ACME_EVENT","n":1}`
	)
	failed := []error{&session.RunError{}}
	for _, test := range []struct {
		name   string
		body   string
		opts   []session.Option
		events []string
		// The error: every one of is must be in it, and its text must say all of these. No error if both are empty.
		is   []error
		says []string
	}{
		{name: "a whole run", body: sse(started, opened, hello, closed, finished), events: []string{started, opened, hello, closed, finished}},
		{name: "CRLF, comments and no last blank line", body: ": ping\r\n\r\ndata: " + started + "\r\n\r\ndata: " + finished, events: []string{started, finished}},
		{name: "a type of another version", body: sse(started, unknown, finished), events: []string{started, unknown, finished}},

		{name: "a violation in the middle", body: sse(started, opened, stray, hello, closed, finished),
			events: []string{started, opened},
			is:     []error{verify.NotOpen}, says: []string{"(event 2)", `you wrote "m_1"`}},
		{name: "a violation after the end", body: sse(started, finished, opened),
			events: []string{started, finished}, is: []error{verify.RunEnded}},
		{name: "a violation, allowed", body: sse(started, stray, finished), opts: []session.Option{session.WithAllow(verify.NotOpen)},
			events: []string{started, stray, finished}},
		{name: "another violation than the allowed", body: sse(started, opened, finished), opts: []session.Option{session.WithAllow(verify.NotOpen), session.WithAllow(verify.RunEnded)},
			events: []string{started, opened}, is: []error{verify.OpenAtFinish}},
		{name: "violations without verification", body: sse(stray, started, opened, opened, finished, closed, finished), opts: []session.Option{session.WithVerify(false)},
			events: []string{stray, started, opened, opened, finished, closed, finished}},
		{name: "verification on again", body: sse(started, stray, finished), opts: []session.Option{session.WithVerify(false), session.WithVerify(true), nil},
			events: []string{started}, is: []error{verify.NotOpen}},

		{name: "a failed run", body: sse(started, opened, failure), events: []string{started, opened, failure},
			is: failed, says: []string{`"cannot reach the model" (code "model")`}},
		{name: "a failed run, and what comes after", body: sse(started, failure, opened), events: []string{started, failure},
			is: failed, says: []string{"cannot reach the model"}},
		{name: "a failed run without verification", body: sse(started, failure), opts: []session.Option{session.WithVerify(false)},
			events: []string{started, failure}, is: failed, says: []string{"cannot reach the model"}},
		{name: "a failure before the run", body: sse(failure),
			is: []error{failed[0], verify.RunNotStarted}, says: []string{"cannot reach the model", "RunNotStarted"}},
		{name: "a failure before the run, allowed", body: sse(failure), opts: []session.Option{session.WithAllow(verify.RunNotStarted)},
			events: []string{failure}, is: failed, says: []string{"cannot reach the model"}},
		{name: "a failure after the end", body: sse(started, finished, failure), events: []string{started, finished},
			is: []error{failed[0], verify.RunEnded}, says: []string{"cannot reach the model"}},
		{name: "a malformed failure", body: sse(started, malformed), events: []string{started},
			is: []error{failed[0], verify.InvalidField}, says: []string{`"cannot reach the model" (code "model")`, "/usage"}},
		{name: "a malformed failure, allowed", body: sse(started, malformed), opts: []session.Option{session.WithAllow(verify.InvalidField)},
			events: []string{started}, is: failed, says: []string{"cannot reach the model"}},
		{name: "a malformed failure without verification", body: sse(started, malformed), opts: []session.Option{session.WithVerify(false)},
			events: []string{started}, is: []error{failed[0], &stream.Error{}, &events.FieldError{}}, says: []string{"cannot reach the model", "/usage"}},
		{name: "a failure that does not say why", body: sse(started, `{"type":"RUN_ERROR","message":{"why":"no model"}}`), events: []string{started},
			is: failed, says: []string{`no model`}},

		{name: "truncated between events", body: sse(started, opened, hello), events: []string{started, opened, hello},
			is: []error{&session.TruncatedError{}, verify.Unterminated}, says: []string{"after 3 events", `text message "m1"`, "RUN_FINISHED"}},
		{name: "truncated in an event", body: sse(started, opened) + `data: {"type":"TEXT`, events: []string{started, opened},
			is: []error{&session.TruncatedError{}, verify.Unterminated, io.ErrUnexpectedEOF}, says: []string{"after 2 events"}},
		{name: "truncated before the run", body: ": ping\n\n",
			is: []error{&session.TruncatedError{}}, says: []string{"before the run began"}},
		{name: "truncated without verification", body: sse(started), opts: []session.Option{session.WithVerify(false)}, events: []string{started},
			is: []error{&session.TruncatedError{}, verify.Unterminated}},
		{name: "truncated in the second run, without verification", body: sse(started, finished, started), opts: []session.Option{session.WithVerify(false)},
			events: []string{started, finished, started}, is: []error{&session.TruncatedError{}}},
		{name: "truncated, allowed", body: sse(started), opts: []session.Option{session.WithAllow(verify.Unterminated)}, events: []string{started}},
		{name: "truncated in an event, allowed", body: sse(started) + "data: {", opts: []session.Option{session.WithAllow(verify.Unterminated)},
			events: []string{started}, is: []error{&session.TruncatedError{}}},
		{name: "truncated after the end of the run", body: sse(started, finished) + `data: {"type":"CU`, events: []string{started, finished}},

		{name: "a malformed event", body: sse(started, broken, finished), events: []string{started},
			is: []error{verify.InvalidField, &verify.Violation{}, &events.FieldError{}}, says: []string{"/messageId"}},
		{name: "a malformed event, allowed", body: sse(started, broken, finished), opts: []session.Option{session.WithAllow(verify.InvalidField)},
			events: []string{started, finished}},
		{name: "a malformed event without verification", body: sse(started, broken, finished), opts: []session.Option{session.WithVerify(false)},
			events: []string{started}, is: []error{&stream.Error{}, &events.FieldError{}}},
		{name: "a malformed event without verification, allowed", body: sse(started, broken, finished),
			opts: []session.Option{session.WithVerify(false), session.WithAllow(verify.InvalidField)}, events: []string{started, finished}},
		{name: "no event", body: sse(started, "nope"), events: []string{started}, is: []error{&stream.Error{}, &events.SyntaxError{}}},
		{name: "no event after the end", body: sse(started, finished, "nope"), events: []string{started, finished}, is: []error{&events.SyntaxError{}}},
		{name: "an event over the limit", body: sse(started, hello, finished), opts: []session.Option{session.WithLimit(len(started))},
			events: []string{started}, is: []error{&stream.LimitError{}}},
	} {
		server := answer(t, test.body)
		got, err := read(t, session.Run(t.Context(), server.Client(), server.URL, input(), test.opts...))
		same(t, test.name, got, test.events)
		for _, want := range test.is {
			if !holds(err, want) {
				t.Errorf("%s: error\n got: %v\nwant: a %T, %v", test.name, err, want, want)
			}
		}
		for _, want := range test.says {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error\n got: %v\nwant it to say: %s", test.name, err, want)
			}
		}
		if err != nil && len(test.is) == 0 {
			t.Errorf("%s: error\n got: %v\nwant: none", test.name, err)
		}
		if truncated := new(session.TruncatedError); errors.Is(err, verify.Unterminated) && !errors.As(err, &truncated) {
			t.Errorf("%s: a truncated stream is told as %T", test.name, err)
		}
	}
}

// holds reports whether want is in err: the same error, or one of its type.
func holds(err, want error) bool {
	switch want.(type) {
	case *session.RunError:
		return errors.As(err, new(*session.RunError))
	case *session.TruncatedError:
		return errors.As(err, new(*session.TruncatedError))
	case *verify.Violation:
		return errors.As(err, new(*verify.Violation))
	case *stream.Error:
		return errors.As(err, new(*stream.Error))
	case *stream.LimitError:
		return errors.As(err, new(*stream.LimitError))
	case *events.FieldError:
		return errors.As(err, new(*events.FieldError))
	case *events.SyntaxError:
		return errors.As(err, new(*events.SyntaxError))
	}
	return errors.Is(err, want)
}

func TestErrorsSayWhatIsOpen(t *testing.T) {
	server := answer(t, sse(started, opened, stray))
	_, err := read(t, session.Run(t.Context(), server.Client(), server.URL, input()))
	violation, ok := errors.AsType[*verify.Violation](err)
	if !ok || len(violation.Open) != 1 || violation.Open[0].ID != "m1" {
		t.Errorf("a violation\n got: %+v\nwant: one with the text message m1 open", violation)
	}
	server = answer(t, sse(started, opened, `{"type":"STEP_STARTED","stepName":"s"}`))
	_, err = read(t, session.Run(t.Context(), server.Client(), server.URL, input()))
	truncated, ok := errors.AsType[*session.TruncatedError](err)
	if !ok || truncated.Events != 3 || len(truncated.Open) != 2 || truncated.Err != nil {
		t.Errorf("a truncated stream\n got: %+v\nwant: 3 events, 2 open, no other error", truncated)
	}
}

func TestBrokenConnection(t *testing.T) {
	for _, test := range []struct {
		name   string
		events []string
		want   error
	}{
		{"in the run", []string{started, opened}, io.ErrUnexpectedEOF},
		{"after the run", []string{started, finished}, nil},
	} {
		server := serve(t, func(w http.ResponseWriter, r *http.Request) {
			for _, ev := range test.events {
				write(w, ev)
			}
			panic(http.ErrAbortHandler)
		})
		for _, opts := range [][]session.Option{nil, {session.WithVerify(false)}, {session.WithAllow(verify.Unterminated)}} {
			got, err := read(t, session.Run(t.Context(), server.Client(), server.URL, input(), opts...))
			same(t, test.name, got, test.events)
			if !errors.Is(err, test.want) {
				t.Errorf("%s\n got: %v\nwant: %v", test.name, err, test.want)
			}
			if test.want != nil && !errors.Is(err, verify.Unterminated) {
				t.Errorf("%s: %v is not %v", test.name, err, verify.Unterminated)
			}
		}
	}
}

// hanging is an agent that starts a run and then waits for the client to leave, which it tells.
func hanging(t *testing.T) (*httptest.Server, <-chan struct{}) {
	t.Helper()
	left := make(chan struct{}, 1)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		write(w, started)
		<-r.Context().Done()
		left <- struct{}{}
	})
	return server, left
}

func waitFor(t *testing.T, left <-chan struct{}) {
	t.Helper()
	select {
	case <-left:
	case <-time.After(20 * time.Second):
		t.Error("the agent does not see that the client has left")
	}
}

func TestBreakTellsTheAgent(t *testing.T) {
	server, left := hanging(t)
	for range session.Run(t.Context(), server.Client(), server.URL, input()) {
		break
	}
	waitFor(t, left)

	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	res, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	for range session.Read(res, nil) {
		break
	}
	waitFor(t, left)
}

func TestErrorTellsTheAgent(t *testing.T) {
	left := make(chan struct{}, 1)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		write(w, started)
		write(w, stray)
		<-r.Context().Done()
		left <- struct{}{}
	})
	if _, err := read(t, session.Run(t.Context(), server.Client(), server.URL, input())); !errors.Is(err, verify.NotOpen) {
		t.Errorf("error\n got: %v\nwant: %v", err, verify.NotOpen)
	}
	waitFor(t, left)
}

func TestContextEndsTheSession(t *testing.T) {
	reason := errors.New("the user pressed stop")
	cancelled := func(t *testing.T) (context.Context, func()) {
		ctx, cancel := context.WithCancelCause(t.Context())
		return ctx, func() { cancel(reason) }
	}
	late := func(t *testing.T) (context.Context, func()) {
		ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(100*time.Millisecond))
		t.Cleanup(cancel)
		return ctx, func() {}
	}
	for _, test := range []struct {
		name   string
		make   func(*testing.T) (context.Context, func())
		before bool
		want   []error
	}{
		{"cancelled in the run", cancelled, false, []error{context.Canceled, reason}},
		{"cancelled before the run", cancelled, true, []error{context.Canceled, reason}},
		{"the deadline passes", late, false, []error{context.DeadlineExceeded}},
	} {
		server, left := hanging(t)
		ctx, end := test.make(t)
		if test.before {
			end()
		}
		var last error
		for _, err := range session.Run(ctx, server.Client(), server.URL, input()) {
			last = err
			end()
		}
		for _, want := range test.want {
			if !errors.Is(last, want) {
				t.Errorf("%s\n got: %v\nwant: %v", test.name, last, want)
			}
		}
		if errors.Is(last, verify.Unterminated) {
			t.Errorf("%s: %v is told as a truncated stream", test.name, last)
		}
		if !test.before {
			waitFor(t, left)
		}
	}
}

// TestCancelledWithEventsToCome leaves what was read before the context ended untold.
func TestCancelledWithEventsToCome(t *testing.T) {
	server := answer(t, sse(started, opened, hello, closed, finished))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var count int
	var last error
	for ev, err := range session.Run(ctx, server.Client(), server.URL, input()) {
		cancel()
		if last = err; ev != nil {
			count++
		}
	}
	if count != 1 || !errors.Is(last, context.Canceled) {
		t.Errorf("\n got: %d events, then %v\nwant: 1 event, then %v", count, last, context.Canceled)
	}
}

// TestContextEndsAfterTheRun takes nothing back of a run that is whole.
func TestContextEndsAfterTheRun(t *testing.T) {
	left := make(chan struct{}, 1)
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		write(w, started)
		write(w, finished)
		<-r.Context().Done()
		left <- struct{}{}
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for ev, err := range session.Run(ctx, server.Client(), server.URL, input()) {
		if err != nil {
			t.Error(err)
			continue
		}
		if ev.EventType() == events.TypeRunFinished {
			cancel()
		}
	}
	waitFor(t, left)
}

func TestClientTimeout(t *testing.T) {
	server, left := hanging(t)
	client := *server.Client()
	client.Timeout = 200 * time.Millisecond
	_, err := read(t, session.Run(t.Context(), &client, server.URL, input()))
	if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, verify.Unterminated) {
		t.Errorf("\n got: %v\nwant: %v", err, context.DeadlineExceeded)
	}
	waitFor(t, left)
}

func TestRequest(t *testing.T) {
	var got struct{ method, body, contentType, accept, auth string }
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got.method, got.body = r.Method, string(body)
		got.contentType, got.accept = r.Header.Get("Content-Type"), r.Header.Get("Accept")
		got.auth = strings.Join(r.Header.Values("Authorization"), ",")
		_, _ = io.WriteString(w, sse(started, finished))
	})
	full := events.RunAgentInput{
		ThreadID: "t", RunID: "r", ProtocolVersion: events.Some("1.1"), State: events.MustParseJSON(`[1]`),
		Messages: []events.Message{events.NewUserMessage("u", "Hi")}, Tools: []events.Tool{{Name: "n"}},
		Context: []events.Context{{Description: "d"}}, ForwardedProps: events.MustParseJSON(`{"a":1}`),
		Resume: []events.ResumeEntry{{InterruptID: "i", Status: events.ResumeCancelled}},
	}
	for _, test := range []struct {
		name string
		in   events.RunAgentInput
		want string
	}{
		{"an empty input", events.RunAgentInput{},
			`{"threadId":"thread_1","runId":"run_1","protocolVersion":"1.0","state":{},"messages":[],"tools":[],"context":[],"forwardedProps":{}}`},
		{"a full input", full,
			`{"threadId":"t","runId":"r","protocolVersion":"1.1","state":[1],"messages":[{"id":"u","role":"user","content":"Hi"}],"tools":[{"name":"n","description":""}],` +
				`"context":[{"description":"d","value":""}],"forwardedProps":{"a":1},"resume":[{"interruptId":"i","status":"cancelled"}]}`},
	} {
		in := test.in
		before, _ := in.AppendJSON(nil)
		_, err := read(t, session.Run(t.Context(), server.Client(), server.URL, &in, session.WithIDs(ids.Sequence()),
			session.WithHeader("Authorization", "Bearer x"), session.WithHeader("Authorization", "Bearer y"),
			session.WithHeader("content-type", "text/plain"), session.WithHeader("Accept", "*/*")))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if got.body != test.want {
			t.Errorf("%s: body\n got: %s\nwant: %s", test.name, got.body, test.want)
		}
		if after, _ := in.AppendJSON(nil); string(after) != string(before) {
			t.Errorf("%s: the input has become\n got: %s\nwant: %s", test.name, after, before)
		}
	}
	if got.method != "POST" || got.contentType != "application/json" || got.accept != "text/event-stream" || got.auth != "Bearer x,Bearer y" {
		t.Errorf("request\n got: %+v\nwant: a POST of JSON that accepts a stream, with both credentials", got)
	}
}

func TestEachRangeIsARun(t *testing.T) {
	runs := 0
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		runs++
		_, _ = io.WriteString(w, sse(started, finished))
	})
	seq := session.Run(t.Context(), server.Client(), server.URL, input())
	if runs != 0 {
		t.Errorf("runs before the sequence is ranged over\n got: %d\nwant: 0", runs)
	}
	for range 2 {
		if _, err := read(t, seq); err != nil {
			t.Error(err)
		}
	}
	if runs != 2 {
		t.Errorf("runs\n got: %d\nwant: 2", runs)
	}
}

func TestRequestFails(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	for _, test := range []struct {
		name, url string
		in        *events.RunAgentInput
		opts      []session.Option
		says      string
	}{
		{"no agent", gone.URL, input(), nil, "session: the agent cannot be reached: "},
		{"no URL", "::", input(), nil, "session: the request cannot be made: "},
		{"no input", gone.URL, nil, nil, "session: nil input"},
		{"no JSON", gone.URL, &events.RunAgentInput{Messages: []events.Message{nil}}, nil, "session: the input cannot be sent: /messages/0"},
		{"no header", gone.URL, input(), []session.Option{session.WithHeader("a\n", "b")}, "session: the agent cannot be reached: "},
	} {
		got, err := read(t, session.Run(t.Context(), gone.Client(), test.url, test.in, test.opts...))
		if len(got) > 0 || err == nil || !strings.HasPrefix(err.Error(), test.says) {
			t.Errorf("%s\n got: %v\nwant: %s", test.name, err, test.says)
		}
	}
	for name, res := range map[string]*http.Response{"a nil response": nil, "a response without a body": {}} {
		if _, err := read(t, session.Read(res, nil)); err == nil || !strings.HasPrefix(err.Error(), "session: no response") {
			t.Errorf("%s\n got: %v\nwant: an error that says so", name, err)
		}
	}
}

// TestResumedRun answers a call of the run before, which only the messages of the input tell of.
func TestResumedRun(t *testing.T) {
	const result = `{"type":"TOOL_CALL_RESULT","messageId":"m2","toolCallId":"c1","content":"sent"}`
	server := answer(t, sse(started, result, finished))
	in := input()
	in.Messages = []events.Message{&events.AssistantMessage{
		MessageBase: events.MessageBase{ID: "m1"},
		ToolCalls:   []events.ToolCall{{ID: "c1", Function: events.FunctionCall{Name: "send"}}},
	}}
	get := func() *http.Response {
		res, err := server.Client().Get(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	got, err := read(t, session.Run(t.Context(), server.Client(), server.URL, in))
	same(t, "Run", got, []string{started, result, finished})
	if err != nil {
		t.Errorf("Run: %v", err)
	}
	got, err = read(t, session.Read(get(), in))
	same(t, "Read", got, []string{started, result, finished})
	if err != nil {
		t.Errorf("Read: %v", err)
	}
	for name, seq := range map[string]func() error{
		"Run, of another thread": func() error {
			_, err := read(t, session.Run(t.Context(), server.Client(), server.URL, input()))
			return err
		},
		"Read, of an unknown input": func() error {
			_, err := read(t, session.Read(get(), nil))
			return err
		},
	} {
		if got, want := seq(), verify.UnknownID; !errors.Is(got, want) {
			t.Errorf("%s\n got: %v\nwant: %v", name, got, want)
		}
	}
}
