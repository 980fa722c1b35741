package middleware

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"
)

// errResponseOver is the error of a write after the handler has returned.
var errResponseOver = errors.New("middleware: the response is over")

// stream is a response as the emitter's sink. The first write commits it. Events and heartbeats
// take turns under its lock, and each is written whole.
type stream struct {
	runner    *Runner
	w         http.ResponseWriter
	deadlines deadlines

	mu        sync.Mutex
	failed    error             // the first failure; nothing is written after it
	unread    func(cause error) // if set, told of the first failure, which then is none of the emitter's
	last      instant           // when something was last written
	beat      *time.Timer       // nil: no keep-alive
	heartbeat heartbeat
	committed bool
	pending   bool // written and not yet flushed
	over      bool
	http2     bool // does not change
}

// open makes the stream one of the response to r.
func (s *stream) open(rn *Runner, w http.ResponseWriter, r *http.Request) {
	s.runner, s.w, s.http2 = rn, w, r.ProtoMajor >= 2
	s.deadlines.open(s, rn.writeTimeout)
}

// Write writes whole frames.
func (s *stream) Write(p []byte) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(p, now())
}

// Flush sends what was written.
func (s *stream) Flush() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.flush()
}

// survive makes a stream whose client is gone take what is written and send nothing. gone is told of
// it, once, and must not write.
func (s *stream) survive(gone func(cause error)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.unread = gone
}

// write writes whole frames at t. The caller holds the lock.
func (s *stream) write(p []byte, t instant) (int, error) {
	if !s.over && s.failed == nil {
		n, err := s.send(p, t)
		if err == nil && n < len(p) {
			err = io.ErrShortWrite
		}
		if err == nil {
			return n, nil
		}
		s.fail(err)
	}
	if err := s.lateError(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// send hands frames to the writer, behind the header. The caller holds the lock.
func (s *stream) send(p []byte, t instant) (n int, err error) {
	defer s.recovered(&err)
	if !s.committed {
		s.commit()
	}
	if !s.pending {
		s.deadlines.before(t)
		s.pending, s.last = true, t
	}
	if s.runner.heartbeat != nil {
		s.heartbeat.note(p)
	}
	return s.w.Write(p)
}

// flush sends what was written. The caller holds the lock.
func (s *stream) flush() error {
	if !s.over && s.failed == nil {
		err := s.push()
		if err == nil {
			return nil
		}
		s.fail(err)
	}
	return s.lateError()
}

func (s *stream) push() (err error) {
	defer s.recovered(&err)
	err = http.NewResponseController(s.w).Flush()
	s.pending = false
	s.deadlines.after()
	return err
}

// lateError returns why nothing more is sent; nil where the run goes on without its client.
func (s *stream) lateError() error {
	switch {
	case s.over:
		return errResponseOver
	case s.unread != nil:
		return nil
	}
	return s.failed
}

// fail keeps the first failure.
func (s *stream) fail(err error) {
	s.failed = err
	if s.unread != nil {
		s.unread(err)
	}
}

// recovered makes an error of a writer's panic, which must not leave the emitter locked.
func (s *stream) recovered(err *error) {
	if v := recover(); v != nil {
		*err = fmt.Errorf("middleware: the response writer %T panicked: %v", s.w, v)
	}
}

// commit sends the header. The length of the stream is not known, and no server between may hold it
// back or change it.
func (s *stream) commit() {
	s.committed = true
	s.deadlines.lift()
	h := s.w.Header()
	h.Del("Content-Length")
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
	h.Set("X-Content-Type-Options", "nosniff")
	s.w.WriteHeader(http.StatusOK)
}

// header returns a copy of what was sent, which is empty when the response is over.
func (s *stream) header() http.Header {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return http.Header{}
	}
	return s.w.Header().Clone()
}

// isCommitted reports whether the header was sent.
func (s *stream) isCommitted() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.committed
}

// keepAlive calls beat after a silence, and beatAt winds the clock up again, until quiet or close.
func (s *stream) keepAlive(beat func()) {
	if s.runner.keepAlive <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beat = time.AfterFunc(s.runner.keepAlive, beat)
}

// beatAt sends a heartbeat if there was silence until now, and winds the clock up again.
func (s *stream) beatAt(t instant) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.beat == nil || s.over || s.failed != nil {
		return nil
	}
	if left := s.runner.keepAlive - time.Duration(t-s.last); left > 0 {
		s.beat.Reset(left)
		return nil
	}
	if _, err := s.write(s.heartbeat.frame(s.runner.heartbeat), now()); err != nil { // the lock may have been long in coming
		return err
	}
	s.beat.Reset(s.runner.keepAlive)
	return s.flush()
}

// quiet stops the keep-alive. None is written after it has returned.
func (s *stream) quiet() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.beat != nil {
		s.beat.Stop()
		s.beat = nil
	}
}

// hurry leaves little time for what is being written and for what follows.
func (s *stream) hurry() { s.deadlines.hurry() }

// rest says that nothing is being written after hurry.
func (s *stream) rest() { s.deadlines.after() }

// close lets go of the response: nothing touches it afterwards. tail is how long the server may take for
// what it writes itself, zero for no limit.
func (s *stream) close(tail time.Duration) {
	s.quiet()
	s.mu.Lock()
	s.over = true
	failed := s.failed != nil
	s.mu.Unlock()
	switch {
	case failed:
		s.deadlines.abandon()
	case tail > 0:
		s.deadlines.stop(time.Now().Add(tail))
	default:
		s.deadlines.stop(time.Time{})
	}
}
