package main

import (
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/internal/answer"
	"github.com/agui-go/agui/verify"
)

func TestProxyBlocks(t *testing.T) {
	comment := ": ping\n\n"
	for _, test := range []struct {
		name, text string
		judging    judging
		want       string // before the RUN_ERROR
		rule       string // in the RUN_ERROR, "" when there is none
	}{
		{"fine", reply, strictRules, reply, ""},
		{"bad event", startedFrame + comment + strayFrame + finishedFrame, strictRules, startedFrame + comment, "NotOpen"},
		{"bad first event", strayFrame + finishedFrame, strictRules, "", "RunNotStarted"},
		{"bad value", startedFrame + "data: {\"type\":\"RUN_ERROR\"}\n\n", strictRules, startedFrame, "InvalidField"},
		{"not ended", startedFrame + comment, strictRules, startedFrame + comment, "Unterminated"},
		{"nothing", "", strictRules, "", "Unterminated"},
		{"truncated", startedFrame + "data: {\"ty", strictRules, startedFrame, "Truncated"},
		{"no JSON", startedFrame + "data: hello\n\n" + finishedFrame, strictRules, startedFrame, "Unreadable"},
		{"too long", startedFrame + "data: " + strings.Repeat("x", sizeLimit+10), strictRules, startedFrame, "Unreadable"},
		{"a long line of an event", startedFrame + "event: " + strings.Repeat("x", maxHeld+10), strictRules, startedFrame, "Unreadable"},
		{"after the end", startedFrame + finishedFrame + strayFrame, strictRules, startedFrame + finishedFrame, ""},
		{"truncated after the end", startedFrame + finishedFrame + "data: {\"ty", strictRules, startedFrame + finishedFrame, ""},
		{"flaw", startedFrame + "data: [DONE]\n\n" + finishedFrame, strictRules, startedFrame + "data: [DONE]\n\n" + finishedFrame, ""},
		{"flaw, strict", startedFrame + "data: [DONE]\n\n" + finishedFrame, judging{set: verify.Strict, strict: true}, startedFrame, "Done"},
		{"allowed", startedFrame + strayFrame + finishedFrame, judging{set: verify.Strict, allow: []verify.Rule{verify.NotOpen}}, startedFrame + strayFrame + finishedFrame, ""},
		{"core", "data: {\"type\":\"RAW\",\"event\":1}\n\n" + startedFrame + finishedFrame, judging{}, "data: {\"type\":\"RAW\",\"event\":1}\n\n" + startedFrame + finishedFrame, ""},
		{"two runs", startedFrame + finishedFrame + startedFrame + finishedFrame, judging{set: verify.Strict, multi: true},
			startedFrame + finishedFrame + startedFrame + finishedFrame, ""},
	} {
		f := proxied(t, true, test.judging, streaming(test.text))
		_, got := post(t, f.URL, emptyInput)
		rest, ok := strings.CutPrefix(got, test.want)
		if !ok {
			t.Errorf("%s\n got: %.300q\nwant: %.300q first", test.name, got, test.want)
			continue
		}
		if test.rule == "" {
			if rest != "" {
				t.Errorf("%s: after the stream\n got: %q\nwant: nothing", test.name, rest)
			}
			continue
		}
		if !strings.HasPrefix(rest, `data: {"type":"RUN_ERROR","message":"agui-verify stopped the run at `) ||
			!strings.Contains(rest, ": "+test.rule+": ") || !strings.HasSuffix(rest, `"code":"protocol_violation"}`+"\n\n") {
			t.Errorf("%s: in place of the bad event\n got: %q\nwant: a RUN_ERROR that names %s", test.name, rest, test.rule)
		}
		f.log.await(t, "rule="+test.rule)
	}
}

// TestProxyBlockIsPrompt: a held stream passes each event on as soon as it is whole.
func TestProxyBlockIsPrompt(t *testing.T) {
	next := make(chan string)
	f := proxied(t, true, strictRules, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		for text := range next {
			_, _ = io.WriteString(w, text)
			_ = http.NewResponseController(w).Flush()
		}
	})
	res := make(chan *http.Response, 1)
	go func() {
		got, err := http.Post(f.URL, "application/json", strings.NewReader(emptyInput)) //nolint:bodyclose // the test does, which it is sent to
		if err != nil {
			t.Error(err)
		}
		res <- got
	}()
	next <- startedFrame
	body := (<-res).Body
	defer body.Close()
	for _, step := range []struct{ send, want string }{
		{"", startedFrame},
		{": ping\n", ": ping\n"},
		{"\ndata: {\"type\":\"RAW\",", "\n"},
		{"\"event\":1}\n\n", "data: {\"type\":\"RAW\",\"event\":1}\n\n"},
	} {
		if step.send != "" {
			next <- step.send
		}
		got := make([]byte, len(step.want))
		if _, err := io.ReadFull(body, got); err != nil || string(got) != step.want {
			t.Errorf("after %q\n got: %q, %v\nwant: %q", step.send, got, err, step.want)
		}
	}
	close(next)
	_, _ = io.Copy(io.Discard, body)
	http.DefaultClient.CloseIdleConnections()
}

// TestProxyBlockHangsUp: the agent of a run that was ended is told.
func TestProxyBlockHangsUp(t *testing.T) {
	gone := make(chan struct{})
	f := proxied(t, true, strictRules, func(w http.ResponseWriter, r *http.Request) {
		streaming(startedFrame+strayFrame)(w, r)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(gone)
	})
	_, got := post(t, f.URL, emptyInput)
	if !strings.Contains(got, "NotOpen") {
		t.Errorf("\n got: %q\nwant: a RUN_ERROR", got)
	}
	select {
	case <-gone:
	case <-time.After(10 * time.Second):
		t.Error("the agent still runs")
	}
}

// TestProxyUncheckable: what cannot be checked passes with a warning, and with -block not at all.
func TestProxyUncheckable(t *testing.T) {
	for name, header := range map[string]http.Header{
		"binary":                                {"Content-Type": {answer.Binary}},
		"compressed":                            {"Content-Type": {"text/event-stream"}, "Content-Encoding": {"gzip"}},
		"binary, with a parameter that is none": {"Content-Type": {answer.Binary + "; x"}},
		"compressed, of another type":           {"Content-Type": {"application/json"}, "Content-Encoding": {"br"}},
	} {
		for _, block := range []bool{false, true} {
			f := proxied(t, block, strictRules, func(w http.ResponseWriter, r *http.Request) {
				if got := r.Header.Get("Accept-Encoding"); got != "" {
					t.Errorf("Accept-Encoding\n got: %q\nwant: none", got)
				}
				maps.Copy(w.Header(), header)
				_, _ = io.WriteString(w, "bytes")
			})
			req, err := http.NewRequest(http.MethodPost, f.URL, strings.NewReader(emptyInput))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Accept-Encoding", "gzip")
			res, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			body, _ := io.ReadAll(res.Body)
			res.Body.Close()
			status, text := http.StatusOK, "bytes"
			if block {
				status, text = http.StatusBadGateway, `"code":"answer_not_checked","message":"the agent's answer cannot be checked`
			}
			if res.StatusCode != status || !strings.Contains(string(body), text) {
				t.Errorf("%s, block %t\n got: %d %s\nwant: %d %s", name, block, res.StatusCode, body, status, text)
			}
			f.log.await(t, "checked")
			if got := strings.Count(f.log.String(), "\n"); got != 1 {
				t.Errorf("%s, block %t: lines in the log\n got: %d\nwant: 1\n%s", name, block, got, f.log)
			}
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// TestProxyBlockEndsLines: what stands before the RUN_ERROR is ended, so that a client reads both.
func TestProxyBlockEndsLines(t *testing.T) {
	started := strings.TrimSuffix(startedFrame, "\n\n")
	for name, test := range map[string]struct{ text, want string }{
		"a line that is not ended":         {started, startedFrame},
		"an event that is not ended":       {started + "\n", startedFrame},
		"half a comment":                   {startedFrame + ": pi", startedFrame + ": pi\n\n"},
		"a comment that is not ended":      {startedFrame + ": ping\n", startedFrame + ": ping\n\n"},
		"a comment, and a bad event":       {startedFrame + ": ping\n" + strayFrame, startedFrame + ": ping\n\n"},
		"half a line that is nothing":      {startedFrame + "nothing", startedFrame + "nothing\n\n"},
		"CRLF":                             {started + "\r\n\r\n", started + "\r\n\r\n\n"},
		"CRLF, and a bad event":            {started + "\r\n\r\n" + strayFrame, started + "\r\n\r\n\n"},
		"CRLF, an event that is not ended": {started + "\r\n", started + "\r\n\n"},
		"CR":                               {started + "\r\r", started + "\r\r\n\n"},
		"an event that is ended":           {startedFrame, startedFrame},
		"nothing":                          {"", ""},
	} {
		for _, killed := range []bool{false, true} {
			f := proxied(t, true, strictRules, func(w http.ResponseWriter, r *http.Request) {
				streaming(test.text)(w, r)
				_ = http.NewResponseController(w).Flush()
				if killed {
					panic(http.ErrAbortHandler)
				}
			})
			_, got := post(t, f.URL, emptyInput)
			rest, ok := strings.CutPrefix(got, test.want)
			if !ok || !strings.HasPrefix(rest, `data: {"type":"RUN_ERROR"`) || !strings.HasSuffix(rest, "}\n\n") {
				t.Errorf("%s, killed %t\n got: %q\nwant: %q and a RUN_ERROR", name, killed, got, test.want)
			}
		}
	}
}
