package middleware

import (
	"errors"
	"math"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// terminalTimeout is how long the event that ends a failed run may take. The run's own time may be
// over by then.
const terminalTimeout = 5 * time.Second

// instant is a time as far as it is compared with others: reading the clock for it costs two thirds of what
// time.Now does, and each event does.
type instant time.Duration

// always is before every other instant. As the beginning of a write it is idle.
const (
	always = instant(math.MinInt64)
	idle   = always
)

// moment is an instant that goroutines share.
type moment struct{ ns atomic.Int64 }

func (m *moment) get() instant            { return instant(m.ns.Load()) }
func (m *moment) set(t instant)           { m.ns.Store(int64(t)) }
func (m *moment) change(from, to instant) { m.ns.CompareAndSwap(int64(from), int64(to)) }

var epoch = time.Now()

func now() instant { return instant(time.Since(epoch)) }

// deadlines keeps the write deadline of a response ahead of what is being written.
//
// Over HTTP/1 a deadline that passes between two events does no harm, so it is set when a quarter of it has
// gone. Over HTTP/2 it would reset the stream, and to set it and to lift it for each event would cost as much
// as to write the event: there, a timer looks after writes that take too long.
type deadlines struct {
	stream *stream // whose response it is

	// mu is held for no longer than it takes to set a deadline, never while something is written:
	// hurry must get through to a write that blocks. What each event looks at needs no lock.
	mu      sync.Mutex
	timeout atomic.Int64 // of nanoseconds; zero or less: none
	off     bool

	renew moment // over HTTP/1: when the deadline is due to be set again

	// Over HTTP/2 alone.
	since moment // when what is being written was begun, or hurried; idle while nothing is
	armed atomic.Bool
	timer *time.Timer
}

func (d *deadlines) open(s *stream, timeout time.Duration) {
	d.stream = s
	d.timeout.Store(int64(timeout))
	d.renew.set(always)
	d.since.set(idle)
}

// lift removes the deadline that http.Server.WriteTimeout has set for the whole response.
func (d *deadlines) lift() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.set(time.Time{})
}

// before says that a write starts at t.
func (d *deadlines) before(t instant) {
	timeout := time.Duration(d.timeout.Load())
	switch {
	case timeout <= 0:
	case d.stream.http2:
		d.since.set(t)
		if !d.armed.Load() {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.arm(timeout)
		}
	case t >= d.renew.get():
		d.mu.Lock()
		defer d.mu.Unlock()
		d.set(time.Now().Add(time.Duration(d.timeout.Load()))) // which hurry may have changed
		d.renew.set(t + instant(timeout/4))
	}
}

// after says that the write is over.
func (d *deadlines) after() {
	if d.stream.http2 {
		d.since.set(idle)
	}
}

// arm makes the timer look in so much time. The caller holds the lock.
func (d *deadlines) arm(in time.Duration) {
	if d.off {
		return
	}
	d.armed.Store(true)
	if d.timer == nil {
		d.timer = time.AfterFunc(in, d.look)
		return
	}
	d.timer.Reset(in)
}

// look resets the stream when a write has taken too long.
func (d *deadlines) look() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.armed.Store(false) // before it looks: a write that begins now arms it again
	since := d.since.get()
	if since == idle || d.off {
		return
	}
	if left := time.Duration(d.timeout.Load()) - time.Duration(now()-since); left > 0 {
		d.arm(left)
		return
	}
	d.set(time.Now().Add(-time.Second))
}

// hurry gives what is being written now, and all that follows, no more than terminalTimeout.
func (d *deadlines) hurry() {
	d.mu.Lock()
	defer d.mu.Unlock()
	timeout := time.Duration(d.timeout.Load())
	if timeout <= 0 || timeout > terminalTimeout {
		timeout = terminalTimeout
		d.timeout.Store(int64(timeout))
	}
	if !d.stream.http2 {
		d.set(time.Now().Add(timeout))
		d.renew.set(always)
		return
	}
	if since := d.since.get(); since != idle {
		d.since.change(since, now()) // unless that write is over
	}
	d.arm(timeout)
}

// stop hands the connection back: tail is the deadline for what the server itself still writes. Later
// calls do nothing.
func (d *deadlines) stop(tail time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.set(tail)
	d.end()
}

// abandon makes later calls do nothing and leaves the deadline of a connection that is lost.
func (d *deadlines) abandon() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.end()
}

func (d *deadlines) end() {
	d.off = true
	if d.timer != nil {
		d.timer.Stop()
	}
}

// set sets the deadline. A response that has failed to take one is not asked again. The caller holds the lock.
func (d *deadlines) set(t time.Time) {
	if d.off {
		return
	}
	err := d.stream.setWriteDeadline(t)
	if err == nil {
		return
	}
	d.off = true
	if errors.Is(err, http.ErrNotSupported) {
		d.stream.run.warnNoDeadline()
	}
}

// serverOf returns the server that has got r, or nil.
func serverOf(r *http.Request) *http.Server {
	server, _ := r.Context().Value(http.ServerContextKey).(*http.Server)
	return server
}

// serverWriteTimeout returns the WriteTimeout of the server that has got r, zero when there is none.
func serverWriteTimeout(r *http.Request) time.Duration {
	if server := serverOf(r); server != nil && server.WriteTimeout > 0 {
		return server.WriteTimeout
	}
	return 0
}

// holdWriteTimeout keeps http.Server.WriteTimeout from ending the response to r before the run begins. Over
// HTTP/1 it does nothing until something is written; over HTTP/2 it resets the stream all the same.
func holdWriteTimeout(w http.ResponseWriter, r *http.Request) {
	if r.ProtoMajor >= 2 && serverWriteTimeout(r) > 0 {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Time{}) // the warning of a run that cannot says more
	}
}

// resumeWriteTimeout gives whoever answers r in the place of a run as much time as the server gives an
// answer, from now on.
func resumeWriteTimeout(w http.ResponseWriter, r *http.Request) {
	if timeout := serverWriteTimeout(r); timeout > 0 {
		_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(timeout)) // or it is the server's own
	}
}
