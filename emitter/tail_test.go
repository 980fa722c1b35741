package emitter

import (
	"testing"
	"unicode/utf8"
)

// What waits is the longest end of p that begins a character and does not end it.
func TestIncomplete(t *testing.T) {
	// Of each kind of byte the first and the last: what starts a character, what follows in one, what does neither.
	kinds := []byte("a\x7f\x80\x8f\x90\x9f\xa0\xbf\xc0\xc1\xc2\xdf\xe0\xe1\xec\xed\xee\xef\xf0\xf1\xf3\xf4\xf5\xff")
	ends := []string{""}
	for from := 0; len(ends[from]) < utf8.UTFMax; from++ {
		for _, c := range kinds {
			ends = append(ends, ends[from]+string([]byte{c}))
		}
	}
	for _, p := range ends {
		want := 0
		for n := 1; n <= len(p); n++ {
			if !utf8.FullRuneInString(p[len(p)-n:]) {
				want = n
			}
		}
		if got := incomplete([]byte(p)); got != want {
			t.Fatalf("% x\n got %d\nwant %d", p, got, want)
		}
		if got := incomplete([]byte("語" + p)); got != want {
			t.Fatalf("bytes, behind 語: % x\n got %d\nwant %d", p, got, want)
		}
	}
}
