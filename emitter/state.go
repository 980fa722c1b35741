package emitter

import "github.com/agui-go/agui/events"

// StateSnapshot replaces the client's state by v, encoded as JSON; nil is the state null. A value that
// cannot be encoded is an [*EncodeError].
func (em *Emitter) StateSnapshot(v any, opts ...EventOption) error {
	j, err := em.freeForm(events.TypeStateSnapshot, "snapshot", v)
	if err != nil {
		return err
	}
	ev := &events.StateSnapshot{Snapshot: j, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}

// StateDelta changes the client's state. A patch that the client cannot apply is dropped there with a
// warning; the emitter checks its form alone.
func (em *Emitter) StateDelta(patch events.Patch, opts ...EventOption) error {
	ev := &events.StateDelta{Delta: patch, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}

// MessagesSnapshot restates the conversation. Messages that it leaves out are deleted by the client.
func (em *Emitter) MessagesSnapshot(messages []events.Message, opts ...EventOption) error {
	ev := &events.MessagesSnapshot{Messages: messages}
	return em.emitWith(ev, &ev.Base, opts)
}
