package verify

import (
	"encoding/binary"
	"hash/maphash"
)

// idTable keeps ids for good, each with a record of a few bytes. It holds no pointer for an id: ids and
// records lie in chunks of bytes, and the index over them is of numbers, so that the garbage collector has
// nothing to follow in a million of them. An id of 36 characters costs about 53 bytes with a record of 9,
// half of what a map of strings takes without one. The zero idTable is ready to use, a nil one to read.
type idTable struct {
	chunks [][]byte // entries: the length of the id, the id, the record
	count  int
	// pages hold the index. An id is in the page that the low bits of its hash name. A page that is full
	// is split in two, so that no id waits for all others to be moved; one that has not been split as often
	// as others stands here several times.
	pages []*page
}

// place is where an entry lies: 1 + its chunk in the upper half, its offset there in the lower. The zero
// place is none.
type place uint32

const (
	smallestChunk = 128
	largestChunk  = 1 << 16
	maxChunks     = 1<<16 - 1
)

// seed is drawn once, so that nobody can send ids that collide.
var seed = maphash.MakeSeed()

// find returns the place of id, or none.
func (t *idTable) find(id string) place {
	if t == nil || t.count == 0 {
		return 0
	}
	hash := maphash.String(seed, id)
	page := t.page(hash)
	for i, tag := page.start(hash), tagOf(hash); ; i = page.next(i) {
		p := page.places[i]
		if p == 0 || page.tags[i] == tag && string(t.id(p)) == id {
			return p
		}
	}
}

// add adds id, which is not there, with a record of size bytes, all zero.
func (t *idTable) add(id string, size int) place {
	hash := maphash.String(seed, id)
	if t.pages == nil {
		t.pages = []*page{newPage(0, smallestPage)}
	}
	for t.page(hash).isFull() {
		t.makeRoom(t.page(hash))
	}
	p := t.store(id, size)
	t.page(hash).add(hash, p)
	t.count++
	return p
}

// id returns the id at p.
func (t *idTable) id(p place) []byte {
	id, _ := cutID(t.from(p))
	return id
}

// record returns what follows the id at p, to read and to write.
func (t *idTable) record(p place) []byte {
	_, record := cutID(t.from(p))
	return record
}

// each calls yield with the places in the order in which they were added, until it returns false. Every
// record has size bytes.
func (t *idTable) each(size int, yield func(place) bool) {
	if t == nil {
		return
	}
	for i, chunk := range t.chunks {
		for rest := chunk; len(rest) > 0; {
			if !yield(placeAt(i, len(chunk)-len(rest))) {
				return
			}
			_, rest = cutID(rest)
			rest = rest[size:]
		}
	}
}

func placeAt(chunk, offset int) place { return place(chunk+1)<<16 | place(offset) }

// from returns the rest of its chunk from the entry at p on.
func (t *idTable) from(p place) []byte { return t.chunks[p>>16-1][p&0xFFFF:] }

func cutID(entry []byte) (id, rest []byte) {
	length, width := int(entry[0]), 1
	if length >= 0x80 {
		long, n := binary.Uvarint(entry)
		length, width = int(long), n
	}
	return entry[width : width+length], entry[width+length:]
}

// store appends an entry.
func (t *idTable) store(id string, size int) place {
	var length [binary.MaxVarintLen64]byte
	width := binary.PutUvarint(length[:], uint64(len(id)))
	need := width + len(id) + size
	last := len(t.chunks) - 1
	if last < 0 || len(t.chunks[last])+need > cap(t.chunks[last]) {
		t.chunks = append(t.chunks, make([]byte, 0, max(need, t.nextChunk())))
		last++
	}
	if last >= maxChunks {
		panic("verify: the ids that one Verifier retains have more than 4 GiB")
	}
	chunk := t.chunks[last]
	p := placeAt(last, len(chunk))
	chunk = append(chunk, length[:width]...)
	chunk = append(chunk, id...)
	t.chunks[last] = chunk[:len(chunk)+size]
	return p
}

// nextChunk returns the size of the next chunk: a run of few ids has small ones.
func (t *idTable) nextChunk() int {
	return min(smallestChunk<<min(len(t.chunks), 9), largestChunk)
}

func (t *idTable) page(hash uint64) *page { return t.pages[hash&uint64(len(t.pages)-1)] }

// makeRoom puts a larger page in the place of a full one, or two once it is too large to be moved at once.
func (t *idTable) makeRoom(full *page) {
	if full.count < largestPage {
		larger := newPage(full.bits, len(full.places)+len(full.places)/4)
		t.replace(full, larger, larger)
		return
	}
	if 1<<full.bits == len(t.pages) {
		t.pages = append(t.pages, t.pages...)
	}
	half := full.count/2 + full.count/8
	t.replace(full, newPage(full.bits+1, half), newPage(full.bits+1, half))
}

// replace moves the entries of old to zero or one, by the first bit of their hash that old does not share.
func (t *idTable) replace(old, zero, one *page) {
	for i, p := range t.pages {
		switch {
		case p != old:
		case i>>old.bits&1 == 0:
			t.pages[i] = zero
		default:
			t.pages[i] = one
		}
	}
	for _, p := range old.places {
		if p != 0 {
			hash := maphash.Bytes(seed, t.id(p))
			t.page(hash).add(hash, p)
		}
	}
}

// page is a part of the index: a hash table of places, with open addressing.
type page struct {
	places []place
	tags   []uint8 // one byte more of each hash: few look-ups read an id that is another
	count  int
	bits   uint8 // how many low bits of the hash all entries share
}

const (
	smallestPage = 8
	largestPage  = 768
)

// newPage returns a page that is not full with so many slots.
func newPage(bits uint8, slots int) *page {
	return &page{places: make([]place, slots), tags: make([]uint8, slots), bits: bits}
}

func (g *page) isFull() bool { return g.count >= len(g.places)-len(g.places)/8 }

// add puts p into the first free slot. The page is not full.
func (g *page) add(hash uint64, p place) {
	i := g.start(hash)
	for g.places[i] != 0 {
		i = g.next(i)
	}
	g.places[i], g.tags[i] = p, tagOf(hash)
	g.count++
}

// start returns the slot where the search for a hash begins.
func (g *page) start(hash uint64) int { return int(hash >> 32 * uint64(len(g.places)) >> 32) }

// next returns the slot after i, the first after the last.
func (g *page) next(i int) int {
	if i++; i < len(g.places) {
		return i
	}
	return 0
}

func tagOf(hash uint64) uint8 { return uint8(hash >> 24) }
