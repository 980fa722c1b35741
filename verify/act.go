package verify

import "github.com/agui-go/agui/events"

// op is what an event does to the run.
type op uint8

const (
	opPass op = iota // nothing that is ordered within the run
	opStart
	opContent
	opEnd
	opChunk
	opResult
	opActivity
	opActivityDelta
	opEncrypted
	opSnapshot
	opRunStarted
	opRunFinished
	opRunError
)

// scope says which lanes an event closes before it is judged.
type scope uint8

const (
	noLane scope = iota
	ownLane
	allLanes
)

// act is one event as the machine sees it.
type act struct {
	op    op
	kind  Kind
	lanes scope
	early bool // may come before RUN_STARTED
	stale bool // comes with an entity that has closed
	named bool // has an id that is kept; only chunks may leave theirs out, and run ids are not kept

	event events.Event // nil for content that comes without an event value
	typ   events.Type
	index int

	// entry is of what the event is about: its id, and what is on record of it.
	entry
	tag events.Opt[string]

	role    events.Role        // of a text chunk
	name    events.Opt[string] // of a chunk: the author's or the tool's
	parent  events.Opt[string] // the message of a call, the parent of a subagent
	message entry              // of the message that a tool result makes, in the class of messages, which is the zero one
	replace bool               // of an activity snapshot

	// What the Verifier holds when the event comes: see look.
	open   *Entity     // what is open under the id
	holder owner       // the owner of the message that holds the call
	names  messageKind // what the id that the event mints names so far
}

// look fills in what v holds of what the event is about. It is looked up once: judging changes nothing, and
// applying begins with it.
func (a *act) look(v *Verifier) {
	a.index = v.index
	if !a.named {
		return
	}
	if !a.stale {
		a.open = v.Entity(a.kind, a.id, a.tag)
	}
	switch {
	case a.op == opStart && a.kind == KindStep:
		return // nothing hangs on a step that was
	case a.op == opEnd && a.open != nil && a.open.at != 0:
		a.at = a.open.at // without the hash, which an end has no other use for
		a.rec = v.ledger.load(a.class, a.at)
		return
	}
	v.ledger.look(&a.entry)
	if a.op == opResult {
		v.ledger.look(&a.message)
	}
	if parent, has := a.parent.Get(); has && a.kind == KindToolCall {
		a.holder = v.ledger.get(classMessage, parent).owner
	}
	if minted, kind := a.minted(); kind != noMessage {
		a.names = v.ledger.kindOf(minted)
	}
}

// minted returns the entry of the message id to which the event gives a kind, and that kind; noMessage if
// there is none.
func (a *act) minted() (*entry, messageKind) {
	switch {
	case a.op == opResult:
		return &a.message, toolKind
	case a.op == opActivity:
		return &a.entry, activityKind
	case a.op != opStart && a.op != opChunk:
		return nil, noMessage
	case a.kind == KindTextMessage:
		return &a.entry, textKind
	case a.kind == KindReasoningMessage:
		return &a.entry, reasoningKind
	}
	return nil, noMessage
}

// read fills in what the event, in its pointer form, says: one row for each event type. Retired and unknown
// types have none and pass within the run.
func (a *act) read() {
	switch ev := a.event.(type) {
	case *events.TextMessageStart:
		a.about(opStart, KindTextMessage, ev.MessageID, ev.SubagentRunID)
	case *events.TextMessageContent:
		a.about(opContent, KindTextMessage, ev.MessageID, ev.SubagentRunID)
	case *events.TextMessageEnd:
		a.about(opEnd, KindTextMessage, ev.MessageID, ev.SubagentRunID)
	case *events.TextMessageChunk:
		a.chunk(KindTextMessage, ev.MessageID, ev.SubagentRunID)
		a.role, a.name = ev.Role, ev.Name

	case *events.ToolCallStart:
		a.about(opStart, KindToolCall, ev.ToolCallID, ev.SubagentRunID)
		a.parent = ev.ParentMessageID
	case *events.ToolCallArgs:
		a.about(opContent, KindToolCall, ev.ToolCallID, ev.SubagentRunID)
	case *events.ToolCallEnd:
		a.about(opEnd, KindToolCall, ev.ToolCallID, ev.SubagentRunID)
	case *events.ToolCallChunk:
		a.chunk(KindToolCall, ev.ToolCallID, ev.SubagentRunID)
		a.name, a.parent = ev.ToolCallName, ev.ParentMessageID
	case *events.ToolCallResult:
		a.about(opResult, KindToolCall, ev.ToolCallID, ev.SubagentRunID)
		a.message.id = ev.MessageID

	case *events.ReasoningStart:
		a.about(opStart, KindReasoningSpan, ev.MessageID, ev.SubagentRunID)
	case *events.ReasoningEnd:
		a.about(opEnd, KindReasoningSpan, ev.MessageID, ev.SubagentRunID)
	case *events.ReasoningMessageStart:
		a.about(opStart, KindReasoningMessage, ev.MessageID, ev.SubagentRunID)
	case *events.ReasoningMessageContent:
		a.about(opContent, KindReasoningMessage, ev.MessageID, ev.SubagentRunID)
	case *events.ReasoningMessageEnd:
		a.about(opEnd, KindReasoningMessage, ev.MessageID, ev.SubagentRunID)
	case *events.ReasoningMessageChunk:
		a.chunk(KindReasoningMessage, ev.MessageID, ev.SubagentRunID)
	case *events.ReasoningEncryptedValue:
		a.other(opEncrypted, classOfEncrypted(ev.Subtype), ev.EntityID, ev.SubagentRunID)

	case *events.StepStarted:
		a.about(opStart, KindStep, ev.StepName, ev.SubagentRunID)
	case *events.StepFinished:
		a.about(opEnd, KindStep, ev.StepName, ev.SubagentRunID)

	case *events.SubagentStarted:
		a.about(opStart, KindSubagent, ev.SubagentRunID, events.Some(ev.SubagentRunID))
		a.lanes, a.parent = noLane, ev.ParentSubagentRunID
	case *events.SubagentFinished:
		a.about(opEnd, KindSubagent, ev.SubagentRunID, events.Some(ev.SubagentRunID))
	case *events.SubagentError:
		a.about(opEnd, KindSubagent, ev.SubagentRunID, events.Some(ev.SubagentRunID))

	case *events.ActivitySnapshot:
		a.other(opActivity, classActivity, ev.MessageID, ev.SubagentRunID)
		a.replace = ev.Replace.Or(true)
	case *events.ActivityDelta:
		a.other(opActivityDelta, classActivity, ev.MessageID, ev.SubagentRunID)

	case *events.StateSnapshot:
		a.lanes, a.tag = ownLane, ev.SubagentRunID
	case *events.StateDelta:
		a.lanes, a.tag = ownLane, ev.SubagentRunID
	case *events.MessagesSnapshot:
		a.op, a.lanes = opSnapshot, allLanes
	case *events.Raw:
		a.early, a.tag = true, ev.SubagentRunID
	case *events.Custom:
		a.early, a.lanes, a.tag = true, ownLane, ev.SubagentRunID

	case *events.RunStarted:
		a.op, a.lanes, a.id, a.early = opRunStarted, allLanes, ev.RunID, true
	case *events.RunFinished:
		a.op, a.lanes, a.id = opRunFinished, allLanes, ev.RunID
	case *events.RunError:
		a.op, a.lanes = opRunError, allLanes
	}
}

// about fills in an event about something of kind, which closes the lane of its tag.
func (a *act) about(op op, kind Kind, id string, tag events.Opt[string]) {
	a.kind, a.lanes = kind, ownLane
	a.other(op, kindTable[kind].class, id, tag)
}

// chunk fills in a chunk.
func (a *act) chunk(kind Kind, id, tag events.Opt[string]) {
	a.kind = kind
	a.other(opChunk, kindTable[kind].class, id.Or(""), tag)
	a.named = id.IsSet()
}

// other fills in an event about an id of class c.
func (a *act) other(op op, c class, id string, tag events.Opt[string]) {
	a.op, a.class, a.id, a.named, a.tag = op, c, id, true, tag
}

// classOfEncrypted returns the class of the ids whose encrypted value is of subtype s.
func classOfEncrypted(s events.EncryptedValueSubtype) class {
	switch s {
	case events.EncryptedToolCall:
		return classToolCall
	case events.EncryptedMessage:
		return classMessage
	}
	return classReasoning
}
