package stream_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agui-go/agui/verify/stream"
)

// TestPiecesAreOne: random texts, of what streams are made of, mean the same in whatever pieces they come. Some
// are longer than what a reader keeps of a line that is ignored, or than an event may be.
func TestPiecesAreOne(t *testing.T) {
	const limit, rounds = 1 << 10, 1200
	tokens := []string{
		"data:", "data: ", "event:", "id", ":", ",", "[", "]", " ", "x", "\uFEFF", "\r", "\r", "\n", "\n", "\r\n", "\r\r", "\n\n",
		rawA, rawB, `{"type":`, `"RAW","event":1}`, rawOf(limit), rawOf(limit + 1), ": ping\r\r", ": ping\n",
		"data: " + rawA + "\n\n", "data: " + rawA + "\r\r", "data: " + rawA + "\r\n\r\n",
		strings.Repeat("x", 40<<10), ": " + strings.Repeat("\u6587", 12<<10),
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range rounds {
		var b strings.Builder
		for range random.IntN(14) {
			b.WriteString(tokens[random.IntN(len(tokens))])
		}
		text, framing := b.String(), stream.Framing(random.IntN(4))
		read := func(size int) string {
			return told(pieces{strings.NewReader(text), size}, stream.WithLimit(limit), stream.WithFraming(framing))
		}
		want := read(len(text) + 1)
		for _, size := range []int{1, 2, 7, 1000, 33000} {
			if got := read(size); got != want {
				t.Fatalf("%s, %.400q in pieces of %d\n got: %.500s\nwant: %.500s", framing, text, size, got, want)
			}
		}
	}
}
