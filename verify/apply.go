package verify

import (
	"math"
	"strings"

	"github.com/agui-go/agui/events"
)

// apply changes the state as a does, which was let through.
func (v *Verifier) apply(a *act) {
	if v.phase == ended || a.op == opRunStarted && v.phase == active {
		return
	}
	v.closeLanes(a.lanes, a.tag)
	switch a.op {
	case opStart:
		v.start(a)
	case opEnd:
		v.end(a)
	case opChunk:
		v.chunk(a)
	case opResult:
		v.result(a)
	case opActivity:
		v.activity(a)
	case opSnapshot:
		v.history(a.event.(*events.MessagesSnapshot).Messages, restates)
	case opRunStarted:
		v.begin(a.event.(*events.RunStarted), a.index)
	case opRunFinished, opRunError:
		v.phase, v.since, v.terminal = ended, a.index, a.typ
	}
}

func (v *Verifier) closeLanes(s scope, tag events.Opt[string]) {
	switch {
	case v.lanes.empty():
	case s == ownLane:
		v.lanes.close(tag)
	case s == allLanes:
		v.lanes.closeAll()
	}
}

func (v *Verifier) begin(ev *events.RunStarted, index int) {
	v.phase, v.since = active, index
	v.begun, v.threadID, v.runID = true, strings.Clone(ev.ThreadID), strings.Clone(ev.RunID)
	if ev.Input != nil {
		v.history(ev.Input.Messages, fills)
	}
}

// start opens what is not open.
func (v *Verifier) start(a *act) {
	if a.open != nil {
		return
	}
	e := &Entity{id: strings.Clone(a.id), index: a.index, kind: a.kind}
	switch a.kind {
	case KindStep, KindSubagent:
		e.owner = v.owners.of(a.tag)
	default:
		v.introduce(a)
		e.owner, e.at = a.rec.owner, a.at
	}
	v.open.add(e)
}

// introduce puts the message, reasoning or call that a START or a chunk names on record: its first
// owner, for a message its kind, and for a call its place among the calls of this run.
func (v *Verifier) introduce(a *act) {
	rec := &a.rec
	switch {
	case rec.owner != unowned:
	case a.tag.IsSet() || a.holder == unowned:
		rec.owner = v.owners.of(a.tag)
	default:
		rec.owner = a.holder
	}
	if a.op == opChunk && rec.closed == 0 {
		rec.flags |= chunked
		rec.closed = stampOf(a.index)
	}
	if a.kind == KindToolCall && rec.flags&started == 0 {
		v.ledger.touch(rec)
		if rec.flags&answered == 0 {
			v.pending++
		}
		rec.flags |= introduced | started
	}
	a.mint()
	v.ledger.put(&a.entry)
}

// mint gives the message id that the event mints its kind, unless it has one.
func (a *act) mint() {
	if minted, kind := a.minted(); kind != noMessage && a.names == noMessage {
		minted.rec.kind = kind
	}
}

// end closes what is open.
func (v *Verifier) end(a *act) {
	if a.open == nil {
		return
	}
	v.open.remove(a.open)
	stamp := stampOf(a.index)
	switch a.kind {
	case KindReasoningSpan:
		a.rec.mark = stamp
	case KindStep, KindSubagent:
		a.rec.owner, a.rec.closed = a.open.owner, stamp
	default:
		a.rec.closed = stamp
		a.rec.flags &^= chunked
	}
	v.ledger.put(&a.entry)
}

// stampOf returns index + 1, or the largest stamp when there is none for it.
func stampOf(index int) uint32 {
	return uint32(min(uint64(index)+1, math.MaxUint32))
}

func (v *Verifier) chunk(a *act) {
	if v.set == Strict {
		if step, _ := v.lanes.resolve(a, a.open != nil); step == laneOpens {
			v.lanes.open(a)
		}
	}
	if a.named {
		v.introduce(a)
	}
}

func (v *Verifier) result(a *act) {
	if a.rec.flags&(started|answered) == started {
		v.pending--
	}
	v.ledger.touch(&a.rec)
	a.rec.flags |= answered
	v.ledger.put(&a.entry)
	a.mint()
	v.own(&a.message, v.owners.of(a.tag))
}

func (v *Verifier) activity(a *act) {
	a.mint()
	if a.replace || a.rec.owner == unowned {
		v.own(&a.entry, v.owners.of(a.tag))
	}
}

// own makes w the owner of what e is of, whoever it was, also of what is open under the id, and puts e back.
func (v *Verifier) own(e *entry, w owner) {
	e.rec.owner = w
	v.ledger.put(e)
	for k := range kindTable {
		if kindTable[k].class != e.class {
			continue
		}
		if open := v.open.tables[k].get(e.id); open != nil {
			open.owner = w
		}
	}
}
