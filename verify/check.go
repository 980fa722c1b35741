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
	again := t.entity() != nil || t.act.kind == KindSubagent && t.v.startedSubagent(t.act.id)
	return again && t.breaks(DuplicateStart)
}

func (t *trial) unknownParent() bool {
	parent, has := t.act.parent.Get()
	unknown := t.act.kind == KindSubagent && has && !t.v.startedSubagent(parent)
	return unknown && t.breaks(UnknownID)
}

func (t *trial) notOpen() bool {
	return t.entity() == nil && t.breaks(NotOpen)
}

func (t *trial) unknownCall() bool {
	known := t.v.ledger.get(classToolCall, t.act.id).flags&introduced != 0
	return !known && t.breaks(UnknownID)
}

func (t *trial) outOfOrder() bool {
	return t.entity() != nil && t.breaks(OutOfOrder)
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
		step, _ := t.v.lanes.resolve(&t.act, t.entity() != nil)
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
	id, mints := t.act.minted()
	if mints == noMessage {
		return false
	}
	has := t.v.ledger.kindOf(id)
	collides := has != noMessage && (has != mints || t.act.op == opResult)
	return collides && t.breaks(IDCollision)
}

// minted returns the message id to which the event gives a kind, and that kind; noMessage if none.
func (a *act) minted() (string, messageKind) {
	switch {
	case a.op == opResult:
		return a.message, toolKind
	case a.op == opActivity:
		return a.id, activityKind
	case a.op != opStart && a.op != opChunk || !a.named:
		return "", noMessage
	case a.kind == KindTextMessage:
		return a.id, textKind
	case a.kind == KindReasoningMessage:
		return a.id, reasoningKind
	}
	return "", noMessage
}

// entity returns what is open under the event's id, or nil.
func (t *trial) entity() *Entity {
	if t.act.stale {
		return nil
	}
	return t.v.Entity(t.act.kind, t.act.id, t.act.tag)
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
	if !a.named || a.kind == KindStep || a.kind == KindSubagent {
		return noClash
	}
	own := t.ownerOnRecord()
	if a.op == opStart || a.op == opChunk {
		parent := t.v.parentOwner(a)
		if !t.v.owners.agrees(parent, a.tag) {
			return parentClash
		}
		if !a.tag.IsSet() && parent != unowned && own != unowned && parent != own {
			return inheritClash
		}
	}
	if !t.v.owners.agrees(own, a.tag) {
		return ownClash
	}
	return noClash
}

// ownerOnRecord returns the owner of what the event is about.
func (t *trial) ownerOnRecord() owner {
	l, a := &t.v.ledger, &t.act
	switch a.op {
	case opActivityDelta:
		return l.get(classActivity, a.id).owner
	case opEncrypted:
		if a.subtype == events.EncryptedToolCall {
			return l.get(classToolCall, a.id).owner
		}
		if w := l.get(classMessage, a.id).owner; w != unowned && a.subtype == events.EncryptedMessage {
			return w
		}
		return l.get(classReasoning, a.id).owner
	}
	return l.get(kindTable[a.kind].class, a.id).owner
}
