package stream

import (
	"bytes"
	"io"
)

// lines cuts the window into lines. They end with LF, which CRLF ends with too, or all with CR alone: that is
// so when something follows a CR, before the first LF of the stream, that can only be the beginning of a line.
// So a CR that is white space in the JSON of a stream of LF lines ends none. Until that is known nothing is
// cut: of a stream of CR lines the first event waits for the second, or for the end of the stream.
type lines struct {
	end     byte // LF or CR, 0 while it is not known
	scanned int  // the first bytes of the rest that are known to hold no line end or, while end is 0, no LF
	afterCR bool // the rest begins after a line that ended with CR
	// While end is 0:
	first   int  // 1 + the index of the first CR in the rest, 0 without one
	dropped int  // the CRs before the rest
	inner   bool // something has followed a CR that need not begin a line
}

// beginning looks at what stands before and after one or more CR, and reports whether a line begins there, or
// whether more bytes must tell.
type beginning func(before, after []byte) (yes, unknown bool)

// begin finds out how lines end, if it can, and goes to where the next one begins. What is not known after
// so many bytes as most is taken for LF.
func (l *lines) begin(s *scanner, begins beginning, most int) {
	if l.end == 0 {
		l.end = l.decide(s.rest(), s.eof || s.failed != nil, begins, most)
		if l.end == '\r' {
			s.line += l.dropped
			l.scanned = 0 // the CR that ends the first line may have been passed over
		}
	}
	if rest := s.rest(); l.afterCR && len(rest) > 0 {
		l.afterCR = false
		if rest[0] == '\n' { // of a CRLF among lines that end with CR
			s.consume(1)
		}
	}
}

// decide returns what ends the lines, 0 if it does not know by now.
func (l *lines) decide(rest []byte, eof bool, begins beginning, most int) byte {
	for {
		n := bytes.IndexAny(rest[l.scanned:], "\r\n")
		if n < 0 {
			n = len(rest) - l.scanned
		}
		l.scanned += n
		switch {
		case l.scanned > most || l.scanned < len(rest) && rest[l.scanned] == '\n':
			return '\n'
		case l.scanned == len(rest):
			return 0
		case l.first == 0:
			l.first = l.scanned + 1
		}
		after := bytes.TrimLeft(rest[l.scanned:], "\r")
		at := len(rest) - len(after)
		yes, unknown := false, len(after) == 0
		if !unknown && after[0] != '\n' {
			yes, unknown = begins(rest[:l.scanned], after)
		}
		switch {
		case at > most:
			return '\n'
		case yes, len(after) == 0 && eof && !l.inner:
			return '\r'
		case unknown && !eof:
			l.scanned = at - 1 // the last CR
			return 0
		}
		l.inner, l.scanned = true, at
	}
}

// next consumes one line and returns it without its line end, but with the CR of a CRLF. At the end of the
// stream what is left is a line that is not ended.
func (l *lines) next(s *scanner) (line []byte, ended bool, err error) {
	rest := s.rest()
	n := l.find(rest)
	if n < 0 && !s.eof {
		return nil, false, errMore
	}
	if n < 0 && len(rest) == 0 {
		return nil, false, io.EOF
	}
	l.scanned = 0
	if n < 0 {
		s.consume(len(rest))
		return rest, false, nil
	}
	s.consume(n + 1)
	s.line++
	l.afterCR = l.end == '\r'
	return rest[:n], true, nil
}

// length returns how long the next line is at least, whatever ends it.
func (l *lines) length(rest []byte) int {
	if l.end == 0 && l.first > 0 {
		return l.first - 1
	}
	return len(rest)
}

// find returns the index of the line end, -1 if it has not come.
func (l *lines) find(rest []byte) int {
	if l.end == 0 {
		return -1
	}
	n := bytes.IndexByte(rest[l.scanned:], l.end)
	if n < 0 {
		l.scanned = len(rest)
		return -1
	}
	return l.scanned + n
}

// jsonLines is [JSONLines].
type jsonLines struct{ lines }

func (f *jsonLines) next(s *scanner) (document, error) {
	for {
		f.begin(s, isObject, s.limit+readSize)
		f.indent(s)
		at := s.here()
		line, ended, err := f.lines.next(s)
		if err == errMore && f.length(s.rest()) > s.limit+1 || len(line) > s.limit+1 {
			return document{at: at}, &LimitError{Limit: s.limit}
		}
		if err != nil {
			return document{at: at}, err
		}
		text := bytes.Trim(line, " \t\r")
		if len(text) == 0 {
			s.boundary = s.offset
			continue
		}
		s.bound()
		if len(text) > s.limit {
			return document{at: at}, &LimitError{Limit: s.limit}
		}
		return document{text: text, at: at, cut: !ended}, nil
	}
}

// indent goes to where the text of a line begins.
func (f *jsonLines) indent(s *scanner) {
	n := len(s.rest()) - len(bytes.TrimLeft(s.rest(), " \t"))
	s.consume(n)
	f.scanned, f.first = max(0, f.scanned-n), max(0, f.first-n)
}

// isObject reports whether an object ends before a CR and another begins after it, as in no JSON outside of a
// string.
func isObject(before, after []byte) (yes, unknown bool) {
	return after[0] == '{' && bytes.HasSuffix(bytes.TrimRight(before, " \t\r"), []byte{'}'}), false
}
