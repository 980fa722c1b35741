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
	"math/bits"
	"slices"
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
		return appendRuns(dst, src, i)
	}
	return append(dst, src...)
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

// appendRuns appends src, whose first plain bytes are plain ASCII. It copies runs that need no escaping
// whole.
func appendRuns(dst, src []byte, plain int) []byte {
	start := 0
	for i := plain; ; {
		i = skipPlain(src, i)
		if i == len(src) {
			return append(dst, src[start:]...)
		}
		if src[i] < utf8.RuneSelf {
			dst = append(dst, src[start:i]...)
			dst, i = appendASCII(dst, src, i)
			start = i
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
}

// appendASCII appends the ASCII byte at src[i], which needs an escape, and the seven after it where
// they are ASCII too: escapes come in groups. It returns the index after what it appended.
func appendASCII(dst, src []byte, i int) ([]byte, int) {
	if len(src)-i >= 8 {
		if v := binary.LittleEndian.Uint64(src[i:]); v&highs == 0 {
			return appendWord(dst, v), i + 8
		}
	}
	e := escapes[src[i]]
	return binary.LittleEndian.AppendUint64(dst, e.text)[:len(dst)+int(e.size)], i + 1
}

// appendWord appends eight ASCII bytes, each as what stands for it, without a branch for each.
func appendWord(dst []byte, v uint64) []byte {
	n := len(dst)
	dst = slices.Grow(dst, 8*8)[:n+8*8]
	for range 8 {
		e := &escapes[byte(v)]
		binary.LittleEndian.PutUint64(dst[n:], e.text)
		n += int(e.size)
		v >>= 8
	}
	return dst[:n]
}

const (
	lows  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks the high bit of the bytes of v that are no plain ASCII: controls, the quote, the
// backslash and everything from 0x80. Marks above the lowest one may be wrong (a borrow runs upwards);
// the lowest is exact, and none means that all eight are plain.
//
// To flip the second bit puts the quote just above the controls, and changes places among the rest of both
// sides only: one subtraction finds them all.
func special(v uint64) uint64 {
	return (v | ((v ^ 0x02*lows) - 0x21*lows) | ((v ^ '\\'*lows) - lows)) & highs
}

// skipPlain returns the index at or after i of the first byte that may need escaping: past all plain
// ASCII, and past the characters above it that are valid and plain.
func skipPlain(src []byte, i int) int {
	for len(src)-i >= 8 {
		v := binary.LittleEndian.Uint64(src[i:])
		if marks := special(v); marks == 0 {
			i = skipBlocks(src, i+8)
		} else if n := plainBytes(v, marks); n == 6 && byte(v) >= utf8.RuneSelf {
			i = skipPairs(src, i+n)
		} else if n > 0 {
			i += n
		} else {
			return i
		}
	}
	for i < len(src) {
		v := tail(src[i:])
		n := plainBytes(v, special(v))
		if n == 0 {
			return i
		}
		i = min(i+n, len(src))
	}
	return i
}

// skipBlocks skips blocks of 32 plain ASCII bytes.
func skipBlocks(src []byte, i int) int {
	for len(src)-i >= 32 {
		block := src[i : i+32]
		marks := special(binary.LittleEndian.Uint64(block)) |
			special(binary.LittleEndian.Uint64(block[8:])) |
			special(binary.LittleEndian.Uint64(block[16:])) |
			special(binary.LittleEndian.Uint64(block[24:]))
		if marks != 0 {
			break
		}
		i += 32
	}
	return i
}

// skipPairs skips pairs of three-byte characters that their lead bytes alone make plain. One branch
// decides about both.
func skipPairs(src []byte, i int) int {
	for len(src)-i >= 8 {
		v := binary.LittleEndian.Uint64(src[i:])
		shape := v&(three<<24|three) ^ (threeMarks<<24 | threeMarks)
		if plain := plainLeads >> (v & 0xF) & (plainLeads >> (v >> 24 & 0xF)) & 1; shape|(plain^1) != 0 {
			break
		}
		i += 6
	}
	return i
}

// plainBytes returns how many bytes at the beginning of v are plain, whose marks special gave.
func plainBytes(v, marks uint64) int {
	if n := bits.TrailingZeros64(marks) / 8; n > 0 {
		return n // 8 when there is no mark
	}
	return wide(v)
}

// tail loads the one to seven bytes of s and fills the word up with spaces. The loads overlap instead of
// looping.
func tail(s []byte) uint64 {
	n := len(s)
	fill := uint64(' '*lows) << (8 * n)
	if n >= 4 {
		lo, hi := binary.LittleEndian.Uint32(s), binary.LittleEndian.Uint32(s[n-4:])
		return uint64(lo) | uint64(hi)<<(8*(n-4)) | fill
	}
	return uint64(s[0]) | uint64(s[n/2])<<(8*(n/2)) | uint64(s[n-1])<<(8*(n-1)) | fill
}

// wide returns the length of the character, or the two three-byte characters, that v begins with when
// they are valid and plain whatever stands beside them, else 0: then they are for the careful way.
func wide(v uint64) int {
	switch lead := byte(v); {
	case v&three == threeMarks:
		if !plainThree(v) {
			return 0
		}
		if v>>24&three == threeMarks && plainThree(v>>24) {
			return 6
		}
		return 3
	case v&0xC0E0 == 0x80C0: // two bytes: C0 and C1 are invalid, C2 85 is U+0085
		if lead >= 0xC3 || lead == 0xC2 && byte(v>>8) != 0x85 {
			return 2
		}
	case v&0xC0C0C0F8 == 0x808080F0: // four bytes: F0 and F4 restrict their second byte
		if lead >= 0xF1 && lead <= 0xF3 || lead == 0xF0 && byte(v>>8) >= 0x90 {
			return 4
		}
	}
	return 0
}

const (
	three      = 0xC0C0F0 // the mask of a three-byte character, its lowest byte first
	threeMarks = 0x8080E0 // what it gives

	// plainLeads has a bit for each low nibble of the lead bytes E0-EF that make a character plain: all
	// but E0 and ED, which restrict the second byte, and E2, which leads to U+2028 and U+2029.
	plainLeads uint64 = 0xDFFA
)

// plainThree reports whether the three-byte character at the beginning of v is surely valid and plain.
func plainThree(v uint64) bool {
	return plainLeads>>(v&0xF)&1 == 1 || v&0xF == 2 && v>>8&0xFEFF != 0xA880
}

// escape is what stands for an ASCII byte in a JSON string: its bytes, lowest first, and their number.
type escape struct {
	text uint64
	size uint8
}

var escapes = asciiEscapes()

func asciiEscapes() (table [utf8.RuneSelf]escape) {
	const hex = "0123456789abcdef"
	for c := range table {
		table[c] = pack(string(rune(c)))
		if c < ' ' {
			table[c] = pack(`\u00` + hex[c>>4:c>>4+1] + hex[c&0xF:c&0xF+1])
		}
	}
	for c, short := range map[byte]string{
		'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\b': `\b`, '\f': `\f`,
	} {
		table[c] = pack(short)
	}
	return table
}

func pack(text string) escape {
	var word [8]byte
	copy(word[:], text)
	return escape{text: binary.LittleEndian.Uint64(word[:]), size: uint8(len(text))}
}

// runeEscape returns the escape of a character above ASCII, empty when it may stand as it is.
func runeEscape(r rune, size int) string {
	switch {
	case r == utf8.RuneError && size == 1:
		return `\ufffd`
	case r == '\u0085':
		return `\u0085`
	case r == '\u2028':
		return `\u2028`
	case r == '\u2029':
		return `\u2029`
	}
	return ""
}
