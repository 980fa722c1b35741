package middleware_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/verify"
)

// storm has 64 goroutines of one run write 1,000 events each: messages, tool calls, reasoning and
// subagents of their own, by handles and by id.
func storm(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
	for i := range stormGoroutines {
		if err := em.Go(func(context.Context) error { return gust(em, i) }); err != nil {
			return err
		}
	}
	return nil
}

const (
	stormGoroutines = 64
	stormEvents     = 1000
)

// gust writes stormEvents events, and the number i in their text.
func gust(em *emitter.Emitter, i int) error {
	text := fmt.Sprintf("%d ", i)
	if i%4 == 3 {
		sub := em.Subagent("", "gust")
		err := errors.Join(sub.Err(), breeze(sub.Emitter, text, stormEvents-2))
		return errors.Join(err, sub.Finish(nil))
	}
	return breeze(em, text, stormEvents)
}

// breeze writes n events: rounds of ten, and CUSTOM events for what is left over.
func breeze(em *emitter.Emitter, text string, n int) error {
	for ; n >= 10; n -= 10 {
		msg := em.Text() // 4 events
		_, err1 := io.WriteString(msg, text)
		err2 := em.TextContent(msg.ID(), text)
		call := em.ToolCall("blow") // 4 events
		_, err3 := io.WriteString(call, "{}")
		err := errors.Join(err1, err2, err3, call.Result(text), msg.Close(), em.StateSnapshot(text), em.Custom("test:gust", text))
		if err != nil {
			return err
		}
	}
	for range n {
		if err := em.Custom("test:gust", text); err != nil {
			return err
		}
	}
	return nil
}

// TestStorm sends 64,000 events of 64 goroutines through one emitter to a client on a real server.
func TestStorm(t *testing.T) {
	for _, tt := range []struct {
		name  string
		http2 bool
		opt   emitter.Option
	}{
		{name: "HTTP/1.1, each event flushed"},
		{name: "HTTP/2, a flush window", http2: true, opt: emitter.WithFlushWindow(10*time.Millisecond, 0)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewUnstartedServer(middleware.Handler(storm, middleware.WithEmitter(tt.opt)))
			startServer(server, tt.http2)
			defer server.Close()
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(input))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			list := do(t, server, req).events(t)
			if want := stormGoroutines*stormEvents + 2; len(list) != want {
				t.Errorf("events\n got %d\nwant %d", len(list), want)
			}
			if err := verify.All(slices.Values(list)); err != nil {
				t.Errorf("the client refuses the stream: %v", err)
			}
			checkTexts(t, list)
		})
	}
}

// checkTexts checks that each message has its own text, which is written to it twice, and nothing else.
func checkTexts(t *testing.T, list []events.Event) {
	t.Helper()
	texts := make(map[string]string)
	for _, ev := range list {
		if e, ok := ev.(*events.TextMessageContent); ok {
			texts[e.MessageID] += e.Delta
		}
	}
	if len(texts) == 0 {
		t.Error("there is no text")
	}
	for id, text := range texts {
		if half := text[:len(text)/2]; half == "" || half+half != text {
			t.Errorf("the text of %s is mixed up: %q", id, text)
		}
	}
}

// flushes counts the flushes of all runs.
type flushes struct{ n *atomic.Int64 }

func (flushes) Start(ctx context.Context, _ *events.RunAgentInput) context.Context { return ctx }
func (flushes) Event(events.Type, events.Event, int)                               {}
func (f flushes) Flush(error)                                                      { f.n.Add(1) }
func (flushes) Violation(context.Context, *verify.Violation)                       {}
func (flushes) End(context.Context, events.Event, error)                           {}

// BenchmarkStorm writes one message of many deltas, as fast as it can, to a client over loopback. An
// operation is a delta, and takes the client's part with it.
func BenchmarkStorm(b *testing.B) {
	for _, window := range []time.Duration{0, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond} {
		b.Run(fmt.Sprintf("window=%v", window), func(b *testing.B) {
			var n atomic.Int64
			agent := func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
				msg := em.Text()
				defer msg.Close()
				for range b.N {
					if _, err := msg.WriteString("sixteen letters "); err != nil {
						return err
					}
				}
				return nil
			}
			server := httptest.NewServer(middleware.Handler(agent, middleware.WithLogger(nil), middleware.WithEmitter(
				emitter.WithFlushWindow(window, 0), emitter.WithObserver(func() flushes { return flushes{&n} }))))
			defer server.Close()
			b.ResetTimer()
			resp, err := http.Post(server.URL, "application/json", strings.NewReader(input))
			if err != nil {
				b.Fatal(err)
			}
			defer resp.Body.Close()
			if _, err := io.Copy(io.Discard, bufio.NewReaderSize(resp.Body, 64<<10)); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(n.Load())/float64(b.N), "flushes/op")
		})
	}
}
