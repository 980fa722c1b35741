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
	w         http.ResponseWriter
	rc        *http.ResponseController
	deadlines deadlines
	// tail is how long the server may take for what it writes after the handler, zero for no limit.
	tail time.Duration

	mu        sync.Mutex
	committed bool
	pending   bool // written and not yet flushed
	over      bool
	failed    error             // the first failure; nothing is written after it
	unread    func(cause error) // if set, told of the first failure, which then is none of the emitter's
	last      time.Time         // when something was last written
	silence   time.Duration
	beat      *time.Timer // nil: no keep-alive
	heartbeat heartbeat
}

func newStream(w http.ResponseWriter, r *http.Request, c *config, unsupported func()) *stream {
	rc := http.NewResponseController(w)
	s := &stream{
		w:  w,
		rc: rc,
		deadlines: deadlines{
			rc:          rc,
			http2:       r.ProtoMajor >= 2,
			timeout:     c.writeTimeout,
			unsupported: unsupported,
		},
		heartbeat: c.heartbeat,
	}
	if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok {
		s.tail = server.WriteTimeout
	}
	return s
}

// Write writes whole frames.
func (s *stream) Write(p []byte) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.write(p, time.Now())
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

// write writes whole frames at the time now. The caller holds the lock.
func (s *stream) write(p []byte, now time.Time) (int, error) {
	if !s.over && s.failed == nil {
		n, err := s.send(p, now)
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
func (s *stream) send(p []byte, now time.Time) (n int, err error) {
	defer s.recovered(&err)
	if !s.committed {
		s.commit()
	}
	if !s.pending {
		s.deadlines.before(now)
		s.pending, s.last = true, now
	}
	s.heartbeat.note(p)
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
	err = s.rc.Flush()
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

// keepAlive sends a heartbeat after each silence, until quiet or close. ended reports whether the
// terminal event was written; lost is told when a heartbeat could not be sent.
func (s *stream) keepAlive(silence time.Duration, ended func() bool, lost func(error)) {
	if silence <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.silence = silence
	s.beat = time.AfterFunc(silence, func() {
		now := time.Now() // before ended is asked, so that a terminal event that ended did not see is younger
		if ended() {
			return
		}
		if err := s.beatAt(now); err != nil {
			lost(err)
		}
	})
}

// beatAt sends a heartbeat if there was silence until now, and winds the clock up again.
func (s *stream) beatAt(now time.Time) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.beat == nil || s.over || s.failed != nil {
		return nil
	}
	if left := s.silence - now.Sub(s.last); left > 0 {
		s.beat.Reset(left)
		return nil
	}
	if _, err := s.write(s.heartbeat.frame(), time.Now()); err != nil { // the lock may have been long in coming
		return err
	}
	s.beat.Reset(s.silence)
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
func (s *stream) hurry() { s.deadlines.hurry(time.Now()) }

// rest says that nothing is being written after hurry.
func (s *stream) rest() { s.deadlines.after() }

// close lets go of the response: nothing touches it afterwards.
func (s *stream) close() {
	s.quiet()
	s.mu.Lock()
	s.over = true
	failed := s.failed != nil
	s.mu.Unlock()
	switch {
	case failed:
		s.deadlines.abandon()
	case s.tail > 0:
		s.deadlines.stop(time.Now().Add(s.tail))
	default:
		s.deadlines.stop(time.Time{})
	}
}
