package events

import "strconv"

// FieldError says that a value cannot be what AG-UI 1.0 wants in its place. Decoding returns it for a
// text that is JSON but no value of its type, [Check] for a typed value that the schema refuses, and
// AppendJSON for a value that has no JSON form.
type FieldError struct {
	// Type is the event's type, empty for a value outside an event.
	Type Type
	// Pointer is the JSON Pointer (RFC 6901) of the member at fault, empty for the whole value.
	Pointer string
	// Reason says what is wrong and what is wanted.
	Reason string

	cause error
}

// Error returns one line: type, pointer and reason.
func (e *FieldError) Error() string {
	text := "events: "
	if e.Type != "" {
		text += e.Type.inWords() + ": "
	}
	if e.Pointer != "" {
		text += e.Pointer + ": "
	}
	return text + e.Reason
}

// Unwrap returns [ErrNil] when a nil pointer is at fault, else nil.
func (e *FieldError) Unwrap() error { return e.cause }

// SyntaxError says that a text is not JSON, or not an object with a non-empty string "type", so that
// no event can be read from it.
type SyntaxError struct {
	// Offset is the number of bytes read before the error, 0 when the text is JSON.
	Offset int64
	// Reason says what is wrong.
	Reason string
}

// Error returns the reason and where it is.
func (e *SyntaxError) Error() string {
	text := "events: " + e.Reason
	if e.Offset > 0 {
		text += " (at byte " + strconv.FormatInt(e.Offset, 10) + ")"
	}
	return text
}

// in puts the error under the member name of an enclosing object.
func (e *FieldError) in(name string) { e.Pointer = "/" + name + e.Pointer }

// at puts the error under the element i of an enclosing list.
func (e *FieldError) at(i int) { e.Pointer = "/" + strconv.Itoa(i) + e.Pointer }

// as returns the error as one of the event type t.
func (e *FieldError) as(t Type) error {
	e.Type = t
	return e
}

// nested returns the error of an AppendJSON of this package, which is nil or a *FieldError.
func nested(err error) *FieldError {
	if err == nil {
		return nil
	}
	return err.(*FieldError)
}
