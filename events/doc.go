// Package events is the vocabulary of AG-UI 1.0 and its JSON: one Go type for each event, message,
// content part, outcome and request, with an encoder that appends and a decoder that is as exact as the
// protocol. It knows no order (see package verify) and no transport.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/agui-go/agui/events"
//	)
//
//	func main() {
//		ev := events.NewTextMessageContent("msg-1", "Hello, <world>\n")
//		line, err := ev.AppendJSON([]byte("data: "))
//		fmt.Println(string(line), err)
//	}
//
// prints
//
//	data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-1","delta":"Hello, <world>\n"} <nil>
//
// # Values and pointers
//
// [Event], [Message], [Part], [Source], [RunOutcome] and [SubagentOutcome] are sealed interfaces. Values
// and pointers both implement them; decoding and the constructors return pointers, and [Pointer] and its
// sisters bring any value into that form, so that one switch serves. A nil pointer is an error, [ErrNil],
// wherever this package takes such an interface.
//
// # Absent, empty and null
//
// An [Opt] tells absent from empty: the zero Opt is left out, Some("") is written. A [JSON] holds any
// JSON value; the zero JSON is absent, and MustJSON(nil) is the JSON null. Required members are written
// even when they are empty; optional ones are never written as null. Members that this package does not
// know are kept when an event is read and written back after the known ones.
//
// # One line
//
// What AppendJSON writes is one line of valid UTF-8 without CR, LF, U+0085, U+2028 and U+2029, wherever
// its strings and JSON values came from. HTML characters are not escaped.
//
// # Errors
//
// A value that its schema refuses is a *[FieldError] with a JSON Pointer to the member. A text that is no
// event at all is a *[SyntaxError]. Values of this package are safe for concurrent reading; nothing here
// locks, starts a goroutine or keeps state.
package events
