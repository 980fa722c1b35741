package stream

import "fmt"

// Position is a place in a stream.
type Position struct {
	// Index is the number of events before it.
	Index int
	// Offset is the number of bytes before it. An event begins with the first byte of its JSON.
	Offset int64
	// Line is the number of its line, from 1.
	Line int
}

// String returns the position in words: event 3 (line 7, byte 120).
func (p Position) String() string {
	return fmt.Sprintf("event %d (line %d, byte %d)", p.Index, p.Line, p.Offset)
}
