package emitter

import (
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/verify"
)

// TextStart opens a text message.
func (em *Emitter) TextStart(id string, opts ...TextOption) error {
	_, err := em.textStart(id, opts)
	return err
}

func (em *Emitter) textStart(id string, opts []TextOption) (*verify.Entity, error) {
	ev := &events.TextMessageStart{MessageID: id, SubagentRunID: em.tag}
	if len(opts) > 0 {
		m, err := gather(em, ev.EventType(), opts, TextOption.text)
		if err != nil {
			return nil, err
		}
		ev.Base, ev.Role, ev.Name = m.base, m.role, m.name
	}
	return em.open(ev)
}

// TextContent adds delta to an open text message. An empty delta is written as one.
func (em *Emitter) TextContent(id, delta string, opts ...EventOption) error {
	if len(opts) == 0 {
		return em.content(verify.KindTextMessage, id, delta)
	}
	ev := &events.TextMessageContent{MessageID: id, Delta: delta, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}

// TextEnd closes a text message.
func (em *Emitter) TextEnd(id string, opts ...EventOption) error {
	ev := &events.TextMessageEnd{MessageID: id, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}

// TextChunk writes a chunk: the shorthand that opens, continues and closes a message by itself. The
// first chunk of a message needs its id; an empty id is left out, and so is an empty delta.
func (em *Emitter) TextChunk(id, delta string, opts ...TextOption) error {
	ev := &events.TextMessageChunk{MessageID: nonEmpty(id), Delta: nonEmpty(delta), SubagentRunID: em.tag}
	if len(opts) > 0 {
		m, err := gather(em, ev.EventType(), opts, TextOption.text)
		if err != nil {
			return err
		}
		ev.Base, ev.Role, ev.Name = m.base, m.role, m.name
	}
	return em.emit(ev)
}

// nonEmpty returns s as an optional member that is absent when s is empty.
func nonEmpty(s string) events.Opt[string] {
	if s == "" {
		return events.Opt[string]{}
	}
	return events.Some(s)
}

// A TextMessage is an open text message to write to; see [Emitter.Text]. Its methods may be called
// concurrently, also with those of other handles.
type TextMessage struct {
	handle
}

// Text opens a text message with a new id. When that fails, the message keeps the error, returns it
// from every call, and writes nothing.
//
//	msg := em.Text()
//	defer msg.Close()
//	_, err := io.Copy(msg, reply)
func (em *Emitter) Text(opts ...TextOption) *TextMessage {
	m := &TextMessage{}
	id := em.ids.NewID(ids.Message)
	entity, err := em.textStart(id, opts)
	m.init(em, verify.KindTextMessage, id, entity, err)
	return m
}

// Close closes the message, unless that has been done. A second Close does nothing and returns nil. It
// never panics; after the end of the run it returns an error that Is [ErrClosed] and writes nothing.
func (m *TextMessage) Close() error {
	return m.close(ending{&events.TextMessageEnd{MessageID: m.id, SubagentRunID: m.em.tag}, m.entity})
}
