package verify

import (
	"errors"
	"fmt"

	"github.com/agui-go/agui/events"
)

// errNoEntity is what Continue makes of no entity at all.
var errNoEntity = errors.New("verify: Continue with a nil entity: take one from Content or Entity")

// Content checks and applies the content event of an entity without an event value: TEXT_MESSAGE_CONTENT,
// TOOL_CALL_ARGS or REASONING_MESSAGE_CONTENT. It counts as one Observe, returns what Observe would, and on
// success allocates nothing. The entity is nil on an error, and when an option lets content for something
// that is not open through. A kind without content is an error that does not count.
func (v *Verifier) Content(kind Kind, id string, tag events.Opt[string]) (*Entity, error) {
	if !kind.hasContent() {
		return nil, errNoContent(kind)
	}
	if e := v.open.tables[kind].find(id); e != nil && v.flows(e, tag) {
		v.index++
		return e, nil
	}
	if err := v.judgeContent(kind, id, tag, false); err != nil {
		return nil, err
	}
	return v.Entity(kind, id, tag), nil
}

// Continue is Content for an entity in hand, without the look-up. An entity that has closed is [NotOpen],
// also when its id has been opened again. The entity must be this Verifier's.
func (v *Verifier) Continue(e *Entity, tag events.Opt[string]) error {
	if e == nil {
		return errNoEntity
	}
	if !e.kind.hasContent() {
		return errNoContent(e.kind)
	}
	if e.open && v.flows(e, tag) {
		v.index++
		return nil
	}
	return v.judgeContent(e.kind, e.id, tag, !e.open)
}

// Entity returns what is open under id, or nil. A step is open under a tag too.
func (v *Verifier) Entity(kind Kind, id string, tag events.Opt[string]) *Entity {
	if kind >= numKinds {
		return nil
	}
	if kind != KindStep {
		return v.open.tables[kind].get(id)
	}
	return v.open.steps[stepKey{v.owners.find(tag), id}]
}

// observeContent is Observe for a content event in pointer form: what Content does, once the values that
// Content does not have are judged.
func (v *Verifier) observeContent(ev events.Event, kind Kind, id string, tag events.Opt[string]) error {
	if v.set == Strict && events.Check(ev) != nil {
		return v.observeInFull(ev)
	}
	_, err := v.Content(kind, id, tag)
	return err
}

// flows reports whether content with tag for the open entity e breaks no rule and changes nothing, which
// is what the judgement of nearly all events comes to.
func (v *Verifier) flows(e *Entity, tag events.Opt[string]) bool {
	return v.phase == active && v.owners.agrees(e.owner, tag) && (v.lanes.empty() || v.lanes.byTag[tag] == nil)
}

func (k Kind) hasContent() bool {
	return k == KindTextMessage || k == KindToolCall || k == KindReasoningMessage
}

func errNoContent(k Kind) error {
	return fmt.Errorf("verify: a %s has no content events: use Observe", k)
}

// judgeContent judges a content event in full, out of line as observeInFull is.
//
//go:noinline
func (v *Verifier) judgeContent(kind Kind, id string, tag events.Opt[string], stale bool) error {
	t := trial{v: v, act: act{typ: kindTable[kind].content, stale: stale}}
	t.act.about(opContent, kind, id, tag)
	return t.observe()
}
