package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/agui-go/agui/verify"
)

// journalText is the proxy's log, which is written while it is read.
type journalText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journalText) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journalText) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// await waits until the log has a text.
func (j *journalText) await(t testing.TB, want string) {
	t.Helper()
	for range 500 {
		if strings.Contains(j.String(), want) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("log\n got: %s\nwant: %s", j, want)
}

// front is a proxy in front of an agent.
type front struct {
	*httptest.Server
	log   *journalText
	spans *tracetest.SpanRecorder
}

// proxied starts a proxy in front of an agent that answers so.
func proxied(t testing.TB, block bool, j judging, answer http.HandlerFunc) front {
	t.Helper()
	return proxyTo(t, block, j, agent(t, answer).URL)
}

func proxyTo(t testing.TB, block bool, j judging, target string) front {
	t.Helper()
	to, err := parseTarget(target)
	if err != nil {
		t.Fatal(err)
	}
	f := front{log: new(journalText), spans: tracetest.NewSpanRecorder()}
	log := slog.New(slog.NewTextHandler(f.log, nil))
	w := newWatcher(j, block, log, withProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(f.spans))))
	t.Cleanup(w.close)
	f.Server = httptest.NewServer(newProxy(to, w, log))
	t.Cleanup(f.Server.Close)
	return f
}

var strictRules = judging{set: verify.Strict}

const emptyInput = `{"threadId":"t","runId":"r","messages":[]}`

// post runs the agent behind a server.
func post(t testing.TB, target, body string) (*http.Response, string) {
	t.Helper()
	res, err := http.Post(target, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	http.DefaultClient.CloseIdleConnections()
	return res, string(text)
}

// longReply is a fine stream of so many events.
func longReply(n int) string {
	var b strings.Builder
	b.WriteString(startedFrame)
	b.WriteString("data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m\"}\n\n")
	for i := range n - 4 {
		fmt.Fprintf(&b, "data: {\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"word %d, \u201cquoted\u201d \U0001F600\"}\n\n", i)
	}
	b.WriteString("data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m\"}\n\n")
	b.WriteString(finishedFrame)
	return b.String()
}

// TestProxyPassesEverything: 10,000 events, byte for byte, checked or held back, good or bad.
func TestProxyPassesEverything(t *testing.T) {
	fine := longReply(10_000)
	for name, test := range map[string]struct {
		text  string
		block bool
		found int
	}{
		"fine":               {fine, false, 0},
		"fine, with -block":  {fine, true, 0},
		"bad in the middle":  {fine[:len(fine)-len(finishedFrame)] + strayFrame + strayFrame + finishedFrame, false, 2},
		"no event stream":    {strings.Repeat("\x00\xff\r\nwords", 1000), false, 1},
		"CRLF":               {strings.ReplaceAll(fine, "\n", "\r\n"), false, 0},
		"last line unended":  {fine[:len(fine)-2], true, 0},
		"comments, no event": {fine + ": bye\n\n: bye", false, 0},
	} {
		f := proxied(t, test.block, strictRules, func(w http.ResponseWriter, r *http.Request) {
			// In pieces that end anywhere.
			w.Header().Set("Content-Type", "text/event-stream")
			for rest := test.text; rest != ""; {
				n := min(len(rest), 4099)
				_, _ = io.WriteString(w, rest[:n])
				_ = http.NewResponseController(w).Flush()
				rest = rest[n:]
			}
		})
		_, got := post(t, f.URL, emptyInput)
		if sha256.Sum256([]byte(got)) != sha256.Sum256([]byte(test.text)) {
			t.Errorf("%s: the stream was changed: %d bytes of %d", name, len(got), len(test.text))
		}
		f.log.await(t, fmt.Sprintf("violations=%d ", test.found))
	}
}

// TestProxyPassesTheRest: what is no run is not touched, in either direction.
func TestProxyPassesTheRest(t *testing.T) {
	type seen struct{ method, path, query, body, host, custom string }
	var last seen
	f := proxied(t, true, strictRules, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		last = seen{r.Method, r.URL.Path, r.URL.RawQuery, string(body), r.Host, r.Header.Get("X-Custom")}
		w.Header().Set("X-Answer", "yes")
		if r.Method == http.MethodGet { // a stream of somebody else
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, "data: anything\n\n")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = io.WriteString(w, `{"error":{}}`)
	})
	res, text := post(t, f.URL+"/a/b?c=d", "{not JSON")
	if got, want := last, (seen{"POST", "/a/b", "c=d", "{not JSON", last.host, ""}); got != want {
		t.Errorf("request\n got: %+v\nwant: %+v", got, want)
	}
	if got, want := fmt.Sprintf("%d %s %s", res.StatusCode, res.Header.Get("X-Answer"), text), `422 yes {"error":{}}`; got != want {
		t.Errorf("answer\n got: %s\nwant: %s", got, want)
	}
	get, err := http.Get(f.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer get.Body.Close()
	if body, _ := io.ReadAll(get.Body); string(body) != "data: anything\n\n" {
		t.Errorf("GET\n got: %q", body)
	}
	if got := f.log.String(); got != "" {
		t.Errorf("log\n got: %s\nwant: nothing", got)
	}
	http.DefaultClient.CloseIdleConnections()
}

func TestProxyPaths(t *testing.T) {
	var got string
	s := agent(t, func(_ http.ResponseWriter, r *http.Request) { got = r.URL.RequestURI() })
	for _, test := range []struct{ target, path, want string }{
		{"", "", "/"},
		{"", "/agent", "/agent"},
		{"/", "/agent", "/agent"},
		{"/agent", "", "/agent"},
		{"/agent", "/?a=b", "/agent?a=b"},
		{"/agent/", "/", "/agent/"},
		{"/agents", "/one%2Ftwo", "/agents/one%2Ftwo"},
		{"/agent?key=1", "/?a=b", "/agent?key=1&a=b"},
	} {
		f := proxyTo(t, false, strictRules, s.URL+test.target)
		post(t, f.URL+test.path, emptyInput)
		if got != test.want {
			t.Errorf("%q behind %q\n got: %s\nwant: %s", test.path, test.target, got, test.want)
		}
	}
}

// TestProxyKnowsTheHistory: the calls in the request may be answered; when it is not known what the client
// sent, any may.
func TestProxyKnowsTheHistory(t *testing.T) {
	history := `{"threadId":"t","runId":"r","messages":[{"id":"a","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"n","arguments":"{}"}}]}]}`
	for name, test := range map[string]struct {
		body string
		want string
	}{
		"known":              {history, "violations=0 "},
		"another":            {emptyInput, "rule=UnknownId"},
		"known, old client":  {strings.Replace(history, `"messages"`, `"state":null,"messages"`, 1), "violations=0 "},
		"no RunAgentInput":   {"{}", "UnknownId is not checked"},
		"no JSON":            {"words", "violations=0 "},
		"too long":           {history + strings.Repeat(" ", maxInput), "the request is longer than 8388608 bytes"},
		"too long, but fine": {history + strings.Repeat(" ", maxInput), "violations=0 "},
	} {
		var got int
		f := proxied(t, true, strictRules, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			got = len(body)
			streaming(startedFrame+resultFrame+finishedFrame)(w, r)
		})
		post(t, f.URL, test.body)
		if want := len(test.body); got != want {
			t.Errorf("%s: bytes of the request\n got: %d\nwant: %d", name, got, want)
		}
		f.log.await(t, test.want)
	}
}
