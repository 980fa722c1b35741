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
	mark uint32
	// run is the run that wrote the record last, by the ledger's count. In a later run only what is said
	// of every run is left of it: see [record.in].
	run   uint16
	kind  messageKind
	flags flags
}

// in returns what the record says in run.
func (rec record) in(run uint16) record {
	if rec.run == run {
		return rec
	}
	return rec.left(run)
}

// left returns what is left of the record when its run has given way to run.
func (rec record) left(run uint16) record {
	return record{owner: rec.owner, kind: rec.kind, flags: rec.flags & introduced, run: run}
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
	run     uint16
}

// nextRun begins another run, in which the ids of this one are known and nothing has happened to them.
// Subagents and steps are forgotten. The records are brought up to date as they are used, and all at once
// only when the runs can no longer be told apart.
func (l *ledger) nextRun() {
	l.ids[classSubagent], l.ids[classStep] = nil, nil
	l.run++
	if l.run != 0 {
		return
	}
	for i := range l.records {
		l.records[i] = l.records[i].left(l.run)
	}
}

// get returns a copy of the record of id, the zero record if there is none.
func (l *ledger) get(c class, id string) record {
	if r := l.ids[c][id]; r != 0 {
		return l.records[r-1].in(l.run)
	}
	return record{}
}

// at returns the record that r names, to write to. It is valid until the next add.
func (l *ledger) at(r ref) *record {
	rec := &l.records[r-1]
	*rec = rec.in(l.run)
	return rec
}

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
	l.records = append(l.records, record{run: l.run})
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
		if !yield(id, l.records[r-1].in(l.run)) {
			return
		}
	}
}
