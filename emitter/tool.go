package emitter

import (
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/verify"
)

// ToolStart opens a call of the tool name.
func (em *Emitter) ToolStart(id, name string, opts ...ToolOption) error {
	_, err := em.toolStart(id, name, opts)
	return err
}

func (em *Emitter) toolStart(id, name string, opts []ToolOption) (*verify.Entity, error) {
	ev := &events.ToolCallStart{ToolCallID: id, ToolCallName: name, SubagentRunID: em.tag}
	if len(opts) > 0 {
		m, err := gather(em, ev.EventType(), opts, ToolOption.tool)
		if err != nil {
			return nil, err
		}
		ev.Base, ev.ParentMessageID = m.base, m.parent
	}
	return em.open(ev)
}

// ToolArgs adds delta, a piece of JSON text, to the arguments of an open tool call.
func (em *Emitter) ToolArgs(id, delta string, opts ...EventOption) error {
	if len(opts) == 0 {
		return em.content(verify.KindToolCall, id, delta)
	}
	ev := &events.ToolCallArgs{ToolCallID: id, Delta: delta, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}

// ToolEnd says that the arguments of a tool call are complete.
func (em *Emitter) ToolEnd(id string, opts ...EventOption) error {
	ev := &events.ToolCallEnd{ToolCallID: id, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}

// ToolResult answers a tool call that this run, or an earlier one, has made and ended. It creates a
// tool message, whose id is new unless the option [MessageID] gives one. Content that is a list of
// parts goes through [Emitter.Emit].
func (em *Emitter) ToolResult(callID, content string, opts ...ResultOption) error {
	m, err := gather(em, events.TypeToolCallResult, opts, ResultOption.result)
	if err != nil {
		return err
	}
	messageID, ok := m.messageID.Get()
	if !ok {
		messageID = em.ids.NewID(ids.Message)
	}
	return em.emit(&events.ToolCallResult{
		Base:          m.base,
		MessageID:     messageID,
		ToolCallID:    callID,
		Content:       events.Text(content),
		Role:          events.RoleTool,
		SubagentRunID: em.tag,
	})
}

// ToolChunk writes a chunk: the shorthand that opens, continues and closes a tool call by itself. The
// first chunk of a call needs its id and the tool's name; what is empty is left out.
func (em *Emitter) ToolChunk(id, name, delta string, opts ...ToolOption) error {
	ev := &events.ToolCallChunk{
		ToolCallID:    nonEmpty(id),
		ToolCallName:  nonEmpty(name),
		Delta:         nonEmpty(delta),
		SubagentRunID: em.tag,
	}
	if len(opts) > 0 {
		m, err := gather(em, ev.EventType(), opts, ToolOption.tool)
		if err != nil {
			return err
		}
		ev.Base, ev.ParentMessageID = m.base, m.parent
	}
	return em.emit(ev)
}

// A ToolCall is an open tool call to write the arguments of; see [Emitter.ToolCall]. Its methods may
// be called concurrently, also with those of other handles.
type ToolCall struct {
	handle
}

// ToolCall opens a call of the tool name with a new id. When that fails, the call keeps the error,
// returns it from every method, and writes nothing.
//
//	call := em.ToolCall("get_weather")
//	call.WriteJSON(map[string]string{"city": "Paris"})
//	call.Result("18 degrees")
func (em *Emitter) ToolCall(name string, opts ...ToolOption) *ToolCall {
	id := em.ids.NewID(ids.ToolCall)
	c := &ToolCall{}
	entity, err := em.toolStart(id, name, opts)
	c.init(em, verify.KindToolCall, id, entity, err)
	return c
}

// WriteJSON writes v, encoded as JSON, as arguments. A value that cannot be encoded is an
// [*EncodeError], and nothing is written.
func (c *ToolCall) WriteJSON(v any) error {
	j, err := c.em.freeForm(events.TypeToolCallArgs, "arguments", v)
	if err != nil {
		return err
	}
	_, err = c.WriteString(j.String())
	return err
}

// Close says that the arguments are complete, unless that has been said. A second Close does nothing and
// returns nil. It never panics; after the end of the run it returns an error that Is [ErrClosed] and writes nothing.
func (c *ToolCall) Close() error {
	return c.close(ending{&events.ToolCallEnd{ToolCallID: c.id, SubagentRunID: c.em.tag}, c.entity})
}

// Result answers the call, after closing it if that has not been done.
func (c *ToolCall) Result(content string, opts ...ResultOption) error {
	if c.failed != nil {
		return c.failed
	}
	if err := c.Close(); err != nil {
		return err
	}
	return c.em.ToolResult(c.id, content, opts...)
}

// ResultJSON is Result with v encoded as JSON, which is what models are given most often. A value
// that cannot be encoded is an [*EncodeError], and nothing is written.
func (c *ToolCall) ResultJSON(v any, opts ...ResultOption) error {
	j, err := c.em.freeForm(events.TypeToolCallResult, "content", v)
	if err != nil {
		return err
	}
	return c.Result(j.String(), opts...)
}
