package emitter

import (
	"unicode/utf8"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// handle is an open message or tool call in the hands of the agent. It knows its entity, so its
// writes skip the look-up by id. All fields but id and kind are guarded by the emitter's lock.
type handle struct {
	em     *Emitter
	kind   verify.Kind
	id     string
	entity *verify.Entity
	stream *stream // the entity's, or the handle's own where the machine tracks no entity; nil at first
	closed bool
	failed error // why the handle could not be opened
}

func (h *handle) init(em *Emitter, k verify.Kind, id string, e *verify.Entity, failed error) {
	h.em, h.kind, h.id, h.entity, h.failed = em, k, id, e, failed
}

// ID returns the id of the message or call, also when it could not be opened.
func (h *handle) ID() string { return h.id }

// Err returns why the message or call could not be opened, or nil.
func (h *handle) Err() error { return h.failed }

// Write adds p as one delta. A character of UTF-8 is never split over two deltas: the beginning of
// one at the end of p waits for the next Write, or for Close, which writes U+FFFD in its place. An
// empty p writes nothing.
func (h *handle) Write(p []byte) (int, error) {
	if h.failed != nil {
		return 0, h.failed
	}
	if h.em.mayExceed(len(h.id) + len(p)) {
		return h.writePieces(p)
	}
	if err := h.writeDelta(p); err != nil {
		return 0, err
	}
	return len(p), nil
}

// WriteString is Write for a string, of which no copy is made.
func (h *handle) WriteString(s string) (int, error) { return h.Write([]byte(s)) }

// writePieces is Write for what may be too much for one delta: it is added in as many as the limit on an
// event's size asks for.
func (h *handle) writePieces(p []byte) (int, error) {
	largest := h.em.largestDelta(len(h.id))
	if largest < utf8.UTFMax {
		size := h.em.maxEvent + 6*(utf8.UTFMax-largest)
		return 0, h.em.fault(&LimitError{EventType: contentOf(h.kind).eventType, What: EventSize, Size: size, Max: h.em.maxEvent})
	}
	written := 0
	for {
		piece := p[written:]
		if len(piece) > largest {
			piece = piece[:largest]
		}
		if err := h.writeDelta(piece); err != nil {
			return written, err
		}
		if written += len(piece); written == len(p) {
			return written, nil
		}
	}
}

func (h *handle) writeDelta(p []byte) error {
	em := h.em
	em.mu.Lock()
	if err := h.late(); err != nil {
		return em.leave(err, mayPanic)
	}
	s := h.stream
	if s == nil || !s.isFor(em.tag) {
		s = h.setUp()
	}
	if s.tail.n > 0 || len(p) == 0 || p[len(p)-1] >= utf8.RuneSelf && incomplete(p) > 0 {
		return em.leave(h.writeSpliced(s, p), mayPanic)
	}
	err := em.gate.resume(h.entity, em.tag)
	if err == nil {
		err = em.writeContent(s, nil, p)
	}
	return em.leave(err, mayPanic)
}

// writeSpliced writes the whole characters of p, which may begin or end within one.
func (h *handle) writeSpliced(s *stream, p []byte) error {
	head, next, from, to := splice(s.tail, p)
	if head.n > 0 || from < to {
		if err := h.em.gate.resume(h.entity, h.em.tag); err != nil {
			return err
		}
		s.tail = next
		return h.em.writeContent(s, &head, p[from:to])
	}
	s.tail = next
	return nil
}

// late returns why the handle may not be written to, or nil.
func (h *handle) late() error {
	if err := h.em.late(); err != nil {
		return err
	}
	if h.closed {
		return &closedError{what: h.kind.String() + " is closed; open another to write more"}
	}
	return nil
}

// setUp returns the handle's stream, set up for its tag.
func (h *handle) setUp() *stream {
	if h.entity != nil {
		h.stream = h.em.streamFor(h.entity, h.kind, h.id, h.em.tag)
		return h.stream
	}
	h.stream = new(stream)
	h.stream.setUp(h.kind, h.id, h.em.tag)
	return h.stream
}

// ending is an event that closes an entity of a handle, nil for one that the machine does not track.
type ending struct {
	event  events.Event
	entity *verify.Entity
}

// close writes what waits for the end of a character, and the events that close what the handle has
// opened and nobody else has closed.
func (h *handle) close(ends ...ending) error {
	em := h.em
	em.mu.Lock()
	if h.closed {
		em.mu.Unlock()
		return nil
	}
	h.closed = true
	if h.failed != nil {
		em.mu.Unlock()
		return h.failed
	}
	if err := h.endOwnTail(); err != nil {
		return em.leave(err, neverPanic)
	}
	var evs []events.Event
	for _, end := range ends {
		if end.entity == nil || end.entity.IsOpen() {
			evs = append(evs, end.event)
		}
	}
	return em.closeWith(evs...)
}

// endOwnTail does for a handle whose entity is not tracked what endTail does for others.
func (h *handle) endOwnTail() error {
	if h.entity != nil || h.stream == nil || h.stream.tail.n == 0 || h.em.late() != nil {
		return nil //nolint:nilerr // closeWith deals with what is late
	}
	return h.em.writeContent(h.stream, nil, []byte("\uFFFD"))
}

// closeWith writes the events that close something, and gives up the lock, which the caller holds. It
// never panics, and to come after the end of the run is no violation: it runs deferred.
func (em *Emitter) closeWith(ends ...events.Event) error {
	if em.closed == nil && em.terminal != nil {
		em.mu.Unlock()
		return &closedError{what: "the run has ended"}
	}
	for _, end := range ends {
		if _, err := em.putEncoded(end); err != nil {
			return em.leave(err, neverPanic)
		}
	}
	return em.leave(nil, neverPanic)
}
