package emitter

import "github.com/agui-go/agui/events"

// ActivitySnapshot creates or replaces an activity message. Its content is encoded as JSON and must
// be an object; a value that cannot be encoded is an [*EncodeError].
func (em *Emitter) ActivitySnapshot(id, activityType string, content any, opts ...ActivityOption) error {
	m, err := gather(em, events.TypeActivitySnapshot, opts, ActivityOption.activity)
	if err != nil {
		return err
	}
	j, err := em.freeForm(events.TypeActivitySnapshot, "content", content)
	if err != nil {
		return err
	}
	return em.emit(&events.ActivitySnapshot{
		Base:          m.base,
		MessageID:     id,
		ActivityType:  activityType,
		Content:       j,
		Replace:       m.replace,
		SubagentRunID: em.tag,
	})
}

// ActivityDelta changes the content of an activity message, and its type: repeat the current one when
// it stays.
func (em *Emitter) ActivityDelta(id, activityType string, patch events.Patch, opts ...EventOption) error {
	ev := &events.ActivityDelta{MessageID: id, ActivityType: activityType, Patch: patch, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}
