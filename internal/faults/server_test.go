package faults

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"

	"github.com/labstack/echo/v4"

	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/middleware/aguiecho"
)

// shapes are the ways to serve an agent.
var shapes = []struct {
	name  string
	serve func(middleware.RunFunc, ...middleware.Option) http.Handler
}{
	{"net/http", middleware.Handler},
	{"echo", func(agent middleware.RunFunc, opts ...middleware.Option) http.Handler {
		e := echo.New()
		e.HTTPErrorHandler = func(err error, c echo.Context) { // spoils a stream that it gets to see
			_ = c.String(http.StatusInternalServerError, "echo's error handler: "+err.Error())
		}
		e.POST("/", aguiecho.Handler(agent, opts...))
		return e
	}},
}

// newServer starts a server for the trial.
func newServer(t *trial, handler http.Handler) *httptest.Server {
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancelCause(r.Context())
		defer cancel(nil)
		if t.fault.name == "deadline of the request" {
			short, stop := context.WithTimeout(ctx, t.after)
			defer stop()
			ctx = short
		}
		t.requested(cancel)
		watched := &writer{ResponseWriter: w, trial: t, good: t.good}
		if t.fault.writer != nil {
			t.fault.writer(watched)
		}
		defer watched.returned()
		handler.ServeHTTP(watched, r.WithContext(ctx))
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Config.RegisterOnShutdown(t.drainer.Drain)
	s.EnableHTTP2 = t.http2
	if len(t.fault.cause) == 0 && !t.http2 { // over TLS, the handshake has to fit in
		s.Config.WriteTimeout = serverTimeout // a run survives it
	}
	if t.fault.inRun {
		// The deadline of a stream does not reach a connection that is stuck, which this does.
		s.Config.HTTP2 = &http.HTTP2Config{WriteByteTimeout: stallTimeout}
	}
	if t.http2 {
		s.StartTLS()
	} else {
		s.Start()
	}
	return s
}

// writer is the innermost response: it fails when it is told to, and notices who touches it when the
// handler has returned.
type writer struct {
	http.ResponseWriter
	trial              *trial
	good               int // calls that succeed before those that fail
	writeErr, flushErr error

	mu   sync.Mutex
	over bool
}

func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *writer) Write(p []byte) (int, error) {
	if err := w.touched("Write", w.writeErr); err != nil {
		return 0, err
	}
	return w.ResponseWriter.Write(p)
}

func (w *writer) WriteHeader(status int) {
	_ = w.touched("WriteHeader", nil)
	w.ResponseWriter.WriteHeader(status)
}

func (w *writer) FlushError() error {
	if err := w.touched("Flush", w.flushErr); err != nil {
		return err
	}
	return http.NewResponseController(w.ResponseWriter).Flush()
}

// touched reports a call that comes too late, and returns the error of one that is to fail.
func (w *writer) touched(call string, fail error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.over {
		w.trial.fail("%s on the response after the handler has returned", call)
		return nil
	}
	if fail == nil {
		return nil
	}
	if w.good--; w.good >= 0 {
		return nil
	}
	w.trial.strike()
	return fail
}

func (w *writer) returned() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	close(w.trial.over)
}
