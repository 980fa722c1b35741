package emitter

import (
	"math"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/quote"
	"github.com/agui-go/agui/verify"
)

// stream is what the emitter keeps for an open message or call, from its first content on.
type stream struct {
	event  contentEvent
	tag    events.Opt[string]
	prefix []byte // the frame of a content event with that tag, up to the delta
	args   jsonScanner
	tail   tail
}

// untracked is the stream of what the machine does not track, set up for the latest of it.
type untracked struct {
	stream
	kind verify.Kind
	id   []byte
}

func (u *untracked) isFor(k verify.Kind, id string, tag events.Opt[string]) bool {
	return u != nil && u.kind == k && string(u.id) == id && u.stream.isFor(tag)
}

// streamOf returns the stream of an open entity, if it has one yet.
func streamOf(e *verify.Entity) (*stream, bool) {
	if e == nil {
		return nil, false
	}
	s, ok := e.Aux.(*stream)
	return s, ok
}

// contentEvent says how the content of one kind of entity is written.
type contentEvent struct {
	eventType events.Type
	head      string // the frame up to the id
}

func contentOf(k verify.Kind) contentEvent {
	switch k {
	case verify.KindToolCall:
		return contentEvent{events.TypeToolCallArgs, frameStart + `{"type":"TOOL_CALL_ARGS","toolCallId":`}
	case verify.KindReasoningMessage:
		return contentEvent{events.TypeReasoningMessageContent, frameStart + `{"type":"REASONING_MESSAGE_CONTENT","messageId":`}
	default:
		return contentEvent{events.TypeTextMessageContent, frameStart + `{"type":"TEXT_MESSAGE_CONTENT","messageId":`}
	}
}

// setUp makes the stream write for the id with the tag.
func (s *stream) setUp(k verify.Kind, id string, tag events.Opt[string]) {
	s.event, s.tag = contentOf(k), tag
	prefix := append(s.prefix[:0], s.event.head...)
	prefix = quote.AppendString(prefix, id)
	if owner, ok := tag.Get(); ok {
		prefix = append(prefix, `,"subagentRunId":`...)
		prefix = quote.AppendString(prefix, owner)
	}
	s.prefix = append(prefix, `,"delta":"`...)
}

// isFor reports whether the stream is set up for the tag.
func (s *stream) isFor(tag events.Opt[string]) bool {
	return s.prefix != nil && s.tag.IsSet() == tag.IsSet() && (!tag.IsSet() || s.tag == tag)
}

const contentEnd = `"}` + frameEnd

// content checks and writes one delta of the entity id: the path that most events take, and that
// allocates nothing but the entity's prefix, once, and room for a frame that is larger than keepBuffer.
func (em *Emitter) content(k verify.Kind, id, delta string) error {
	if em.refused != nil {
		return em.refused
	}
	if em.mayExceed(len(id) + len(delta)) {
		return em.emit(contentValue(k, id, delta, em.tag))
	}
	em.mu.Lock()
	if err := em.late(); err != nil {
		return em.leave(err, mayPanic)
	}
	entity, err := em.gate.content(k, id, em.tag)
	if err == nil {
		err = em.writeContent(em.streamFor(entity, k, id, em.tag), nil, []byte(delta))
	}
	return em.leave(err, mayPanic)
}

// mayExceed reports whether a content event whose id and delta have n bytes may be larger than the limit:
// escaping makes up to six bytes of one.
func (em *Emitter) mayExceed(n int) bool {
	return em.maxEvent > 0 && contentFrame+6*(n+len(em.tag.Or(""))) > em.maxEvent
}

// contentFrame is more than a content event takes besides its id, its tag and its delta.
const contentFrame = 128

// largestDelta returns how many bytes a delta can have and be sure to be within the limit, of an entity
// whose id has idLen bytes. Less than a character is too little to write any.
func (em *Emitter) largestDelta(idLen int) int {
	if em.maxEvent <= 0 {
		return math.MaxInt
	}
	return (em.maxEvent-contentFrame)/6 - idLen - len(em.tag.Or(""))
}

// isDelta reports whether ev adds to something and may wait for others of its kind: a content event, or a
// chunk that carries a delta.
func isDelta(ev events.Event) bool {
	switch e := ev.(type) {
	case *events.TextMessageContent, *events.ToolCallArgs, *events.ReasoningMessageContent:
		return true
	case *events.TextMessageChunk:
		return e.Delta.IsSet()
	case *events.ToolCallChunk:
		return e.Delta.IsSet()
	case *events.ReasoningMessageChunk:
		return e.Delta.IsSet()
	}
	return false
}

// contentValue returns a content event as a value, for the general path.
func contentValue(k verify.Kind, id, delta string, tag events.Opt[string]) events.Event {
	switch k {
	case verify.KindToolCall:
		return &events.ToolCallArgs{ToolCallID: id, Delta: delta, SubagentRunID: tag}
	case verify.KindReasoningMessage:
		return &events.ReasoningMessageContent{MessageID: id, Delta: delta, SubagentRunID: tag}
	default:
		return &events.TextMessageContent{MessageID: id, Delta: delta, SubagentRunID: tag}
	}
}

// streamFor returns the entity's stream, set up for the tag.
func (r *run) streamFor(e *verify.Entity, k verify.Kind, id string, tag events.Opt[string]) *stream {
	if s, ok := streamOf(e); ok && s.isFor(tag) {
		return s
	}
	if e == nil && r.untracked.isFor(k, id, tag) {
		return &r.untracked.stream
	}
	return r.setUpStream(e, k, id, tag)
}

// setUpStream sets up the entity's stream for the tag, which is done at the first content: entities without
// any pay nothing. What is not tracked shares a stream that is set up for each in turn.
func (r *run) setUpStream(e *verify.Entity, k verify.Kind, id string, tag events.Opt[string]) *stream {
	s, ok := streamOf(e)
	switch {
	case ok:
	case e != nil:
		s = new(stream)
		e.Aux = s
	case r.untracked == nil:
		r.untracked = new(untracked)
		fallthrough
	default:
		r.untracked.kind, r.untracked.id = k, append(r.untracked.id[:0], id...)
		s = &r.untracked.stream
	}
	s.setUp(k, id, tag)
	return s
}

// writeContent writes one content event, whose delta is head, which may be nil, and body, each whole
// characters. It only reads body, so that callers that have a string convert it without a copy.
func (r *run) writeContent(s *stream, head *tail, body []byte) error {
	out := r.outbox.room(len(s.prefix) + len(body) + contentFrame)
	frames := append(out.bytes, s.prefix...)
	if head != nil {
		frames = quote.AppendEscaped(frames, head.text())
	}
	frames = quote.AppendEscaped(frames, body)
	frames = append(frames, contentEnd...)
	size := len(frames) - len(out.bytes)
	out.bytes = frames
	if s.event.eventType == events.TypeToolCallArgs && (r.untracked == nil || s != &r.untracked.stream) {
		if head != nil {
			s.args.scan(head.text())
		}
		s.args.scan(body)
	}
	if r.window > 0 || len(r.listeners) > 0 {
		return r.sendSoon(s.event.eventType, nil, size)
	}
	_, err := deliver(r.sink, frames)
	return r.sent(err)
}

// endTail writes U+FFFD for a character that was begun through a handle of the entity that ev closes, and
// never ended.
func (r *run) endTail(ev events.Event) error {
	var k verify.Kind
	var id string
	var tag events.Opt[string]
	switch e := ev.(type) {
	case *events.TextMessageEnd:
		k, id, tag = verify.KindTextMessage, e.MessageID, e.SubagentRunID
	case *events.ToolCallEnd:
		k, id, tag = verify.KindToolCall, e.ToolCallID, e.SubagentRunID
	case *events.ReasoningMessageEnd:
		k, id, tag = verify.KindReasoningMessage, e.MessageID, e.SubagentRunID
	default:
		return nil
	}
	entity := r.gate.entity(k, id, tag)
	s, ok := streamOf(entity)
	if !ok || s.tail.n == 0 || r.gate.would(ev) != nil {
		return nil //nolint:nilerr // nothing waits, or the machine is about to refuse ev, which then changes nothing
	}
	if err := r.gate.resume(entity, tag); err != nil {
		return err
	}
	s.tail.n = 0
	return r.writeContent(r.streamFor(entity, k, id, tag), nil, []byte("\uFFFD"))
}
