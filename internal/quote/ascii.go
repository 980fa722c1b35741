package quote

import (
	"encoding/binary"
	"slices"
)

const (
	most  = 6      // the length of the longest escape of one byte
	space = 64 + 8 // the room for what stands for eight bytes, as putWord wants it

	// piece is for how many bytes at most room is made at once: enough that it happens seldom, and little to
	// have for nothing when they need no escape.
	piece = 256
)

// appendASCII appends the ASCII text at src[i], of which some needs escapes: they come in groups. It ends
// before a word that holds other text, or when a while passes without an escape, and returns the index
// after what it appended.
func appendASCII(dst, src []byte, i int) ([]byte, int) {
	for plain := 0; len(src)-i >= 8; {
		end := min(len(src)-8, i+piece)
		dst = slices.Grow(dst, most*(end-i)+space)
		n, buf := len(dst), dst[:cap(dst)]
		for ; i <= end; i += 8 {
			v := binary.LittleEndian.Uint64(src[i:])
			switch {
			case v&highs != 0 || plain == 4:
				return buf[:n], i
			case special(v) != 0:
				n += putWord((*[space]byte)(buf[n:]), v)
				plain = 0
			default:
				binary.LittleEndian.PutUint64(buf[n:], v)
				n += 8
				plain++
			}
		}
		dst = buf[:n]
	}
	if i == len(src) {
		return dst, i
	}
	v := tail(src, i)
	if v&highs != 0 {
		return dst, i
	}
	dst = slices.Grow(dst, space)
	n := len(dst) + putWord((*[space]byte)(dst[len(dst):cap(dst)]), v)
	return dst[:n-(8-(len(src)-i))], len(src) // without what fills up the word
}

// appendByte appends what stands for the ASCII byte c.
func appendByte(dst []byte, c byte) []byte {
	e := escapes[c]
	return binary.LittleEndian.AppendUint64(dst, e)[:len(dst)+int(e>>56)]
}

// putWord writes what stands for eight ASCII bytes, without a branch or a loop, and returns its length. The
// remainder changes no n: it shows that the store is within dst.
func putWord(dst *[space]byte, v uint64) int {
	e := escapes[byte(v)]
	binary.LittleEndian.PutUint64(dst[:], e)
	n := e >> 56
	e = escapes[byte(v>>8)]
	binary.LittleEndian.PutUint64(dst[n%64:], e)
	n += e >> 56
	e = escapes[byte(v>>16)]
	binary.LittleEndian.PutUint64(dst[n%64:], e)
	n += e >> 56
	e = escapes[byte(v>>24)]
	binary.LittleEndian.PutUint64(dst[n%64:], e)
	n += e >> 56
	e = escapes[byte(v>>32)]
	binary.LittleEndian.PutUint64(dst[n%64:], e)
	n += e >> 56
	e = escapes[byte(v>>40)]
	binary.LittleEndian.PutUint64(dst[n%64:], e)
	n += e >> 56
	e = escapes[byte(v>>48)]
	binary.LittleEndian.PutUint64(dst[n%64:], e)
	n += e >> 56
	e = escapes[byte(v>>56)]
	binary.LittleEndian.PutUint64(dst[n%64:], e)
	n += e >> 56
	return int(n)
}

// escapes has what stands for an ASCII byte in a JSON string: its bytes, lowest first, and in the highest
// byte their number.
var escapes = asciiEscapes()

func asciiEscapes() (table [256]uint64) {
	const hex = "0123456789abcdef"
	for c := range table {
		table[c] = pack(string([]byte{byte(c)}))
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

func pack(text string) uint64 {
	word := [8]byte{7: byte(len(text))}
	copy(word[:], text)
	return binary.LittleEndian.Uint64(word[:])
}
