package stream

import (
	"bytes"
	"errors"
	"io"

	"github.com/agui-go/agui/events"
)

// document is what stands in the place of one event.
type document struct {
	text []byte // valid until more bytes come
	at   Position
	cut  bool // the end of the stream ended it
}

// form is one framing. next consumes bytes of the scanner and returns the next document. It returns
// errMore when the rest holds no whole one, errDropped when it passed over one, and io.EOF.
type form interface {
	next(s *scanner) (document, error)
}

// scanner reads events from bytes that it is given piece by piece. It keeps no more than one event and one
// piece.
type scanner struct {
	window
	framing Framing
	limit   int
	onFlaw  func(Flaw, Position)

	form   form
	eof    bool  // no more bytes come
	failed error // no more bytes come, and this is why
	index  int   // the events so far
	last   error // what ended the reading

	doc        document // the last one
	boundary   int64    // the offset after the last document, comment or blank line
	settled    int64    // the boundary that came before the last document
	recognised bool     // something that Server-Sent Events have
	strange    bool     // something that they have not
	flaws      [numFlaws]bool
}

// next returns the next event. Besides what a form returns, the error is an *Error.
func (s *scanner) next() (events.Event, error) {
	if s.last != nil {
		return nil, s.last
	}
	s.settled = s.boundary // the last document has been judged
	doc, err := document{at: s.here()}, errMore
	if s.form != nil || s.begin() {
		doc, err = s.form.next(s)
	}
	if err == errMore || err == io.EOF {
		s.settled = s.boundary
	}
	switch {
	case err == errMore && s.failed != nil:
		err = s.failed
	case err == io.EOF && s.strange && !s.recognised:
		err = ErrNoStream
	}
	s.doc = doc
	switch {
	case err == nil:
		s.recognised = true
		return s.decode(doc)
	case err == errMore, err == errDropped:
		return nil, err
	case err == io.EOF:
		s.last = io.EOF
		return nil, io.EOF
	case err == errTruncatedEvent, err == ErrUnclosedArray:
		s.last = io.EOF
		return nil, &Error{Position: doc.at, Err: err}
	}
	if final, ok := errors.AsType[*finalError](err); ok {
		err = final.SyntaxError
	}
	s.last = &Error{Position: doc.at, Err: err}
	return nil, s.last
}

// decode reads the event in doc, and counts it if it is one.
func (s *scanner) decode(doc document) (events.Event, error) {
	ev, err := events.Decode(doc.text)
	if err == nil {
		s.index++
		return ev, nil
	}
	var field *events.FieldError
	var syntax *events.SyntaxError
	switch {
	case errors.As(err, &field):
		s.index++
	case doc.cut && errors.As(err, &syntax) && syntax.Offset >= int64(len(doc.text)):
		err = errTruncatedEvent
	}
	return nil, &Error{Position: doc.at, Err: err}
}

var byteOrderMark = []byte("\uFEFF")

// maxBlank is how much white space is looked through for the first byte that tells the framing.
const maxBlank = 4 << 10

// begin drops a byte order mark and chooses the form. It reports whether it could.
func (s *scanner) begin() bool {
	if !s.eof && len(s.rest()) < len(byteOrderMark) && bytes.HasPrefix(byteOrderMark, s.rest()) {
		return false
	}
	framing := s.framing
	if framing == Detect {
		text := bytes.TrimLeft(bytes.TrimPrefix(s.rest(), byteOrderMark), " \t\r\n")
		switch {
		case len(text) == 0 && !s.eof && len(s.rest()) < maxBlank:
			return false
		case bytes.HasPrefix(text, []byte{'['}):
			framing = JSONArray
		case bytes.HasPrefix(text, []byte{'{'}):
			framing = JSONLines
		default:
			framing = SSE
		}
	} else {
		s.recognised = true // somebody knows better
	}
	if bytes.HasPrefix(s.rest(), byteOrderMark) {
		s.consume(len(byteOrderMark))
	}
	s.framing = framing
	switch framing {
	case JSONArray:
		s.form = new(array)
	case JSONLines:
		s.form = new(jsonLines)
	default:
		s.form = new(sse)
	}
	return true
}

// bound marks the end of a document, which is about to be judged.
func (s *scanner) bound() { s.settled, s.boundary = s.boundary, s.offset }

// here returns the position of the next byte.
func (s *scanner) here() Position {
	return Position{Index: s.index, Offset: s.offset, Line: s.line + 1}
}

// flaw tells of a flaw when it comes first.
func (s *scanner) flaw(f Flaw, at Position) {
	if s.flaws[f] {
		return
	}
	s.flaws[f] = true
	if s.onFlaw != nil {
		s.onFlaw(f, at)
	}
}
