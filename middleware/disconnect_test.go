package middleware_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// TestClientLeaves cancels the request in mid-stream; the large body shows that it was read to its end.
func TestClientLeaves(t *testing.T) {
	bodies := map[string]string{"a small body": input, "a large body": strings.TrimSuffix(input, "}") + `,"state":"` + strings.Repeat("x", 1<<20) + `"}`}
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		for name, body := range bodies {
			t.Run(name, func(t *testing.T) {
				type result struct {
					cause, late error
					after       time.Duration
				}
				left := make(chan time.Time, 1)
				results := make(chan result, 1)
				agent := func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
					<-ctx.Done()
					results <- result{context.Cause(ctx), em.Custom("x:late", nil), time.Since(<-left)}
					return ctx.Err()
				}
				var log logs
				server := httptest.NewServer(serve(agent, log.option()))
				defer server.Close()
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, strings.NewReader(body))
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Content-Type", "application/json")
				resp, err := server.Client().Do(req)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := bufio.NewReader(resp.Body).ReadString('\n'); err != nil {
					t.Fatal(err)
				}
				left <- time.Now()
				cancel()
				resp.Body.Close()
				got := <-results
				if got.after > time.Second {
					t.Errorf("the agent heard of it after %v, want less than a second", got.after)
				}
				if !errors.Is(got.cause, emitter.ErrDisconnected) || !errors.Is(got.cause, context.Canceled) {
					t.Errorf("cause:\n got %v\nwant one that Is ErrDisconnected and context.Canceled", got.cause)
				}
				if !errors.Is(got.late, emitter.ErrDisconnected) {
					t.Errorf("a later call:\n got %v\nwant %v", got.late, emitter.ErrDisconnected)
				}
				server.Close() // waits for the handler
				if strings.Contains(log.String(), "level=ERROR") || strings.Contains(log.String(), "level=WARN") {
					t.Errorf("a client that leaves is nobody's mistake, but this was logged:\n%s", log.String())
				}
			})
		}
	})
}

// TestCancelledRequestTellsWhoeverStillReads cuts the request short while the response can be written.
func TestCancelledRequestTellsWhoeverStillReads(t *testing.T) {
	agent := func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
		<-ctx.Done()
		return ctx.Err()
	}
	wait := func(t *testing.T, conn io.Reader) {
		t.Helper()
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		got := answer{body: string(body), err: err}
		if _, code := got.runError(t); got.types(t) != failed || code != middleware.CodeRequestCancelled || err != nil {
			t.Errorf("stream:\n got %s (%v)\nwant RUN_ERROR %s", got.body, err, middleware.CodeRequestCancelled)
		}
	}
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		handler := serve(agent, middleware.WithLogger(nil))
		t.Run("by half a close", func(t *testing.T) {
			server := httptest.NewServer(handler)
			defer server.Close()
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(input), input)
			if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			wait(t, conn)
		})
		t.Run("by the server", func(t *testing.T) {
			base, cancel := context.WithCancel(t.Context())
			server := httptest.NewUnstartedServer(handler)
			server.Config.BaseContext = func(net.Listener) context.Context { return base }
			server.Start()
			defer server.Close()
			conn, err := net.Dial("tcp", server.Listener.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(input), input)
			time.AfterFunc(20*time.Millisecond, cancel)
			wait(t, conn)
		})
	})
}

// TestPreparedContextEndsTheRun has a context that does not derive from the request's.
func TestPreparedContextEndsTheRun(t *testing.T) {
	for stop, want := range map[error]string{
		errors.New("this thread was deleted"): middleware.CodeRequestCancelled,
		middleware.ErrShutdown:                middleware.CodeServerShutdown,
	} {
		own, cancel := context.WithCancelCause(context.Background())
		agent := func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
			cancel(stop)
			<-ctx.Done()
			if cause := context.Cause(ctx); !errors.Is(cause, stop) {
				t.Errorf("cause:\n got %v\nwant %v", cause, stop)
			}
			return nil
		}
		got := post(t, middleware.Handler(agent, middleware.WithLogger(nil), middleware.WithPrepare(
			func(*http.Request, *events.RunAgentInput) (context.Context, error) { return own, nil })), input)
		if _, code := got.runError(t); code != want {
			t.Errorf("stream:\n got %s\nwant RUN_ERROR %s", got.body, want)
		}
	}
}

func TestWriterThatPanicsDoesNotHoldTheRun(t *testing.T) {
	agent := func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
		err := em.Custom("x:n", 1)
		if !errors.Is(err, emitter.ErrDisconnected) || !strings.Contains(err.Error(), "panicked: broken wrapper") {
			t.Errorf("a call on a broken writer:\n got %v\nwant %v, which says that the writer panicked", err, emitter.ErrDisconnected)
		}
		return err
	}
	handler := middleware.Handler(agent, middleware.WithLogger(nil))
	writer := &breaking{ResponseRecorder: httptest.NewRecorder(), good: 1}
	handler.ServeHTTP(writer, newRequest(t.Context()))
}

// breaking panics in every Write but the first ones.
type breaking struct {
	*httptest.ResponseRecorder
	good int
}

func (b *breaking) Write(p []byte) (int, error) {
	if b.good--; b.good < 0 {
		panic("broken wrapper")
	}
	return b.ResponseRecorder.Write(p)
}

// TestPreparedContextBesideTheRequests ends the run of a client that leaves, whatever the context that
// was prepared for it.
func TestPreparedContextBesideTheRequests(t *testing.T) {
	ctx, leave := context.WithCancel(t.Context())
	agent := func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
		leave()
		select {
		case <-ctx.Done():
		case <-time.After(10 * time.Second):
			t.Error("the run goes on without its client")
		}
		return ctx.Err()
	}
	handler := middleware.Handler(agent, middleware.WithLogger(nil), middleware.WithPrepare(
		func(*http.Request, *events.RunAgentInput) (context.Context, error) { return context.Background(), nil }))
	handler.ServeHTTP(httptest.NewRecorder(), newRequest(ctx))
}

// TestFlushThatFails has a writer that buffers what is written, so that only the flush fails.
func TestFlushThatFails(t *testing.T) {
	reset := errors.New("connection reset")
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		w := &failing{ResponseRecorder: httptest.NewRecorder()}
		agent := func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			w.flush = reset
			err := em.Custom("x:n", 1)
			for what, err := range map[string]error{"the call": err, "cause": context.Cause(ctx)} {
				if !errors.Is(err, emitter.ErrDisconnected) || !errors.Is(err, reset) {
					t.Errorf("%s:\n got %v\nwant one that Is ErrDisconnected and %v", what, err, reset)
				}
			}
			return nil
		}
		serve(agent, middleware.WithLogger(nil)).ServeHTTP(w, newRequest(t.Context()))
		if got, want := (answer{body: w.Body.String()}).types(t), "RUN_STARTED CUSTOM"; got != want {
			t.Errorf("written:\n got %s\nwant %s", got, want)
		}
	})
}

// failing reports the error of a flush.
type failing struct {
	*httptest.ResponseRecorder
	flush error
}

func (f *failing) FlushError() error { return f.flush }
