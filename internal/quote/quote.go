// Package quote writes JSON strings that are safe inside a one-line frame.
//
//	dst = quote.AppendString(dst, "a\"b\n")   // "a\"b\n", quotes included
//	dst = quote.AppendEscaped(dst, "a\"b\n")  // a\"b\n, without the quotes
//
// Escaped are the quote, the backslash and the control characters below U+0020, in their short form
// where JSON has one. So are U+0085, U+2028 and U+2029, which are legal in JSON but end a line for many
// line readers. Each byte that belongs to no valid UTF-8 sequence becomes \ufffd, as in encoding/json.
// HTML characters stay as they are: a frame is not embedded in HTML.
//
// The functions only grow dst: they allocate nothing else, and they are safe for concurrent use.
package quote

import (
	"encoding/binary"
	"unicode/utf8"
)

// AppendString appends s to dst as a quoted JSON string.
func AppendString[S ~string | ~[]byte](dst []byte, s S) []byte {
	dst = append(dst, '"')
	dst = appendEscaped(dst, []byte(s))
	return append(dst, '"')
}

// AppendEscaped appends s to dst as it stands between the quotes of a JSON string. The pieces of a
// longer string may be escaped one by one, if no piece ends inside a UTF-8 sequence: the halves of a
// split character are invalid, and each byte of them becomes \ufffd.
func AppendEscaped[S ~string | ~[]byte](dst []byte, s S) []byte {
	return appendEscaped(dst, []byte(s))
}

// appendEscaped appends src, which is only read, so that the conversions in its callers copy nothing. Most
// text has nothing to escape; whether that is so is found out first, 32 bytes at a time.
func appendEscaped(dst, src []byte) []byte {
	i := 0
	for ; len(src)-i >= 32; i += 32 {
		block := src[i : i+32]
		if special(binary.LittleEndian.Uint64(block))|
			special(binary.LittleEndian.Uint64(block[8:]))|
			special(binary.LittleEndian.Uint64(block[16:]))|
			special(binary.LittleEndian.Uint64(block[24:])) != 0 {
			return appendRuns(dst, src, i)
		}
	}
	for ; len(src)-i >= 8; i += 8 {
		if special(binary.LittleEndian.Uint64(src[i:])) != 0 {
			return appendRuns(dst, src, i)
		}
	}
	if i < len(src) && special(last(src)) != 0 {
		if i > 0 {
			return appendRuns(dst, src, i)
		}
		return appendShort(dst, src)
	}
	return append(dst, src...)
}

// appendShort appends one to seven bytes, of which some are not plain ASCII.
func appendShort(dst, src []byte) []byte {
	v := tail(src, 0)
	if v&highs == 0 {
		dst, _ = appendASCII(dst, src, 0)
		return dst
	}
	if byte(v) >= utf8.RuneSelf && skipWide(src, 0, v) == len(src) {
		return append(dst, src...)
	}
	return appendRuns(dst, src, 0)
}

// last loads the last eight bytes of src, or all of fewer, some of them twice, and spaces.
func last(src []byte) uint64 {
	switch n := len(src); {
	case n >= 8:
		return binary.LittleEndian.Uint64(src[n-8:])
	case n >= 4:
		return uint64(binary.LittleEndian.Uint32(src)) | uint64(binary.LittleEndian.Uint32(src[n-4:]))<<32
	default:
		return uint64(src[0]) | uint64(src[n/2])<<8 | uint64(src[n-1])<<16 | 0x2020202020<<24
	}
}

// appendRuns appends src, whose first i bytes are plain ASCII. It copies runs that need no escaping whole.
func appendRuns(dst, src []byte, i int) []byte {
	start, plain := 0, 0
	for i < len(src) {
		v := word(src, i)
		if v&utf8.RuneSelf == 0 {
			marks := special(v)
			if marks == 0 {
				i += 8
				if plain++; plain == 4 { // blocks are dear to try in vain between short words
					i, plain = skipBlocks(src, i), 0
				}
				continue
			}
			plain = 0
			if v&highs == 0 {
				if start < i {
					dst = append(dst, src[start:i]...)
				}
				dst, i = appendASCII(dst, src, i)
				start = i
				continue
			}
			i += leading(marks)
			if src[i] < utf8.RuneSelf {
				dst = append(dst, src[start:i]...)
				dst = appendByte(dst, src[i])
				i++
				start = i
				continue
			}
			v = word(src, i)
		}
		if next := skipWide(src, i, v); next > i {
			i = next
			continue
		}
		r, size := utf8.DecodeRune(src[i:])
		if esc := runeEscape(r, size); esc != "" {
			dst = append(dst, src[start:i]...)
			dst = append(dst, esc...)
			start = i + size
		}
		i += size
	}
	return append(dst, src[start:]...)
}
