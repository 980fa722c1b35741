package verify

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/agui-go/agui/events"
)

// Kind is the kind of a thing that can be open. The zero Kind is none of them.
type Kind uint8

// The kinds, each opened and closed by events of its own.
const (
	KindTextMessage Kind = iota + 1
	KindToolCall
	KindReasoningSpan
	KindReasoningMessage
	KindStep
	KindSubagent
	numKinds
)

// kindTable holds one row per kind: its name, the class of its retained ids, and the events that open,
// continue and close it.
var kindTable = [numKinds]struct {
	name                string
	class               class
	start, content, end events.Type
}{
	{class: numClasses}, // no kind
	{"text message", classMessage, events.TypeTextMessageStart, events.TypeTextMessageContent, events.TypeTextMessageEnd},
	{"tool call", classToolCall, events.TypeToolCallStart, events.TypeToolCallArgs, events.TypeToolCallEnd},
	{"reasoning span", classReasoning, events.TypeReasoningStart, "", events.TypeReasoningEnd},
	{"reasoning message", classReasoning, events.TypeReasoningMessageStart, events.TypeReasoningMessageContent, events.TypeReasoningMessageEnd},
	{"step", classStep, events.TypeStepStarted, "", events.TypeStepFinished},
	{"subagent", classSubagent, events.TypeSubagentStarted, "", events.TypeSubagentFinished},
}

// String returns the kind in words, such as "text message".
func (k Kind) String() string {
	if k == 0 || k >= numKinds {
		return fmt.Sprintf("kind(%d)", uint8(k))
	}
	return kindTable[k].name
}

// Entity is one open entity of a [Verifier]. The Verifier hands it out, and [Verifier.Continue] takes it
// back without a look-up. It is never used twice: once its end has come it stays closed for ever.
type Entity struct {
	// Caller is where it was opened, as file:line. Whoever knows sets it; [Open] shows it.
	Caller string
	// Aux is for whoever writes the events. The Verifier never reads it, and drops it when the entity
	// closes.
	Aux any

	id    string
	index int
	owner owner
	at    place // of its record; none for a step or a subagent, which has one once it has closed
	kind  Kind
	open  bool
}

// IsOpen reports whether the entity's end has not come yet.
func (e *Entity) IsOpen() bool { return e.open }

// Open describes one thing that is open.
type Open struct {
	Kind Kind
	// ID is its id; a step's is its name.
	ID string
	// Owner is the tag of whoever opened it first; absent is the parent agent.
	Owner events.Opt[string]
	// Index is the index of the event that opened it.
	Index int
	// Caller is where it was opened, as file:line, where known.
	Caller string
}

// String returns the description in words, such as
//
//	text message "m1" of subagent "s1" (opened by event 3 at main.go:12)
func (o Open) String() string {
	text := o.Kind.String() + " " + quoted(o.ID)
	if tag, tagged := o.Owner.Get(); tagged && o.Kind != KindSubagent {
		text += " of subagent " + quoted(tag)
	}
	text += fmt.Sprintf(" (opened by event %d", o.Index)
	if o.Caller != "" {
		text += " at " + o.Caller
	}
	return text + ")"
}

// stepKey identifies an open step.
type stepKey struct {
	owner owner
	name  string
}

// openSet holds what is open. The zero openSet is ready to use.
type openSet struct {
	tables [numKinds]*table // all kinds but steps; nil: none yet
	steps  map[stepKey]*Entity
	count  int
}

// table holds the open entities of one kind by id. While at most one has ever been open at a time it
// needs no map. A nil table is empty.
type table struct {
	byID map[string]*Entity
	// first is tried before the map: the only entity while there is no map, then the one that two
	// look-ups in a row have hit. A miss drops it, so that interleaved streams do not pay for it.
	first *Entity
	// last is what the latest look-up hit.
	last *Entity
}

// find returns the open entity with id, or nil, and makes the next look-up of the same id cheap.
func (t *table) find(id string) *Entity {
	if t == nil {
		return nil
	}
	if e := t.first; e != nil {
		if e.id == id {
			return e
		}
		if t.byID == nil {
			return nil
		}
		t.first = nil
	}
	e := t.byID[id]
	if e != nil && e == t.last {
		t.first = e
	}
	t.last = e
	return e
}

// get returns the open entity with id, or nil.
func (t *table) get(id string) *Entity {
	if t == nil {
		return nil
	}
	if t.byID != nil {
		return t.byID[id]
	}
	if t.first != nil && t.first.id == id {
		return t.first
	}
	return nil
}

func (t *table) add(e *Entity) {
	if t.byID == nil {
		if t.first == nil {
			t.first = e
			return
		}
		t.byID = map[string]*Entity{t.first.id: t.first}
	}
	t.byID[e.id] = e
}

func (t *table) remove(e *Entity) {
	delete(t.byID, e.id)
	if t.first == e {
		t.first = nil
	}
	if t.last == e {
		t.last = nil
	}
}

// each calls yield with the entities, in no order, until it returns false.
func (t *table) each(yield func(*Entity) bool) {
	if t == nil {
		return
	}
	if t.byID == nil && t.first != nil {
		yield(t.first)
	}
	for _, e := range t.byID {
		if !yield(e) {
			return
		}
	}
}

func (s *openSet) add(e *Entity) {
	e.open = true
	s.count++
	if e.kind != KindStep {
		if s.tables[e.kind] == nil {
			s.tables[e.kind] = new(table)
		}
		s.tables[e.kind].add(e)
		return
	}
	if s.steps == nil {
		s.steps = make(map[stepKey]*Entity)
	}
	s.steps[stepKey{e.owner, e.id}] = e
}

func (s *openSet) remove(e *Entity) {
	e.open, e.Aux = false, nil
	s.count--
	if e.kind == KindStep {
		delete(s.steps, stepKey{e.owner, e.id})
		return
	}
	s.tables[e.kind].remove(e)
}

// all returns everything open, in order of opening.
func (s *openSet) all() []*Entity {
	if s.count == 0 {
		return nil
	}
	list := make([]*Entity, 0, s.count)
	collect := func(e *Entity) bool {
		list = append(list, e)
		return true
	}
	for k := range s.tables {
		s.tables[k].each(collect)
	}
	for _, e := range s.steps {
		collect(e)
	}
	slices.SortFunc(list, func(a, b *Entity) int { return cmp.Compare(a.index, b.index) })
	return list
}
