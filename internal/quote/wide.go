package quote

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Characters above ASCII are looked at in a word that begins with them, several at once where they are of
// one length, as the letters of one script are.

const (
	twos   = 0x0001000100010001 // one for each of four two-byte characters
	threes = 0x0000000001000001 // one for each of two three-byte characters
)

// skipWide returns the index after the plain characters of one length that begin at src[i], where the word
// is v, and after single spaces between them: i itself when the first of them is for the careful way.
func skipWide(src []byte, i int, v uint64) int {
	switch lead := byte(v); {
	case lead < 0xE0:
		if v&0x80C000 != 0x8000 { // no ASCII byte follows it
			return skipTwos(src, i, v)
		}
		if lead >= 0xC3 || lead == 0xC2 && byte(v>>8) != 0x85 {
			return i + 2
		}
		return i
	case lead >= 0xF0:
		if !plainFour(v) {
			return i
		}
		if plainFour(v >> 32) {
			return i + 8
		}
		return i + 4
	}
	for {
		switch bad := badThrees(v); {
		case bad == 0:
			i += 6
		case bad&0xFFFFFF != 0:
			return i
		case v>>24&0x80FF == 0x8000|' ':
			i += 4
		default:
			return i + 3
		}
		p := src[i:]
		for len(p) >= 8 && easyThrees(binary.LittleEndian.Uint64(p)) {
			p = p[6:]
		}
		if i = len(src) - len(p); len(p) < 8 {
			return i
		}
		v = binary.LittleEndian.Uint64(p)
	}
}

// skipTwos is skipWide for characters of two bytes. How many of the four are skipped is no branch: the
// words of a script end anywhere.
func skipTwos(src []byte, i int, v uint64) int {
	for {
		n := 8
		if bad := badTwos(v); bad != 0 {
			n = bits.TrailingZeros64(bad) / 16 * 2
			if v>>(8*n)&0x80FF == 0x8000|' ' {
				n++
			}
			if n == 0 {
				return i
			}
		}
		if i += n; len(src)-i < 8 || src[i] < utf8.RuneSelf {
			return i
		}
		v = binary.LittleEndian.Uint64(src[i:])
	}
}

// badTwos returns bits of which those are zero where v has valid and plain two-byte characters, of four.
// See badThrees; excluded are C0 and C1, and U+0085.
func badTwos(v uint64) uint64 {
	const minus, carry = 0x3FFF * twos, 0x4000 * twos
	shape := v&(0xC0E0*twos) ^ 0x80C0*twos
	sums := (v&(0x1E*twos) + minus) &
		((v^0x85C2*twos)&(0x3F1F*twos) + minus)
	return shape | (sums&carry ^ carry)
}

// badThrees returns bits of which those are zero where v has valid and plain three-byte characters, of two.
//
// Where the shape is right, there are three values left that some bits of a character must not have. The
// value is made zero, and minus one is added: that carries into the bit above unless it was zero.
func badThrees(v uint64) uint64 {
	const minus, carry = 0x3FFFFF * threes, 0x400000 * threes
	shape := v&(0xC0C0F0*threes) ^ 0x8080E0*threes
	top := v & (0x00200F * threes) // the first five bits of the code point
	sums := (top + minus) &        // they are zero for what fits in two bytes
		((top ^ 0x00200D*threes) + minus) & // the surrogates
		((v^0xA880E2*threes)&(0x3E3F0F*threes) + minus) // U+2028 and U+2029
	return shape | (sums&carry ^ carry)
}

// easyThrees reports what badThrees finds out with more work, for characters that their lead bytes, E3 to
// EC, make plain: most letters of three bytes. A byte that is less than its place allows borrows, and then
// is too much.
func easyThrees(v uint64) bool {
	v -= 0x8080E3 * threes
	return (v|(v+6*threes))&(0xC0C0F0*threes) == 0
}

// plainFour reports whether v begins with a valid four-byte character. After F0 the second byte must be 90
// at least; those that F4 leads, from U+100000 on, are left out.
func plainFour(v uint64) bool {
	return v&0xC0C0C0FC == 0x808080F0 && v&0x3003 != 0
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
