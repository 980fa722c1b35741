package quote

import "unicode/utf8"

// AppendCompact appends src, a valid JSON text, to dst without white space and with its strings escaped
// as [AppendString] escapes them. Escapes that src holds already stay as they are written, and so do
// numbers. The result is undefined for a src that is not valid JSON.
func AppendCompact(dst, src []byte) []byte {
	start := 0
	for i := 0; i < len(src); {
		switch src[i] {
		case ' ', '\t', '\r', '\n':
			dst = append(dst, src[start:i]...)
			i++
			start = i
		case '"':
			dst = append(dst, src[start:i]...)
			dst, i = appendText(dst, src, i)
			start = i
		default:
			i++
		}
	}
	return append(dst, src[start:]...)
}

// appendText appends the string that starts with the quote at src[i] and returns the index after it.
func appendText(dst, src []byte, i int) ([]byte, int) {
	start := i
	for i++; i < len(src); {
		i = skipPlain(src, i)
		if i == len(src) {
			break
		}
		switch c := src[i]; {
		case c == '"':
			return append(dst, src[start:i+1]...), i + 1
		case c == '\\':
			i = min(i+2, len(src))
		case c < utf8.RuneSelf: // no control character stands in a valid string
			i++
		default:
			r, size := utf8.DecodeRune(src[i:])
			if esc := runeEscape(r, size); esc != "" {
				dst = append(dst, src[start:i]...)
				dst = append(dst, esc...)
				start = i + size
			}
			i += size
		}
	}
	return append(dst, src[start:]...), i
}

// skipPlain returns the index at or after i of the first byte that may need an escape.
func skipPlain(src []byte, i int) int {
	for i < len(src) {
		v := word(src, i)
		n := leading(special(v))
		if n == 0 {
			if next := skipWide(src, i, v); byte(v) >= utf8.RuneSelf && next > i {
				i = next
				continue
			}
			return i
		}
		if i += n; n == 8 {
			i = skipBlocks(src, i)
		}
	}
	return len(src)
}
