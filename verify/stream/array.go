package stream

import (
	"bytes"
	"fmt"
	"io"

	"github.com/agui-go/agui/events"
)

// array is [JSONArray]. It finds where each element ends and leaves what is in it to the decoder.
type array struct {
	state    arrayState
	scanned  int // the first bytes of the rest that were looked at: of an element
	depth    int
	inString bool
}

// arrayState is what an array waits for.
type arrayState uint8

const (
	wantOpen arrayState = iota
	wantFirst
	wantElement
	wantComma
	wantNothing
)

func (f *array) next(s *scanner) (document, error) {
	for {
		if f.scanned == 0 {
			s.pass(len(s.rest()) - len(bytes.TrimLeft(s.rest(), " \t\r\n")))
			s.boundary = s.offset
		}
		at := s.here()
		rest := s.rest()
		if len(rest) == 0 && !s.eof {
			return document{at: at}, errMore
		}
		if len(rest) == 0 {
			if f.state == wantNothing || f.state == wantOpen {
				return document{at: at}, io.EOF
			}
			return document{at: at}, ErrUnclosedArray
		}
		if f.state == wantFirst && rest[0] != ']' || f.state == wantElement {
			return f.element(s)
		}
		next, ok := f.follow(rest[0])
		if !ok {
			return document{at: at}, f.unexpected(rest[0])
		}
		f.state = next
		s.pass(1)
	}
}

// follow returns the state after a byte between elements.
func (f *array) follow(c byte) (arrayState, bool) {
	switch {
	case f.state == wantOpen && c == '[':
		return wantFirst, true
	case f.state == wantComma && c == ',':
		return wantElement, true
	case (f.state == wantFirst || f.state == wantComma) && c == ']':
		return wantNothing, true
	}
	return f.state, false
}

// unexpected is final: what follows cannot be cut into elements.
func (f *array) unexpected(c byte) error {
	want := map[arrayState]string{
		wantOpen:    "\"[\" at the beginning of the array",
		wantComma:   "\",\" or \"]\" after an element of the array",
		wantNothing: "nothing after the array",
	}[f.state]
	return &finalError{&events.SyntaxError{Reason: fmt.Sprintf("want %s, got %q", want, c)}}
}

// finalError wraps a syntax error after which nothing can be read.
type finalError struct{ *events.SyntaxError }

func (e *finalError) Unwrap() error { return e.SyntaxError }

// element consumes an element.
func (f *array) element(s *scanner) (document, error) {
	rest := s.rest()
	doc := document{at: s.here()}
	end := f.scan(rest)
	switch {
	case end < 0 && len(rest) > s.limit || end > s.limit:
		return doc, &LimitError{Limit: s.limit}
	case end < 0 && !s.eof:
		return doc, errMore
	case end < 0:
		return doc, errTruncatedEvent
	case end == 0:
		return doc, &finalError{&events.SyntaxError{Reason: fmt.Sprintf("want an event, got %q", rest[0])}}
	}
	doc.text = rest[:end]
	s.pass(end)
	s.bound()
	f.scanned, f.depth, f.inString = 0, 0, false
	f.state = wantComma
	return doc, nil
}

// scan returns the end of the element that the rest begins with, -1 if it has not come. It goes on where it
// stopped.
func (f *array) scan(rest []byte) int {
	for i := f.scanned; i < len(rest); i++ {
		if f.inString {
			n := bytes.IndexByte(rest[i:], '"')
			if n < 0 {
				break
			}
			i += n
			f.inString = escaped(rest[:i])
		} else {
			switch rest[i] {
			case '"':
				f.inString = true
				continue
			case '{', '[':
				f.depth++
				continue
			case '}', ']':
				if f.depth == 0 {
					return i // the end of the array ends a number or a literal
				}
				f.depth--
			case ',', ' ', '\t', '\r', '\n':
				if f.depth == 0 {
					return i
				}
				continue
			default:
				continue
			}
		}
		if f.depth == 0 && !f.inString {
			return i + 1
		}
	}
	f.scanned = len(rest)
	return -1
}

// escaped reports whether the text ends with an odd number of backslashes.
func escaped(text []byte) bool {
	odd := false
	for n := len(text); n > 0 && text[n-1] == '\\'; n-- {
		odd = !odd
	}
	return odd
}
