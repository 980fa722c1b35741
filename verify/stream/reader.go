package stream

import (
	"io"
	"iter"

	"github.com/agui-go/agui/events"
)

// Reader reads the events of a stream as they come. It keeps one event and one piece of input, whatever the
// stream's length, and does not close its source. It does not judge order: see [Checker]. A Reader is not
// safe for concurrent use.
type Reader struct {
	src  io.Reader
	scan scanner
}

// NewReader returns a Reader of src.
func NewReader(src io.Reader, opts ...ReadOption) *Reader {
	r := &Reader{src: src, scan: scanner{limit: DefaultLimit}}
	for _, opt := range opts {
		if opt != nil {
			opt.applyRead(&r.scan)
		}
	}
	return r
}

// Events returns the events that have not been read yet, in pointer form, each as soon as it is complete.
// In place of what is no event stands a nil event and an *[Error]; whether more can come after it depends
// on its cause. The sequence ends with the stream, without an error. Breaking out of the loop loses
// nothing: Events goes on from there when it is called again.
func (r *Reader) Events() iter.Seq2[events.Event, error] {
	return func(yield func(events.Event, error) bool) {
		for {
			ev, err := r.scan.pull(r.src)
			if err == io.EOF {
				return
			}
			if !yield(ev, err) || err != nil && err == r.scan.last {
				return
			}
		}
	}
}

// Position returns where the event that was read last, or failed to be, begins.
func (r *Reader) Position() Position { return r.scan.doc.at }

// Text returns the JSON of the event that was read last, as it stood in the stream. It is valid until the
// loop goes on.
func (r *Reader) Text() []byte { return r.scan.doc.text }

// Framing returns the framing of the stream: [Detect] until that is known.
func (r *Reader) Framing() Framing { return r.scan.framing }

// pull is next, with src for the bytes.
func (s *scanner) pull(src io.Reader) (events.Event, error) {
	for {
		ev, err := s.next()
		switch err {
		case errDropped:
			continue
		case errMore:
			s.fill(src)
			continue
		}
		return ev, err
	}
}

// maxEmptyReads is how often in a row a source may return nothing at all.
const maxEmptyReads = 100

// fill reads from src once, and notes the end. A source that fails ends the reading when the events
// before the failure are read.
func (s *scanner) fill(src io.Reader) {
	for range maxEmptyReads {
		n, err := src.Read(s.room())
		s.grew(n)
		switch {
		case err == io.EOF:
			s.eof = true
		case err != nil:
			s.failed = err
		}
		if n > 0 || err != nil {
			return
		}
	}
	s.failed = io.ErrNoProgress
}
