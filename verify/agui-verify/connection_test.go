package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestProxyWithoutAgent: an agent that is not there is a 502 that says so.
func TestProxyWithoutAgent(t *testing.T) {
	f := proxyTo(t, false, strictRules, "http://127.0.0.1:1")
	res, text := post(t, f.URL, emptyInput)
	if got, want := res.StatusCode, http.StatusBadGateway; got != want || !strings.Contains(text, "agent_unreachable") {
		t.Errorf("\n got: %d %s\nwant: %d", got, text, want)
	}
	f.log.await(t, "connection refused")
}

// TestProxyRefusesAgain: a client that was refused is refused again, as often as it asks.
func TestProxyRefusesAgain(t *testing.T) {
	f := proxyTo(t, false, strictRules, "http://127.0.0.1:1")
	var panics journalText
	f.Config.ErrorLog = log.New(&panics, "", 0)
	client := f.Client()
	for range 20 {
		res, err := client.Post(f.URL, "application/json", strings.NewReader(emptyInput))
		if err != nil {
			t.Fatal(err)
		}
		if got, want := res.StatusCode, http.StatusBadGateway; got != want {
			t.Errorf("\n got: %d\nwant: %d", got, want)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
	client.CloseIdleConnections()
	f.Close() // when its connections have ended
	if got := panics.String(); got != "" {
		t.Errorf("log of the server\n got: %s\nwant: nothing", got)
	}
}

// TestProxyKilledClient: the agent of a client that left is told, and the end of its stream not judged.
func TestProxyKilledClient(t *testing.T) {
	for _, block := range []bool{false, true} {
		gone := make(chan struct{})
		f := proxied(t, block, strictRules, func(w http.ResponseWriter, r *http.Request) {
			defer close(gone)
			_, _ = io.Copy(io.Discard, r.Body)
			streaming(startedFrame)(w, r)
			for r.Context().Err() == nil {
				_, _ = io.WriteString(w, ": ping\n\n")
				_ = http.NewResponseController(w).Flush()
				time.Sleep(time.Millisecond)
			}
		})
		ctx, cancel := context.WithCancel(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.URL, strings.NewReader(emptyInput))
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.ReadFull(res.Body, make([]byte, len(startedFrame)))
		cancel()
		res.Body.Close()
		select {
		case <-gone:
		case <-time.After(10 * time.Second):
			t.Error("the agent still runs")
		}
		f.log.await(t, "early=\""+clientLeft)
		if got := f.log.String(); strings.Contains(got, "rule=") {
			t.Errorf("block %t: log\n got: %s\nwant: no violation", block, got)
		}
	}
}

// TestProxyKilledAgent: the client of an agent that died is cut off too, or with -block told by a RUN_ERROR.
func TestProxyKilledAgent(t *testing.T) {
	for _, block := range []bool{false, true} {
		f := proxied(t, block, strictRules, func(w http.ResponseWriter, r *http.Request) {
			streaming(startedFrame+"data: {\"type\":\"RA")(w, r)
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		})
		res, err := http.Post(f.URL, "application/json", strings.NewReader(emptyInput))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(res.Body)
		res.Body.Close()
		if got, want := err != nil, !block; got != want {
			t.Errorf("block %t: the client sees the failure\n got: %t (%v)\nwant: %t", block, got, err, want)
		}
		if got, want := strings.Contains(string(text), "RUN_ERROR"), block; got != want {
			t.Errorf("block %t: RUN_ERROR\n got: %t (%q)\nwant: %t", block, got, text, want)
		}
		f.log.await(t, `early="unexpected EOF"`)
		f.log.await(t, "rule=Truncated")
	}
	http.DefaultClient.CloseIdleConnections()
}

// firstByte returns the median time to the first byte of the answer.
func firstByte(t testing.TB, client *http.Client, target string, n int) time.Duration {
	t.Helper()
	times := make([]time.Duration, 0, n)
	for range n {
		begun := time.Now()
		res, err := client.Post(target, "application/json", strings.NewReader(emptyInput))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := res.Body.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		times = append(times, time.Since(begun))
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
	}
	slices.Sort(times)
	return times[n/2]
}

// BenchmarkProxyFirstByte measures what the proxy adds to the time to the first byte: the median of the
// differences, round by round. The goal is less than a millisecond on a machine that does nothing else.
func BenchmarkProxyFirstByte(b *testing.B) {
	s := agent(b, streaming(reply))
	client := &http.Client{Transport: &http.Transport{}}
	defer client.CloseIdleConnections()
	for _, block := range []bool{false, true} {
		b.Run(fmt.Sprintf("block=%t", block), func(b *testing.B) {
			f := proxyTo(b, block, strictRules, s.URL)
			var added []time.Duration
			for b.Loop() {
				direct := firstByte(b, client, s.URL, 20)
				added = append(added, firstByte(b, client, f.URL, 20)-direct)
			}
			slices.Sort(added)
			b.ReportMetric(float64(added[len(added)/2].Microseconds()), "µs-added")
		})
	}
}
