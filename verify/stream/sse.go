package stream

import (
	"bytes"
	"io"
	"unicode/utf8"
)

// clientLimit is what the official client keeps of one event, in UTF-16 units.
const clientLimit = 10 << 20

// sse is [SSE]. It reads what the official client reads, and tells where the client would not get so far.
type sse struct {
	lines
	found   bool     // a data line of the event that is being read
	at      Position // of its first data line
	data    []byte   // its data lines, joined with LF; unused while there is but one
	size    int      // the length of its lines
	named   bool     // another field of it has come
	junk    bool     // the current line is ignored, and too long to keep
	crowded bool     // since its last "\n\n" the client has seen a data line of an event before this one
}

var dataField = []byte("data:")

func (f *sse) next(s *scanner) (document, error) {
	for {
		at := s.here()
		line, ended, err := f.lines.next(s)
		switch {
		case err == errMore:
			return document{at: at}, f.wait(s)
		case err == io.EOF && f.found:
			return f.finish(s, f.data, true, false)
		case err != nil:
			return document{at: at}, err
		case f.junk:
			f.junk = false
			continue
		}
		f.size += len(line) + 1
		if bytes.HasPrefix(line, dataField) {
			value := f.value(line, &at)
			if len(f.data)+len(value) > s.limit {
				return document{at: at}, &LimitError{Limit: s.limit}
			}
			if !f.found && ended && f.ends(s) {
				f.found, f.at = true, at
				return f.finish(s, value, false, true)
			}
			f.add(value, at)
			continue
		}
		if blank := len(line) == 0 || len(line) == 1 && line[0] == '\r'; blank {
			cut := len(line) == 0 && f.end == '\n'
			if f.found {
				return f.finish(s, f.data, false, cut)
			}
			f.reset()
			f.crowded = f.crowded && !cut
			s.boundary = s.offset
			continue
		}
		f.field(s, line)
	}
}

// value returns what a data line holds, and moves at to it.
func (f *sse) value(line []byte, at *Position) []byte {
	value := line[len(dataField):]
	if len(value) > 0 && value[0] == ' ' {
		value = value[1:]
	}
	at.Offset += int64(len(line) - len(value))
	if f.end == '\n' {
		value = bytes.TrimSuffix(value, []byte{'\r'})
	}
	return value
}

// ends reports whether LF follows, the end of nearly all events, and consumes it. The event then need not
// be copied.
func (f *sse) ends(s *scanner) bool {
	rest := s.rest()
	if f.end != '\n' || len(rest) == 0 || rest[0] != '\n' {
		return false
	}
	s.consume(1)
	s.line++
	return true
}

// add adds a data line to the event.
func (f *sse) add(value []byte, at Position) {
	if f.found {
		f.data = append(f.data, '\n')
	} else {
		f.found, f.at = true, at
	}
	f.data = append(f.data, value...)
}

// field takes a line that is ignored.
func (f *sse) field(s *scanner, line []byte) {
	name, _, hasColon := bytes.Cut(line, []byte{':'})
	switch {
	case hasColon && len(name) == 0: // a comment
		s.recognised = true
		if !f.found && !f.named {
			s.boundary = s.offset
		}
		return
	case string(name) == "event", string(name) == "id", string(name) == "retry":
		s.recognised = true
	default:
		s.strange = s.strange || len(bytes.TrimSpace(line)) > 0
	}
	f.named = true
}

// finish ends an event. cut is the blank line that the official client cuts at.
func (f *sse) finish(s *scanner, data []byte, truncated, cut bool) (document, error) {
	doc := document{text: data, at: f.at, cut: truncated}
	crowded, overhead := f.crowded, f.size-len("\n")-len(data)
	s.bound()
	f.reset()
	f.crowded = !cut
	switch text := bytes.TrimSpace(data); {
	case len(text) == 0:
		s.flaw(FlawEmptyData, doc.at)
		return doc, errDropped
	case string(text) == "[DONE]":
		s.flaw(FlawDone, doc.at)
		return doc, errDropped
	}
	switch {
	case f.end == '\r':
		s.flaw(FlawCR, doc.at)
	case crowded:
		s.flaw(FlawCRLF, doc.at)
	}
	if len(data)+overhead > clientLimit && overhead+units(data) > clientLimit {
		s.flaw(FlawOversize, doc.at)
	}
	return doc, nil
}

// reset begins the next event.
func (f *sse) reset() {
	f.found, f.named, f.size = false, false, 0
	f.data = f.data[:0]
	if cap(f.data) > idleSize {
		f.data = nil // the document still holds it
	}
}

// wait is called while a line is incomplete. It keeps a data line up to the limit and nothing of others.
func (f *sse) wait(s *scanner) error {
	rest := s.rest()
	if f.end == '\r' {
		rest = bytes.TrimPrefix(rest, []byte{'\n'})
	}
	if f.junk || !bytes.HasPrefix(rest, dataField) {
		if !f.junk && len(rest) > readSize {
			f.field(s, rest)
			f.junk = true
		}
		if f.junk {
			s.consume(f.scanned)
			f.scanned = 0
		}
		return errMore
	}
	if len(f.data)+len(rest)-len("data: ")-len("\r") > s.limit {
		return &LimitError{Limit: s.limit}
	}
	return errMore
}

// units returns the length of a text in UTF-16, in which the official client measures.
func units(text []byte) int {
	n := utf8.RuneCount(text)
	for i := range text {
		if text[i] >= 0xF0 {
			n++ // a surrogate pair
		}
	}
	return n
}
