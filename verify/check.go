package verify

import (
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/clip"
)

// trial judges one event. It changes nothing in the Verifier, so that Would and Observe share it and a
// rejected event leaves the state as it was.
type trial struct {
	v     *Verifier
	act   act
	field error // what is wrong with a value of the event, for InvalidField

	rejected *Violation
	reported []*Violation
}

// judge runs the checks in their order until one rejects the event. Each check reports whether it did.
func (t *trial) judge() {
	if t.invalidField() || t.runEnded() || t.runNotStarted() || t.preamble() {
		return
	}
	switch t.act.op {
	case opStart:
		_ = t.duplicateStart() || t.unknownParent() || t.ownerMismatch() || t.chunkSequence() || t.idCollision()
	case opContent, opEnd:
		_ = t.notOpen() || t.ownerMismatch()
	case opChunk:
		_ = t.ownerMismatch() || t.chunkSequence() || t.idCollision()
	case opResult:
		_ = t.unknownCall() || t.outOfOrder() || t.idCollision()
	case opActivity:
		_ = t.idCollision()
	case opActivityDelta, opEncrypted:
		_ = t.ownerMismatch()
	case opRunStarted:
		_ = t.duplicateRunStarted()
	case opRunFinished:
		t.finish()
	}
}

// breaks records that the event breaks rule and reports whether that rejects it. The violation's text
// is made only when somebody will read it.
func (t *trial) breaks(rule Rule) bool {
	if t.v.skips(rule) {
		return false
	}
	sentence, remedy := t.why(rule)
	if remedy == "" {
		remedy = rule.Remedy()
	}
	a := &t.act
	violation := &Violation{
		Rule: rule, EventType: events.Type(clip.ID(string(a.typ))), ID: clip.ID(a.id), Owner: cutTag(a.tag), Index: a.index,
		Sentence: sentence, Remedy: remedy, field: t.field,
	}
	if t.v.passes(rule) {
		t.reported = append(t.reported, violation)
		return false
	}
	t.rejected = violation
	return true
}

func (t *trial) invalidField() bool {
	if t.v.set != Strict || t.v.skips(InvalidField) {
		return false
	}
	if t.field == nil && t.act.event != nil {
		t.field = events.Check(t.act.event)
	}
	return t.field != nil && t.breaks(InvalidField)
}

func (t *trial) runEnded() bool {
	return t.v.phase == ended && t.breaks(RunEnded)
}

func (t *trial) runNotStarted() bool {
	return t.v.phase == waiting && !t.act.early && t.breaks(RunNotStarted)
}

func (t *trial) preamble() bool {
	return t.v.phase == waiting && t.act.early && t.act.op != opRunStarted && t.breaks(Preamble)
}

func (t *trial) duplicateRunStarted() bool {
	return t.v.phase == active && t.breaks(DuplicateRunStarted)
}

func (t *trial) duplicateStart() bool {
	again := t.act.open != nil || t.act.kind == KindSubagent && t.act.at != 0
	return again && t.breaks(DuplicateStart)
}

func (t *trial) unknownParent() bool {
	parent, has := t.act.parent.Get()
	unknown := t.act.kind == KindSubagent && has && !t.v.startedSubagent(parent)
	return unknown && t.breaks(UnknownID)
}

func (t *trial) notOpen() bool {
	return t.act.open == nil && t.breaks(NotOpen)
}

func (t *trial) unknownCall() bool {
	known := t.act.rec.flags&introduced != 0
	return !known && t.breaks(UnknownID)
}

func (t *trial) outOfOrder() bool {
	return t.act.open != nil && t.breaks(OutOfOrder)
}

func (t *trial) ownerMismatch() bool {
	return t.clash() != noClash && t.breaks(OwnerMismatch)
}

func (t *trial) chunkSequence() bool {
	if t.v.set != Strict {
		return false
	}
	broken := false
	switch t.act.op {
	case opStart:
		broken = t.assembledElsewhere() != nil
	case opChunk:
		step, _ := t.v.lanes.resolve(&t.act, t.act.open != nil)
		broken = step > laneOpens
	}
	return broken && t.breaks(ChunkSequence)
}

// assembledElsewhere returns the lane, not the event's own, that assembles the id which a START opens.
func (t *trial) assembledElsewhere() *lane {
	if l := t.v.lanes.byID[t.act.kind][t.act.id]; l != nil && l.tag != t.act.tag {
		return l
	}
	return nil
}

func (t *trial) idCollision() bool {
	_, mints := t.act.minted()
	has := t.act.names
	collides := has != noMessage && (has != mints || t.act.op == opResult)
	return collides && t.breaks(IDCollision)
}

// clash says how the event's tag is at odds with an owner on record.
type clash uint8

const (
	noClash      clash = iota
	ownClash           // with the owner of what the event is about
	parentClash        // with the owner of the message that holds the call
	inheritClash       // untagged: the call's owner and its message's differ
)

// clash compares the event's tag with the owners that it must agree with.
func (t *trial) clash() clash {
	a := &t.act
	switch {
	case !a.tag.IsSet() && a.holder == unowned:
		return noClash // as nearly always; below, an untagged event has a holder
	case a.kind == KindStep || a.kind == KindSubagent:
		return noClash
	}
	own := t.ownerOnRecord()
	if !t.v.owners.agrees(a.holder, a.tag) {
		return parentClash
	}
	if !a.tag.IsSet() && own != unowned && a.holder != own {
		return inheritClash
	}
	if !t.v.owners.agrees(own, a.tag) {
		return ownClash
	}
	return noClash
}

// ownerOnRecord returns the owner of what the event is about. The encrypted value of a message may be that of
// a reasoning message.
func (t *trial) ownerOnRecord() owner {
	a := &t.act
	if a.op == opEncrypted && a.class == classMessage && a.rec.owner == unowned {
		return t.v.ledger.get(classReasoning, a.id).owner
	}
	return a.rec.owner
}
