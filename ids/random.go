package ids

import (
	cryptorand "crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"io"
	"math/rand/v2"

	"github.com/google/uuid"
)

// Random returns the source that makes ids by UUID version 7: 48 bits of time in milliseconds, 12
// bits of sequence, 62 random bits from [crypto/rand]. Ids of one kind that one process makes sort in
// the order of their making; they reveal when they were made. Safe for concurrent use.
//
// See [RandomFrom] for what happens when the random bits cannot be had.
func Random() Source { return random{cryptorand.Reader} }

// RandomFrom returns a source as [Random] does, with the random bits read from r, which must be safe
// for concurrent use. A nil r is [crypto/rand.Reader].
//
// An id never waits for better luck: when r fails, its bits come from [math/rand/v2], which the Go
// runtime seeds and which cannot fail. Such ids are as unique as the others, but not meant to
// withstand guessing; no part of the protocol asks that of an id. The failure is not reported.
// crypto/rand.Reader as Go provides it never returns an error.
func RandomFrom(r io.Reader) Source {
	if r == nil {
		return Random()
	}
	return random{r}
}

type random struct{ bits io.Reader }

func (s random) NewID(kind Kind) string {
	id, err := uuid.NewV7FromReader(s.bits)
	if err != nil {
		id, _ = uuid.NewV7FromReader(spare{}) // spare never fails
	}
	var room [64]byte
	return string(hex.AppendEncode(appendPrefix(room[:0], kind), id[:]))
}

// spare reads random bits from the generator of the Go runtime.
type spare struct{}

func (spare) Read(p []byte) (int, error) {
	var word [8]byte
	for rest := p; len(rest) > 0; {
		binary.NativeEndian.PutUint64(word[:], rand.Uint64())
		rest = rest[copy(rest, word[:]):]
	}
	return len(p), nil
}
