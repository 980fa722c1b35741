package stream

import (
	"bytes"
	"io"
	"math"
	"strings"
)

// clientLimit is what the official client keeps of one event, in UTF-16 units.
const clientLimit = 10 << 20

// sse is [SSE]. It reads what the official client reads, and tells where the client would not get so far.
type sse struct {
	lines
	found   bool     // a data line of the event that is being read
	at      Position // of its first data line
	data    []byte   // its data lines, joined with LF; unused while there is but one
	from    Position // of its first line
	begun   bool     // a line of it, or of what has no data, has come
	extra   int      // all of it but what its data lines hold, in UTF-16 units; an LF for each other line
	named   bool     // another field of it has come
	junk    bool     // the current line is ignored, and too long to keep
	crowded bool     // since its last "\n\n" the client has seen a data line of an event before this one
}

var dataField = []byte("data:")

func (f *sse) next(s *scanner) (document, error) {
	for {
		f.begin(s, isField, f.most(s))
		at := s.here()
		line, ended, err := f.lines.next(s)
		switch {
		case err == errMore:
			return f.wait(s, at)
		case err == io.EOF && f.found:
			return f.finish(s, f.data, true, false)
		case err == io.EOF:
			weigh(s, f.from, f.extra-len("\n"), nil)
			return document{at: at}, err
		case err != nil:
			return document{at: at}, err
		case f.junk:
			f.junk = false
			f.ignore(s, line)
			continue
		}
		if !f.begun {
			f.begun, f.from = true, at
		}
		if bytes.HasPrefix(line, dataField) {
			value := f.value(line, &at)
			if len(f.data)+len(value) > s.limit {
				return f.over(s, at)
			}
			f.extra += len(line) - len(value)
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
			weigh(s, f.from, f.extra-len("\n"), nil)
			f.reset()
			f.crowded = f.crowded && !cut
			s.boundary = s.offset
			continue
		}
		f.field(line, s)
		f.extra++
		f.ignore(s, line)
	}
}

// fields are the beginnings of lines that no JSON has outside of a string, and so not after a CR.
var fields = [...]string{"data:", "event:", "id:", "retry:"}

// isField reports whether a field begins after a CR, and whether it is not yet known.
func isField(_, after []byte) (yes, unknown bool) {
	for _, name := range fields {
		if bytes.HasPrefix(after, []byte(name)) {
			return true, false
		}
		unknown = unknown || strings.HasPrefix(name, string(after[:min(len(after), len(name))]))
	}
	return false, unknown
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

// field looks at a line that is ignored: at its beginning, if it is long.
func (f *sse) field(line []byte, s *scanner) {
	name, _, hasColon := bytes.Cut(line, []byte{':'})
	switch {
	case hasColon && len(name) == 0: // a comment
		s.recognised = true
	case string(name) == "event", string(name) == "id", string(name) == "retry":
		s.recognised = true
		f.named = true
	default:
		s.strange = s.strange || len(bytes.TrimSpace(line)) > 0
	}
}

// ignore counts bytes of a line that is ignored, which have been consumed. Unless they are of an event, they
// are settled: nobody makes anything of them.
func (f *sse) ignore(s *scanner, text []byte) {
	f.extra += units(text)
	if !f.found && !f.named {
		s.boundary = s.offset
	}
}

// finish ends an event. cut is the blank line that the official client cuts at.
func (f *sse) finish(s *scanner, data []byte, truncated, cut bool) (document, error) {
	doc := document{text: data, at: f.at, cut: truncated}
	crowded, extra := f.crowded, f.extra
	s.recognised = true
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
	weigh(s, doc.at, extra, data)
	return doc, nil
}

// weigh tells when what the official client keeps at once is more than it can: data, and so many units of
// other bytes.
func weigh(s *scanner, at Position, extra int, data []byte) {
	if extra+len(data) > clientLimit && extra+units(data) > clientLimit {
		s.flaw(FlawOversize, at)
	}
}

// reset begins the next event.
func (f *sse) reset() {
	f.found, f.named, f.begun, f.extra = false, false, false, 0
	f.data = f.data[:0]
	if cap(f.data) > idleSize {
		f.data = nil // the document still holds it
	}
}

// wait is called while a line is incomplete. It keeps a data line up to the limit and nothing of others.
func (f *sse) wait(s *scanner, at Position) (document, error) {
	rest := s.rest()
	if f.keeps(rest) {
		if len(f.data)+f.length(rest)-len("data: ")-len("\r") <= s.limit {
			return document{at: at}, errMore
		}
		f.value(rest, &at)
		return f.over(s, at)
	}
	if !f.junk && len(rest) > readSize {
		if !f.begun {
			f.begun, f.from = true, at
		}
		f.field(rest, s)
		f.junk = true
		f.extra++
	}
	if f.junk {
		dropped := rest[:f.scanned]
		if f.end == 0 {
			f.dropped += bytes.Count(dropped, []byte{'\r'})
		}
		s.consume(f.scanned)
		f.scanned = 0
		f.ignore(s, dropped)
	}
	return document{at: at}, errMore
}

// keeps reports whether the rest begins with a line that is data.
func (f *sse) keeps(rest []byte) bool { return !f.junk && bytes.HasPrefix(rest, dataField) }

// most is how much may be looked through for the end of a line.
func (f *sse) most(s *scanner) int {
	if f.keeps(s.rest()) {
		return s.limit + readSize
	}
	return math.MaxInt // nothing of it is kept
}

// over refuses an event that is longer than the limit. at is where the value of its last data line begins.
func (f *sse) over(s *scanner, at Position) (document, error) {
	if f.found {
		at = f.at
	}
	return document{at: at}, &LimitError{Limit: s.limit}
}

// units returns the length of a text in UTF-16, in which the official client measures. It may be cut anywhere.
func units(text []byte) int {
	n := 0
	for _, c := range text {
		if c&0xC0 != 0x80 {
			n++ // the first byte of a character
		}
		if c >= 0xF0 {
			n++ // a surrogate pair
		}
	}
	return n
}
