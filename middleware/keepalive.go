package middleware

import (
	"errors"
	"time"

	"github.com/agui-go/agui/emitter"
)

// keepAlive calls beat after a silence, and rewind winds the clock up again, until quiet or close.
func (s *stream) keepAlive(beat func()) {
	if s.run.keepAlive <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.beat = time.AfterFunc(s.run.keepAlive, beat)
}

// silence returns how long nothing has been written.
func (s *stream) silence() time.Duration { return time.Duration(now() - s.last.get()) }

// rewind makes the clock of the keep-alive strike again.
func (s *stream) rewind(in time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.beat != nil {
		s.beat.Reset(in)
	}
}

// quiet stops the clock of the keep-alive.
func (s *stream) quiet() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.beat != nil {
		s.beat.Stop()
		s.beat = nil
	}
}

// beat breaks a silence that is long enough. The emitter sees to it that nothing comes after the terminal
// event, and ends the run of a client that does not take it. In the place of a heartbeat that cannot be
// sent it has sent a comment.
func (u *run) beat() {
	if left := u.keepAlive - u.stream.silence(); left > 0 {
		u.stream.rewind(left)
		return
	}
	err := u.em.KeepAlive(u.heartbeat)
	if errors.Is(err, emitter.ErrClosed) || errors.Is(err, emitter.ErrDisconnected) {
		return
	}
	u.stream.rewind(u.keepAlive)
}
