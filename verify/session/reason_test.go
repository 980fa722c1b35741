package session_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/session"
	"github.com/agui-go/agui/verify/stream"
)

// TestReasonBehindAViolation: a RUN_ERROR that follows bad content is told, with the violation.
func TestReasonBehindAViolation(t *testing.T) {
	const late = `{"type":"RUN_ERROR","message":"cannot reach the model","code":"model","usage":7}`
	raw := `{"type":"RAW","event":"` + strings.Repeat("x", 1000) + `"}`
	many := make([]string, 300)
	for i := range many {
		many[i] = raw
	}
	for _, test := range []struct {
		name   string
		list   []string
		opts   []session.Option
		is     error // beside the reason
		reason bool
	}{
		{"at once", []string{started, stray, failure}, nil, verify.NotOpen, true},
		{"after more", []string{started, stray, opened, stray, "nope", broken, hello, failure}, nil, verify.NotOpen, true},
		{"malformed", []string{started, stray, late}, nil, verify.NotOpen, true},
		{"after a malformed event", []string{started, broken, failure}, nil, verify.InvalidField, true},
		{"after no event", []string{started, "nope", failure}, nil, &events.SyntaxError{}, true},
		{"without verification", []string{started, broken, failure}, []session.Option{session.WithVerify(false)}, &events.FieldError{}, true},
		{"after a chunk that cannot be expanded", []string{started, `{"type":"TEXT_MESSAGE_CHUNK","delta":"x"}`, failure},
			[]session.Option{session.WithExpandedChunks(), session.WithAllow(verify.ChunkSequence)}, verify.ChunkSequence, true},
		{"a run that ends well", []string{started, stray, finished, failure}, nil, verify.NotOpen, false},
		{"another run", []string{started, stray, started, failure}, nil, verify.NotOpen, false},
		{"none", []string{started, stray}, nil, verify.NotOpen, false},
		{"too far", append(append([]string{started, stray}, many...), failure), nil, verify.NotOpen, false},
		{"after an event over the limit", []string{started, raw, failure}, []session.Option{session.WithLimit(500)}, &stream.LimitError{}, false},
	} {
		server := answer(t, sse(test.list...))
		got, err := read(t, session.Run(t.Context(), server.Client(), server.URL, input(), test.opts...))
		same(t, test.name, got, []string{started})
		if !holds(err, test.is) {
			t.Errorf("%s\n got: %v\nwant: a %T, %v", test.name, err, test.is, test.is)
		}
		failed, ok := errors.AsType[*session.RunError](err)
		if ok != test.reason {
			t.Errorf("%s: a *RunError\n got: %t (%v)\nwant: %t", test.name, ok, err, test.reason)
		}
		if ok && (failed.Event.Message != "cannot reach the model" || failed.Event.Code.Or("") != "model" || !strings.Contains(err.Error(), "cannot reach the model")) {
			t.Errorf("%s\n got: %v\nwant: the agent's message and code", test.name, err)
		}
	}
}

// TestReasonComesSoon: a RUN_ERROR that the agent still has to write is waited for, a little.
func TestReasonComesSoon(t *testing.T) {
	server := serve(t, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		write(w, started)
		write(w, stray)
		time.Sleep(50 * time.Millisecond)
		write(w, failure)
		<-r.Context().Done()
	})
	_, err := read(t, session.Run(t.Context(), server.Client(), server.URL, input()))
	if !holds(err, &session.RunError{}) || !errors.Is(err, verify.NotOpen) {
		t.Errorf("\n got: %v\nwant: a *RunError with %v", err, verify.NotOpen)
	}
}

// stuck is a body that says no more, and does not listen when it is closed.
type stuck struct {
	io.Reader
	never chan struct{}
}

func (s stuck) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err == io.EOF {
		<-s.never
	}
	return n, err
}

func (stuck) Close() error { return nil }

// TestReasonIsNotWaitedFor: an agent that says no more does not keep the violation back for long, nor at all
// when the context has ended.
func TestReasonIsNotWaitedFor(t *testing.T) {
	for name, test := range map[string]struct{ lasts, most time.Duration }{
		"silent":    {time.Hour, 10 * time.Second},
		"cancelled": {100 * time.Millisecond, 900 * time.Millisecond},
	} {
		never := make(chan struct{})
		ctx, cancel := context.WithTimeout(t.Context(), test.lasts)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://x", nil)
		if err != nil {
			t.Fatal(err)
		}
		res := &http.Response{StatusCode: http.StatusOK, Request: req, Body: stuck{strings.NewReader(sse(started, stray)), never}}
		begun := time.Now()
		_, err = read(t, session.Read(res, nil))
		if took := time.Since(begun); !errors.Is(err, verify.NotOpen) || took > test.most {
			t.Errorf("%s\n got: %v after %s\nwant: %v within %s", name, err, took, verify.NotOpen, test.most)
		}
		close(never)
	}
}
