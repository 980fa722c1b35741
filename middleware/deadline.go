package middleware

import (
	"errors"
	"math"
	"net/http"
	"sync"
	"time"
)

// terminalTimeout is how long the event that ends a failed run may take. The run's own time may be
// over by then.
const terminalTimeout = 5 * time.Second

// instant is a time as far as it is compared with others: reading the clock for it costs two thirds of what
// time.Now does, and each event does.
type instant time.Duration

const always = instant(math.MinInt64)

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
	// hurry must get through to a write that blocks.
	mu      sync.Mutex
	timeout time.Duration // zero or less: none
	renew   instant       // when the deadline is due to be set again; always: at once
	off     bool

	// Over HTTP/2 alone.
	writing bool
	armed   bool
	since   instant // when what is being written was begun, or hurried
	timer   *time.Timer
}

// lift removes the deadline that http.Server.WriteTimeout has set for the whole response.
func (d *deadlines) lift() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.set(time.Time{})
}

// before says that a write starts at t.
func (d *deadlines) before(t instant) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.timeout <= 0:
	case d.stream.http2:
		d.writing, d.since = true, t
		if !d.armed {
			d.arm(d.timeout)
		}
	case t >= d.renew:
		d.set(time.Now().Add(d.timeout))
		d.renew = t + instant(d.timeout/4)
	}
}

// after says that the write is over.
func (d *deadlines) after() {
	if !d.stream.http2 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.writing = false
}

// arm makes the timer look in so much time.
func (d *deadlines) arm(in time.Duration) {
	d.armed = true
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
	d.armed = false
	if !d.writing || d.off {
		return
	}
	if left := d.timeout - time.Duration(now()-d.since); left > 0 {
		d.arm(left)
		return
	}
	d.set(time.Now().Add(-time.Second))
}

// hurry gives what is being written now, and all that follows, no more than terminalTimeout.
func (d *deadlines) hurry() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timeout <= 0 || d.timeout > terminalTimeout {
		d.timeout = terminalTimeout
	}
	if d.stream.http2 {
		d.since = now()
		d.arm(d.timeout)
		return
	}
	d.set(time.Now().Add(d.timeout))
	d.renew = always
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

// set sets the deadline. The caller holds the lock.
func (d *deadlines) set(t time.Time) {
	if d.off {
		return
	}
	if err := http.NewResponseController(d.stream.w).SetWriteDeadline(t); errors.Is(err, http.ErrNotSupported) {
		d.off = true
		d.stream.runner.warnNoDeadline()
	}
}
