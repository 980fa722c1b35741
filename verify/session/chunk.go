package session

import (
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// chunk is a chunk of any kind.
type chunk struct {
	kind   verify.Kind
	id     events.Opt[string]
	tag    events.Opt[string]
	delta  events.Opt[string]
	base   events.Base
	role   events.Role        // of a text message
	name   events.Opt[string] // of a text message's author, or of a tool
	parent events.Opt[string] // of a tool call: the message that holds it
}

// chunkOf returns ev as a chunk, and whether it is one.
func chunkOf(ev events.Event) (chunk, bool) {
	switch ev := ev.(type) {
	case *events.TextMessageChunk:
		c := chunk{kind: verify.KindTextMessage, id: ev.MessageID, tag: ev.SubagentRunID, delta: ev.Delta, base: ev.Base, role: ev.Role, name: ev.Name}
		return c, true
	case *events.ToolCallChunk:
		c := chunk{kind: verify.KindToolCall, id: ev.ToolCallID, tag: ev.SubagentRunID, delta: ev.Delta, base: ev.Base, name: ev.ToolCallName, parent: ev.ParentMessageID}
		return c, true
	case *events.ReasoningMessageChunk:
		c := chunk{kind: verify.KindReasoningMessage, id: ev.MessageID, tag: ev.SubagentRunID, delta: ev.Delta, base: ev.Base}
		return c, true
	}
	return chunk{}, false
}

// missing names what the chunk lacks to be the first of a stream, "" if it lacks nothing.
func (c *chunk) missing() string {
	switch {
	case !c.id.IsSet() && c.kind == verify.KindToolCall:
		return "toolCallId"
	case !c.id.IsSet():
		return "messageId"
	case !c.name.IsSet() && c.kind == verify.KindToolCall:
		return "toolCallName"
	}
	return ""
}

// start returns the START of the stream that the chunk opens.
func (c *chunk) start() events.Event {
	base := events.Base{Metadata: c.base.Metadata}
	id := c.id.Or("")
	switch c.kind {
	case verify.KindToolCall:
		return &events.ToolCallStart{Base: base, ToolCallID: id, ToolCallName: c.name.Or(""), ParentMessageID: c.parent, SubagentRunID: c.tag}
	case verify.KindReasoningMessage:
		return &events.ReasoningMessageStart{Base: base, MessageID: id, Role: events.RoleReasoning, SubagentRunID: c.tag}
	}
	return &events.TextMessageStart{Base: base, MessageID: id, Role: c.firstRole(), Name: c.name, SubagentRunID: c.tag}
}

// firstRole returns the role that the chunk gives a message that it opens.
func (c *chunk) firstRole() events.Role {
	if c.role == "" {
		return events.RoleAssistant
	}
	return c.role
}

// content returns the content that the chunk adds to the stream of l.
func (c *chunk) content(l *lane) events.Event {
	base := events.Base{Metadata: c.base.Metadata, RawEvent: c.base.RawEvent}
	delta, tag := c.delta.Or(""), c.tag
	if !tag.IsSet() {
		tag = l.first.tag
	}
	switch c.kind {
	case verify.KindToolCall:
		return &events.ToolCallArgs{Base: base, ToolCallID: l.id(), Delta: delta, SubagentRunID: tag}
	case verify.KindReasoningMessage:
		return &events.ReasoningMessageContent{Base: base, MessageID: l.id(), Delta: delta, SubagentRunID: tag}
	}
	return &events.TextMessageContent{Base: base, MessageID: l.id(), Delta: delta, SubagentRunID: tag}
}

// lane is one stream that is being assembled: at most one for each tag.
type lane struct {
	first chunk // without what was its own: the delta, and the members of every event
	order int   // of the lanes, by when they were opened
}

func (l *lane) id() string { return l.first.id.Or("") }

// end returns the END of the stream.
func (l *lane) end() events.Event {
	switch l.first.kind {
	case verify.KindToolCall:
		return &events.ToolCallEnd{ToolCallID: l.id(), SubagentRunID: l.first.tag}
	case verify.KindReasoningMessage:
		return &events.ReasoningMessageEnd{MessageID: l.id(), SubagentRunID: l.first.tag}
	}
	return &events.TextMessageEnd{MessageID: l.id(), SubagentRunID: l.first.tag}
}

// contradicted returns the member that c repeats with another value than the first chunk gave it, "" if there
// is none.
func (l *lane) contradicted(c *chunk) string {
	changed := func(now, then events.Opt[string]) bool { return now.IsSet() && now != then }
	switch {
	case c.role != "" && c.role != l.first.firstRole():
		return "role"
	case changed(c.parent, l.first.parent):
		return "parentMessageId"
	case changed(c.name, l.first.name) && c.kind == verify.KindToolCall:
		return "toolCallName"
	case changed(c.name, l.first.name):
		return "name"
	}
	return ""
}
