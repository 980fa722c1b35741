package emitter

import (
	"fmt"
	"io"
)

// Sink takes what an [Emitter] writes. The emitter calls it from one goroutine at a time. A sink that
// panics has failed, as one that returns an error. It must not end its goroutine (runtime.Goexit, which is
// what FailNow of a test does): the emitter would stay locked.
type Sink interface {
	// Write takes one or more whole Server-Sent Events frames. It must not keep p. An error, or a
	// count below len(p), ends the run as disconnected.
	Write(p []byte) (int, error)
	// Flush pushes what was written to the reader. An error ends the run as disconnected.
	Flush() error
}

// ToWriter returns a sink that writes to w and flushes it where w knows how, by FlushError() error,
// Flush() error or Flush(), looked for in this order. For an HTTP response use package middleware,
// which also finds a flusher beneath wrappers and sets deadlines.
func ToWriter(w io.Writer) Sink {
	s := writerSink{Writer: w, flush: func() error { return nil }}
	switch f := w.(type) {
	case interface{ FlushError() error }:
		s.flush = f.FlushError
	case interface{ Flush() error }:
		s.flush = f.Flush
	case interface{ Flush() }:
		s.flush = func() error { f.Flush(); return nil }
	}
	return s
}

type writerSink struct {
	io.Writer
	flush func() error
}

func (s writerSink) Flush() error { return s.flush() }

// deliver writes frames and flushes them. It reports whether all was written, whatever the flush came to.
// A panic of the sink becomes an error: the emitter is locked while it writes, and at the end of a flush
// window there is no caller to panic to.
func deliver(s Sink, frames []byte) (written bool, err error) {
	returned := false
	defer func() {
		if !returned { // to ask recover each time would cost more
			err = fmt.Errorf("emitter: the sink panicked: %v", recover())
		}
	}()
	n, err := s.Write(frames)
	switch {
	case err != nil:
	case n < len(frames):
		err = io.ErrShortWrite
	default:
		written = true
		err = s.Flush()
	}
	returned = true
	return written, err
}
