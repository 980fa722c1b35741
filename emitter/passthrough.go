package emitter

import "github.com/agui-go/agui/events"

// Raw passes a provider's event through, encoded as JSON. A value that cannot be encoded is an
// [*EncodeError].
func (em *Emitter) Raw(event any, opts ...RawOption) error {
	m, err := gather(em, events.TypeRaw, opts, RawOption.raw)
	if err != nil {
		return err
	}
	j, err := em.freeForm(events.TypeRaw, "event", event)
	if err != nil {
		return err
	}
	return em.emit(&events.Raw{Base: m.base, Event: j, Source: m.source, SubagentRunID: em.tag})
}

// Custom writes an application's own event. Prefix the name with a vendor or application id: names
// without one are reserved for the protocol. A value that cannot be encoded is an [*EncodeError].
func (em *Emitter) Custom(name string, value any, opts ...EventOption) error {
	j, err := em.freeForm(events.TypeCustom, "value", value)
	if err != nil {
		return err
	}
	ev := &events.Custom{Name: name, Value: j, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}
