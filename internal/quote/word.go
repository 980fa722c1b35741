package quote

import (
	"encoding/binary"
	"math/bits"
)

// A word is eight bytes of text, the first one lowest.

const (
	lows   = 0x0101010101010101
	highs  = 0x8080808080808080
	filler = '.' * lows // stands where there is no text: it is plain, and no space that skipWide would skip
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

// leading returns how many bytes of a word come before the lowest mark: 8 when there is no mark.
func leading(marks uint64) int { return bits.TrailingZeros64(marks) / 8 }

// word loads the eight bytes at src[i], or all that are left, of which there is at least one, and filler.
func word(src []byte, i int) uint64 {
	if len(src)-i >= 8 {
		return binary.LittleEndian.Uint64(src[i:])
	}
	return tail(src, i)
}

// tail is word where fewer than eight bytes are left. The loads overlap instead of looping. The remainders
// change no shift: without them each is checked for being larger than a word.
func tail(src []byte, i int) uint64 {
	n := len(src) - i
	absent := uint64(filler) << (8 * uint(n) % 64)
	if len(src) >= 8 {
		return binary.LittleEndian.Uint64(src[len(src)-8:])>>((64-8*uint(n))%64) | absent
	}
	s := src[i:]
	if n >= 4 {
		lo, hi := binary.LittleEndian.Uint32(s), binary.LittleEndian.Uint32(s[n-4:])
		return uint64(lo) | uint64(hi)<<(8*uint(n-4)%64) | absent
	}
	return uint64(s[0]) | uint64(s[n/2])<<(8*uint(n/2)%64) | uint64(s[n-1])<<(8*uint(n-1)%64) | absent
}

// skipBlocks skips blocks of 32 plain ASCII bytes.
func skipBlocks(src []byte, i int) int {
	for len(src)-i >= 32 {
		block := src[i : i+32]
		if special(binary.LittleEndian.Uint64(block))|
			special(binary.LittleEndian.Uint64(block[8:]))|
			special(binary.LittleEndian.Uint64(block[16:]))|
			special(binary.LittleEndian.Uint64(block[24:])) != 0 {
			break
		}
		i += 32
	}
	return i
}
