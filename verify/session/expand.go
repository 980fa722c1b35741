package session

import (
	"fmt"
	"maps"
	"slices"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/verify"
)

// expander replaces chunks by the events that they stand for, as the official client does. The zero expander
// is ready to use.
type expander struct {
	byTag  map[events.Opt[string]]*lane
	byID   map[verify.Kind]map[string]*lane
	opened int
}

// expand appends to out what ev becomes. A chunk that cannot be expanded is a violation, which lacks its
// index, and changes nothing.
func (x *expander) expand(out []events.Event, ev events.Event) ([]events.Event, *verify.Violation) {
	c, isChunk := chunkOf(ev)
	if !isChunk {
		return append(x.closed(out, ev), ev), nil
	}
	l, fault := x.resolve(&c)
	if fault != nil {
		fault.EventType, fault.ID = ev.EventType(), clip.ID(c.id.Or(""))
		if tag, tagged := c.tag.Get(); tagged {
			fault.Owner = events.Some(clip.ID(tag))
		}
		return out, fault
	}
	added := l == nil
	if added {
		out, l = x.open(out, &c)
	}
	telling := c.delta.IsSet() || !c.base.RawEvent.IsZero()
	if telling || !added && !c.base.Metadata.IsZero() {
		out = append(out, c.content(l))
	}
	return out, nil
}

// resolve returns the lane that the chunk goes on with, nil when it opens a stream.
func (x *expander) resolve(c *chunk) (*lane, *verify.Violation) {
	l := x.byTag[c.tag]
	if id, named := c.id.Get(); named && x.byID[c.kind][id] != nil {
		l = x.byID[c.kind][id]
		if c.tag.IsSet() && c.tag != l.first.tag {
			return nil, broken("send all chunks of one stream with one subagentRunId",
				"the stream is assembled under another subagentRunId than %q", clip.Cut(c.tag.Or("")))
		}
	} else if !named && !c.tag.IsSet() && (l == nil || l.first.kind != c.kind) {
		if n := len(x.byID[c.kind]); n > 1 {
			return nil, broken("send the id or the subagentRunId with every chunk",
				"the chunk has neither an id nor a subagentRunId, and %d streams could go on", n)
		}
		for _, only := range x.byID[c.kind] {
			l = only
		}
	}
	if l != nil && l.first.kind == c.kind && (!c.id.IsSet() || c.id == l.first.id) {
		if member := l.contradicted(c); member != "" {
			return nil, broken("repeat what the first chunk said, or leave it out",
				"the chunk gives %s %q another %s than its first chunk", c.kind, clip.Cut(l.id()), member)
		}
		return l, nil
	}
	if member := c.missing(); member != "" {
		return nil, broken("send the id with every chunk that may be the first", "the chunk opens a %s and has no %s", c.kind, member)
	}
	return nil, nil
}

func broken(remedy, sentence string, args ...any) *verify.Violation {
	return &verify.Violation{Rule: verify.ChunkSequence, Sentence: fmt.Sprintf(sentence, args...), Remedy: remedy}
}

// open closes what the chunk's lane holds, and opens the stream of the chunk in it.
func (x *expander) open(out []events.Event, c *chunk) ([]events.Event, *lane) {
	out = x.close(out, c.tag)
	l := &lane{first: *c, order: x.opened}
	l.first.base, l.first.delta = events.Base{}, events.Opt[string]{}
	x.opened++
	if x.byTag == nil {
		x.byTag, x.byID = make(map[events.Opt[string]]*lane), make(map[verify.Kind]map[string]*lane)
	}
	if x.byID[c.kind] == nil {
		x.byID[c.kind] = make(map[string]*lane)
	}
	x.byTag[c.tag], x.byID[c.kind][l.id()] = l, l
	return append(out, c.start()), l
}

// closed appends the END of every stream that ev, which is no chunk, closes.
func (x *expander) closed(out []events.Event, ev events.Event) []events.Event {
	if len(x.byTag) == 0 {
		return out
	}
	switch ev.(type) {
	case *events.RunStarted, *events.RunFinished, *events.RunError, *events.MessagesSnapshot:
		for _, l := range slices.SortedFunc(maps.Values(x.byTag), func(a, b *lane) int { return a.order - b.order }) {
			out = x.close(out, l.first.tag)
		}
		return out
	case *events.Raw, *events.ActivitySnapshot, *events.ActivityDelta, *events.ReasoningEncryptedValue, *events.SubagentStarted, *events.Unknown:
		return out
	}
	return x.close(out, events.SubagentRunID(ev))
}

// close appends the END of the stream that the lane of tag holds, if it holds one.
func (x *expander) close(out []events.Event, tag events.Opt[string]) []events.Event {
	l := x.byTag[tag]
	if l == nil {
		return out
	}
	delete(x.byTag, tag)
	delete(x.byID[l.first.kind], l.id())
	return append(out, l.end())
}
