package verify

import "strings"

// class is a space of retained ids.
type class uint8

const (
	classMessage class = iota
	classReasoning
	classToolCall
	classActivity
	classSubagent
	classStep
	numClasses
)

// messageKind is the kind of message that an id names in the client's one list of messages.
type messageKind uint8

const (
	noMessage messageKind = iota
	textKind
	toolKind
	reasoningKind
	activityKind
)

// String returns the kind in words.
func (k messageKind) String() string {
	return [...]string{"message", "text message", "tool message", "reasoning message", "activity message"}[k]
}

// class returns the space that the ids of a kind live in.
func (k messageKind) class() class {
	switch k {
	case reasoningKind:
		return classReasoning
	case activityKind:
		return classActivity
	}
	return classMessage
}

// record is what outlives an entity. It holds no pointer, so that a million of them cost the garbage
// collector nothing.
type record struct {
	owner owner
	// closed is 1 + the index of the event that closed the entity last, for errors.
	closed uint32
	// mark is, for a tool call, its place among the calls of this run, from 1; for a reasoning id, 1 +
	// the index of the event that closed its span last.
	mark  uint32
	kind  messageKind
	flags flags
}

// flags are facts about a retained id.
type flags uint8

const (
	introduced flags = 1 << iota // a tool call that may be answered
	answered                     // a tool call that has a result
	chunked                      // opened by a chunk
)

// ref names a record. The zero ref names none.
type ref uint32

// ledger keeps a record for every id that the run has seen, whether open or long closed. Its size is
// what a long run costs; nothing in it is ever searched. The zero ledger is ready to use.
type ledger struct {
	ids     [numClasses]map[string]ref
	records []record // by ref - 1
}

// get returns a copy of the record of id, the zero record if there is none.
func (l *ledger) get(c class, id string) record {
	if r := l.ids[c][id]; r != 0 {
		return l.records[r-1]
	}
	return record{}
}

// at returns the record that r names. It is valid until the next add.
func (l *ledger) at(r ref) *record { return &l.records[r-1] }

// edit returns the record of id to write to, adding one with a copy of id if there is none. It is
// valid until the next add.
func (l *ledger) edit(c class, id string) *record {
	r := l.ids[c][id]
	if r == 0 {
		r = l.add(c, strings.Clone(id))
	}
	return l.at(r)
}

// add adds a record for id, which the ledger keeps and which has none.
func (l *ledger) add(c class, id string) ref {
	if l.ids[c] == nil {
		l.ids[c] = make(map[string]ref)
	}
	l.records = append(l.records, record{})
	r := ref(len(l.records))
	l.ids[c][id] = r
	return r
}

// kindOf returns the kind of message that id names so far.
func (l *ledger) kindOf(id string) messageKind {
	for _, c := range [...]class{classMessage, classReasoning, classActivity} {
		if k := l.get(c, id).kind; k != noMessage {
			return k
		}
	}
	return noMessage
}

// mint gives id a kind unless it has one.
func (l *ledger) mint(id string, k messageKind) {
	if l.kindOf(id) == noMessage {
		l.edit(k.class(), id).kind = k
	}
}

// restate gives id the kind k, whatever it was.
func (l *ledger) restate(id string, k messageKind) {
	for _, c := range [...]class{classMessage, classReasoning, classActivity} {
		if r := l.ids[c][id]; r != 0 {
			l.at(r).kind = noMessage
		}
	}
	l.edit(k.class(), id).kind = k
}

// each calls yield with ids of c until it returns false, in no order.
func (l *ledger) each(c class, yield func(id string, rec record) bool) {
	for id, r := range l.ids[c] {
		if !yield(id, l.records[r-1]) {
			return
		}
	}
}
