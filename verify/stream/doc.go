// Package stream reads AG-UI streams from anywhere and judges them: a response, a recorded file, what an
// agent in another language wrote. It reads Server-Sent Events, JSON Lines and JSON arrays, which it tells
// apart by itself, in memory that does not grow with the stream.
//
//	package main
//
//	import (
//		"fmt"
//		"strings"
//
//		"github.com/agui-go/agui/verify/stream"
//	)
//
//	const recorded = `data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1"}
//
//	data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"Hello"}
//
//	`
//
//	func main() {
//		fmt.Println(stream.Check(strings.NewReader(recorded)))
//	}
//
// prints, on one line,
//
//	stream: line 3 (byte 65): TEXT_MESSAGE_CONTENT "m1" (event 1): NotOpen:
//	text message "m1" was never opened; send TEXT_MESSAGE_START first
//
// # Reading and judging
//
// A [Reader] yields the events of a stream with their positions, and leaves their order to whoever uses
// them. A [Checker] judges a whole stream: it yields every violation and every flaw of the framing, with
// position and what was open, from a reader or from bytes that somebody else passes on. [Check] returns the
// first violation.
//
// # Framing
//
// Server-Sent Events are read as the official client 1.0 reads them: only lines that begin with "data:"
// count, several of them are one JSON text, and an event that the end of the stream cuts off from its blank
// line is an event. Beyond that the reader takes what the client stumbles over, so that the order of such a
// stream can be judged too: CRLF and CR line ends, [DONE], events without data, and events over 10 MiB if
// the limit is set higher. Each is a [Flaw], told once.
package stream
