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
	if v.Entity(a.kind, a.id, a.tag) != nil {
		return
	}
	e := &Entity{id: strings.Clone(a.id), index: a.index, kind: a.kind}
	switch a.kind {
	case KindStep, KindSubagent:
		e.owner = v.owners.of(a.tag)
	default:
		e.owner = v.introduce(a)
	}
	if id, kind := a.minted(); kind != noMessage {
		v.ledger.mint(id, kind)
	}
	v.open.add(e)
}

// introduce puts the message, reasoning or call that a START or a chunk names on record: its first
// owner, and for a call its place among the calls of this run. It returns the owner.
func (v *Verifier) introduce(a *act) owner {
	c := kindTable[a.kind].class
	first := v.parentOwner(a)
	rec, p := v.ledger.edit(c, a.id)
	switch {
	case rec.owner != unowned:
	case a.tag.IsSet() || first == unowned:
		rec.owner = v.owners.of(a.tag)
	default:
		rec.owner = first
	}
	if a.op == opChunk && rec.closed == 0 {
		rec.flags |= chunked
		rec.closed = stampOf(a.index)
	}
	if c == classToolCall && rec.flags&started == 0 {
		v.ledger.touch(&rec)
		if rec.flags&answered == 0 {
			v.pending++
		}
		rec.flags |= introduced | started
	}
	v.ledger.save(c, p, rec)
	return rec.owner
}

// parentOwner returns the owner of the message that a names as the holder of a call, unowned if it
// names none or none is on record.
func (v *Verifier) parentOwner(a *act) owner {
	parent, has := a.parent.Get()
	if !has || a.kind != KindToolCall {
		return unowned
	}
	return v.ledger.get(classMessage, parent).owner
}

// end closes what is open.
func (v *Verifier) end(a *act) {
	e := v.Entity(a.kind, a.id, a.tag)
	if e == nil {
		return
	}
	v.open.remove(e)
	c := kindTable[e.kind].class
	rec, p := v.ledger.edit(c, e.id)
	stamp := stampOf(a.index)
	switch e.kind {
	case KindReasoningSpan:
		rec.mark = stamp
	case KindStep, KindSubagent:
		rec.owner, rec.closed = e.owner, stamp
	default:
		rec.closed = stamp
		rec.flags &^= chunked
	}
	v.ledger.save(c, p, rec)
}

// stampOf returns index + 1, or the largest stamp when there is none for it.
func stampOf(index int) uint32 {
	return uint32(min(uint64(index)+1, math.MaxUint32))
}

func (v *Verifier) chunk(a *act) {
	if v.set == Strict {
		explicit := v.Entity(a.kind, a.id, a.tag) != nil
		if step, _ := v.lanes.resolve(a, explicit); step == laneOpens {
			v.lanes.open(a)
		}
	}
	if !a.named {
		return
	}
	v.introduce(a)
	if id, kind := a.minted(); kind != noMessage {
		v.ledger.mint(id, kind)
	}
}

func (v *Verifier) result(a *act) {
	call, p := v.ledger.edit(classToolCall, a.id)
	if call.flags&(started|answered) == started {
		v.pending--
	}
	v.ledger.touch(&call)
	call.flags |= answered
	v.ledger.save(classToolCall, p, call)
	v.own(classMessage, a.message, v.owners.of(a.tag))
	v.ledger.mint(a.message, toolKind)
}

func (v *Verifier) activity(a *act) {
	if a.replace || v.ledger.get(classActivity, a.id).owner == unowned {
		v.own(classActivity, a.id, v.owners.of(a.tag))
	}
	v.ledger.mint(a.id, activityKind)
}

// own makes w the owner of id, whoever it was, also of what is open under id.
func (v *Verifier) own(c class, id string, w owner) {
	rec, p := v.ledger.edit(c, id)
	rec.owner = w
	v.ledger.save(c, p, rec)
	for k := range kindTable {
		if kindTable[k].class != c {
			continue
		}
		if e := v.open.tables[k].get(id); e != nil {
			e.owner = w
		}
	}
}
