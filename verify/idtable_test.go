package verify

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestIDTable adds ids of all lengths, enough of them that pages grow and split, and finds each with its
// own record, and no other.
func TestIDTable(t *testing.T) {
	const size = 4
	var table idTable
	var ids []string
	for i := range 20_000 {
		ids = append(ids, fmt.Sprintf("id-%d", i))
	}
	for _, n := range []int{1, 7, 8, 127, 128, 129, 16_383, 16_384, unit - size - 3, unit, 3 * unit} {
		ids = append(ids, strings.Repeat("x", n))
	}
	ids = append(ids, "", "\x00", "\x00\x00", "later")
	for i, id := range ids {
		if p := table.find(keyOf(id)); p != 0 {
			t.Fatalf("find(%.20q) before it was added: got place %d, want none", id, p)
		}
		binary.LittleEndian.PutUint32(table.record(table.add(keyOf(id), size)), uint32(i))
	}
	if table.count != len(ids) {
		t.Errorf("count\n got: %d\nwant: %d", table.count, len(ids))
	}
	for i, id := range ids {
		p := table.find(keyOf(id))
		if p == 0 || string(table.id(p)) != id {
			t.Fatalf("find(%.20q): got place %d of another id, or none", id, p)
		}
		if got := binary.LittleEndian.Uint32(table.record(p)); got != uint32(i) {
			t.Errorf("record of %.20q\n got: %d\nwant: %d", id, got, i)
		}
	}
	for _, id := range []string{"id-", "id-20000", "xx", "\x00\x00\x00"} {
		if p := table.find(keyOf(id)); p != 0 {
			t.Errorf("find(%q), which was not added: got place %d, want none", id, p)
		}
	}

	var order []string
	table.each(size, func(p place) bool {
		order = append(order, string(table.id(p)))
		return len(order) < len(ids)-1
	})
	if want := ids[:len(ids)-1]; !slices.Equal(order, want) {
		t.Errorf("each: got %d ids, want the first %d in the order in which they were added", len(order), len(want))
	}
}

// TestIDTablePages looks at the index: no page is larger than what is moved at once, and each id is found
// by the page of its hash alone.
func TestIDTablePages(t *testing.T) {
	var table idTable
	for i := range 50_000 {
		table.add(keyOf(fmt.Sprint(i)), 0)
	}
	seen := map[*page]bool{}
	total := 0
	for i, p := range table.pages {
		if !seen[p] {
			seen[p] = true
			total += p.count
		}
		if shared := uint64(i) & (1<<p.bits - 1); table.pages[shared] != p {
			t.Errorf("page %d and page %d share %d bits and are two", i, shared, p.bits)
		}
		if p.count > 2*largestPage {
			t.Errorf("entries of page %d\n got: %d\nwant: at most %d", i, p.count, 2*largestPage)
		}
	}
	if total != table.count {
		t.Errorf("entries of all pages\n got: %d\nwant: %d", total, table.count)
	}
	if len(seen) < 50_000/(2*largestPage) {
		t.Errorf("pages\n got: %d\nwant: at least %d", len(seen), 50_000/(2*largestPage))
	}
}

// TestIDTableUnevenSplit gives a table ids of which a split leaves all on one side, more than a page of half the
// size has room for.
func TestIDTableUnevenSplit(t *testing.T) {
	const shared = 1<<6 - 1 // the low bits of the hash that all ids have: six splits leave a side empty
	var table idTable
	var keys []key
	for i := 0; len(keys) < 3*largestPage; i++ {
		if k := keyOf(fmt.Sprint(i)); k.hash&shared == shared {
			keys = append(keys, k)
			table.add(k, 0)
		}
	}
	if len(table.pages) <= shared {
		t.Errorf("pages\n got: %d\nwant: more than %d, as many as tell the ids apart", len(table.pages), shared)
	}
	for _, k := range keys {
		if p := table.find(k); p == 0 || string(table.id(p)) != k.id {
			t.Fatalf("find(%q): got place %d of another id, or none", k.id, p)
		}
	}
}

// TestIDTableUnits holds the table to how much of its space ids of all lengths may waste, once it is so large
// that long ids share chunks.
func TestIDTableUnits(t *testing.T) {
	const begun, stored = 256, 24 << 20
	tests := []struct {
		name    string
		lengths []int
		waste   float64 // the most, of what is used
	}{
		{"short", []int{36}, 1. / 16},
		{"up to a sixteenth of a unit", []int{36, longEntry - 20, 1}, 1. / 16},
		{"over half a unit", []int{33 << 10}, 1. / 16},
		{"over one unit", []int{65 << 10}, 1. / 8},
		{"over half a chunk", []int{513 << 10}, 1. / 8},
		{"over a chunk", []int{1025 << 10}, 1. / 8},
		{"over a chunk, and short ones", []int{1025 << 10, 36}, 1. / 8},
		{"one that fits badly after the other", []int{36, 65 << 10, 1025 << 10}, 1. / 4},
	}
	for _, tt := range tests {
		table := idTable{chunks: make([][]byte, begun), last: begun - 1}
		bytes := 0
		var places []place
		for i := 0; bytes < stored; i++ {
			id := strings.Repeat("x", tt.lengths[i%len(tt.lengths)]) + fmt.Sprint(i)
			places = append(places, table.add(keyOf(id), sizeWithMark))
			bytes += len(id)
		}
		used := (len(table.chunks) - begun) * unit
		record := sizeWithMark + 3
		if waste := 1 - float64(bytes+len(places)*record)/float64(used); waste > tt.waste {
			t.Errorf("%s: part of the space that is wasted\n got: %.3f\nwant: at most %.3f", tt.name, waste, tt.waste)
		}
		for i, p := range places {
			if want := fmt.Sprint("x", i); !strings.HasSuffix(string(table.id(p)), want) {
				t.Fatalf("%s: id %d: got %d bytes without %q at the end", tt.name, i, len(table.id(p)), want)
			}
		}
	}
}

// TestIDTableIsFull fills all units but one: the last takes what fits, and then no id is taken and none lost.
func TestIDTableIsFull(t *testing.T) {
	table := idTable{chunks: make([][]byte, maxUnits-1), last: maxUnits - 2}
	add := func(id string) (panicked any) {
		defer func() { panicked = recover() }()
		table.add(keyOf(id), sizeWithoutMark)
		return nil
	}
	long := strings.Repeat("x", unit)
	if add(long) == nil {
		t.Error("an id of more than a unit: got no panic")
	}
	if got := add("last"); got != nil {
		t.Errorf("an id for the last unit: got a panic: %v", got)
	}
	if add(long) == nil {
		t.Error("an id of more than what is left: got no panic")
	}
	if p := table.find(keyOf("last")); p == 0 || string(table.id(p)) != "last" {
		t.Errorf("the last id: got place %d of another id, or none", p)
	}
	if table.find(keyOf(long)) != 0 || table.count != 1 {
		t.Errorf("an id that there was no room for: got it, or a count of %d", table.count)
	}
}

// TestIDTableIsSmall holds the table to what it is for: an id of 36 characters in 55 bytes, its record
// included.
func TestIDTableIsSmall(t *testing.T) {
	const n, most = 200_000, 55
	before := heap()
	var table idTable
	for i := range n {
		table.add(keyOf(fmt.Sprintf("%036d", i)), sizeWithoutMark)
	}
	if got := float64(heap()-before) / n; got > most {
		t.Errorf("bytes for an id of 36 characters\n got: %.1f\nwant: at most %d", got, most)
	}
	runtime.KeepAlive(&table)
}

func heap() uint64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// TestRecords stores records of every shape and loads them, in their own run and in the next.
func TestRecords(t *testing.T) {
	for c := range numClasses {
		var l ledger
		l.calls = 7
		want := record{owner: 70_000, kind: activityKind, flags: introduced | started | answered | chunked, closed: 9, mark: 7}
		if !c.hasMark() {
			want.mark = 0
		}
		e := l.entry(c, "id")
		e.rec = want
		l.put(&e)
		if got := l.get(c, "id"); got != want {
			t.Errorf("class %d: record\n got: %+v\nwant: %+v", c, got, want)
		}

		l.nextRun(20)
		left := record{owner: 70_000, kind: activityKind, flags: introduced}
		switch c {
		case classToolCall:
		case classSubagent, classStep:
			left = record{}
		default:
			left.flags |= started | answered // which only calls have
		}
		if got := l.get(c, "id"); got != left {
			t.Errorf("class %d: record in the next run\n got: %+v\nwant: %+v", c, got, left)
		}
	}
}
