package middleware

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/agui-go/agui/internal/sound"
)

// stream is a response as the emitter's sink. The first write commits it. The emitter's lock guards all of
// it but where another is named: nothing else writes.
type stream struct {
	run       *run
	w         http.ResponseWriter
	deadlines deadlines

	failed    error             // the first failure; nothing is written after it
	unread    func(cause error) // if set, told of the first failure, which then is none of the emitter's
	last      moment            // when something was last written
	committed bool
	pending   bool // written and not yet flushed
	http2     bool // does not change

	mu   sync.Mutex // guards what follows, and the header once it was sent
	over bool
	beat *time.Timer // nil: no keep-alive
}

// open makes the stream the response of the run.
func (s *stream) open(u *run, w http.ResponseWriter) {
	s.run, s.w, s.http2 = u, w, u.request.ProtoMajor >= 2
	s.deadlines.open(s, u.writeTimeout)
}

// survive makes a stream whose client is gone take what is written and send nothing. gone is told of
// it, once, and must not write. Nobody else may know of the stream yet.
func (s *stream) survive(gone func(cause error)) { s.unread = gone }

// Write writes whole frames.
func (s *stream) Write(p []byte) (int, error) {
	if s.failed == nil {
		n, err := s.send(p)
		if err == nil && n < len(p) {
			err = io.ErrShortWrite
		}
		if err == nil {
			return n, nil
		}
		s.fail(err)
	}
	if s.unread == nil {
		return 0, s.failed
	}
	return len(p), nil
}

// send hands frames to the writer, behind the header.
func (s *stream) send(p []byte) (n int, err error) {
	defer s.recovered(&err)
	if !s.committed {
		s.commit()
	}
	if !s.pending {
		t := now()
		s.deadlines.before(t)
		s.last.set(t)
		s.pending = true
	}
	return s.w.Write(p)
}

// Flush sends what was written.
func (s *stream) Flush() error {
	if s.failed == nil {
		err := s.push()
		if err == nil {
			return nil
		}
		s.fail(err)
	}
	if s.unread == nil {
		return s.failed
	}
	return nil
}

func (s *stream) push() (err error) {
	defer s.recovered(&err)
	err = http.NewResponseController(s.w).Flush()
	s.pending = false
	s.deadlines.after()
	return err
}

// fail keeps the first failure.
func (s *stream) fail(err error) {
	s.failed = sound.Error(err)
	if s.unread != nil {
		s.unread(s.failed)
	}
}

// setWriteDeadline sets the deadline of the response. It may be called by anybody.
func (s *stream) setWriteDeadline(t time.Time) (err error) {
	defer s.recovered(&err)
	return sound.Error(http.NewResponseController(s.w).SetWriteDeadline(t))
}

// writerPanic is the panic of a response writer, which is in the log.
type writerPanic struct{ text string }

func (e *writerPanic) Error() string { return e.text }

// recovered makes an error of a writer's panic, which says whose it is. It is logged here: to those who get
// the error the client has left, which is nothing to worry about.
func (s *stream) recovered(err *error) {
	v := recover()
	if v == nil {
		return
	}
	*err = &writerPanic{fmt.Sprintf("middleware: the response writer %T panicked: %v", s.w, v)}
	s.run.logLocked(slog.LevelError, "agui: the response writer panicked", slog.String("writer", fmt.Sprintf("%T", s.w)),
		slog.Any("panic", v), slog.String("stack", string(debug.Stack())))
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

// hurry leaves little time for what is being written and for what follows.
func (s *stream) hurry() { s.deadlines.hurry() }

// rest says that nothing is being written after hurry.
func (s *stream) rest() { s.deadlines.after() }

// close lets go of the response: nothing touches it afterwards. The emitter is closed already. tail is how
// long the server may take for what it writes itself, zero for no limit.
func (s *stream) close(tail time.Duration) {
	s.quiet()
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	switch {
	case s.failed != nil:
		s.deadlines.abandon()
	case tail > 0:
		s.deadlines.stop(time.Now().Add(tail))
	default:
		s.deadlines.stop(time.Time{})
	}
}
