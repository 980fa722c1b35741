// Package ids makes the identifiers of a run: readable, unique, in the order of their making.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/agui-go/agui/ids"
//	)
//
//	func main() {
//		fmt.Println(ids.New(ids.Message))              // msg_019ad4a1c2f07d4c8e0b5a4f6d1c9b3e
//		fmt.Println(ids.Random().NewID(ids.ToolCall))  // call_019ad4a1c2f17a1283c45d6e7f809a1b
//		fmt.Println(ids.Sequence().NewID(ids.Message)) // msg_1
//	}
//
// # Form
//
// An id is its kind, an underscore, and a UUID of version 7 (RFC 9562) as 32 hexadecimal digits. The
// UUID is written without its hyphens: an id is repeated in every delta of its message, and a double
// click on one selects the whole of it. uuid.Parse of github.com/google/uuid reads what follows the
// last underscore.
//
// # Ids from elsewhere
//
// AG-UI identifiers are opaque strings. Any string is a legal id, the empty one included, and this
// library passes every id on unchanged: the id that a model provider gave to a message or a tool
// call, a database key, an id that the front end chose. Only where an id is shown to a person or
// recorded by telemetry is a long one cut. [Or] takes the provider's id where there is one.
//
// # Tests
//
// [Sequence] counts instead: msg_1, msg_2, call_1. A run that takes its ids from a new Sequence
// produces the same bytes each time.
package ids
