package emitter

import (
	"slices"
	"sync"
	"time"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/sound"
)

// keepBuffer is the largest buffer kept for the next event: it holds a delta of 64 KiB, which is what
// copying files and the like comes in.
const keepBuffer = 128 << 10

// keepRoom is the largest room that a run keeps for its next delta: all that it holds while its agent thinks.
const keepRoom = 4 << 10

// mostCopied is the largest frame that is copied behind what waits.
const mostCopied = 64 << 10

// outbox holds whole frames on their way to the sink, in the order of the wire. Without a flush window
// that is one content event at most, and only while it is being sent.
type outbox struct {
	out *buffer // nil: nothing waits
	// own is the room for small frames of a run without a window. The pool is for large ones: to take what
	// is large for each small delta, and to give it back, would cost a quarter of the delta.
	own    buffer
	pooled bool // all room comes from the pool
	keep   int  // the largest room that stays for the next delta
	// timer ends the window. It is armed by the first delta that waits and left alone when another event
	// takes the delta along: then it ends the next window early, and no event pays for a timer.
	timer *time.Timer
	armed bool
}

// newOutbox returns the outbox of a run with the flush window, or with none.
func newOutbox(window time.Duration, size int) outbox {
	if window <= 0 {
		return outbox{keep: keepRoom}
	}
	return outbox{pooled: true, keep: max(keepRoom, 2*size)} // until the window is over
}

// waiting returns the frames that wait.
func (o *outbox) waiting() []byte {
	if o.out == nil {
		return nil
	}
	return o.out.bytes
}

// room returns the buffer to append a frame of about size bytes to, behind what waits.
func (o *outbox) room(size int) *buffer {
	if o.out != nil && size <= keepRoom {
		return o.out
	}
	return o.makeRoom(size)
}

func (o *outbox) makeRoom(size int) *buffer {
	switch {
	case o.out != nil && o.out != &o.own:
	case size <= keepRoom && !o.pooled:
		o.out = &o.own
	default:
		o.out = takeBuffer()
		o.out.bytes = slices.Grow(o.out.bytes, size)
	}
	return o.out
}

// sent forgets what was sent.
func (o *outbox) sent() {
	if o.out == nil {
		return
	}
	o.out.bytes = o.out.bytes[:0]
	if cap(o.out.bytes) > o.keep {
		o.rest()
	}
}

// rest gives the room back when nothing waits in it.
func (o *outbox) rest() {
	switch {
	case o.out == nil || len(o.out.bytes) > 0:
		return
	case o.out == &o.own:
		o.own.bytes = nil
	default:
		o.out.giveBack()
	}
	o.out = nil
}

// discard forgets what waits, and stops the timer. What waits does not go back to the pool: a sink that
// has failed may still hold it.
func (o *outbox) discard() {
	o.rest()
	o.out = nil
	if o.timer != nil {
		o.timer.Stop()
	}
}

// sendSoon sends the delta whose frame is the last size bytes of what waits: when the window is over, or
// now when there is no window or enough waits. ev may be nil. The caller holds the lock.
func (r *run) sendSoon(t events.Type, ev events.Event, size int) error {
	if frames := r.outbox.out.bytes; r.window <= 0 || len(frames) >= r.windowSize {
		return r.send(t, ev, size, frames)
	}
	r.listeners.event(t, ev, size)
	r.arm()
	return nil
}

// sendNow sends the frame of ev, behind what waits. The caller holds the lock.
func (r *run) sendNow(t events.Type, ev events.Event, frame []byte) error {
	waiting := r.outbox.waiting()
	if len(waiting) > 0 && len(frame) <= mostCopied {
		out := r.outbox.out
		out.bytes = append(out.bytes, frame...)
		return r.send(t, ev, len(frame), out.bytes)
	}
	if err := r.sendWaiting(); err != nil {
		return err
	}
	return r.send(t, ev, len(frame), frame)
}

// sendWaiting sends what waits, if anything does. The caller holds the lock.
func (r *run) sendWaiting() error {
	waiting := r.outbox.waiting()
	if len(waiting) == 0 {
		return nil
	}
	return r.send("", nil, 0, waiting)
}

// send writes frames and flushes them, and tells the observers. The last size bytes are an event of which
// they have not heard yet.
func (r *run) send(t events.Type, ev events.Event, size int, frames []byte) error {
	written, err := deliver(r.sink, frames)
	switch {
	case err == nil && ev == nil && size > 0:
		r.listeners.delta(t, size)
	case written && size > 0:
		r.listeners.event(t, ev, size)
		fallthrough
	default:
		r.listeners.flush(err)
	}
	return r.sent(err)
}

// sent ends what send does. The first failure closes the emitter.
func (r *run) sent(err error) error {
	if err != nil {
		return r.disconnected(err)
	}
	r.outbox.sent()
	return nil
}

// arm sees to it that a window ends. The caller holds the lock.
func (r *run) arm() {
	switch {
	case r.outbox.armed:
		return
	case r.outbox.timer == nil:
		r.outbox.timer = time.AfterFunc(r.window, r.endWindow)
	default:
		r.outbox.timer.Reset(r.window)
	}
	r.outbox.armed = true
}

// endWindow sends what waits. The timer calls it, which may be late: when the emitter is closed nothing
// waits, and the sink is left alone.
func (r *run) endWindow() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.outbox.armed = false
	if r.sendWaiting() == nil { // a failure has closed the emitter
		r.outbox.rest()
	}
}

// disconnected closes the emitter for a failed write or flush.
func (r *run) disconnected(cause error) error {
	err := &disconnectedError{cause: sound.Error(cause)}
	r.closed = &closedError{what: "the run is over", cause: err}
	if r.first == nil {
		r.first = err
	}
	if r.why == nil {
		r.why = err
	}
	r.outbox.discard()
	r.cancel(err)
	return err
}

// buffer is a pooled buffer: events but content are encoded before the lock is taken, so that a large
// snapshot does not hold up other goroutines' deltas.
type buffer struct {
	bytes []byte
}

var buffers = sync.Pool{New: func() any { return new(buffer) }}

func takeBuffer() *buffer { return buffers.Get().(*buffer) }

func (b *buffer) giveBack() {
	if cap(b.bytes) > keepBuffer {
		return
	}
	b.bytes = b.bytes[:0]
	buffers.Put(b)
}
