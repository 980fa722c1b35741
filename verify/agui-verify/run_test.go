package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/answer"
)

// agent is a server that answers every request with answer.
func agent(t testing.TB, answer http.HandlerFunc) *httptest.Server {
	t.Helper()
	s := httptest.NewServer(answer)
	t.Cleanup(s.Close)
	return s
}

// streaming answers with a stream.
func streaming(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, text)
	}
}

const reply = startedFrame + ": ping\n\n" +
	"data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\"}\n\n" +
	"data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"Hello\\n\"}\n\n" +
	"data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m\"}\n\n" +
	"data: {\"type\":\"CUSTOM\",\"name\":\"n\",\"value\":[1],\"subagentRunId\":\"s\"}\n\n" + finishedFrame

func TestRun(t *testing.T) {
	s := agent(t, streaming(reply))
	got := command(t, nil, "run", "-url", s.URL, "-message", "Hi")
	want := `    0  RUN_STARTED thread "t" run "r"
    1  TEXT_MESSAGE_START "m"
    2  TEXT_MESSAGE_CONTENT "m" "Hello\n"
    3  TEXT_MESSAGE_END "m"
    4  CUSTOM {"name":"n","subagentRunId":"s","value":[1]} (subagent "s")
    5  RUN_FINISHED run "r"

URL: ok (sse, strict rules, 6 events in 1 run)
`
	if got, want := strings.ReplaceAll(got.out, s.URL, "URL"), want; got != want {
		t.Errorf("\n got: %s\nwant: %s", got, want)
	}
	if got.status != exitFine {
		t.Errorf("exit status\n got: %d (%s)\nwant: %d", got.status, got.err, exitFine)
	}
}

func TestRunRaw(t *testing.T) {
	s := agent(t, streaming(reply+strayFrame))
	got := command(t, nil, "run", "-url", s.URL, "-raw")
	if got, want := got.out, reply+strayFrame; got != want {
		t.Errorf("\n got: %q\nwant: %q", got, want)
	}
	if want := ":15: RunEnded: "; !strings.Contains(got.err, want) || got.status != exitBroken {
		t.Errorf("verdict\n got: %d, %s\nwant: %d, %s", got.status, got.err, exitBroken, want)
	}
}

// TestRunGoesOn: a violation is marked where it stands, and the stream is shown to its end.
func TestRunGoesOn(t *testing.T) {
	s := agent(t, streaming(startedFrame+strayFrame+strayFrame+finishedFrame))
	for args, explained := range map[string]int{"": 1, "-all": 2} {
		got := command(t, nil, append([]string{"run", "-url", s.URL}, strings.Fields(args)...)...)
		if got, want := got.status, exitBroken; got != want {
			t.Errorf("run %s: exit status\n got: %d\nwant: %d", args, got, want)
		}
		for part, want := range map[string]int{"       ! NotOpen: ": 2, "  RUN_FINISHED": 1, ": 2 violations (": 1, "  do:    ": explained} {
			if n := strings.Count(got.out, part); n != want {
				t.Errorf("run %s: %q\n got: %d times in %s\nwant: %d", args, part, n, got.out, want)
			}
		}
	}
}

// TestRunRequest: what the agent is asked.
func TestRunRequest(t *testing.T) {
	var header http.Header
	var body []byte
	s := agent(t, func(w http.ResponseWriter, r *http.Request) {
		header = r.Header.Clone()
		body, _ = io.ReadAll(r.Body)
		streaming(startedFrame+resultFrame+finishedFrame)(w, r)
	})
	file, err := os.ReadFile("testdata/input.json")
	if err != nil {
		t.Fatal(err)
	}

	got := command(t, nil, "run", "-url", s.URL, "-input", "testdata/input.json", "-header", "Authorization: Bearer x", "-header", "X-Y:z")
	if got, want := string(body), string(file); got != want {
		t.Errorf("body\n got: %s\nwant: %s", got, want)
	}
	for name, want := range map[string]string{
		"Authorization": "Bearer x", "X-Y": "z", "Content-Type": "application/json", "Accept": "text/event-stream",
	} {
		if got := header.Get(name); got != want {
			t.Errorf("%s\n got: %q\nwant: %q", name, got, want)
		}
	}
	if got.status != exitFine { // the call is known from the input
		t.Errorf("exit status\n got: %d (%s)\nwant: %d", got.status, got.out, exitFine)
	}

	got = command(t, nil, "run", "-url", s.URL, "-message", "Hi")
	in, err := events.DecodeInput(body)
	if err != nil {
		t.Fatalf("the input that was made: %v", err)
	}
	if user, ok := in.Messages[0].(*events.UserMessage); len(in.Messages) != 1 || !ok || user.ID == "" || in.ThreadID == "" || in.RunID == "" {
		t.Errorf("the input that was made\n got: %s", body)
	}
	for _, member := range []string{`"state":{}`, `"tools":[]`, `"context":[]`, `"forwardedProps":{}`, `"protocolVersion":"1.0"`} {
		if !strings.Contains(string(body), member) {
			t.Errorf("the input that was made\n got: %s\nwant: %s", body, member)
		}
	}
	if want := "UnknownId"; got.status != exitBroken || !strings.Contains(got.out, want) {
		t.Errorf("a call that the message does not hold\n got: %d, %s\nwant: %d, %s", got.status, got.out, exitBroken, want)
	}
}

func TestRunWithoutAStream(t *testing.T) {
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		status int
		want   string
	}{
		"a refusal": {func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, "\x1b[31mno such agent", http.StatusNotFound)
		}, exitUnusable, "the agent answered 404 Not Found: \uFFFD[31mno such agent"},
		"binary": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", answer.Binary)
		}, exitUnusable, "only JSON over Server-Sent Events"},
		"compressed": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Encoding", "br")
			streaming("\x0b\x02\x80")(w, r)
		}, exitUnusable, `with Content-Encoding "br", which cannot be read`},
		"no type":         {answering("", startedFrame+finishedFrame), exitFine, "the answer has no Content-Type: send text/event-stream"},
		"a bad parameter": {answering("text/plain; x", startedFrame+finishedFrame), exitFine, `the Content-Type of the answer is "text/plain"`},
		"another type": {func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, "{}")
		}, exitBroken, `the Content-Type of the answer is "application/json"`},
		"nothing":      {streaming(""), exitBroken, "Unterminated"},
		"a truncation": {streaming(startedFrame + "data: {"), exitBroken, "Truncated"},
		"a broken connection": {func(w http.ResponseWriter, r *http.Request) {
			streaming(startedFrame)(w, r)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}, exitBroken, "the connection broke: unexpected EOF"},
	} {
		s := agent(t, test.answer)
		got := command(t, nil, "run", "-url", s.URL)
		if text := got.out + got.err; got.status != test.status || !strings.Contains(text, test.want) {
			t.Errorf("%s\n got: %d, %s\nwant: %d, %s", name, got.status, text, test.status, test.want)
		}
	}
}

func TestRunUsage(t *testing.T) {
	for args, want := range map[string]string{
		"":                                   "run needs -url",
		"-url http://x y":                    "run takes no arguments",
		"-url http://x -input a -message b":  "give -input or -message, not both",
		"-url http://x -input testdata/none": "testdata/none",
		"-url http://x -header x":            `want "Name: value"`,
		"-url http://127.0.0.1:1":            "connection refused",
		"-url ://":                           "missing protocol scheme",
		"-h":                                 "usage: agui-verify run",
	} {
		got := command(t, nil, append([]string{"run"}, strings.Fields(args)...)...)
		status := exitUnusable
		if args == "-h" {
			status = exitFine
		}
		if got.status != status || !strings.Contains(got.err, want) {
			t.Errorf("run %s\n got: %d, %s\nwant: %d, %s", args, got.status, got.err, status, want)
		}
	}
}

// TestRunTimeout: an agent that says no more is not waited for.
func TestRunTimeout(t *testing.T) {
	s := agent(t, func(w http.ResponseWriter, r *http.Request) {
		streaming(startedFrame)(w, r)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	begun := time.Now()
	got := command(t, nil, "run", "-url", s.URL, "-timeout", "50ms")
	if want := context.DeadlineExceeded.Error(); got.status != exitBroken || !strings.Contains(got.err, want) {
		t.Errorf("\n got: %d, %s\nwant: %d, %s", got.status, got.err, exitBroken, want)
	}
	if took := time.Since(begun); took > 10*time.Second {
		t.Errorf("took %s", took)
	}
}

// TestRunTakesParameters: a stream is one whatever stands after its type.
func TestRunTakesParameters(t *testing.T) {
	s := agent(t, answering("text/event-stream; charset", reply))
	got := command(t, nil, "run", "-url", s.URL)
	if got.status != exitFine || got.err != "" {
		t.Errorf("\n got: %d, %s\nwant: %d, no complaint", got.status, got.err, exitFine)
	}
}
