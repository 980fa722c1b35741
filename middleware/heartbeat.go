package middleware

import (
	"bytes"

	"github.com/agui-go/agui/events"
)

const keepAliveFrame = ": keep-alive\n\n"

// heartbeat is what is sent after a silence: a comment, or, for clients that cannot see one, a CUSTOM
// event.
//
// The event does not go through the emitter, which would have to be locked while it is decided whether
// one may be sent. Its place is always in order: it comes after RUN_STARTED and before the terminal
// event, and a CUSTOM event changes nothing there but that it closes the text, call or reasoning that a
// client assembles from chunks. While one of those may be open, a comment is sent instead.
type heartbeat struct {
	chunks bool // the parent agent's chunks may not be complete
}

// newHeartbeat returns the frame of the event of the name, nil for an empty one, which stands for comments.
func newHeartbeat(name string) []byte {
	if name == "" {
		return nil
	}
	ev, _ := events.NewCustom(name, nil) // nil and strings always have a JSON form
	frame, _ := ev.AppendJSON([]byte("data: "))
	return append(frame, "\n\n"...)
}

// frame returns what to send now: event, if there is one and it may be sent.
func (h *heartbeat) frame(event []byte) []byte {
	if event == nil || h.chunks {
		return []byte(keepAliveFrame)
	}
	return event
}

// note looks at the frames that are written.
func (h *heartbeat) note(frames []byte) {
	for frame := range bytes.SplitSeq(frames, []byte("\n\n")) {
		if rest, ok := bytes.CutPrefix(frame, []byte(`data: {"type":"`)); ok {
			h.noteEvent(rest)
		}
	}
}

// noteEvent looks at an event, from its type on. Chunks of a subagent count as the parent's, and what
// may be a subagent's event closes nothing of the parent's: to err that way costs a comment.
func (h *heartbeat) noteEvent(ev []byte) {
	name, _, _ := bytes.Cut(ev, []byte(`"`))
	switch {
	case bytes.HasSuffix(name, []byte("_CHUNK")):
		h.chunks = true
	case !h.chunks || closesNothing(events.Type(name)) || bytes.Contains(ev, []byte(`"subagentRunId"`)):
	default:
		h.chunks = false
	}
}

// closesNothing reports whether chunks of the same agent go on after an event of the type.
func closesNothing(t events.Type) bool {
	switch t {
	case events.TypeRaw, events.TypeActivitySnapshot, events.TypeActivityDelta, events.TypeReasoningEncryptedValue,
		events.TypeSubagentStarted, events.TypeSubagentFinished, events.TypeSubagentError:
		return true
	}
	return false
}
