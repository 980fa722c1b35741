package emitter

import "unicode/utf8"

// tail is the beginning of a UTF-8 character whose end has not been written yet.
type tail struct {
	bytes [utf8.UTFMax]byte
	n     int
}

func (t *tail) text() []byte { return t.bytes[:t.n] }

// splice cuts what waits, followed by p, at the boundaries of characters: head and p[from:to] are
// whole characters, or bytes that belong to none; next waits for the rest of its character.
func splice(waiting tail, p []byte) (head, next tail, from, to int) {
	head = waiting
	for head.n > 0 && from < len(p) && !utf8.FullRune(head.text()) {
		head.bytes[head.n] = p[from]
		head.n++
		from++
	}
	if head.n > 0 && !utf8.FullRune(head.text()) {
		return tail{}, head, from, from
	}
	if r, size := utf8.DecodeRune(head.text()); r == utf8.RuneError && size == 1 {
		head, from = waiting, 0 // p does not go on with the character that waited
	}
	to = len(p) - incomplete(p[from:])
	next.n = copy(next.bytes[:], p[to:])
	return head, next, from, to
}

// incomplete returns how many bytes at the end of p begin a character and do not end it.
func incomplete(p []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(p); n++ {
		lead := p[len(p)-n]
		if !utf8.RuneStart(lead) {
			continue
		}
		if n >= width(lead) {
			return 0
		}
		var last [utf8.UTFMax]byte
		copy(last[:], p[len(p)-n:])
		if utf8.FullRune(last[:n]) { // an invalid one does not wait
			return 0
		}
		return n
	}
	return 0
}

// width returns how many bytes a character has that begins with lead.
func width(lead byte) int {
	switch {
	case lead < 0xC0:
		return 1
	case lead < 0xE0:
		return 2
	case lead < 0xF0:
		return 3
	}
	return utf8.UTFMax
}
