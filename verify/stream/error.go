package stream

import (
	"errors"
	"fmt"
	"io"
	"strings"
)

// Error says that a part of the stream could not be read, and where. What it wraps says why:
//
//   - *[events.FieldError]: a member of the event cannot be a value of its type
//   - *[events.SyntaxError]: what stands in an event's place is no event
//   - *[LimitError]: the event is too long
//   - [io.ErrUnexpectedEOF]: the stream ends in the middle of an event or, which is [ErrUnclosedArray] too, its
//     array is not closed
//   - [ErrNoStream]: the bytes are no stream of events
//   - else the error of the io.Reader
//
// After the first two, and after the end of the stream's last event, reading goes on; the others end it.
type Error struct {
	Position
	Err error
}

// Error returns one line: where, and why.
func (e *Error) Error() string {
	return "stream: " + e.Position.String() + ": " + strings.TrimPrefix(e.Err.Error(), "events: ")
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// LimitError says that an event is longer than the limit. No more than the limit was kept of it.
type LimitError struct {
	// Limit is the number of bytes that an event may have.
	Limit int
}

// Error names the limit and what to do.
func (e *LimitError) Error() string {
	return fmt.Sprintf("the event is longer than %d bytes: send less at once, or raise the limit of the reader", e.Limit)
}

// ErrNoStream says that a text is neither Server-Sent Events nor JSON.
var ErrNoStream = errors.New("no events here: want Server-Sent Events (lines that begin with \"data:\"), JSON Lines or a JSON array")

// ErrUnclosedArray says that a stream ends before its JSON array does, between two events. It is an
// [io.ErrUnexpectedEOF].
var ErrUnclosedArray = fmt.Errorf("the stream ends before the array does: %w", io.ErrUnexpectedEOF)

var errTruncatedEvent = fmt.Errorf("the stream ends in the middle of an event: %w", io.ErrUnexpectedEOF)

// Steps of the scanner that are no errors to anybody else.
var (
	errMore    = errors.New("stream: more bytes are needed")
	errDropped = errors.New("stream: a flaw stood in an event's place")
)
