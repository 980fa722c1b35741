package emitter

import "github.com/agui-go/agui/events"

var keepAliveComment = []byte(": keep-alive\n\n")

// KeepAlive writes something into a silent stream, so that nobody between takes it for dead: a comment, which
// clients pass over, or, for those who do not see comments, a CUSTOM event of the name with the value null.
// The event goes the way of all events. While a client may be assembling something of the parent agent's
// from chunks, which a CUSTOM event would end, a comment is written all the same; so it is with an empty
// name. A delta that waits for the end of a flush window is written in its place.
//
// Nothing is written before RUN_STARTED, and the error is nil. After the terminal event the error Is
// [ErrClosed], when the client is gone it Is [ErrDisconnected]. An event can also fail as [Emitter.Custom]
// does: then a comment is written, and the error returned. KeepAlive never panics, and may be called
// concurrently with everything. Package middleware calls it where a stream has been silent for a while.
func (em *Emitter) KeepAlive(event string) error {
	if em.refused != nil {
		return em.refused
	}
	em.mu.Lock()
	return em.leave(em.keepAlive(event), neverPanic)
}

func (r *run) keepAlive(event string) error {
	switch {
	case r.closed != nil:
		return r.closed
	case r.terminal != nil:
		return &closedError{what: "the run has ended"}
	case !r.started:
		return nil
	case len(r.outbox.waiting()) > 0:
		return r.sendWaiting()
	case event == "" || r.chunks:
		return r.send("", nil, 0, keepAliveComment)
	}
	_, err := r.putEncoded(&events.Custom{Name: event})
	if err != nil && r.closed == nil { // it may not be sent: the stream is not to be silent for that
		if failed := r.send("", nil, 0, keepAliveComment); failed != nil {
			return failed
		}
	}
	return err
}

// noteChunks follows whether a client may be assembling something of the parent agent's from chunks: such a
// thing ends with the parent's next event, but for those that end nothing. Chunks of a subagent count as the
// parent's, and deltas end nothing: to err that way costs a comment in place of an event.
func (r *run) noteChunks(ev events.Event) {
	switch ev.(type) {
	case *events.TextMessageChunk, *events.ToolCallChunk, *events.ReasoningMessageChunk:
		r.chunks = true
	case *events.Raw, *events.ActivitySnapshot, *events.ActivityDelta, *events.ReasoningEncryptedValue:
	default:
		if r.chunks && !events.SubagentRunID(ev).IsSet() {
			r.chunks = false
		}
	}
}
