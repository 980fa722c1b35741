package emitter

import (
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/verify"
)

// ReasoningStart opens a reasoning span. A span is not needed around a reasoning message; one id may
// name both.
func (em *Emitter) ReasoningStart(id string, opts ...EventOption) error {
	ev := &events.ReasoningStart{MessageID: id, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}

// ReasoningMessageStart opens a reasoning message.
func (em *Emitter) ReasoningMessageStart(id string, opts ...EventOption) error {
	_, err := em.reasoningMessageStart(id, opts)
	return err
}

func (em *Emitter) reasoningMessageStart(id string, opts []EventOption) (*verify.Entity, error) {
	ev := &events.ReasoningMessageStart{MessageID: id, SubagentRunID: em.tag}
	return em.openWith(ev, &ev.Base, opts)
}

// ReasoningContent adds delta to an open reasoning message.
func (em *Emitter) ReasoningContent(id, delta string, opts ...EventOption) error {
	if len(opts) == 0 {
		return em.content(verify.KindReasoningMessage, id, delta)
	}
	ev := &events.ReasoningMessageContent{MessageID: id, Delta: delta, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}

// ReasoningMessageEnd closes a reasoning message.
func (em *Emitter) ReasoningMessageEnd(id string, opts ...EventOption) error {
	ev := &events.ReasoningMessageEnd{MessageID: id, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}

// ReasoningEnd closes a reasoning span.
func (em *Emitter) ReasoningEnd(id string, opts ...EventOption) error {
	ev := &events.ReasoningEnd{MessageID: id, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}

// ReasoningChunk writes a chunk: the shorthand that opens, continues and closes a reasoning message by
// itself. The first chunk of a message needs its id; what is empty is left out.
func (em *Emitter) ReasoningChunk(id, delta string, opts ...EventOption) error {
	ev := &events.ReasoningMessageChunk{MessageID: nonEmpty(id), Delta: nonEmpty(delta), SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}

// ReasoningEncrypted attaches an opaque reasoning value, as providers give it, to a tool call or a
// message. It may come after the entity was closed.
func (em *Emitter) ReasoningEncrypted(subtype events.EncryptedValueSubtype, entityID, value string, opts ...EventOption) error {
	ev := &events.ReasoningEncryptedValue{
		Subtype:        subtype,
		EntityID:       entityID,
		EncryptedValue: value,
		SubagentRunID:  em.tag,
	}
	return em.emitWith(ev, &ev.Base, opts)
}

// A ReasoningMessage is an open reasoning message, in a span of its own, to write to; see
// [Emitter.Reasoning]. Its methods may be called concurrently, also with those of other handles.
type ReasoningMessage struct {
	handle
	span *verify.Entity
}

// Reasoning opens a reasoning span and a reasoning message in it, both with the same new id. When
// that fails, neither is open, and the message keeps the error, returns it from every call, and writes
// nothing.
func (em *Emitter) Reasoning(opts ...EventOption) *ReasoningMessage {
	m := &ReasoningMessage{}
	id := em.ids.NewID(ids.Reasoning)
	entity, err := em.openReasoning(id, opts, &m.span)
	m.init(em, verify.KindReasoningMessage, id, entity, err)
	return m
}

func (em *Emitter) openReasoning(id string, opts []EventOption, span **verify.Entity) (*verify.Entity, error) {
	if em.refused != nil {
		return nil, em.refused
	}
	message := &events.ReasoningMessageStart{MessageID: id, SubagentRunID: em.tag}
	m, err := gather(em, message.EventType(), opts, EventOption.event)
	if err != nil {
		return nil, err
	}
	message.Base = m.base
	em.mu.Lock()
	entity, err := em.putReasoning(&events.ReasoningStart{MessageID: id, SubagentRunID: em.tag}, message, span)
	return entity, em.leave(err, mayPanic)
}

// putReasoning puts the starts of a span and of its message: both, or neither.
func (r *run) putReasoning(start *events.ReasoningStart, message *events.ReasoningMessageStart, span **verify.Entity) (*verify.Entity, error) {
	if r.gate.would(message) == nil {
		opened, err := r.putEncoded(start)
		if err != nil {
			return nil, err
		}
		*span = opened
	}
	return r.putEncoded(message)
}

// Close closes the message and its span, as far as they are open. A second Close does nothing and returns
// nil. It never panics; after the end of the run it returns an error that Is [ErrClosed] and writes
// nothing.
func (m *ReasoningMessage) Close() error {
	return m.close(
		ending{&events.ReasoningMessageEnd{MessageID: m.id, SubagentRunID: m.em.tag}, m.entity},
		ending{&events.ReasoningEnd{MessageID: m.id, SubagentRunID: m.em.tag}, m.span},
	)
}
