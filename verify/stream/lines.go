package stream

import (
	"bytes"
	"io"
)

// lines cuts the window into lines. The first line end of a stream decides for all: LF, which CRLF ends
// with too, or CR alone. So a CR that is white space in the JSON of a stream of LF lines ends none.
type lines struct {
	end     byte // LF or CR, 0 before the first line end
	scanned int  // the first bytes of the rest that are known to hold no line end
}

// next consumes one line and returns it without its line end, but with the CR of a CRLF. At the end of the
// stream what is left is a line that is not ended.
func (l *lines) next(s *scanner) (line []byte, ended bool, err error) {
	rest := s.rest()
	n := l.find(rest, s.eof)
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
	line = rest[:n]
	if l.end == '\r' {
		line = bytes.TrimPrefix(line, []byte{'\n'}) // of a CRLF among lines that end with CR
	}
	return line, true, nil
}

// find returns the index of the line end, -1 if it has not come.
func (l *lines) find(rest []byte, eof bool) int {
	if l.end == 0 && !l.decide(rest, eof) {
		return -1
	}
	n := bytes.IndexByte(rest[l.scanned:], l.end)
	if n < 0 {
		l.scanned = len(rest)
		return -1
	}
	return l.scanned + n
}

// decide looks for the first line end, and reports whether it knows by now what that is.
func (l *lines) decide(rest []byte, eof bool) bool {
	n := bytes.IndexAny(rest[l.scanned:], "\r\n")
	if n < 0 {
		l.scanned = len(rest)
		return false
	}
	l.scanned += n
	switch {
	case rest[l.scanned] == '\n':
		l.end = '\n'
	case l.scanned+1 < len(rest) && rest[l.scanned+1] == '\n':
		l.end = '\n'
	case l.scanned+1 < len(rest) || eof:
		l.end = '\r'
	}
	return l.end != 0
}

// jsonLines is [JSONLines].
type jsonLines struct{ lines }

func (f *jsonLines) next(s *scanner) (document, error) {
	for {
		at := s.here()
		line, ended, err := f.lines.next(s)
		if err == errMore && len(s.rest()) > s.limit+1 || len(line) > s.limit+1 {
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
		at.Offset += int64(bytes.IndexByte(line, text[0]))
		return document{text: text, at: at, cut: !ended}, nil
	}
}
