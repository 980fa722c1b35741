package events

import (
	"bytes"
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// This file walks over JSON text that validate has accepted: it looks for structure only.

// member is one member of a JSON object. It is small: a request may hold millions of them.
type member struct {
	key     []byte // as it is in the text, quotes included
	value   []byte // as it is in the text
	escaped bool   // the key has escapes
	used    bool
}

// is reports whether the member has the name.
func (m *member) is(name string) bool {
	inner := m.key[1 : len(m.key)-1]
	if m.escaped {
		return string(appendUnescaped(nil, inner)) == name
	}
	return string(inner) == name
}

// members splits a JSON object.
func members(object []byte) []member {
	// Most objects have few members, and none has more than one for each five bytes: `"":0,`.
	const few, memberLen = 8, 10
	list := make([]member, 0, min(few, len(object)/memberLen))
	for i := skipSpace(object, 1); object[i] != '}'; {
		end := skipString(object, i)
		key := object[i:end]
		start := skipSpace(object, skipSpace(object, end)+1) // over the colon
		end = skipValue(object, start)
		list = append(list, member{key: key, value: object[start:end], escaped: bytes.IndexByte(key, '\\') >= 0})
		if i = skipSpace(object, end); object[i] == ',' {
			i = skipSpace(object, i+1)
		}
	}
	return list
}

// elements splits a JSON array.
func elements(array []byte) [][]byte {
	var list [][]byte
	for i := skipSpace(array, 1); array[i] != ']'; {
		end := skipValue(array, i)
		list = append(list, array[i:end])
		if i = skipSpace(array, end); array[i] == ',' {
			i = skipSpace(array, i+1)
		}
	}
	return list
}

func skipSpace(text []byte, i int) int {
	for i < len(text) && (text[i] == ' ' || text[i] == '\n' || text[i] == '\r' || text[i] == '\t') {
		i++
	}
	return i
}

// skipString returns the index after the string that starts at i.
func skipString(text []byte, i int) int {
	for i++; ; {
		i += bytes.IndexByte(text[i:], '"') + 1
		slashes := 0
		for text[i-2-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
	}
}

// skipValue returns the index after the value that starts at i. It does not recurse.
func skipValue(text []byte, i int) int {
	depth := 0
	for {
		switch text[i] {
		case '"':
			i = skipString(text, i)
		case '{', '[':
			depth++
			i++
		case '}', ']':
			depth--
			i++
		case ',', ':', ' ', '\n', '\r', '\t':
			i++
		default: // a number or a literal
			for i < len(text) && !isDelimiter(text[i]) {
				i++
			}
		}
		if depth == 0 {
			return i
		}
	}
}

func isDelimiter(c byte) bool {
	switch c {
	case ',', ':', '}', ']', ' ', '\n', '\r', '\t':
		return true
	}
	return false
}

// kind names what a JSON value is, for errors.
func kind(value []byte) string {
	switch value[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	}
	return "a number"
}

func isNull(value []byte) bool { return value[0] == 'n' }

// unquote returns the value of a JSON string. Invalid UTF-8 and lone surrogates become U+FFFD.
func unquote(value []byte) string {
	inner := value[1 : len(value)-1]
	if bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	return string(appendUnescaped(make([]byte, 0, len(inner)), inner))
}

// appendUnescaped appends the text between the quotes of a JSON string without its escapes.
func appendUnescaped(dst, s []byte) []byte {
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			r, size := utf8.DecodeRune(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += size
			continue
		}
		if s[i+1] != 'u' {
			dst = append(dst, shortEscapes[s[i+1]])
			i += 2
			continue
		}
		r := hex4(s[i+2:])
		i += 6
		if utf16.IsSurrogate(r) {
			low := rune(utf8.RuneError)
			if i+6 <= len(s) && s[i] == '\\' && s[i+1] == 'u' {
				low = hex4(s[i+2:])
			}
			if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
				i += 6
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
	return dst
}

var shortEscapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

func hex4(s []byte) (r rune) {
	for _, c := range s[:4] {
		switch {
		case c <= '9':
			r = r<<4 | rune(c-'0')
		default:
			r = r<<4 | rune(c|0x20-'a'+10)
		}
	}
	return r
}

// maxSafe is the largest integer that JavaScript tells from its neighbours.
const maxSafe = 1<<53 - 1

// integer returns the value of a JSON number as JavaScript reads it, and whether that is an integer in
// the safe range: 5.0 and 1e3 are, whatever their spelling.
func integer(value []byte) (int64, bool) {
	f, err := strconv.ParseFloat(string(value), 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > maxSafe {
		return 0, false
	}
	return int64(f), true
}
