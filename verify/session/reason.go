package session

import (
	"errors"
	"io"
	"time"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/stream"
)

// How far a stream that has broken a rule is read on for a RUN_ERROR.
const (
	reasonTime = time.Second
	reasonSize = 64 << 10
)

// withReason returns err, or the RUN_ERROR that follows what err is about, with err in it.
func (s *session) withReason(err error) error {
	if !s.readable(err) {
		return err
	}
	found := make(chan *events.RunError, 1)
	go func() { found <- s.reason() }() // it ends when the body is closed, if not before
	late := time.NewTimer(reasonTime)
	defer late.Stop()
	select {
	case ev := <-found:
		if ev != nil {
			return &RunError{Event: ev, Err: err}
		}
	case <-late.C:
	case <-s.ctx.Done():
	}
	s.res.Body.Close()
	return err
}

// readable reports whether err is about one event, and what follows that can be read.
func (s *session) readable(err error) bool {
	switch {
	case errors.As(err, new(*RunError)), errors.As(err, new(*TruncatedError)), errors.As(err, new(*stream.LimitError)):
		return false
	}
	return errors.As(err, new(*verify.Violation)) || errors.As(err, new(*stream.Error))
}

// reason reads on to a RUN_ERROR, and returns nil when the run ends otherwise or none is near. Nothing else
// may use the reader any more.
func (s *session) reason() *events.RunError {
	s.body.left = reasonSize
	for ev, err := range s.reader.Events() {
		var field *events.FieldError
		if errors.As(err, &field) && field.Type == events.TypeRunError {
			return salvage(s.reader.Text())
		}
		switch ev := ev.(type) {
		case *events.RunError:
			return ev
		case *events.RunStarted, *events.RunFinished:
			return nil
		}
	}
	return nil
}

// bounded is a reader that ends after so many bytes as are left, if that is not negative.
type bounded struct {
	src  io.Reader
	left int
}

// Read reads from the source.
func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return b.src.Read(p)
	}
	if b.left == 0 {
		return 0, io.EOF
	}
	n, err := b.src.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
