package verify

import "github.com/agui-go/agui/events"

// Retained returns how many ids the Verifier keeps: one for each message, reasoning, tool call, activity,
// step and subagent that it has seen or was seeded with, one for each tag, and one more for whatever is
// open. [Verifier] says what they cost. It takes constant time.
func (v *Verifier) Retained() int {
	return v.ledger.retained() + len(v.owners.tags) + v.open.count
}

// Introduces returns how many ids and tags ev names that the Verifier would begin to keep if it let ev
// through: whoever wants to bound what it keeps refuses the events that would make [Verifier.Retained] too
// large, and no other. It is zero for RUN_STARTED, for content, for what closes something, for what opens a
// known id again, and for a nil event. One that ev names more than once counts each time.
func (v *Verifier) Introduces(ev events.Event) int {
	ev, err := events.Pointer(ev)
	if err != nil {
		return 0
	}
	a := act{event: ev}
	a.read()
	switch a.op {
	case opStart:
		return v.newID(a.class, a.id) + v.newTag(a.tag)
	case opChunk:
		if !a.named {
			return 0
		}
		return v.newID(a.class, a.id) + v.newTag(a.tag)
	case opResult:
		return v.newID(classMessage, a.message.id) + v.newID(a.class, a.id) + v.newTag(a.tag)
	case opActivity:
		if !a.replace && v.ledger.get(a.class, a.id).owner != unowned {
			return 0 // it is known, and keeps the tag that it has
		}
		return v.newID(a.class, a.id) + v.newTag(a.tag)
	case opSnapshot:
		return v.newOf(ev.(*events.MessagesSnapshot).Messages)
	}
	return 0
}

// newOf returns how many of the messages' ids, tags and calls are new.
func (v *Verifier) newOf(messages []events.Message) int {
	n := 0
	for _, m := range messages {
		role, base, calls := contents(m)
		kind := kindOfRole(role)
		if role == "" || kind == noMessage && v.set == Strict {
			continue
		}
		n += v.newID(kind.class(), base.ID) + v.newTag(base.SubagentRunID)
		for _, call := range calls {
			n += v.newID(classToolCall, call.ID)
		}
	}
	return n
}

// newID returns 1 for an id that is not kept, and 0 for one that is.
func (v *Verifier) newID(c class, id string) int {
	if v.ledger.has(c, id) {
		return 0
	}
	return 1
}

// newTag returns 1 for a tag that is not kept, and 0 for one that is, or none.
func (v *Verifier) newTag(tag events.Opt[string]) int {
	if v.owners.find(tag) != unowned {
		return 0
	}
	return 1
}
