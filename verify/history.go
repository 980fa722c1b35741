package verify

import "github.com/agui-go/agui/events"

// recall says what messages do to what is on record.
type recall uint8

const (
	fills        recall = iota // they add what is not there
	fillsUnowned               // they add that, but for owners
	restates                   // they replace it
)

// history puts messages on record: who owns them and the calls they hold, what kind of message they
// are, and that their calls may be answered. A snapshot restates what is on record; other history fills
// only what is not. Nothing is opened or closed. A message of a role that is none of AG-UI 1.0's is
// dropped by clients before they verify, so it counts in Core only.
func (v *Verifier) history(messages []events.Message, how recall) {
	for _, m := range messages {
		role, base, calls := contents(m)
		kind := kindOfRole(role)
		if role == "" || kind == noMessage && v.set == Strict {
			continue
		}
		w := v.owners.of(base.SubagentRunID)
		message := v.ledger.entry(kind.class(), base.ID)
		v.remember(&message, w, how)
		switch {
		case kind == noMessage:
		case how == restates:
			v.ledger.restate(&message, kind)
		default:
			v.ledger.mint(&message, kind)
		}
		for _, c := range calls {
			call := v.ledger.entry(classToolCall, c.ID)
			call.rec.flags |= introduced
			v.remember(&call, w, how)
			v.ledger.put(&call)
		}
	}
}

// remember makes w the owner of what e is of, as far as messages do that.
func (v *Verifier) remember(e *entry, w owner, how recall) {
	if how == restates || how == fills && e.rec.owner == unowned {
		v.own(e, w)
	}
}

// kindOfRole returns the kind of message that a role means, noMessage for a role that is none of AG-UI
// 1.0's.
func kindOfRole(r events.Role) messageKind {
	switch r {
	case events.RoleDeveloper, events.RoleSystem, events.RoleAssistant, events.RoleUser:
		return textKind
	case events.RoleTool:
		return toolKind
	case events.RoleActivity:
		return activityKind
	case events.RoleReasoning:
		return reasoningKind
	}
	return noMessage
}

// contents returns the parts of m that the machine reads, and an empty role for a nil message.
func contents(m events.Message) (events.Role, events.MessageBase, []events.ToolCall) {
	p, err := events.MessagePointer(m)
	if err != nil {
		return "", events.MessageBase{}, nil
	}
	var base events.MessageBase
	var calls []events.ToolCall
	switch m := p.(type) {
	case *events.DeveloperMessage:
		base = m.MessageBase
	case *events.SystemMessage:
		base = m.MessageBase
	case *events.AssistantMessage:
		base, calls = m.MessageBase, m.ToolCalls
	case *events.UserMessage:
		base = m.MessageBase
	case *events.ToolMessage:
		base = m.MessageBase
	case *events.ActivityMessage:
		base = m.MessageBase
	case *events.ReasoningMessage:
		base = m.MessageBase
	case *events.UnknownMessage:
		base = m.MessageBase
	}
	return p.MessageRole(), base, calls
}
