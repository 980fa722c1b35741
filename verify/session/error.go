package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// RunError says that the run failed: the agent sent RUN_ERROR, which ends the sequence. A RUN_ERROR that
// keeps the rules is in the sequence too, right before the error. One that breaks a rule, or that comes after
// an event which did, is not, but what it says is here: why the run failed matters more than that it was told
// at the wrong time.
type RunError struct {
	// Event is the RUN_ERROR. When it could not be decoded, only its message and code are filled in.
	Event *events.RunError
	// Err is nil, or what ended the sequence: a *[verify.Violation] when the event, or one shortly before it,
	// broke a rule, and the *[stream.Error] of one that could not be decoded.
	Err error
}

// Error returns one line: the agent's message and code and, where the event broke a rule, that.
func (e *RunError) Error() string {
	text := "session: the run failed: " + shown(e.Event.Message)
	if code, has := e.Event.Code.Get(); has {
		text += fmt.Sprintf(" (code %s)", shown(code))
	}
	if e.Err != nil {
		text += "; besides, " + withoutPrefix(e.Err)
	}
	return text
}

// Unwrap returns Err.
func (e *RunError) Unwrap() error { return e.Err }

// TruncatedError says that the stream ended before the run did: the connection broke, or the agent stopped
// without RUN_FINISHED or RUN_ERROR. It is what [verify.Unterminated] is about: errors.Is finds that in it.
type TruncatedError struct {
	// Events is the number of events before the end.
	Events int
	// Open is what was open then. It is empty without verification.
	Open []verify.Open
	// Err is why there was no more to read, [io.ErrUnexpectedEOF] for one, and nil when the stream came to an
	// end in good order.
	Err error
}

// Error returns one line: how far the stream went, and why not further.
func (e *TruncatedError) Error() string {
	text := fmt.Sprintf("session: the stream ended in the middle of the run, after %d events", e.Events)
	if e.Events == 0 {
		text = "session: the stream ended before the run began"
	}
	if len(e.Open) > 0 {
		text += fmt.Sprintf(", with %s open", e.Open[len(e.Open)-1])
	}
	if len(e.Open) > 1 {
		text += fmt.Sprintf(" and %d more", len(e.Open)-1)
	}
	if e.Err != nil {
		return text + ": " + withoutPrefix(e.Err)
	}
	return text + ": neither RUN_FINISHED nor RUN_ERROR has come; what the run did is unknown"
}

// Unwrap returns [verify.Unterminated] and Err.
func (e *TruncatedError) Unwrap() []error {
	if e.Err == nil {
		return []error{verify.Unterminated}
	}
	return []error{verify.Unterminated, e.Err}
}

// failure is an error of another package with what it means here.
type failure struct {
	what string
	errs []error
}

func failed(what string, errs ...error) error { return &failure{what, errs} }

func (f *failure) Error() string {
	return "session: " + f.what + ": " + withoutPrefix(f.errs[len(f.errs)-1])
}

func (f *failure) Unwrap() []error { return f.errs }

// gaveUp returns an error when err came about because the context ended or a time limit passed, nil else. It
// wraps the context's error and its cause.
func gaveUp(ctx context.Context, err error) error {
	if ended := ctx.Err(); ended != nil {
		return failed("the session was given up", ended, context.Cause(ctx))
	}
	var timeout interface{ Timeout() bool }
	if errors.As(err, &timeout) && timeout.Timeout() {
		return failed("the session was given up", err)
	}
	return nil
}

// withoutPrefix returns the text of an error without the name of the package that it begins with.
func withoutPrefix(err error) string {
	text := err.Error()
	for _, prefix := range []string{"events: ", "verify: ", "stream: "} {
		if rest, has := strings.CutPrefix(text, prefix); has {
			return rest
		}
	}
	return text
}

// maxShown is how much of an agent's text stands in an error, in bytes. The whole is in the error's fields.
const maxShown = 1 << 10

// shown returns an agent's text quoted, and cut at the beginning of a character if it is long.
func shown(text string) string {
	if len(text) <= maxShown {
		return strconv.Quote(text)
	}
	end := maxShown
	for end > maxShown-utf8.UTFMax && !utf8.RuneStart(text[end]) {
		end--
	}
	return strconv.Quote(text[:end]) + "…"
}
