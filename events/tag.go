package events

// SubagentRunID returns the tag that attributes ev to a subagent invocation. It is absent on events
// of the parent agent, on run events and on [MessagesSnapshot], which carry none; on the three
// subagent events, whose SubagentRunID is an identity, it is that identity.
func SubagentRunID(ev Event) Opt[string] {
	p, err := Pointer(ev)
	if err != nil {
		return Opt[string]{}
	}
	switch e := p.(type) {
	case *SubagentStarted:
		return Some(e.SubagentRunID)
	case *SubagentFinished:
		return Some(e.SubagentRunID)
	case *SubagentError:
		return Some(e.SubagentRunID)
	}
	if tag := tagOf(p); tag != nil {
		return *tag
	}
	return Opt[string]{}
}

// Tagged returns a copy of ev, in pointer form, that carries the tag id where ev may carry one and
// has none. A nested [SubagentStarted] without a parent gets id as its ParentSubagentRunID. ev itself
// is not changed. A nil event is [ErrNil].
func Tagged(ev Event, id string) (Event, error) {
	p, err := Pointer(ev)
	if err != nil {
		return nil, err
	}
	p = p.pointer()
	if e, ok := p.(*SubagentStarted); ok && !e.ParentSubagentRunID.IsSet() {
		e.ParentSubagentRunID = Some(id)
		return p, nil
	}
	if tag := tagOf(p); tag != nil && !tag.IsSet() {
		*tag = Some(id)
	}
	return p, nil
}

// tagOf returns the optional tag of an event in pointer form, or nil when its type has none.
func tagOf(ev Event) *Opt[string] {
	switch e := ev.(type) {
	case *TextMessageStart:
		return &e.SubagentRunID
	case *TextMessageContent:
		return &e.SubagentRunID
	case *TextMessageEnd:
		return &e.SubagentRunID
	case *TextMessageChunk:
		return &e.SubagentRunID
	case *ToolCallStart:
		return &e.SubagentRunID
	case *ToolCallArgs:
		return &e.SubagentRunID
	case *ToolCallEnd:
		return &e.SubagentRunID
	case *ToolCallChunk:
		return &e.SubagentRunID
	case *ToolCallResult:
		return &e.SubagentRunID
	case *StateSnapshot:
		return &e.SubagentRunID
	case *StateDelta:
		return &e.SubagentRunID
	case *ActivitySnapshot:
		return &e.SubagentRunID
	case *ActivityDelta:
		return &e.SubagentRunID
	case *Raw:
		return &e.SubagentRunID
	case *Custom:
		return &e.SubagentRunID
	case *StepStarted:
		return &e.SubagentRunID
	case *StepFinished:
		return &e.SubagentRunID
	case *ReasoningStart:
		return &e.SubagentRunID
	case *ReasoningMessageStart:
		return &e.SubagentRunID
	case *ReasoningMessageContent:
		return &e.SubagentRunID
	case *ReasoningMessageEnd:
		return &e.SubagentRunID
	case *ReasoningMessageChunk:
		return &e.SubagentRunID
	case *ReasoningEnd:
		return &e.SubagentRunID
	case *ReasoningEncryptedValue:
		return &e.SubagentRunID
	}
	return nil
}
