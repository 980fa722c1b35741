package verify

import (
	"unicode"
	"unicode/utf8"

	"github.com/agui-go/agui/internal/clip"
)

// maxNear is the number of ids that a search for a near miss looks at. It runs on the failure path only,
// but a run with many ids must not make a failure slow.
const maxNear = 256

// near collects the beginnings of ids and keeps the one that is most like what was written.
type near struct {
	written string
	best    string
	cost    int
	looked  int
}

// offer looks at id and reports whether the search goes on.
func (n *near) offer(id string) bool {
	if id == n.written {
		return n.offerCut("")
	}
	return n.offerCut(clip.Cut(id))
}

// offerCut is offer for the beginning of an id, empty for an id that does not come into question.
func (n *near) offerCut(id string) bool {
	n.looked++
	if id != "" {
		cost := likeness(clip.Cut(n.written), id)
		if cost >= 0 && (n.best == "" || cost < n.cost || cost == n.cost && id < n.best) {
			n.best, n.cost = id, cost
		}
	}
	return n.looked < maxNear
}

// nearestOpen returns the beginning of the id of kind that is open and most like written, "" if none is
// close.
func (v *Verifier) nearestOpen(kind Kind, written string) string {
	n := near{written: written}
	if kind == KindStep {
		for key := range v.open.steps {
			if !n.offer(key.name) {
				break
			}
		}
		return n.best
	}
	v.open.tables[kind].each(func(e *Entity) bool { return n.offer(e.id) })
	return n.best
}

// nearestKnown returns the beginning of the id of c that is retained, has all of the flags, and is most like
// written, "" if none is close. Of a long id it makes no string that is longer than what it looks at.
func (v *Verifier) nearestKnown(c class, written string, has flags) string {
	n := near{written: written}
	v.ledger.each(c, func(id []byte, rec record) bool {
		if rec.flags&has != has {
			return n.offerCut("")
		}
		// One byte more than is kept shows where the last character ends.
		return n.offerCut(clip.Cut(string(id[:min(len(id), clip.Max+1)])))
	})
	return n.best
}

// likeness returns how far apart two ids are, 0 for ids that differ in case and separators only, and -1
// for ids that are not alike: more than two edits, or more than a third of the shorter one.
func likeness(a, b string) int {
	if sameLetters(a, b) {
		return 0
	}
	for edits := 1; edits <= min(2, min(len(a), len(b))/3); edits++ {
		if within(a, b, edits) {
			return edits
		}
	}
	return -1
}

// sameLetters reports whether a and b have the same letters and digits in the same order, whatever their
// case, and at least one.
func sameLetters(a, b string) bool {
	for some := false; ; some = true {
		var x, y rune
		x, a = nextLetter(a)
		y, b = nextLetter(b)
		if x != y {
			return false
		}
		if x == 0 {
			return some
		}
	}
}

// nextLetter returns the first letter or digit of s in lower case and what follows it, 0 if there is none.
func nextLetter(s string) (rune, string) {
	for i, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r), s[i+utf8.RuneLen(r):]
		}
	}
	return 0, ""
}

// within reports whether a becomes b in so many byte edits: insert, delete, replace, swap of neighbours.
func within(a, b string, edits int) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	if a == "" || b == "" {
		return len(a)+len(b) <= edits
	}
	if edits == 0 {
		return false
	}
	swapped := len(a) > 1 && len(b) > 1 && a[0] == b[1] && a[1] == b[0]
	return within(a[1:], b[1:], edits-1) || within(a[1:], b, edits-1) || within(a, b[1:], edits-1) ||
		swapped && within(a[2:], b[2:], edits-1)
}
