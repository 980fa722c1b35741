package verify

import (
	"strings"

	"github.com/agui-go/agui/events"
)

// owner is an interned tag: who opened or introduced an entity. It outlives the entity by far, so it
// is a number and not a string.
type owner uint32

const (
	unowned     owner = iota // nobody is on record
	parentAgent              // an event without a tag
	firstTag
)

// owners interns tags. The zero owners is ready to use.
type owners struct {
	numbers map[string]owner
	tags    []string // by owner - firstTag
}

// find returns the owner that tag names, unowned if the tag is new.
func (o *owners) find(tag events.Opt[string]) owner {
	id, tagged := tag.Get()
	if !tagged {
		return parentAgent
	}
	return o.numbers[id]
}

// of returns the owner that tag names, and interns a new tag.
func (o *owners) of(tag events.Opt[string]) owner {
	if w := o.find(tag); w != unowned {
		return w
	}
	if o.numbers == nil {
		o.numbers = make(map[string]owner)
	}
	id := strings.Clone(tag.Or(""))
	w := firstTag + owner(len(o.tags))
	o.numbers[id] = w
	o.tags = append(o.tags, id)
	return w
}

// tag returns the tag that w was interned from.
func (o *owners) tag(w owner) events.Opt[string] {
	if w < firstTag {
		return events.Opt[string]{}
	}
	return events.Some(o.tags[w-firstTag])
}

// agrees reports whether an event with tag may continue what w owns: it is untagged, or nobody is on
// record, or it is w's own.
func (o *owners) agrees(w owner, tag events.Opt[string]) bool {
	id, tagged := tag.Get()
	return !tagged || w == unowned || w >= firstTag && o.tags[w-firstTag] == id
}
