package main

import (
	"context"
	"io"

	"github.com/agui-go/agui/verify/stream"
)

// clientLeft is why a stream ends early that nobody reads any more. It is no fault of the agent, so the end
// is not judged.
const clientLeft = "the client left"

// tap is the body of an answer that is judged while it passes. What a Read returned is judged when the next
// one comes: by then it has been sent on, and so is never late.
type tap struct {
	body    io.ReadCloser
	ctx     context.Context // of the client
	checker *stream.Checker
	journal *journal

	passed []byte // what the last Read returned
	err    error
	closed bool
}

// Read reads the body.
func (t *tap) Read(p []byte) (int, error) {
	t.journal.judge(t.checker, t.checker.Feed(t.passed))
	n, err := t.body.Read(p)
	t.passed, t.err = append(t.passed[:0], p[:n]...), err
	return n, err
}

// Close closes the body and judges the end of the stream.
func (t *tap) Close() error {
	err := t.body.Close()
	if t.closed {
		return err
	}
	t.closed = true
	t.journal.judge(t.checker, t.checker.Feed(t.passed))
	switch {
	case t.err == nil || t.err != io.EOF && t.ctx.Err() != nil:
		t.journal.early(clientLeft)
	case t.err != io.EOF:
		t.journal.early(t.err.Error())
		t.journal.judge(t.checker, t.checker.End())
	default:
		t.journal.judge(t.checker, t.checker.End())
	}
	t.journal.close(t.checker)
	return err
}
