package stream

import "fmt"

// Framing is the form in which events follow each other. The zero Framing is [Detect].
type Framing uint8

const (
	// Detect takes the form from the first byte that is no white space: [JSONArray] for "[", [JSONLines]
	// for "{", else [SSE].
	Detect Framing = iota
	// SSE is Server-Sent Events, as the official client reads them (AG-UI 1.0, HTTP with Server-Sent
	// Events): the lines that begin with "data:" are the event, a blank line ends it, all other lines are
	// ignored, and what is left at the end of the stream is an event too.
	SSE
	// JSONLines is one event a line. Blank lines are ignored.
	JSONLines
	// JSONArray is one JSON array of events.
	JSONArray
)

// String returns "detect", "sse", "json lines" or "json array".
func (f Framing) String() string {
	switch f {
	case Detect:
		return "detect"
	case SSE:
		return "sse"
	case JSONLines:
		return "json lines"
	case JSONArray:
		return "json array"
	}
	return fmt.Sprintf("framing(%d)", uint8(f))
}
