package session_test

import (
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agui-go/agui/events"
)

const (
	started  = `{"type":"RUN_STARTED","threadId":"t","runId":"r"}`
	finished = `{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`
	opened   = `{"type":"TEXT_MESSAGE_START","messageId":"m1"}`
	hello    = `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hello"}`
	closed   = `{"type":"TEXT_MESSAGE_END","messageId":"m1"}`
	stray    = `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m_1","delta":"Hello"}`
	broken   = `{"type":"TEXT_MESSAGE_START","messageId":7}`
	failure  = `{"type":"RUN_ERROR","message":"cannot reach the model","code":"model"}`
)

// sse writes events as a stream.
func sse(list ...string) string {
	var b strings.Builder
	for _, ev := range list {
		b.WriteString("data: " + ev + "\n\n")
	}
	return b.String()
}

// serve starts an agent on a real socket.
func serve(t testing.TB, handler http.HandlerFunc) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server
}

// answer is an agent that always answers with body, whatever it is asked.
func answer(t testing.TB, body string) *httptest.Server {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, body)
	})
}

// write writes one event and flushes it.
func write(w http.ResponseWriter, ev string) {
	fmt.Fprintf(w, "data: %s\n\n", ev)
	_ = http.NewResponseController(w).Flush()
}

// read ranges over a session to its end, and returns the JSON of its events and the error.
func read(t testing.TB, seq iter.Seq2[events.Event, error]) ([]string, error) {
	t.Helper()
	var list []string
	var last error
	for ev, err := range seq {
		if last != nil {
			t.Fatalf("the sequence goes on after the error %v", last)
		}
		if last = err; err != nil {
			if ev != nil {
				t.Errorf("an error comes with the event %v", ev)
			}
			continue
		}
		text, err := ev.AppendJSON(nil)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(text))
	}
	return list, last
}

// same fails the test when the events are not those that are wanted.
func same(t testing.TB, name string, got, want []string) {
	t.Helper()
	if g, w := strings.Join(got, "\n\t"), strings.Join(want, "\n\t"); g != w {
		t.Errorf("%s: events\n got:\n\t%s\nwant:\n\t%s", name, g, w)
	}
}

// input is what the tests send when it does not matter.
func input() *events.RunAgentInput { return &events.RunAgentInput{ThreadID: "t", RunID: "r"} }
