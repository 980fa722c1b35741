package verify

import "encoding/binary"

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

// record is what outlives an entity.
type record struct {
	owner owner
	kind  messageKind
	flags flags
	// closed is, of this run, 1 + the index of the event that closed the entity last; of what was chunked,
	// and not closed since, that of the chunk. It is for errors.
	closed uint32
	// mark is, for a tool call, its place among the calls of this run, from 1, which follow those of
	// earlier runs; for a reasoning id, 1 + the index of the event that closed its span last.
	mark uint32
}

// flags are facts about a retained id. All but introduced are of this run.
type flags uint8

const (
	introduced flags = 1 << iota // a tool call that may be answered
	started                      // a tool call that this run introduced
	answered                     // a tool call that has a result
	chunked                      // opened by a chunk, and not closed since
)

// ledger keeps a record for every id that the run has seen, whether open or long closed. Its size is
// what a long run costs; nothing in it is ever searched. The zero ledger is ready to use.
type ledger struct {
	ids   [numClasses]*idTable // nil: none yet
	calls uint32               // the marks given to tool calls

	// What was stamped or marked up to here was so in an earlier run, and counts no more.
	earlierEvents, earlierCalls uint32
}

// nextRun begins another run with the event of index, in which the ids of this one are known and nothing
// has happened to them. Subagents and steps are forgotten.
func (l *ledger) nextRun(index int) {
	l.ids[classSubagent], l.ids[classStep] = nil, nil
	l.earlierEvents, l.earlierCalls = stampOf(index-1), l.calls
}

// retained returns the number of records.
func (l *ledger) retained() int {
	n := 0
	for _, table := range l.ids {
		if table != nil {
			n += table.count
		}
	}
	return n
}

// entry is what is on record of an id: looked up once, changed, and put back.
type entry struct {
	key
	class class
	at    place // where it is stored; none: the id is new
	rec   record
}

// entry returns the entry of id in c.
func (l *ledger) entry(c class, id string) entry {
	e := entry{key: key{id: id}, class: c}
	l.look(&e)
	return e
}

// look fills in the entry of an id in a class.
func (l *ledger) look(e *entry) {
	e.hash = hashOf(e.id)
	l.lookHashed(e)
}

// lookHashed is look for an id whose hash is known.
func (l *ledger) lookHashed(e *entry) {
	if e.at = l.ids[e.class].find(e.key); e.at != 0 {
		e.rec = l.load(e.class, e.at)
	}
}

// put stores the record of e, which is the latest entry of its id that was looked up.
func (l *ledger) put(e *entry) {
	if e.at == 0 {
		if l.ids[e.class] == nil {
			l.ids[e.class] = new(idTable)
		}
		e.at = l.ids[e.class].add(e.key, e.class.recordSize())
	}
	l.save(e.class, e.at, e.rec)
}

// has reports whether id is on record.
func (l *ledger) has(c class, id string) bool { return l.ids[c].find(keyOf(id)) != 0 }

// get returns the record of id, the zero record if there is none.
func (l *ledger) get(c class, id string) record { return l.entry(c, id).rec }

// messageClasses are the classes whose ids name messages.
var messageClasses = [...]class{classMessage, classReasoning, classActivity}

// kindOf returns the kind of message that the id of e, of whatever class, names so far.
func (l *ledger) kindOf(e *entry) messageKind {
	if e.rec.kind != noMessage {
		return e.rec.kind
	}
	for _, c := range messageClasses {
		if c == e.class {
			continue
		}
		other := entry{key: e.key, class: c}
		if l.lookHashed(&other); other.rec.kind != noMessage {
			return other.rec.kind
		}
	}
	return noMessage
}

// mint gives the id of e the kind k, whose class e has, unless it has a kind.
func (l *ledger) mint(e *entry, k messageKind) {
	if l.kindOf(e) == noMessage {
		e.rec.kind = k
		l.put(e)
	}
}

// restate gives the id of e the kind k, whose class e has, whatever it was.
func (l *ledger) restate(e *entry, k messageKind) {
	for _, c := range messageClasses {
		other := entry{key: e.key, class: c}
		if l.lookHashed(&other); other.rec.kind != noMessage {
			other.rec.kind = noMessage
			l.put(&other)
		}
	}
	e.rec.kind = k
	l.put(e)
}

// each calls yield with the ids of c, in the order in which they came, until it returns false. The bytes are
// the ledger's own.
func (l *ledger) each(c class, yield func(id []byte, rec record) bool) {
	table := l.ids[c]
	table.each(c.recordSize(), func(p place) bool {
		return yield(table.id(p), l.load(c, p))
	})
}

// A record is stored as its kind and flags, owner, closed and, where the class has one, mark.
const (
	sizeWithoutMark      = 9
	sizeWithMark         = 13
	kindBits             = 3
	kindMask        byte = 1<<kindBits - 1
)

func (c class) hasMark() bool { return c == classToolCall || c == classReasoning }

func (c class) recordSize() int {
	if c.hasMark() {
		return sizeWithMark
	}
	return sizeWithoutMark
}

// load returns the record at p as far as it is of this run.
func (l *ledger) load(c class, p place) record {
	b := l.ids[c].record(p)
	rec := record{
		kind:   messageKind(b[0] & kindMask),
		flags:  flags(b[0] >> kindBits),
		owner:  owner(binary.LittleEndian.Uint32(b[1:])),
		closed: binary.LittleEndian.Uint32(b[5:]),
	}
	if c.hasMark() {
		rec.mark = binary.LittleEndian.Uint32(b[9:])
	}
	if rec.closed <= l.earlierEvents {
		rec.closed = 0
		rec.flags &^= chunked
	}
	switch {
	case c == classToolCall && rec.mark <= l.earlierCalls:
		rec.mark = 0
		rec.flags &^= started | answered
	case c == classReasoning && rec.mark <= l.earlierEvents:
		rec.mark = 0
	}
	return rec
}

// save replaces the record at p.
func (l *ledger) save(c class, p place, rec record) {
	b := l.ids[c].record(p)
	b[0] = byte(rec.kind) | byte(rec.flags)<<kindBits
	binary.LittleEndian.PutUint32(b[1:], uint32(rec.owner))
	binary.LittleEndian.PutUint32(b[5:], rec.closed)
	if c.hasMark() {
		binary.LittleEndian.PutUint32(b[9:], rec.mark)
	}
}

// touch gives a tool call a mark of this run, unless it has one.
func (l *ledger) touch(call *record) {
	if call.mark == 0 {
		l.calls++
		call.mark = l.calls
	}
}
