package emitter

import (
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// argsComplete reports whether the arguments written so far to the open call are one JSON document.
// No arguments at all are none.
func (r *run) argsComplete(call *verify.Entity) bool {
	s, ok := streamOf(call)
	return ok && s.args.complete()
}

// scanArgs follows arguments that did not come by the content path.
func (r *run) scanArgs(e *events.ToolCallArgs) {
	call := r.gate.entity(verify.KindToolCall, e.ToolCallID, e.SubagentRunID)
	if call != nil {
		r.streamFor(call, verify.KindToolCall, e.ToolCallID, e.SubagentRunID).args.scan([]byte(e.Delta))
	}
}

// jsonScanner follows a JSON text that comes in pieces and knows whether it is complete. It keeps a
// byte for each level of nesting and nothing of the text.
type jsonScanner struct {
	state  scanState
	word   string // what is left of true, false or null
	hex    int    // digits left of a \u escape
	key    bool   // the string is a member's name
	levels []byte // '{' or '[' for each open level
}

type scanState uint8

const (
	scanValue      scanState = iota // a value must come
	scanFirstValue                  // a value or ]
	scanFirstKey                    // a member's name or }
	scanKey                         // a member's name
	scanColon
	scanAfterValue // a comma, the end of the level, or the end of the text
	scanString
	scanEscape
	scanHex
	scanWord
	scanMinus // - has come
	scanZero  // a number that starts with 0 has come
	scanDigits
	scanPoint // digits must come
	scanFraction
	scanExponent     // a sign or digits must come
	scanExponentSign // digits must come
	scanExponentDigits
	scanBroken // this text is no JSON, whatever follows
)

// maxScanDepth is the nesting from which a text counts as broken: parsers refuse it too.
const maxScanDepth = 10_000

// complete reports whether the text so far is one JSON document.
func (s *jsonScanner) complete() bool {
	if len(s.levels) > 0 {
		return false
	}
	switch s.state {
	case scanAfterValue, scanZero, scanDigits, scanFraction, scanExponentDigits:
		return true
	}
	return false
}

// scan feeds the next piece of the text.
func (s *jsonScanner) scan(piece []byte) {
	for _, c := range piece {
		if s.state == scanString && c != '"' && c != '\\' && c >= ' ' {
			continue
		}
		s.step(c)
	}
}

func (s *jsonScanner) step(c byte) {
	switch s.state {
	case scanString, scanEscape, scanHex, scanWord:
		s.inside(c)
	case scanMinus, scanZero, scanDigits, scanPoint, scanFraction, scanExponent, scanExponentSign, scanExponentDigits:
		s.number(c)
	default:
		s.between(c)
	}
}

// between takes a byte outside strings, words and numbers.
func (s *jsonScanner) between(c byte) {
	if c == ' ' || c == '\t' || c == '\n' || c == '\r' {
		return
	}
	switch s.state {
	case scanValue:
		s.value(c)
	case scanFirstValue:
		if c == ']' {
			s.pop('[')
			return
		}
		s.value(c)
	case scanFirstKey:
		if c == '}' {
			s.pop('{')
			return
		}
		s.name(c)
	case scanKey:
		s.name(c)
	case scanColon:
		s.expect(c == ':', scanValue)
	case scanAfterValue:
		s.afterValue(c)
	}
}

func (s *jsonScanner) value(c byte) {
	switch {
	case c == '{' || c == '[':
		s.push(c)
	case c == '"':
		s.state, s.key = scanString, false
	case c == '-':
		s.state = scanMinus
	case c == '0':
		s.state = scanZero
	case isDigit(c):
		s.state = scanDigits
	case c == 't':
		s.state, s.word = scanWord, "rue"
	case c == 'f':
		s.state, s.word = scanWord, "alse"
	case c == 'n':
		s.state, s.word = scanWord, "ull"
	default:
		s.state = scanBroken
	}
}

func (s *jsonScanner) name(c byte) {
	s.key = true
	s.expect(c == '"', scanString)
}

func (s *jsonScanner) afterValue(c byte) {
	if len(s.levels) == 0 {
		s.state = scanBroken
		return
	}
	level := s.levels[len(s.levels)-1]
	switch {
	case c == ',' && level == '{':
		s.state = scanKey
	case c == ',':
		s.state = scanValue
	case c == '}':
		s.pop('{')
	case c == ']':
		s.pop('[')
	default:
		s.state = scanBroken
	}
}

// inside takes a byte of a string or a word.
func (s *jsonScanner) inside(c byte) {
	switch s.state {
	case scanWord:
		if c != s.word[0] {
			s.state = scanBroken
			return
		}
		if s.word = s.word[1:]; s.word == "" {
			s.state = scanAfterValue
		}
	case scanEscape:
		switch c {
		case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
			s.state = scanString
		case 'u':
			s.state, s.hex = scanHex, 4
		default:
			s.state = scanBroken
		}
	case scanHex:
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'f') {
			s.state = scanBroken
			return
		}
		if s.hex--; s.hex == 0 {
			s.state = scanString
		}
	case scanString:
		switch {
		case c == '\\':
			s.state = scanEscape
		case c == '"' && s.key:
			s.state = scanColon
		case c == '"':
			s.state = scanAfterValue
		case c < ' ':
			s.state = scanBroken
		}
	}
}

// number takes a byte of a number, or the one that ends it.
func (s *jsonScanner) number(c byte) {
	switch s.state {
	case scanMinus:
		if c == '0' {
			s.state = scanZero
			return
		}
		s.expect(isDigit(c), scanDigits)
	case scanPoint:
		s.expect(isDigit(c), scanFraction)
	case scanExponent:
		if c == '+' || c == '-' {
			s.state = scanExponentSign
			return
		}
		s.expect(isDigit(c), scanExponentDigits)
	case scanExponentSign:
		s.expect(isDigit(c), scanExponentDigits)
	default:
		s.numberGoesOn(c)
	}
}

// numberGoesOn takes a byte after what may be a whole number.
func (s *jsonScanner) numberGoesOn(c byte) {
	switch {
	case isDigit(c) && s.state != scanZero:
	case c == '.' && (s.state == scanZero || s.state == scanDigits):
		s.state = scanPoint
	case c|0x20 == 'e' && s.state != scanExponentDigits:
		s.state = scanExponent
	default:
		s.state = scanAfterValue
		s.between(c)
	}
}

func (s *jsonScanner) expect(ok bool, next scanState) {
	if !ok {
		next = scanBroken
	}
	s.state = next
}

func (s *jsonScanner) push(level byte) {
	if len(s.levels) == maxScanDepth {
		s.state = scanBroken
		return
	}
	s.levels = append(s.levels, level)
	s.state = scanFirstKey
	if level == '[' {
		s.state = scanFirstValue
	}
}

func (s *jsonScanner) pop(level byte) {
	if s.levels[len(s.levels)-1] != level {
		s.state = scanBroken
		return
	}
	s.levels = s.levels[:len(s.levels)-1]
	s.state = scanAfterValue
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
