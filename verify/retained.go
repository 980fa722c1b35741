package verify

import "github.com/agui-go/agui/events"

// Retained returns how many ids the Verifier keeps: one for each message, reasoning, tool call, activity,
// step and subagent that it has seen or was seeded with, one for each tag, and one more for whatever is
// open. [Verifier] says what they cost. It takes constant time.
func (v *Verifier) Retained() int {
	return v.ledger.retained() + len(v.owners.tags) + v.open.count
}

// Introduces reports whether ev names an id or a tag that the Verifier would begin to keep if it let ev
// through: whoever wants to bound what it keeps refuses such an event, and no other, once [Verifier.Retained]
// is too large. It is false for RUN_STARTED, for content, for what closes something, for what opens a known
// id again, and for a nil event.
func (v *Verifier) Introduces(ev events.Event) bool {
	ev, err := events.Pointer(ev)
	if err != nil {
		return false
	}
	a := act{event: ev}
	a.read()
	switch a.op {
	case opStart:
		return v.isNew(a.class, a.id) || v.isNewTag(a.tag)
	case opChunk:
		return a.named && (v.isNew(a.class, a.id) || v.isNewTag(a.tag))
	case opResult:
		return v.isNew(classMessage, a.message.id) || v.isNew(a.class, a.id) || v.isNewTag(a.tag)
	case opActivity:
		owns := a.replace || v.ledger.get(a.class, a.id).owner == unowned
		return v.isNew(a.class, a.id) || owns && v.isNewTag(a.tag)
	case opSnapshot:
		return v.introducesAny(ev.(*events.MessagesSnapshot).Messages)
	}
	return false
}

// introducesAny reports whether one of the messages, its calls or its tag are new.
func (v *Verifier) introducesAny(messages []events.Message) bool {
	for _, m := range messages {
		role, base, calls := contents(m)
		kind := kindOfRole(role)
		if role == "" || kind == noMessage && v.set == Strict {
			continue
		}
		if v.isNew(kind.class(), base.ID) || v.isNewTag(base.SubagentRunID) {
			return true
		}
		for _, call := range calls {
			if v.isNew(classToolCall, call.ID) {
				return true
			}
		}
	}
	return false
}

func (v *Verifier) isNew(c class, id string) bool { return !v.ledger.has(c, id) }

func (v *Verifier) isNewTag(tag events.Opt[string]) bool { return v.owners.find(tag) == unowned }
