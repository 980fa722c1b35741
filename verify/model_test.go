package verify_test

import (
	"slices"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// model is the ordering rules read naively: lists, loops, and a copy of everything for every event. It
// shares no code with the machine and is what the machine is held to.
type model struct {
	strict  bool
	lenient []verify.Rule // allowed or reported

	started, over bool
	thread, run   string
	hasRun        bool

	open     []mOpen
	owners   []mOwner
	kinds    []mKind
	known    []string // calls that may be answered
	called   []string // calls of this run, in order of first START or chunk
	answered []string
	subs     []string // subagents that were ever started
	lanes    []mLane

	broken []verify.Rule // what the latest event broke and was let through for
}

type tag = events.Opt[string]

type mOpen struct {
	kind verify.Kind
	id   string
	tag  tag
}

type mOwner struct {
	space, id string
	tag       tag
}

type mKind struct{ id, kind string }

type mLane struct {
	tag          tag
	kind         verify.Kind
	id           string
	role         events.Role
	name, parent tag
}

func (m *model) clone() *model {
	c := *m
	c.open = slices.Clone(m.open)
	c.owners = slices.Clone(m.owners)
	c.kinds = slices.Clone(m.kinds)
	c.known = slices.Clone(m.known)
	c.called = slices.Clone(m.called)
	c.answered = slices.Clone(m.answered)
	c.subs = slices.Clone(m.subs)
	c.lanes = slices.Clone(m.lanes)
	c.broken = nil
	return &c
}

// observe returns the rule that rejects ev, 0 if none does.
func (m *model) observe(ev events.Event) verify.Rule {
	c := m.clone()
	rejects := c.step(ev)
	m.broken = c.broken
	_, starts := ev.(*events.RunStarted)
	frozen := m.over || starts && m.started
	if rejects == 0 && !frozen {
		*m = *c
	}
	return rejects
}

func (m *model) breaks(r verify.Rule) bool {
	if r.Set() == verify.Strict && !m.strict {
		return false
	}
	if slices.Contains(m.lenient, r) {
		m.broken = append(m.broken, r)
		return false
	}
	return true
}

func (m *model) step(ev events.Event) verify.Rule {
	if m.strict && events.Check(ev) != nil && m.breaks(verify.InvalidField) {
		return verify.InvalidField
	}
	if m.over && m.breaks(verify.RunEnded) {
		return verify.RunEnded
	}
	if !m.started && !m.over {
		switch ev.(type) {
		case *events.RunStarted:
		case *events.Raw, *events.Custom:
			if m.breaks(verify.Preamble) {
				return verify.Preamble
			}
		default:
			if m.breaks(verify.RunNotStarted) {
				return verify.RunNotStarted
			}
		}
	}
	m.closeLanes(ev)

	switch e := ev.(type) {
	case *events.RunStarted:
		return m.runStarted(e)
	case *events.RunFinished:
		return m.runFinished(e)
	case *events.RunError:
		m.over = true

	case *events.TextMessageStart:
		return m.opens(verify.KindTextMessage, e.MessageID, e.SubagentRunID, tag{})
	case *events.TextMessageContent:
		return m.continues(verify.KindTextMessage, e.MessageID, e.SubagentRunID, false)
	case *events.TextMessageEnd:
		return m.continues(verify.KindTextMessage, e.MessageID, e.SubagentRunID, true)
	case *events.TextMessageChunk:
		return m.chunk(verify.KindTextMessage, e.MessageID, e.SubagentRunID, e.Role, e.Name, tag{})
	case *events.ToolCallStart:
		return m.opens(verify.KindToolCall, e.ToolCallID, e.SubagentRunID, e.ParentMessageID)
	case *events.ToolCallArgs:
		return m.continues(verify.KindToolCall, e.ToolCallID, e.SubagentRunID, false)
	case *events.ToolCallEnd:
		return m.continues(verify.KindToolCall, e.ToolCallID, e.SubagentRunID, true)
	case *events.ToolCallChunk:
		return m.chunk(verify.KindToolCall, e.ToolCallID, e.SubagentRunID, "", e.ToolCallName, e.ParentMessageID)
	case *events.ToolCallResult:
		return m.result(e)
	case *events.ReasoningStart:
		return m.opens(verify.KindReasoningSpan, e.MessageID, e.SubagentRunID, tag{})
	case *events.ReasoningEnd:
		return m.continues(verify.KindReasoningSpan, e.MessageID, e.SubagentRunID, true)
	case *events.ReasoningMessageStart:
		return m.opens(verify.KindReasoningMessage, e.MessageID, e.SubagentRunID, tag{})
	case *events.ReasoningMessageContent:
		return m.continues(verify.KindReasoningMessage, e.MessageID, e.SubagentRunID, false)
	case *events.ReasoningMessageEnd:
		return m.continues(verify.KindReasoningMessage, e.MessageID, e.SubagentRunID, true)
	case *events.ReasoningMessageChunk:
		return m.chunk(verify.KindReasoningMessage, e.MessageID, e.SubagentRunID, "", tag{}, tag{})

	case *events.StepStarted:
		if m.isOpen(verify.KindStep, e.StepName, e.SubagentRunID) {
			if m.breaks(verify.DuplicateStart) {
				return verify.DuplicateStart
			}
			return 0
		}
		m.open = append(m.open, mOpen{verify.KindStep, e.StepName, e.SubagentRunID})
	case *events.StepFinished:
		if !m.isOpen(verify.KindStep, e.StepName, e.SubagentRunID) {
			if m.breaks(verify.NotOpen) {
				return verify.NotOpen
			}
		}
		m.close(verify.KindStep, e.StepName, e.SubagentRunID)
	case *events.SubagentStarted:
		return m.subagentStarted(e)
	case *events.SubagentFinished:
		return m.subagentEnds(e.SubagentRunID)
	case *events.SubagentError:
		return m.subagentEnds(e.SubagentRunID)

	case *events.ActivitySnapshot:
		if k := m.kindOf(e.MessageID); k != "" && k != "activity" && m.breaks(verify.IDCollision) {
			return verify.IDCollision
		}
		if !m.owned("activity", e.MessageID) || e.Replace.Or(true) {
			m.setOwner("activity", e.MessageID, e.SubagentRunID)
		}
		m.mint(e.MessageID, "activity")
	case *events.ActivityDelta:
		if m.failsT("activity", e.MessageID, e.SubagentRunID) && m.breaks(verify.OwnerMismatch) {
			return verify.OwnerMismatch
		}
	case *events.ReasoningEncryptedValue:
		space := "reasoning"
		if e.Subtype == events.EncryptedToolCall {
			space = "call"
		} else if e.Subtype == events.EncryptedMessage && m.owned("message", e.EntityID) {
			space = "message"
		}
		if m.failsT(space, e.EntityID, e.SubagentRunID) && m.breaks(verify.OwnerMismatch) {
			return verify.OwnerMismatch
		}
	case *events.MessagesSnapshot:
		m.messages(e.Messages, true)
	}
	return 0
}

// Lanes.

func (m *model) closeLanes(ev events.Event) {
	switch e := ev.(type) {
	case *events.RunStarted, *events.RunFinished, *events.RunError, *events.MessagesSnapshot:
		m.lanes = nil
	case *events.SubagentFinished:
		m.closeLane(events.Some(e.SubagentRunID))
	case *events.SubagentError:
		m.closeLane(events.Some(e.SubagentRunID))
	case *events.TextMessageStart, *events.TextMessageContent, *events.TextMessageEnd,
		*events.ToolCallStart, *events.ToolCallArgs, *events.ToolCallEnd, *events.ToolCallResult,
		*events.StateSnapshot, *events.StateDelta, *events.Custom, *events.StepStarted, *events.StepFinished,
		*events.ReasoningStart, *events.ReasoningEnd, *events.ReasoningMessageStart,
		*events.ReasoningMessageContent, *events.ReasoningMessageEnd:
		m.closeLane(events.SubagentRunID(ev))
	}
}

func (m *model) closeLane(t tag) {
	m.lanes = slices.DeleteFunc(m.lanes, func(l mLane) bool { return l.tag == t })
}

func (m *model) chunk(kind verify.Kind, id, t tag, role events.Role, name, parent tag) verify.Rule {
	if name, ok := id.Get(); ok && m.mismatch(kind, name, t, parent) && m.breaks(verify.OwnerMismatch) {
		return verify.OwnerMismatch
	}
	before := slices.Clone(m.lanes)
	if m.strict && !m.expand(kind, id, t, role, name, parent) {
		m.lanes = before
		if m.breaks(verify.ChunkSequence) {
			return verify.ChunkSequence
		}
	}
	name2, named := id.Get()
	if !named {
		return 0
	}
	if m.collides(kind, name2) && m.breaks(verify.IDCollision) {
		return verify.IDCollision
	}
	m.introduce(kind, name2, t, parent)
	return 0
}

// expand changes the lanes as a chunk does and reports whether the official client can expand it.
func (m *model) expand(kind verify.Kind, id, t tag, role events.Role, name, parent tag) bool {
	lane := t
	if id.IsSet() {
		for _, l := range m.lanes {
			if l.kind == kind && l.id == id.Or("") {
				if t.IsSet() && l.tag != t {
					return false
				}
				lane = l.tag
			}
		}
	} else if !t.IsSet() {
		var holding []tag
		for _, l := range m.lanes {
			if l.kind == kind {
				holding = append(holding, l.tag)
			}
		}
		switch {
		case slices.Contains(holding, tag{}):
		case len(holding) == 1:
			lane = holding[0]
		case len(holding) > 1:
			return false
		}
	}
	for _, l := range m.lanes {
		if l.tag != lane || l.kind != kind || id.IsSet() && id.Or("") != l.id {
			continue
		}
		return !(role != "" && role != l.role || name.IsSet() && name != l.name || parent.IsSet() && parent != l.parent)
	}
	if !id.IsSet() || kind == verify.KindToolCall && !name.IsSet() || m.isOpen(kind, id.Or(""), t) {
		return false
	}
	m.closeLane(lane)
	if role == "" {
		role = events.RoleAssistant
	}
	m.lanes = append(m.lanes, mLane{lane, kind, id.Or(""), role, name, parent})
	return true
}

// Entities.

func (m *model) isOpen(kind verify.Kind, id string, t tag) bool {
	return slices.ContainsFunc(m.open, func(o mOpen) bool {
		return o.kind == kind && o.id == id && (kind != verify.KindStep || o.tag == t)
	})
}

func (m *model) close(kind verify.Kind, id string, t tag) {
	m.open = slices.DeleteFunc(m.open, func(o mOpen) bool {
		return o.kind == kind && o.id == id && (kind != verify.KindStep || o.tag == t)
	})
}

func (m *model) opens(kind verify.Kind, id string, t, parent tag) verify.Rule {
	if m.isOpen(kind, id, t) && m.breaks(verify.DuplicateStart) {
		return verify.DuplicateStart
	}
	if m.mismatch(kind, id, t, parent) && m.breaks(verify.OwnerMismatch) {
		return verify.OwnerMismatch
	}
	if m.strict {
		for _, l := range m.lanes {
			if l.kind == kind && l.id == id && m.breaks(verify.ChunkSequence) {
				return verify.ChunkSequence
			}
		}
	}
	if m.collides(kind, id) && m.breaks(verify.IDCollision) {
		return verify.IDCollision
	}
	if m.isOpen(kind, id, t) {
		return 0
	}
	m.open = append(m.open, mOpen{kind, id, t})
	m.introduce(kind, id, t, parent)
	return 0
}

func (m *model) continues(kind verify.Kind, id string, t tag, ends bool) verify.Rule {
	if !m.isOpen(kind, id, t) && m.breaks(verify.NotOpen) {
		return verify.NotOpen
	}
	if m.failsT(space(kind), id, t) && m.breaks(verify.OwnerMismatch) {
		return verify.OwnerMismatch
	}
	if ends {
		m.close(kind, id, t)
	}
	return 0
}

func (m *model) introduce(kind verify.Kind, id string, t, parent tag) {
	if !m.owned(space(kind), id) {
		if p, ok := parent.Get(); ok && kind == verify.KindToolCall && !t.IsSet() && m.owned("message", p) {
			t = m.ownerOf("message", p)
		}
		m.setOwner(space(kind), id, t)
	}
	switch kind {
	case verify.KindTextMessage:
		m.mint(id, "text")
	case verify.KindReasoningMessage:
		m.mint(id, "reasoning")
	case verify.KindToolCall:
		m.known = append(m.known, id)
		if !slices.Contains(m.called, id) {
			m.called = append(m.called, id)
		}
	}
}

func (m *model) result(e *events.ToolCallResult) verify.Rule {
	if !slices.Contains(m.known, e.ToolCallID) && m.breaks(verify.UnknownID) {
		return verify.UnknownID
	}
	if m.isOpen(verify.KindToolCall, e.ToolCallID, tag{}) && m.breaks(verify.OutOfOrder) {
		return verify.OutOfOrder
	}
	if m.kindOf(e.MessageID) != "" && m.breaks(verify.IDCollision) {
		return verify.IDCollision
	}
	m.answered = append(m.answered, e.ToolCallID)
	m.setOwner("message", e.MessageID, e.SubagentRunID)
	m.mint(e.MessageID, "tool")
	return 0
}

func (m *model) subagentStarted(e *events.SubagentStarted) verify.Rule {
	if slices.Contains(m.subs, e.SubagentRunID) && m.breaks(verify.DuplicateStart) {
		return verify.DuplicateStart
	}
	if p, ok := e.ParentSubagentRunID.Get(); ok && !slices.Contains(m.subs, p) && m.breaks(verify.UnknownID) {
		return verify.UnknownID
	}
	m.subs = append(m.subs, e.SubagentRunID)
	if !m.isOpen(verify.KindSubagent, e.SubagentRunID, tag{}) {
		m.open = append(m.open, mOpen{verify.KindSubagent, e.SubagentRunID, events.Some(e.SubagentRunID)})
	}
	return 0
}

func (m *model) subagentEnds(id string) verify.Rule {
	if !m.isOpen(verify.KindSubagent, id, tag{}) && m.breaks(verify.NotOpen) {
		return verify.NotOpen
	}
	m.close(verify.KindSubagent, id, tag{})
	return 0
}

// The run.

func (m *model) runStarted(e *events.RunStarted) verify.Rule {
	if m.started && !m.over && m.breaks(verify.DuplicateRunStarted) {
		return verify.DuplicateRunStarted
	}
	m.started, m.hasRun = true, true
	m.thread, m.run = e.ThreadID, e.RunID
	if e.Input != nil {
		m.messages(e.Input.Messages, false)
	}
	return 0
}

func (m *model) runFinished(e *events.RunFinished) verify.Rule {
	var interrupts []events.Interrupt
	switch o := e.Outcome.(type) {
	case events.RunInterrupted:
		if interrupts = o.Interrupts; len(interrupts) == 0 && m.breaks(verify.InvalidOutcome) {
			return verify.InvalidOutcome
		}
	}
	if len(m.open) > 0 && m.breaks(verify.OpenAtFinish) {
		return verify.OpenAtFinish
	}
	if m.hasRun && (m.thread != e.ThreadID || m.run != e.RunID) && m.breaks(verify.RunMismatch) {
		return verify.RunMismatch
	}
	twins := false
	for i := range interrupts {
		for j := range i {
			twins = twins || interrupts[i].ID == interrupts[j].ID
		}
	}
	if twins && m.breaks(verify.DuplicateInterrupt) {
		return verify.DuplicateInterrupt
	}
	if o, ok := e.Outcome.(events.RunSuccess); ok && len(o.PendingToolCallIDs) > 0 {
		var pending []string
		for _, id := range m.called {
			if !slices.Contains(m.answered, id) {
				pending = append(pending, id)
			}
		}
		if !slices.Equal(pending, o.PendingToolCallIDs) && m.breaks(verify.PendingToolCalls) {
			return verify.PendingToolCalls
		}
	}
	m.over = true
	return 0
}

func (m *model) messages(list []events.Message, overwrite bool) {
	for _, msg := range list {
		where, kind := "message", "text"
		var t tag
		var calls []events.ToolCall
		switch msg := msg.(type) {
		case *events.AssistantMessage:
			t, calls = msg.SubagentRunID, msg.ToolCalls
		case *events.UserMessage:
			t = msg.SubagentRunID
		case *events.ToolMessage:
			t, kind = msg.SubagentRunID, "tool"
		case *events.ReasoningMessage:
			t, where, kind = msg.SubagentRunID, "reasoning", "reasoning"
		case *events.ActivityMessage:
			t, where, kind = msg.SubagentRunID, "activity", "activity"
		}
		id := msg.MessageID()
		if overwrite || !m.owned(where, id) {
			m.setOwner(where, id, t)
		}
		if overwrite {
			m.kinds = slices.DeleteFunc(m.kinds, func(k mKind) bool { return k.id == id })
		}
		m.mint(id, kind)
		for _, call := range calls {
			m.known = append(m.known, call.ID)
			if overwrite || !m.owned("call", call.ID) {
				m.setOwner("call", call.ID, t)
			}
		}
	}
}

// Owners and kinds.

func space(kind verify.Kind) string {
	switch kind {
	case verify.KindTextMessage:
		return "message"
	case verify.KindToolCall:
		return "call"
	}
	return "reasoning"
}

func (m *model) owned(space, id string) bool {
	return slices.ContainsFunc(m.owners, func(o mOwner) bool { return o.space == space && o.id == id })
}

func (m *model) ownerOf(space, id string) tag {
	i := slices.IndexFunc(m.owners, func(o mOwner) bool { return o.space == space && o.id == id })
	return m.owners[i].tag
}

func (m *model) setOwner(space, id string, t tag) {
	m.owners = slices.DeleteFunc(m.owners, func(o mOwner) bool { return o.space == space && o.id == id })
	m.owners = append(m.owners, mOwner{space, id, t})
}

func (m *model) failsT(space, id string, t tag) bool {
	return t.IsSet() && m.owned(space, id) && m.ownerOf(space, id) != t
}

// mismatch judges the owner of what a START or a chunk names, a call's message included.
func (m *model) mismatch(kind verify.Kind, id string, t, parent tag) bool {
	if p, ok := parent.Get(); ok && kind == verify.KindToolCall && m.owned("message", p) {
		holder := m.ownerOf("message", p)
		if t.IsSet() && t != holder {
			return true
		}
		if !t.IsSet() && m.owned("call", id) && m.ownerOf("call", id) != holder {
			return true
		}
	}
	return m.failsT(space(kind), id, t)
}

func (m *model) kindOf(id string) string {
	for _, k := range m.kinds {
		if k.id == id {
			return k.kind
		}
	}
	return ""
}

func (m *model) mint(id, kind string) {
	if m.kindOf(id) == "" {
		m.kinds = append(m.kinds, mKind{id, kind})
	}
}

func (m *model) collides(kind verify.Kind, id string) bool {
	has := m.kindOf(id)
	switch kind {
	case verify.KindTextMessage:
		return has != "" && has != "text"
	case verify.KindReasoningMessage:
		return has != "" && has != "reasoning"
	}
	return false
}
