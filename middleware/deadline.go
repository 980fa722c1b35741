package middleware

import (
	"errors"
	"net/http"
	"sync"
	"time"
)

// terminalTimeout is how long the event that ends a failed run may take. The run's own time may be
// over by then.
const terminalTimeout = 5 * time.Second

// deadlines keeps the write deadline of a response ahead of what is being written.
//
// Over HTTP/1 a deadline that passes between two events does no harm, so it is set only when a
// quarter of it has gone. Over HTTP/2 it would reset the stream, so it is set for each event and
// lifted after it.
type deadlines struct {
	stream *stream // whose response it is

	// mu is held for no longer than it takes to set a deadline, never while something is written:
	// hurry must get through to a write that blocks.
	mu      sync.Mutex
	timeout time.Duration // zero or less: none
	renew   time.Time     // when the deadline is due to be set again
	off     bool
}

// lift removes the deadline that http.Server.WriteTimeout has set for the whole response.
func (d *deadlines) lift() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.set(time.Time{})
}

// before sets the deadline of a write that starts now.
func (d *deadlines) before(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timeout <= 0 || now.Before(d.renew) {
		return
	}
	d.set(now.Add(d.timeout))
	if !d.stream.http2 {
		d.renew = now.Add(d.timeout / 4)
	}
}

// after lifts the deadline where it must not pass.
func (d *deadlines) after() {
	if !d.stream.http2 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timeout > 0 {
		d.set(time.Time{})
	}
}

// hurry gives what is being written now, and all that follows, no more than terminalTimeout.
func (d *deadlines) hurry(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.timeout <= 0 || d.timeout > terminalTimeout {
		d.timeout = terminalTimeout
	}
	d.set(now.Add(d.timeout))
	d.renew = time.Time{}
}

// stop hands the connection back: tail is the deadline for what the server itself still writes. Later
// calls do nothing.
func (d *deadlines) stop(tail time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.set(tail)
	d.off = true
}

// abandon makes later calls do nothing and leaves the deadline of a connection that is lost.
func (d *deadlines) abandon() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.off = true
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
