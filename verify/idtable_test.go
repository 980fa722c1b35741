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
	for _, n := range []int{1, 7, 8, 127, 128, 129, 16_383, 16_384, largestChunk - size - 3, largestChunk, 3 * largestChunk} {
		ids = append(ids, strings.Repeat("x", n))
	}
	ids = append(ids, "", "\x00", "\x00\x00", "later")
	for i, id := range ids {
		if p := table.find(id); p != 0 {
			t.Fatalf("find(%.20q) before it was added: got place %d, want none", id, p)
		}
		binary.LittleEndian.PutUint32(table.record(table.add(id, size)), uint32(i))
	}
	if table.count != len(ids) {
		t.Errorf("count\n got: %d\nwant: %d", table.count, len(ids))
	}
	for i, id := range ids {
		p := table.find(id)
		if p == 0 || string(table.id(p)) != id {
			t.Fatalf("find(%.20q): got place %d of another id, or none", id, p)
		}
		if got := binary.LittleEndian.Uint32(table.record(p)); got != uint32(i) {
			t.Errorf("record of %.20q\n got: %d\nwant: %d", id, got, i)
		}
	}
	for _, id := range []string{"id-", "id-20000", "xx", "\x00\x00\x00"} {
		if p := table.find(id); p != 0 {
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
		table.add(fmt.Sprint(i), 0)
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

// TestIDTableIsSmall holds the table to what it is for: an id of 36 characters in 55 bytes, its record
// included.
func TestIDTableIsSmall(t *testing.T) {
	const n, most = 200_000, 55
	before := heap()
	var table idTable
	for i := range n {
		table.add(fmt.Sprintf("%036d", i), sizeWithoutMark)
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
		_, p := l.edit(c, "id")
		l.save(c, p, want)
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
