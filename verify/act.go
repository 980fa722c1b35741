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

	event events.Event // nil for content that comes without an event value
	typ   events.Type
	index int

	// id is the id of what the event is about. Only chunks may leave it out.
	id    string
	named bool
	tag   events.Opt[string]

	role    events.Role        // of a text chunk
	name    events.Opt[string] // of a chunk: the author's or the tool's
	parent  events.Opt[string] // the message of a call, the parent of a subagent
	message string             // the message that a tool result makes
	replace bool               // of an activity snapshot
	subtype events.EncryptedValueSubtype
}

// newAct returns ev, in its pointer form, as the machine sees it: one row for each event type. Retired
// and unknown types have none and pass within the run.
func newAct(ev events.Event) act {
	a := read(ev)
	a.event, a.typ = ev, ev.EventType()
	return a
}

func read(ev events.Event) act {
	switch ev := ev.(type) {
	case *events.TextMessageStart:
		return act{op: opStart, kind: KindTextMessage, lanes: ownLane, id: ev.MessageID, named: true, tag: ev.SubagentRunID}
	case *events.TextMessageContent:
		return act{op: opContent, kind: KindTextMessage, lanes: ownLane, id: ev.MessageID, named: true, tag: ev.SubagentRunID}
	case *events.TextMessageEnd:
		return act{op: opEnd, kind: KindTextMessage, lanes: ownLane, id: ev.MessageID, named: true, tag: ev.SubagentRunID}
	case *events.TextMessageChunk:
		id, named := ev.MessageID.Get()
		return act{op: opChunk, kind: KindTextMessage, id: id, named: named, tag: ev.SubagentRunID, role: ev.Role, name: ev.Name}

	case *events.ToolCallStart:
		return act{op: opStart, kind: KindToolCall, lanes: ownLane, id: ev.ToolCallID, named: true, tag: ev.SubagentRunID, parent: ev.ParentMessageID}
	case *events.ToolCallArgs:
		return act{op: opContent, kind: KindToolCall, lanes: ownLane, id: ev.ToolCallID, named: true, tag: ev.SubagentRunID}
	case *events.ToolCallEnd:
		return act{op: opEnd, kind: KindToolCall, lanes: ownLane, id: ev.ToolCallID, named: true, tag: ev.SubagentRunID}
	case *events.ToolCallChunk:
		id, named := ev.ToolCallID.Get()
		return act{op: opChunk, kind: KindToolCall, id: id, named: named, tag: ev.SubagentRunID, name: ev.ToolCallName, parent: ev.ParentMessageID}
	case *events.ToolCallResult:
		return act{op: opResult, kind: KindToolCall, lanes: ownLane, id: ev.ToolCallID, named: true, tag: ev.SubagentRunID, message: ev.MessageID}

	case *events.ReasoningStart:
		return act{op: opStart, kind: KindReasoningSpan, lanes: ownLane, id: ev.MessageID, named: true, tag: ev.SubagentRunID}
	case *events.ReasoningEnd:
		return act{op: opEnd, kind: KindReasoningSpan, lanes: ownLane, id: ev.MessageID, named: true, tag: ev.SubagentRunID}
	case *events.ReasoningMessageStart:
		return act{op: opStart, kind: KindReasoningMessage, lanes: ownLane, id: ev.MessageID, named: true, tag: ev.SubagentRunID}
	case *events.ReasoningMessageContent:
		return act{op: opContent, kind: KindReasoningMessage, lanes: ownLane, id: ev.MessageID, named: true, tag: ev.SubagentRunID}
	case *events.ReasoningMessageEnd:
		return act{op: opEnd, kind: KindReasoningMessage, lanes: ownLane, id: ev.MessageID, named: true, tag: ev.SubagentRunID}
	case *events.ReasoningMessageChunk:
		id, named := ev.MessageID.Get()
		return act{op: opChunk, kind: KindReasoningMessage, id: id, named: named, tag: ev.SubagentRunID}
	case *events.ReasoningEncryptedValue:
		return act{op: opEncrypted, id: ev.EntityID, named: true, tag: ev.SubagentRunID, subtype: ev.Subtype}

	case *events.StepStarted:
		return act{op: opStart, kind: KindStep, lanes: ownLane, id: ev.StepName, named: true, tag: ev.SubagentRunID}
	case *events.StepFinished:
		return act{op: opEnd, kind: KindStep, lanes: ownLane, id: ev.StepName, named: true, tag: ev.SubagentRunID}

	case *events.SubagentStarted:
		return act{op: opStart, kind: KindSubagent, id: ev.SubagentRunID, named: true, tag: events.Some(ev.SubagentRunID), parent: ev.ParentSubagentRunID}
	case *events.SubagentFinished:
		return act{op: opEnd, kind: KindSubagent, lanes: ownLane, id: ev.SubagentRunID, named: true, tag: events.Some(ev.SubagentRunID)}
	case *events.SubagentError:
		return act{op: opEnd, kind: KindSubagent, lanes: ownLane, id: ev.SubagentRunID, named: true, tag: events.Some(ev.SubagentRunID)}

	case *events.ActivitySnapshot:
		return act{op: opActivity, id: ev.MessageID, named: true, tag: ev.SubagentRunID, replace: ev.Replace.Or(true)}
	case *events.ActivityDelta:
		return act{op: opActivityDelta, id: ev.MessageID, named: true, tag: ev.SubagentRunID}

	case *events.StateSnapshot:
		return act{lanes: ownLane, tag: ev.SubagentRunID}
	case *events.StateDelta:
		return act{lanes: ownLane, tag: ev.SubagentRunID}
	case *events.MessagesSnapshot:
		return act{op: opSnapshot, lanes: allLanes}
	case *events.Raw:
		return act{early: true, tag: ev.SubagentRunID}
	case *events.Custom:
		return act{early: true, lanes: ownLane, tag: ev.SubagentRunID}

	case *events.RunStarted:
		return act{op: opRunStarted, lanes: allLanes, id: ev.RunID, named: true, early: true}
	case *events.RunFinished:
		return act{op: opRunFinished, lanes: allLanes, id: ev.RunID, named: true}
	case *events.RunError:
		return act{op: opRunError, lanes: allLanes}
	}
	return act{}
}
