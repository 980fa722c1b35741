package main

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// answering answers with a body of a type, "" being none.
func answering(media, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header()["Content-Type"] = nil // else the server finds one
		if media != "" {
			w.Header().Set("Content-Type", media)
		}
		_, _ = io.WriteString(w, text)
	}
}

// asking posts body as a client does that wants a stream.
func asking(t testing.TB, target, body string) string {
	t.Helper()
	req, err := http.NewRequest(http.MethodPost, target, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", "application/json, Text/Event-Stream")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	http.DefaultClient.CloseIdleConnections()
	return string(text)
}

// TestProxyChecksWhatClientsRead: the official client reads events whatever the answer says of itself.
func TestProxyChecksWhatClientsRead(t *testing.T) {
	bad := startedFrame + strayFrame + finishedFrame
	for _, media := range []string{
		"", "application/json", "text/plain", "text/event-stream; charset", "text/event-stream; charset=utf-8; charset=utf-8",
		"text/event-stream;;", " Text/Event-Stream ;=", ";", "text/event-stream, text/event-stream",
	} {
		for _, block := range []bool{false, true} {
			f := proxied(t, block, strictRules, answering(media, bad))
			_, got := post(t, f.URL, emptyInput)
			want := bad
			if block {
				want = startedFrame + `data: {"type":"RUN_ERROR"`
			}
			if !strings.HasPrefix(got, want) {
				t.Errorf("%q, block %t\n got: %q\nwant: %q", media, block, got, want)
			}
			f.log.await(t, "rule=NotOpen")
			f.log.await(t, "msg=run ")
		}
	}
}

// TestProxyKnowsOtherAnswers: an answer without an event is no run, unless it says that it is a stream or one was
// asked for. It passes as it is, and the log says so once.
func TestProxyKnowsOtherAnswers(t *testing.T) {
	const (
		page    = "{\n  \"id\": 1,\n  \"data:\": [1]\n}\n"
		another = `{"user":"u"}`
	)
	long := `{"x":"` + strings.Repeat("x", 11<<20) + `"}`
	for name, test := range map[string]struct {
		media, request, text string
		asks                 bool
		judged               bool
	}{
		"JSON":                          {"application/json", another, page, false, false},
		"JSON on one line":              {"application/json; charset", another, `{"ok":true}`, false, false},
		"much JSON":                     {"application/json", another, long, false, false},
		"nothing":                       {"", another, "", false, false},
		"bytes":                         {"application/octet-stream", another, "\x00\xff\r\n\r\r\n\n\x00", false, false},
		"JSON, of a stop button":        {"application/json", emptyInput, page, false, false},
		"JSON, of somebody else's post": {"application/json", another, page, true, false},
		"JSON, in place of a run":       {"application/json", emptyInput, page, true, true},
		"a stream without an event":     {"text/event-stream", another, page, false, true},
	} {
		for _, block := range []bool{false, true} {
			for _, strict := range []bool{false, true} {
				j := strictRules
				j.strict = strict
				f := proxied(t, block, j, answering(test.media, test.text))
				var got string
				if test.asks {
					got = asking(t, f.URL, test.request)
				} else {
					_, got = post(t, f.URL, test.request)
				}
				rest, ok := strings.CutPrefix(got, test.text)
				if ended := strings.Contains(rest, "RUN_ERROR"); !ok || ended != (test.judged && block) {
					t.Errorf("%s, block %t\n got: %.300q\nwant: %.300q", name, block, got, test.text)
				}
				if test.judged {
					f.log.await(t, "rule=Unterminated")
					continue
				}
				f.log.await(t, "an answer is not checked")
				if got := strings.Count(f.log.String(), "\n"); got != 1 {
					t.Errorf("%s, block %t: lines in the log\n got: %d\nwant: 1\n%s", name, block, got, f.log)
				}
			}
		}
	}
}

// TestProxyOtherAnswersAreNotHeld: what is no event passes as it comes, with -block, too.
func TestProxyOtherAnswersAreNotHeld(t *testing.T) {
	release := make(chan struct{})
	f := proxied(t, true, strictRules, func(w http.ResponseWriter, r *http.Request) {
		answering("application/x-ndjson", "{\"n\":1}\n")(w, r)
		_ = http.NewResponseController(w).Flush()
		<-release
	})
	res, err := http.Post(f.URL, "application/json", strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]byte, len("{\"n\":1}\n"))
	_, err = io.ReadFull(res.Body, got)
	if got, want := string(got), "{\"n\":1}\n"; err != nil || got != want {
		t.Errorf("\n got: %q, %v\nwant: %q", got, err, want)
	}
	close(release)
	_, _ = io.Copy(io.Discard, res.Body)
	res.Body.Close()
	http.DefaultClient.CloseIdleConnections()
}

// TestProxyNoContent: an answer that cannot have a body gets none.
func TestProxyNoContent(t *testing.T) {
	f := proxied(t, true, strictRules, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusNoContent) })
	if got := asking(t, f.URL, emptyInput); got != "" {
		t.Errorf("\n got: %q\nwant: nothing", got)
	}
	f.log.await(t, "rule=Unterminated")
}

// TestProxyLeavesTheRequest: the agent gets the query that the client sent, and what the proxies before have said.
func TestProxyLeavesTheRequest(t *testing.T) {
	var got *http.Request
	s := agent(t, func(_ http.ResponseWriter, r *http.Request) { got = r })
	f := proxyTo(t, false, strictRules, s.URL+"?key=1")
	const query = "b=2&a=1;c=%zz&d=x+y"
	req, err := http.NewRequest(http.MethodPost, f.URL+"?"+query, strings.NewReader(emptyInput))
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{"X-Forwarded-Host": "agent.example", "X-Forwarded-Proto": "https", "Forwarded": "for=192.0.2.1"}
	for name, value := range said {
		req.Header.Set(name, value)
	}
	req.Header["X-Forwarded-For"] = []string{"192.0.2.1", "192.0.2.2"}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	res.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	if got, want := got.URL.RawQuery, "key=1&"+query; got != want {
		t.Errorf("query\n got: %s\nwant: %s", got, want)
	}
	said["X-Forwarded-For"] = "192.0.2.1, 192.0.2.2, 127.0.0.1"
	for name, want := range said {
		if got := got.Header.Get(name); got != want {
			t.Errorf("%s\n got: %s\nwant: %s", name, got, want)
		}
	}

	post(t, f.URL, emptyInput)
	if got, want := got.Header.Get("X-Forwarded-For"), "127.0.0.1"; got != want {
		t.Errorf("X-Forwarded-For of a client\n got: %s\nwant: %s", got, want)
	}
	if got, want := got.Header.Get("X-Forwarded-Proto"), "http"; got != want {
		t.Errorf("X-Forwarded-Proto of a client\n got: %s\nwant: %s", got, want)
	}
}
