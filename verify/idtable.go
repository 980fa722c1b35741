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
	// chunks hold entries: the length of the id, the id, the record. The space that places name is cut into
	// units, and chunks[u] is what lies from the beginning of unit u to the end of the chunk. Most chunks lie in
	// one unit. One with long ids may take several, and stands here once for each of them that an entry begins
	// in: an entry lies in one chunk, however long it is.
	chunks [][]byte
	last   int // the unit that the last chunk begins in
	count  int
	// pages hold the index. An id is in the page that the low bits of its hash name. A page that is full
	// is split in two, so that no id waits for all others to be moved; one that has not been split as often
	// as others stands here several times.
	pages []*page
}

// place is where an entry begins: 1 + its unit in the upper half, its offset there in the lower. The zero
// place is none.
type place uint32

const (
	unitBits      = 16
	unit          = 1 << unitBits
	maxUnits      = 1<<16 - 1
	smallestChunk = 128
	longEntry     = unit / 16 // a longer one may not leave the rest of a unit empty
)

// seed is drawn once, so that nobody can send ids that collide.
var seed = maphash.MakeSeed()

// key is an id and its hash, so that whoever asks for an id more than once hashes it once.
type key struct {
	id   string
	hash uint64
}

func keyOf(id string) key { return key{id, hashOf(id)} }

func hashOf(id string) uint64 { return maphash.String(seed, id) }

// find returns the place of the id, or none.
func (t *idTable) find(k key) place {
	if t == nil || t.count == 0 {
		return 0
	}
	page := t.page(k.hash)
	for i, tag := page.start(k.hash), tagOf(k.hash); page.tags[i] != 0; i = page.next(i) {
		if p := page.places[i]; page.tags[i] == tag && string(t.id(p)) == k.id {
			return p
		}
	}
	return 0
}

// add adds an id, which is not there, with a record of size bytes, all zero.
func (t *idTable) add(k key, size int) place {
	if t.pages == nil {
		t.pages = []*page{newPage(0, smallestPage)}
	}
	p := t.store(k.id, size)
	t.insert(k.hash, p)
	t.count++
	return p
}

// insert puts p into the index, in which there may be no room for it.
func (t *idTable) insert(hash uint64, p place) {
	for t.page(hash).isFull() {
		t.makeRoom(t.page(hash))
	}
	t.page(hash).add(hash, p)
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
	for first := 0; first < len(t.chunks); first += unitsOf(len(t.chunks[first])) {
		chunk := t.chunks[first]
		for rest := chunk; len(rest) > 0; {
			if !yield(placeAt(first, len(chunk)-len(rest))) {
				return
			}
			_, rest = cutID(rest)
			rest = rest[size:]
		}
	}
}

// unitsOf returns the number of units that a chunk of so many bytes lies in.
func unitsOf(length int) int { return (length + unit - 1) / unit }

// placeAt returns the place at offset in the chunk that begins in the unit first.
func placeAt(first, offset int) place { return place(first+1)<<unitBits + place(offset) }

// from returns the rest of its chunk from the entry at p on.
func (t *idTable) from(p place) []byte { return t.chunks[p>>unitBits-1][p%unit:] }

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
	first, chunk := t.room(need)
	offset := len(chunk)
	end := first + unitsOf(offset+need)
	if end > maxUnits {
		panic("verify: no room for more ids: a Verifier retains from 3 to 4 GiB of those of one class")
	}
	chunk = append(chunk, length[:width]...)
	chunk = append(chunk, id...)
	chunk = chunk[:offset+need]
	for len(t.chunks) < end {
		t.chunks = append(t.chunks, nil)
	}
	t.last, t.chunks[first] = first, chunk
	t.chunks[first+offset/unit] = chunk[offset&^(unit-1):]
	return placeAt(first, offset)
}

// room returns a chunk with room for so many bytes, the last or a new one, and the unit that it begins in.
func (t *idTable) room(need int) (first int, chunk []byte) {
	if len(t.chunks) > 0 {
		if last := t.chunks[t.last]; len(last)+need <= cap(last) {
			return t.last, last
		}
	}
	return len(t.chunks), make([]byte, 0, t.nextChunk(need))
}

// nextChunk returns the size of the next chunk, which has room for need: a run of few ids has small ones. Long
// ids, of which few go into a unit, share chunks of up to sixteen, so that little is left at their ends.
func (t *idTable) nextChunk(need int) int {
	if need > longEntry {
		return max(need, min(len(t.chunks)*longEntry, 16*unit))
	}
	return max(need, smallestChunk<<min(len(t.chunks), 9))
}

func (t *idTable) page(hash uint64) *page { return t.pages[hash&uint64(len(t.pages)-1)] }

// makeRoom puts a page of a third more slots in the place of a full one, or two once it is too large to be
// moved at once.
func (t *idTable) makeRoom(full *page) {
	slots := len(full.places)
	if full.count < largestPage {
		larger := newPage(full.bits, slots+slots/3)
		t.replace(full, larger, larger)
		return
	}
	if 1<<full.bits == len(t.pages) {
		t.pages = append(t.pages, t.pages...)
	}
	t.replace(full, newPage(full.bits+1, slots*5/8), newPage(full.bits+1, slots*5/8))
}

// replace moves the entries of old to zero or one, by the first bit of their hash that old does not share.
// Should chance give one of them more than it has room for, that one is replaced in its turn.
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
			t.insert(maphash.Bytes(seed, t.id(p)), p)
		}
	}
}

// page is a part of the index: a hash table of places, with open addressing.
type page struct {
	places []place
	tags   []uint8 // one byte more of each hash, so that few look-ups read an id that is another; 0: a free slot
	count  int
	bits   uint8 // how many low bits of the hash all entries share
}

const (
	smallestPage = 8
	largestPage  = 640 // once full, one with so many entries is split
)

// newPage returns a page that is not full with so many slots.
func newPage(bits uint8, slots int) *page {
	return &page{places: make([]place, slots), tags: make([]uint8, slots), bits: bits}
}

func (g *page) isFull() bool { return g.count >= len(g.places)-len(g.places)/8 }

// add puts p into the first free slot. The page is not full.
func (g *page) add(hash uint64, p place) {
	i := g.start(hash)
	for g.tags[i] != 0 {
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

// tagOf returns the byte of a hash that stands in the tags, which is not zero.
func tagOf(hash uint64) uint8 { return max(uint8(hash>>24), 1) }
