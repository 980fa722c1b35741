package verify

import (
	"iter"

	"github.com/agui-go/agui/events"
)

// Verifier checks the events of one run against the ordering rules, one after the other. The zero
// Verifier checks [Core]. It is pure state: no clock, no I/O, no goroutine and no lock, so it is not safe
// for concurrent use, and one that writes events must make check and write one atomic step.
//
// What a Verifier keeps of an id outlives what the id names, because owners do: its own bytes and about 17
// more, which is 53 bytes for an id of 36 characters, without a pointer for the garbage collector to follow.
// An answered tool call has two ids, its own and its result's. The cost of an event does not grow with the
// run.
//
// What a Verifier keeps of the ids of messages, of reasoning, of tool calls, of activities, of subagents and of
// steps lies apart, each in at most 65,535 units of 64 KiB. It panics when one of them needs another unit. The
// gaps at the ends of units are small, so that there is room for at least 3 GiB in each, and for 3.7 GiB where
// no id is longer than 4,000 bytes. [Verifier.Retained] serves whoever wants a bound of their own.
type Verifier struct {
	set    Set
	passed uint32 // bit r: an event that breaks Rule r is let through
	report map[Rule]func(*Violation)

	state
}

// state is what Reset forgets.
type state struct {
	index    int
	phase    phase
	since    int         // the index of the event that brought the phase
	terminal events.Type // what ended the run

	begun           bool // RUN_STARTED has come, with these ids
	threadID, runID string

	open   openSet
	owners owners
	ledger ledger
	lanes  lanes

	pending int // the calls that this run introduced and that have no result
}

type phase uint8

const (
	waiting phase = iota // for RUN_STARTED
	active
	ended
)

// New returns a Verifier that checks the rules of set.
func New(set Set, opts ...Option) *Verifier {
	v := &Verifier{set: set}
	for _, opt := range opts {
		if opt != nil {
			opt.apply(v)
		}
	}
	return v
}

// All checks a whole run against [Strict], its end included: see [Verifier.All].
func All(seq iter.Seq[events.Event], opts ...Option) error {
	return New(Strict, opts...).All(seq)
}

// Observe checks ev and, when no rule rejects it, applies it. The error is nil or a *[Violation]; a
// rejected event leaves the state as it was, so that the caller can go on, and still counts for the index.
// A nil event is [events.ErrNil] and does not count. The Verifier keeps copies of the ids it needs and no
// part of ev.
func (v *Verifier) Observe(ev events.Event) error {
	ev, err := events.Pointer(ev)
	if err != nil {
		return err
	}
	switch ev := ev.(type) {
	case *events.TextMessageContent:
		return v.observeContent(ev, KindTextMessage, ev.MessageID, ev.SubagentRunID)
	case *events.ToolCallArgs:
		return v.observeContent(ev, KindToolCall, ev.ToolCallID, ev.SubagentRunID)
	case *events.ReasoningMessageContent:
		return v.observeContent(ev, KindReasoningMessage, ev.MessageID, ev.SubagentRunID)
	}
	return v.observeInFull(ev)
}

// Would returns what Observe would return for ev, index included, and changes nothing.
func (v *Verifier) Would(ev events.Event) error {
	ev, err := events.Pointer(ev)
	if err != nil {
		return err
	}
	t := trial{v: v, act: act{event: ev, typ: ev.EventType()}}
	t.act.read()
	t.act.look(v)
	t.judge()
	return t.err()
}

// observeInFull is Observe for any event in pointer form, without the short way of content. It stays out of
// line, and its large frame out of its callers.
//
//go:noinline
func (v *Verifier) observeInFull(ev events.Event) error {
	t := trial{v: v, act: act{event: ev, typ: ev.EventType()}}
	t.act.read()
	return t.observe()
}

// observe judges the event, tells of what is only reported, and applies the event unless it is rejected.
func (t *trial) observe() error {
	t.act.look(t.v)
	t.judge()
	t.tell()
	t.v.index++
	if t.rejected == nil {
		t.v.apply(&t.act)
	}
	return t.err()
}

// tell calls the reporters.
func (t *trial) tell() {
	for _, violation := range t.reported {
		t.v.report[violation.Rule](violation)
	}
}

// err returns the rejection as an error that is nil when there is none.
func (t *trial) err() error {
	if t.rejected == nil {
		return nil
	}
	return t.rejected
}

// Refuse counts an event that could not be decoded as one Observe. Strict rejects it: the error is an
// [InvalidField] *[Violation] that wraps err. Core does not judge values and passes over it, as Strict
// does when InvalidField is allowed. A nil err is [events.ErrNil] and does not count.
func (v *Verifier) Refuse(err *events.FieldError) error {
	if err == nil {
		return events.ErrNil
	}
	t := trial{v: v, act: act{typ: err.Type, index: v.index}, field: err}
	t.invalidField()
	v.index++
	return t.err()
}

// End says that no more events come. It returns an [Unterminated] *[Violation] when the run has not
// ended, with the number of events as its index. It changes nothing.
func (v *Verifier) End() error {
	t := trial{v: v, act: act{index: v.index}}
	if v.phase != ended {
		t.breaks(Unterminated)
		t.tell()
	}
	return t.err()
}

// All observes every event of seq and then its end. It stops at the first error, which is what Observe
// or End returned.
func (v *Verifier) All(seq iter.Seq[events.Event]) error {
	for ev := range seq {
		if err := v.Observe(ev); err != nil {
			return err
		}
	}
	return v.End()
}

// Open returns what is open, in order of opening. After a RUN_ERROR that is what was open when it came.
func (v *Verifier) Open() []Open {
	var list []Open
	for _, e := range v.open.all() {
		list = append(list, v.describe(e))
	}
	return list
}

func (v *Verifier) describe(e *Entity) Open {
	return Open{Kind: e.kind, ID: e.id, Owner: v.owners.tag(e.owner), Index: e.index, Caller: e.Caller}
}

// Seed gives the verifier the messages that the run resumes from: the request's messages. Their tool
// calls may then be answered, and their ids have owners and kinds. Call it before RUN_STARTED, any number
// of times; what is on record already stays. Nil messages are passed over.
func (v *Verifier) Seed(messages []events.Message) { v.history(messages, fills) }

// SeedUnowned is [Verifier.Seed] for a writer: the tool calls may be answered and the ids have kinds, but
// nobody owns them. A client does not hold the messages of its request to owners, so to it each belongs to
// whoever opens it in this run first.
func (v *Verifier) SeedUnowned(messages []events.Message) { v.history(messages, fillsUnowned) }

// Reset forgets the run and every seed, and starts again at index 0. The set and the options stay. What
// was open is closed.
func (v *Verifier) Reset() {
	for _, e := range v.open.all() {
		v.open.remove(e)
	}
	v.state = state{}
}

// Index returns the index that the next event will have: the number of events observed, the rejected ones
// included.
func (v *Verifier) Index() int { return v.index }

// startedSubagent reports whether a subagent with id has been started in this run.
func (v *Verifier) startedSubagent(id string) bool {
	return v.open.tables[KindSubagent].get(id) != nil || v.ledger.has(classSubagent, id)
}
