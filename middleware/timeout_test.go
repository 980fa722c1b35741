package middleware_test

import (
	"bufio"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httptrace"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	echomiddleware "github.com/labstack/echo/v4/middleware"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/middleware/aguiecho"
)

func TestDeadlineOfTheRequestEndsTheRun(t *testing.T) {
	agent := func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
		<-ctx.Done()
		if cause := context.Cause(ctx); !errors.Is(cause, middleware.ErrRunTimeout) || !errors.Is(cause, context.DeadlineExceeded) {
			t.Errorf("cause:\n got %v\nwant one that Is ErrRunTimeout and DeadlineExceeded", cause)
		}
		return ctx.Err()
	}
	noLog := middleware.WithLogger(nil)
	for name, handler := range map[string]http.Handler{
		"echo ContextTimeout": echoWith(aguiecho.Handler(agent, noLog), echomiddleware.ContextTimeout(20*time.Millisecond)),
		"WithRunTimeout":      middleware.Handler(agent, noLog, middleware.WithRunTimeout(20*time.Millisecond)),
		"WithPrepare": middleware.Handler(agent, noLog, middleware.WithPrepare(
			func(r *http.Request, _ *events.RunAgentInput) (context.Context, error) {
				ctx, cancel := context.WithTimeoutCause(r.Context(), 20*time.Millisecond, errors.New("quota"))
				t.Cleanup(cancel)
				return ctx, nil
			})),
	} {
		t.Run(name, func(t *testing.T) {
			got := post(t, handler, input)
			if _, code := got.runError(t); got.types(t) != failed || code != middleware.CodeRunTimeout {
				t.Errorf("stream:\n got %s\nwant RUN_ERROR %s", got.body, middleware.CodeRunTimeout)
			}
		})
	}
}

// TestTimeoutOfABusyAgent sends RUN_ERROR when the time is up and not when the agent returns.
func TestTimeoutOfABusyAgent(t *testing.T) {
	done := make(chan bool)
	agent := func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
		<-done // deaf to its context
		if err := em.Custom("x:late", nil); !errors.Is(err, emitter.ErrClosed) || !errors.Is(err, middleware.ErrRunTimeout) {
			t.Errorf("a call after the timeout:\n got %v\nwant one that Is ErrClosed and ErrRunTimeout", err)
		}
		return nil
	}
	server := httptest.NewServer(middleware.Handler(agent, middleware.WithLogger(nil), middleware.WithRunTimeout(20*time.Millisecond)))
	defer server.Close()
	resp, err := server.Client().Post(server.URL, "application/json", strings.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	for lines.Scan() {
		if strings.Contains(lines.Text(), middleware.CodeRunTimeout) {
			close(done)
		}
	}
	if err := lines.Err(); err != nil {
		t.Error(err)
	}
}

// TestTimeoutsOfTheServerAreSurvived also shows that the connection is good for another request.
func TestTimeoutsOfTheServerAreSurvived(t *testing.T) {
	const limit = 500 * time.Millisecond // a TLS handshake must fit in, on a busy machine
	tests := []struct {
		name      string
		http2     bool
		configure func(*http.Server)
		opts      []middleware.Option
	}{
		{"WriteTimeout", false, func(s *http.Server) { s.WriteTimeout = limit }, nil},
		{"WriteTimeout, HTTP/2", true, func(s *http.Server) { s.WriteTimeout = limit }, nil},
		{"WriteTimeout, no limit of our own", false, func(s *http.Server) { s.WriteTimeout = limit }, []middleware.Option{middleware.WithWriteTimeout(0)}},
		{"WriteTimeout, no limit of our own, HTTP/2", true, func(s *http.Server) { s.WriteTimeout = limit }, []middleware.Option{middleware.WithWriteTimeout(0)}},
		{"ReadTimeout", false, func(s *http.Server) { s.ReadTimeout = limit }, nil},
		{"our own limit", false, func(*http.Server) {}, []middleware.Option{middleware.WithWriteTimeout(limit)}},
		{"our own limit, HTTP/2", true, func(*http.Server) {}, []middleware.Option{middleware.WithWriteTimeout(limit)}},
	}
	// silent outlasts every limit before its last event and, for what the server itself still writes,
	// after it.
	silent := func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
		time.Sleep(limit * 3 / 2)
		defer time.Sleep(limit * 3 / 2)
		return em.RunFinish(nil)
	}
	for _, s := range shapes {
		if !strings.HasSuffix(s.name, "Handler") {
			continue // the other shape on the same writer differs in nothing that matters here
		}
		for _, tt := range tests {
			t.Run(s.name+", "+tt.name, func(t *testing.T) {
				t.Parallel()
				mux := http.NewServeMux()
				mux.Handle("/", s.serve(silent, tt.opts...))
				mux.HandleFunc("/next", func(w http.ResponseWriter, r *http.Request) {
					if tt.name == "our own limit" {
						time.Sleep(limit * 2) // the deadline of the run must not reach it
					}
					fmt.Fprint(w, strings.Repeat("next", 10_000))
				})
				server := httptest.NewUnstartedServer(mux)
				tt.configure(server.Config)
				startServer(server, tt.http2)
				defer server.Close()

				req, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(input))
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Content-Type", "application/json")
				got := do(t, server, req)
				if got.err != nil {
					t.Fatalf("the stream broke off: %v\n%s", got.err, got.body)
				}
				if got.types(t) != finished {
					t.Errorf("events:\n got %s\nwant %s", got.types(t), finished)
				}

				time.Sleep(limit / 4)
				var reused bool
				ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
					GotConn: func(info httptrace.GotConnInfo) { reused = info.Reused },
				})
				req, err = http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/next", nil)
				if err != nil {
					t.Fatal(err)
				}
				next := do(t, server, req)
				if next.err != nil || len(next.body) != 40_000 || !reused {
					t.Errorf("the next request on the connection:\n got %d bytes, %v, reused %t\nwant 40000 bytes, no error, reused", len(next.body), next.err, reused)
				}
			})
		}
	}
}

// TestReaderThatStalls has a client that keeps its connection open and never reads.
func TestReaderThatStalls(t *testing.T) {
	flood := func(results chan<- error) middleware.RunFunc {
		return func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			text := strings.Repeat("x", 1<<20)
			for {
				if err := em.Custom("x:flood", text); err != nil {
					results <- context.Cause(ctx)
					return err
				}
			}
		}
	}
	stall := func(t *testing.T, handler http.Handler, secure bool) (release func()) {
		t.Helper()
		server := httptest.NewUnstartedServer(handler)
		if secure {
			server.StartTLS()
		} else {
			server.Start()
		}
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if secure {
			conn = tls.Client(conn, &tls.Config{InsecureSkipVerify: true}) // the server's certificate is made for the test
		}
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(input), input)
		return func() { conn.Close(); server.Close() }
	}
	within := func(t *testing.T, results <-chan error, limit time.Duration) error {
		t.Helper()
		select {
		case err := <-results:
			return err
		case <-time.After(limit):
			t.Fatalf("the agent still writes after %v", limit)
			return nil
		}
	}
	for _, secure := range []bool{false, true} {
		t.Run(fmt.Sprintf("longer than the write timeout, TLS %t", secure), func(t *testing.T) {
			t.Parallel()
			results := make(chan error, 1)
			release := stall(t, middleware.Handler(flood(results), middleware.WithWriteTimeout(200*time.Millisecond), middleware.WithLogger(nil)), secure)
			defer release()
			cause := within(t, results, 15*time.Second)
			// net/http cancels the request before crypto/tls tries, for up to five seconds, to say good-bye; the
			// agent is told of that when the write has not come back by then.
			timedOut := errors.Is(cause, os.ErrDeadlineExceeded) || secure && errors.Is(cause, context.Canceled)
			if !errors.Is(cause, emitter.ErrDisconnected) || !timedOut {
				t.Errorf("cause:\n got %v\nwant one that Is ErrDisconnected and os.ErrDeadlineExceeded", cause)
			}
		})
	}
	t.Run("when the run's time is up", func(t *testing.T) {
		t.Parallel()
		results := make(chan error, 1)
		release := stall(t, middleware.Handler(flood(results), middleware.WithWriteTimeout(0),
			middleware.WithRunTimeout(500*time.Millisecond), middleware.WithLogger(nil)), false)
		defer release()
		// The write that is stuck by then gets a last deadline, so the agent is not held.
		cause := within(t, results, 15*time.Second)
		if !errors.Is(cause, emitter.ErrDisconnected) && !errors.Is(cause, middleware.ErrRunTimeout) {
			t.Errorf("cause:\n got %v\nwant %v or %v", cause, emitter.ErrDisconnected, middleware.ErrRunTimeout)
		}
	})
}

// TestDeadlineAfterTheRun lets the deadline of a prepared context pass when its run is over.
func TestDeadlineAfterTheRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var log logs
		agent := func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return nil }
		prepare := func(*http.Request, *events.RunAgentInput) (context.Context, error) { return ctx, nil }
		w := &timeline{ResponseRecorder: httptest.NewRecorder(), start: time.Now()}
		handler := middleware.Handler(agent, log.option(), middleware.WithPrepare(prepare))
		handler.ServeHTTP(w, newRequest(t.Context()))
		time.Sleep(time.Hour)
		synctest.Wait()
		if got, want := strings.Join(w.notes, ", "), "0s RUN_STARTED, 0s RUN_FINISHED"; got != want {
			t.Errorf("written:\n got %s\nwant %s", got, want)
		}
		if strings.Contains(log.String(), "too long") {
			t.Errorf("log:\n got %s\nwant nothing of a run that was over in time", log.String())
		}
	})
}

// TestDeadlinesOfAResponse notes which deadlines a response is given, as times from its start; none
// means that the response has no deadline from then on.
func TestDeadlinesOfAResponse(t *testing.T) {
	agent := func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
		for _, pause := range []time.Duration{time.Second, 7 * time.Second} {
			time.Sleep(pause)
			if err := em.Custom("x:n", nil); err != nil {
				return err
			}
		}
		return nil
	}
	fail := func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return errors.New("x") }
	ended := func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
		defer time.Sleep(time.Hour)
		return em.RunFinish(nil)
	}
	tests := []struct {
		name  string
		agent middleware.RunFunc
		major int
		limit time.Duration
		rest  time.Duration // WriteTimeout of the server
		fail  error         // of the last flush
		want  string
	}{
		{"renewed when a quarter has gone", agent, 1, 30 * time.Second, 0, nil, "none 30s 38s none"},
		{"over HTTP/2 only for what takes too long", agent, 2, 30 * time.Second, 0, nil, "none none"},
		{"the server's own at the end", agent, 1, 30 * time.Second, time.Minute, nil, "none 30s 38s 1m8s"},
		{"no limit", agent, 1, 0, 0, nil, "none none"},
		{"little for a run that has failed", fail, 1, 30 * time.Second, 0, nil, "none 30s 5s 5s none"},
		{"a limit that is smaller still", fail, 1, time.Second, 0, nil, "none 1s 1s 1s none"},
		{"none over HTTP/2 for what was ended in time", ended, 2, 30 * time.Second, 0, nil, "none none"},
		{"not lifted when the client is gone", agent, 1, 30 * time.Second, 0, errors.New("gone"), "none 30s 6s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &deadlined{failing: failing{ResponseRecorder: httptest.NewRecorder()}, start: time.Now()}
				ctx := context.WithValue(t.Context(), http.ServerContextKey, &http.Server{WriteTimeout: tt.rest})
				r := newRequest(ctx)
				r.ProtoMajor = tt.major
				run := func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
					w.flush = tt.fail
					return tt.agent(ctx, in, em)
				}
				handler := middleware.Handler(run, middleware.WithLogger(nil),
					middleware.WithWriteTimeout(tt.limit), middleware.WithRunTimeout(time.Minute), middleware.WithKeepAlive(0))
				handler.ServeHTTP(w, r)
				if got := strings.Join(w.deadlines, " "); got != tt.want {
					t.Errorf("deadlines:\n got %s\nwant %s", got, tt.want)
				}
			})
		})
	}
}

// TestSlowWritesOverHTTP2 resets the stream of a write that takes longer than the limit, and no other.
func TestSlowWritesOverHTTP2(t *testing.T) {
	tests := []struct {
		name  string
		limit time.Duration
		takes []time.Duration // each flush, from RUN_STARTED on
		want  string
	}{
		{"in time", 30 * time.Second, []time.Duration{0, 29 * time.Second, 29 * time.Second, 29 * time.Second}, "none none"},
		{"too late", 30 * time.Second, []time.Duration{0, 31 * time.Second}, "none 29s none"},
		{"too late after one in time", 30 * time.Second, []time.Duration{0, 20 * time.Second, 31 * time.Second}, "none 49s none"},
		{"no limit", 0, []time.Duration{0, time.Hour}, "none none"},
	}
	agent := func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
		for range 2 {
			if err := em.Custom("x:n", nil); err != nil {
				return err
			}
		}
		return nil
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &deadlined{failing: failing{ResponseRecorder: httptest.NewRecorder()}, start: time.Now(), takes: tt.takes}
				r := newRequest(t.Context())
				r.ProtoMajor = 2
				handler := middleware.Handler(agent, middleware.WithLogger(nil),
					middleware.WithWriteTimeout(tt.limit), middleware.WithKeepAlive(0))
				handler.ServeHTTP(w, r)
				time.Sleep(time.Hour)
				w.mu.Lock()
				defer w.mu.Unlock()
				if got := strings.Join(w.deadlines, " "); got != tt.want {
					t.Errorf("deadlines:\n got %s\nwant %s", got, tt.want)
				}
			})
		})
	}
}

// deadlined notes its deadlines.
type deadlined struct {
	mu sync.Mutex
	failing
	start     time.Time
	deadlines []string
	takes     []time.Duration // what is left of how long each flush takes
}

func (d *deadlined) FlushError() error {
	if len(d.takes) > 0 {
		time.Sleep(d.takes[0])
		d.takes = d.takes[1:]
	}
	return d.failing.FlushError()
}

func (d *deadlined) SetWriteDeadline(t time.Time) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t.IsZero() {
		d.deadlines = append(d.deadlines, "none")
	} else {
		d.deadlines = append(d.deadlines, t.Sub(d.start).String())
	}
	return nil
}
