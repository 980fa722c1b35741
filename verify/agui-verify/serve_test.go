package main

import (
	"context"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
)

// TestProxyCommand runs the command: it listens, sends its spans to a collector, and ends with its context.
func TestProxyCommand(t *testing.T) {
	spans := make(chan string, 10)
	collector := agent(t, func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		spans <- r.URL.Path + " " + string(body)
	})
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.URL)
	t.Setenv("OTEL_SERVICE_NAME", "my-agent")
	var traceparent string
	s := agent(t, func(w http.ResponseWriter, r *http.Request) {
		traceparent = r.Header.Get("Traceparent")
		streaming(startedFrame+strayFrame+finishedFrame)(w, r)
	})

	ctx, cancel := context.WithCancel(t.Context())
	log := new(journalText)
	status := make(chan int, 1)
	go func() {
		status <- execute(ctx, []string{"proxy", "-target", s.URL, "-addr", "127.0.0.1:0", "-block"}, console{out: io.Discard, err: log})
	}()
	log.await(t, "msg=listening")
	_, rest, _ := strings.Cut(log.String(), "addr=")
	addr, _, _ := strings.Cut(rest, " ")
	if _, err := url.Parse(addr); err != nil {
		t.Fatal(err)
	}

	req, err := http.NewRequest(http.MethodPost, addr, strings.NewReader(emptyInput))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(res.Body)
	res.Body.Close()
	http.DefaultClient.CloseIdleConnections()
	if !strings.Contains(string(text), "RUN_ERROR") {
		t.Errorf("\n got: %q\nwant: a RUN_ERROR", text)
	}
	if !strings.HasPrefix(traceparent, "00-0af7651916cd43dd8448eb211c80319c-") || strings.Contains(traceparent, "b7ad6b7169203331") {
		t.Errorf("the agent's parent span\n got: %s\nwant: a span of the client's trace", traceparent)
	}

	cancel()
	select {
	case got := <-status:
		if want := exitFine; got != want {
			t.Errorf("exit status\n got: %d\nwant: %d\n%s", got, want, log)
		}
	case <-time.After(20 * time.Second):
		t.Fatalf("the proxy does not end:\n%s", log)
	}
	sent := <-spans // before the command ended
	for _, want := range []string{"/v1/traces ", "agui.verify.violation", "NotOpen", "my-agent"} {
		if !strings.Contains(sent, want) {
			t.Errorf("what the collector got\n got: %q\nwant: %s", sent, want)
		}
	}
}

func TestProxyUsage(t *testing.T) {
	for args, want := range map[string]string{
		"":                                     "proxy needs -target",
		"-target :":                            "missing protocol scheme",
		"-target localhost:8080":               "want a URL such as",
		"-target http://x y":                   "proxy takes no arguments",
		"-target http://x -format xml":         "want text or json",
		"-target http://x -addr 256.0.0.1:1":   "256.0.0.1",
		"-target http://x -allow Unterminator": "unknown rule",
		"-h":                                   "usage: agui-verify proxy",
	} {
		got := command(t, nil, append([]string{"proxy"}, strings.Fields(args)...)...)
		status := exitUnusable
		if args == "-h" {
			status = exitFine
		}
		if got.status != status || !strings.Contains(got.err, want) {
			t.Errorf("proxy %s\n got: %d, %s\nwant: %d, %s", args, got.status, got.err, status, want)
		}
	}
}

// TestProxyDrains: after the signal an open stream may end, and no new one begins.
func TestProxyDrains(t *testing.T) {
	begun, finish := make(chan struct{}), make(chan struct{})
	s := agent(t, func(w http.ResponseWriter, r *http.Request) {
		streaming(startedFrame)(w, r)
		_ = http.NewResponseController(w).Flush()
		close(begun)
		<-finish
		_, _ = io.WriteString(w, finishedFrame)
	})
	ctx, cancel := context.WithCancel(t.Context())
	log := new(journalText)
	status := make(chan int, 1)
	go func() {
		status <- execute(ctx, []string{"proxy", "-target", s.URL, "-addr", "127.0.0.1:0", "-format", "json"}, console{out: io.Discard, err: log})
	}()
	log.await(t, `"msg":"listening"`)
	_, rest, _ := strings.Cut(log.String(), `"addr":"`)
	addr, _, _ := strings.Cut(rest, `"`)
	res, err := http.Post(addr, "application/json", strings.NewReader(emptyInput))
	if err != nil {
		t.Fatal(err)
	}
	<-begun
	cancel()
	log.await(t, "stopping")
	close(finish)
	text, err := io.ReadAll(res.Body)
	res.Body.Close()
	if got, want := string(text), startedFrame+finishedFrame; got != want || err != nil {
		t.Errorf("\n got: %q, %v\nwant: %q\n%s", got, err, want, log.String())
	}
	http.DefaultClient.CloseIdleConnections()
	if got, want := <-status, exitFine; got != want {
		t.Errorf("exit status\n got: %d\nwant: %d", got, want)
	}
}
