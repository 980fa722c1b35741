package faults

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/middleware"
)

var (
	errFlush     = errors.New("the flush failed")
	errWrite     = errors.New("the write failed")
	errCancel    = errors.New("the server's own reason")
	abortHandler = http.ErrAbortHandler
)

// fault is what goes wrong in a run.
type fault struct {
	name string
	// stays says that the client reads to the end and can be told of it.
	stays bool
	// noisy says that it is not noticed unless the agent talks.
	noisy bool
	// cause are the errors that the cause of the run's context then Is; none: the run is not ended.
	cause []error
	// code is the code of the RUN_ERROR that a client that stays gets.
	code string
	opts func(t *trial) []middleware.Option
	// conn acts on the client's connection, at the byte or the time.
	conn func(c *conn)
	// inRun says that conn acts when the server has the request, and not before. Such a client does not
	// find the end of its answer by itself.
	inRun bool
	// cancels says that the client cancels its request.
	cancels bool
	// server acts at the server's side, at the time.
	server func(t *trial)
	// writer makes the server's writer fail.
	writer func(w *writer)
}

var faults = []fault{
	{name: "none", stays: true},
	{name: "slow reader", stays: true, conn: func(c *conn) { c.slow.Store(true) }},
	{name: "cut", cause: []error{emitter.ErrDisconnected}, conn: func(c *conn) { c.Close() }},
	{name: "reset", cause: []error{emitter.ErrDisconnected}, conn: func(c *conn) {
		_ = c.Conn.(*net.TCPConn).SetLinger(0)
		c.Close()
	}},
	{name: "request cancelled by the client", cause: []error{emitter.ErrDisconnected}, cancels: true},
	{name: "stall", noisy: true, inRun: true, cause: []error{emitter.ErrDisconnected}, conn: func(c *conn) { c.stalled.Store(true) },
		opts: func(*trial) []middleware.Option {
			return []middleware.Option{middleware.WithWriteTimeout(stallTimeout)}
		}},
	{name: "failing flush", noisy: true, cause: []error{emitter.ErrDisconnected, errFlush}, writer: func(w *writer) { w.flushErr = errFlush }},
	{name: "failing write", noisy: true, cause: []error{emitter.ErrDisconnected, errWrite}, writer: func(w *writer) { w.writeErr = errWrite }},
	{name: "request cancelled by the server", stays: true, cause: []error{emitter.ErrDisconnected, errCancel}, code: middleware.CodeRequestCancelled,
		server: func(t *trial) { t.cancelRequest(errCancel) }},
	{name: "shutdown", stays: true, cause: []error{middleware.ErrShutdown}, code: middleware.CodeServerShutdown,
		server: func(t *trial) { t.shutdown() }},
	{name: "deadline", stays: true, cause: []error{middleware.ErrRunTimeout}, code: middleware.CodeRunTimeout,
		opts: func(t *trial) []middleware.Option {
			return []middleware.Option{middleware.WithRunTimeout(t.after)}
		}},
	{name: "deadline of the request", stays: true, cause: []error{middleware.ErrRunTimeout, context.DeadlineExceeded}, code: middleware.CodeRunTimeout},
}

const (
	// patience is how long an agent waits to be told.
	patience = 20 * time.Second
	// stallTimeout is the write timeout of runs whose reader stalls.
	stallTimeout = 100 * time.Millisecond
	// serverTimeout is the WriteTimeout of servers whose runs nothing ends. What the server writes when the
	// handler has returned must fit in on a busy machine.
	serverTimeout = 400 * time.Millisecond
)
