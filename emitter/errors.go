package emitter

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/internal/ended"
	"github.com/agui-go/agui/verify"
)

// ErrClosed is matched by the error of every call that comes too late: on a closed handle, after the
// run's own terminal event, or after the run was ended from outside (by [Emitter.Close] or
// [Emitter.Abort]). In the last case the error also wraps the cause.
var ErrClosed = errors.New("emitter: closed")

// ErrDisconnected is matched by the error of every call after a write or a flush has failed. The
// error also wraps the sink's own. Nothing more is written.
var ErrDisconnected error = disconnection{}

// disconnection is [ErrDisconnected]: an error that tells telemetry what it is.
type disconnection struct{}

func (disconnection) Error() string         { return "emitter: client disconnected" }
func (disconnection) ErrorType() string     { return "client_disconnected" }
func (disconnection) RunEnding() ended.Kind { return ended.ClientDisconnected }

// CodeProtocolViolation is the code of the RUN_ERROR that ends a run for a broken rule.
const CodeProtocolViolation = "protocol_violation"

// An EncodeError says that an event could not be written as JSON. Nothing of it reached the ordering
// machine or the wire, and the run goes on.
type EncodeError struct {
	EventType events.Type
	Err       error
}

// Error says which event it was, what is wrong with it and what to do.
func (e *EncodeError) Error() string {
	return fmt.Sprintf("emitter: %s cannot be encoded: %s; nothing was written, and the run can go on",
		strings.Trim(strconv.Quote(clip.Cut(string(e.EventType))), `"`), strings.TrimPrefix(e.Err.Error(), "events: "))
}

// Unwrap returns the encoder's error.
func (e *EncodeError) Unwrap() error { return e.Err }

// A LimitError says that an event exceeds one of the emitter's limits. Nothing of it reached the ordering
// machine or the wire, and the run goes on.
type LimitError struct {
	EventType events.Type
	What      Limit
	Size      int // what there is, the event included
	Max       int // what is allowed
}

// Limit is what is limited.
type Limit uint8

const (
	// EventSize is the size of one event in bytes, frame included: see [WithMaxEventSize].
	EventSize Limit = iota
	// RunIDs is the number of ids that one run brings in: see [WithMaxIDs].
	RunIDs
)

// Error says which event it was, how much there is of what, the limit, and what to do.
func (e *LimitError) Error() string {
	if e.What == RunIDs {
		return fmt.Sprintf("emitter: with %s the run has brought in %d ids, the limit is %d; nothing was written; end what is open and the run, or raise WithMaxIDs",
			e.EventType, e.Size, e.Max)
	}
	return fmt.Sprintf("emitter: %s takes %d bytes, the limit is %d; nothing was written; send it in parts or raise WithMaxEventSize (the official client refuses events over 10 MiB)",
		e.EventType, e.Size, e.Max)
}

// closedError is a call after the run was ended from outside, or on a closed handle.
type closedError struct {
	what  string
	cause error
}

func (e *closedError) Error() string {
	if e.cause == nil {
		return "emitter: " + e.what
	}
	return "emitter: " + e.what + ": " + e.cause.Error()
}

func (e *closedError) Unwrap() error        { return e.cause }
func (e *closedError) Is(target error) bool { return target == ErrClosed }

// disconnectedError is a failed write or flush.
type disconnectedError struct {
	disconnection
	cause error
}

func (e *disconnectedError) Error() string {
	return ErrDisconnected.Error() + ": " + e.cause.Error()
}

func (e *disconnectedError) Unwrap() error        { return e.cause }
func (e *disconnectedError) Is(target error) bool { return target == ErrDisconnected }

// endedError is a violation of RunEnded by a call after the run's own terminal event.
type endedError struct {
	violation *verify.Violation
}

func (e *endedError) Error() string        { return e.violation.Error() }
func (e *endedError) Unwrap() error        { return e.violation }
func (e *endedError) Is(target error) bool { return target == ErrClosed }
