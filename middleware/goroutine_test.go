package middleware_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/middleware"
)

// TestGoroutines runs agents whose work is done in goroutines that the emitter has started.
func TestGoroutines(t *testing.T) {
	leave := func(context.Context, *emitter.Emitter) error { return nil }
	stay := func(ctx context.Context, _ *emitter.Emitter) error {
		<-ctx.Done()
		return context.Cause(ctx)
	}
	for _, tt := range []struct {
		name  string
		do    func(ctx context.Context, em *emitter.Emitter) error // in the goroutine
		agent func(ctx context.Context, em *emitter.Emitter) error // behind it
		types string
		code  string
		log   string // logged once; empty: nothing is
		cut   bool   // the connection is
	}{
		{
			name: "the run is finished when the last goroutine is",
			do: func(_ context.Context, em *emitter.Emitter) error {
				for range 100 {
					runtime.Gosched()
				}
				return em.Custom("test:done", nil)
			},
			agent: leave,
			types: "RUN_STARTED CUSTOM RUN_FINISHED",
		},
		{
			name:  "an error",
			do:    func(context.Context, *emitter.Emitter) error { return errors.New("secret") },
			agent: leave,
			types: failed, code: middleware.CodeAgentError, log: "error=secret",
		},
		{
			name:  "an error while the agent works",
			do:    func(context.Context, *emitter.Emitter) error { return errors.New("secret") },
			agent: stay,
			types: failed, code: middleware.CodeAgentError, log: "error=secret",
		},
		{
			name:  "a panic",
			do:    func(context.Context, *emitter.Emitter) error { panic("secret") },
			agent: leave,
			types: failed, code: middleware.CodePanic, log: "panic=secret",
		},
		{
			name:  "a panic while the agent works",
			do:    func(context.Context, *emitter.Emitter) error { panic("secret") },
			agent: stay,
			types: failed, code: middleware.CodePanic, log: "panic=secret",
		},
		{
			name: "a panic while the agent writes",
			do:   func(context.Context, *emitter.Emitter) error { panic("secret") },
			agent: func(_ context.Context, em *emitter.Emitter) error {
				for {
					if err := em.Emit(&events.StateSnapshot{}); err != nil {
						return err
					}
				}
			},
			code: middleware.CodePanic, log: "panic=secret",
		},
		{
			name:  "http.ErrAbortHandler",
			do:    func(context.Context, *emitter.Emitter) error { panic(http.ErrAbortHandler) },
			agent: leave,
			types: failed, code: middleware.CodePanic, log: "panic=", cut: true,
		},
		{
			name:  "runtime.Goexit",
			do:    func(context.Context, *emitter.Emitter) error { runtime.Goexit(); return nil },
			agent: leave,
			types: failed, code: middleware.CodePanic, log: `panic="runtime.Goexit`,
		},
		{
			name: "a broken rule",
			do:   func(_ context.Context, em *emitter.Emitter) error { return em.TextContent("m1", "x") },
			agent: func(_ context.Context, em *emitter.Emitter) error {
				return em.Wait()
			},
			types: perBuild(failed, failed, "RUN_STARTED TEXT_MESSAGE_CONTENT RUN_FINISHED"),
			code:  perBuild(middleware.CodeAgentError, emitter.CodeProtocolViolation, ""),
			log:   perBuild("rule=NotOpen", "rule=NotOpen", ""),
		},
		{
			name:  "the agent fails and the goroutine is stopped",
			do:    stay,
			agent: func(context.Context, *emitter.Emitter) error { return errors.New("secret") },
			types: failed, code: middleware.CodeAgentError, log: "error=secret",
		},
		{
			name:  "the agent panics and the goroutine is stopped",
			do:    stay,
			agent: func(context.Context, *emitter.Emitter) error { panic("secret") },
			types: failed, code: middleware.CodePanic, log: "panic=secret",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
				var log logs
				var live atomic.Int32
				agent := func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
					live.Add(1)
					err := em.Go(func(ctx context.Context) error {
						defer live.Add(-1)
						return tt.do(ctx, em)
					})
					if err != nil {
						return err
					}
					return tt.agent(ctx, em)
				}
				handler := serve(agent, log.option())
				got := post(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					defer func() {
						if n := live.Load(); n != 0 {
							t.Errorf("%d goroutines are left when the handler returns", n)
						}
					}()
					handler.ServeHTTP(w, r)
				}), input)
				if types := got.types(t); tt.types != "" && types != tt.types {
					t.Errorf("events\n got %s\nwant %s", types, tt.types)
				}
				if !build.NoVerify || tt.code != "" {
					got.assertValid(t)
				}
				if _, code := got.runError(t); code != tt.code {
					t.Errorf("code\n got %q\nwant %q", code, tt.code)
				}
				if cut := got.err != nil; cut != tt.cut {
					t.Errorf("the connection was cut: %v, want %t", got.err, tt.cut)
				}
				if text := log.String(); tt.log == "" && text != "" || strings.Count(text, tt.log) != 1 && tt.log != "" {
					t.Errorf("log\n got %s\nwant %q once", text, tt.log)
				}
			})
		})
	}
}

// TestCallsThatOutliveTheRun leaves goroutines behind that go on calling, also when the response is over,
// and expects that they are told so and that nothing else happens.
func TestCallsThatOutliveTheRun(t *testing.T) {
	for _, tt := range []struct {
		name   string
		end    func(ctx context.Context) error
		leaves bool // the client does
	}{
		{name: "the agent returns", end: func(context.Context) error { return nil }},
		{name: "the agent fails", end: func(context.Context) error { return errors.New("secret") }},
		{name: "the agent panics", end: func(context.Context) error { panic("secret") }},
		{name: "the client leaves", end: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }, leaves: true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
				for _, opt := range []emitter.Option{nil, emitter.WithFlushWindow(time.Millisecond, 0)} {
					left := stragglers{over: make(chan struct{})}
					agent := func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
						left.start(t, em)
						return tt.end(ctx)
					}
					handler := serve(agent, middleware.WithOnOpenAtReturn(middleware.Fail), middleware.WithLogger(nil), middleware.WithEmitter(opt))
					if tt.leaves {
						glance(t, handler)
					} else if got := post(t, handler, input); !build.NoVerify {
						got.assertValid(t)
					}
					close(left.over)
					left.Wait()
				}
			})
		})
	}
}

// glance serves one request of a client that leaves once it has seen something.
func glance(t *testing.T, handler http.Handler) {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close() // waits for the handler
	resp, err := server.Client().Post(server.URL, "application/json", strings.NewReader(input))
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.ReadFull(resp.Body, make([]byte, 2000)); err != nil {
		t.Fatal(err)
	}
}

// stragglers are goroutines that call as long as they may, and once more when over is closed.
type stragglers struct {
	sync.WaitGroup
	over chan struct{}
}

func (s *stragglers) start(t *testing.T, em *emitter.Emitter) {
	t.Helper()
	msg, call, sub := em.Text(), em.ToolCall("x"), em.Subagent("", "x")
	subMsg := sub.Text()
	for _, call := range []func() error{
		func() error { _, err := msg.WriteString("x"); return err },
		func() error { return em.TextContent(msg.ID(), "x") },
		func() error { _, err := call.Write([]byte("x")); return err },
		func() error { _, err := subMsg.WriteString("x"); return err },
		func() error { return em.Custom("test:x", 1) },
		func() error { return em.Text().Close() },
		func() error { return em.Go(func(context.Context) error { return nil }) },
	} {
		s.Go(func() {
			var err error
			for err == nil {
				err = call()
				runtime.Gosched()
			}
			<-s.over
			for _, err := range []error{err, call()} {
				if !errors.Is(err, emitter.ErrClosed) && !errors.Is(err, emitter.ErrDisconnected) {
					t.Errorf("got %v\nwant ErrClosed, or ErrDisconnected of the call that noticed", err)
				}
			}
		})
	}
}
