package emitter

import (
	"fmt"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/verify"
)

const (
	frameStart = "data: "
	frameEnd   = "\n\n"
)

// Emit writes any event: the open door for members that no call has an option for. On the view of a
// subagent the event gets its tag where it may carry one and has none. Event types unknown to AG-UI
// 1.0, the retired THINKING_* among them, are refused as InvalidField. Emit does not keep ev.
//
// It fails as every call does: a [*verify.Violation] when the event breaks a rule, an [*EncodeError],
// a [*LimitError], or an error that Is [ErrDisconnected] or [ErrClosed].
func (em *Emitter) Emit(ev events.Event) error {
	p, err := events.Pointer(ev)
	if err != nil {
		return em.fault(&EncodeError{EventType: "nil event", Err: err})
	}
	switch e := p.(type) {
	case *events.Unknown:
		return em.emitUnknown(e)
	case *events.RunFinished: // the terminal event is kept for the observers
		kept := *e
		p = &kept
	case *events.RunError:
		kept := *e
		p = &kept
	}
	if tag, ok := em.tag.Get(); ok {
		if p, err = events.Tagged(p, tag); err != nil {
			return em.fault(&EncodeError{EventType: ev.EventType(), Err: err})
		}
	}
	return em.emit(p)
}

// emitUnknown refuses an event that the official client would drop, or one that would get past the checks
// in disguise: encoding says so.
func (em *Emitter) emitUnknown(ev *events.Unknown) error {
	if em.refused != nil {
		return em.refused
	}
	name := events.Type(clip.ID(string(ev.Name)))
	fault := &events.FieldError{Type: name, Pointer: "/type", Reason: "is not an event type of AG-UI 1.0"}
	em.mu.Lock()
	if em.closed != nil {
		return em.leave(em.closed, mayPanic)
	}
	if _, err := ev.AppendJSON(nil); err != nil {
		return em.leave(&EncodeError{EventType: name, Err: err}, mayPanic)
	}
	if build.NoVerify {
		return em.leave(&EncodeError{EventType: name, Err: fault}, mayPanic)
	}
	return em.leave(&verify.Violation{
		Rule:      verify.InvalidField,
		EventType: name,
		Index:     em.gate.refuse(fault),
		Sentence:  "this event type is not part of AG-UI 1.0, and clients drop it",
		Remedy:    "use the REASONING_* events, CUSTOM or RAW",
	}, mayPanic)
}

// emit encodes, checks and writes ev, which is in pointer form.
func (em *Emitter) emit(ev events.Event) error {
	_, err := em.open(ev)
	return err
}

// open is emit for an event that may open something, which it returns.
func (em *Emitter) open(ev events.Event) (*verify.Entity, error) {
	if em.refused != nil {
		return nil, em.refused
	}
	buf := takeBuffer()
	defer buf.giveBack()
	var err error
	if buf.bytes, err = em.encode(buf.bytes, ev); err != nil {
		return nil, em.fault(err)
	}
	em.mu.Lock()
	entity, err := em.put(ev, buf.bytes)
	return entity, em.leave(err, mayPanic)
}

// encode appends the frame of ev to dst, or says why it cannot be sent.
func (r *run) encode(dst []byte, ev events.Event) ([]byte, error) {
	frame, err := appendFrame(dst, ev)
	if err != nil {
		return dst, &EncodeError{EventType: ev.EventType(), Err: err}
	}
	if r.maxEvent > 0 && len(frame) > r.maxEvent {
		return frame, &LimitError{EventType: ev.EventType(), What: EventSize, Size: len(frame), Max: r.maxEvent}
	}
	return frame, nil
}

func appendFrame(dst []byte, ev events.Event) ([]byte, error) {
	frame, err := ev.AppendJSON(append(dst, frameStart...))
	if err != nil {
		return dst, err
	}
	return append(frame, frameEnd...), nil
}

// put checks ev and writes its frame. It returns what ev has opened. The caller holds the lock.
func (r *run) put(ev events.Event, frame []byte) (*verify.Entity, error) {
	if err := r.late(); err != nil {
		return nil, err
	}
	if err := r.checkIDs(ev); err != nil {
		return nil, err
	}
	if err := r.endTail(ev); err != nil {
		return nil, err
	}
	if err := r.gate.observe(ev); err != nil {
		return nil, err
	}
	r.noteChunks(ev)
	entity := r.opened(ev)
	switch e := ev.(type) {
	case *events.RunStarted:
		r.started, r.threadID, r.runID = true, e.ThreadID, e.RunID
	case *events.RunFinished, *events.RunError:
		r.terminal = ev
	case *events.ToolCallArgs:
		r.scanArgs(e)
	}
	if r.window > 0 && isDelta(ev) {
		out := r.outbox.room(len(frame))
		out.bytes = append(out.bytes, frame...)
		return entity, r.sendSoon(ev.EventType(), ev, len(frame))
	}
	return entity, r.sendNow(ev.EventType(), ev, frame)
}

// checkIDs refuses an event that brings in an id when the run has brought in all that it may: the machine
// keeps every one of them to the end.
func (r *run) checkIDs(ev events.Event) error {
	if r.maxIDs <= 0 {
		return nil
	}
	if n, full := r.gate.full(r.maxIDs, ev); full {
		return &LimitError{EventType: ev.EventType(), What: RunIDs, Size: n, Max: r.maxIDs}
	}
	return nil
}

// putEncoded encodes ev under the lock and puts it. It is for small events that must not be parted from
// the ones before and after.
func (r *run) putEncoded(ev events.Event) (*verify.Entity, error) {
	buf := takeBuffer()
	defer buf.giveBack()
	var err error
	if buf.bytes, err = r.encode(buf.bytes, ev); err != nil {
		return nil, err
	}
	return r.put(ev, buf.bytes)
}

// opened returns the entity that ev, which the machine has let pass, has opened, or nil.
func (r *run) opened(ev events.Event) *verify.Entity {
	var entity *verify.Entity
	switch e := ev.(type) {
	case *events.TextMessageStart:
		entity = r.gate.entity(verify.KindTextMessage, e.MessageID, e.SubagentRunID)
	case *events.ToolCallStart:
		entity = r.gate.entity(verify.KindToolCall, e.ToolCallID, e.SubagentRunID)
	case *events.ReasoningStart:
		entity = r.gate.entity(verify.KindReasoningSpan, e.MessageID, e.SubagentRunID)
	case *events.ReasoningMessageStart:
		entity = r.gate.entity(verify.KindReasoningMessage, e.MessageID, e.SubagentRunID)
	case *events.StepStarted:
		entity = r.gate.entity(verify.KindStep, e.StepName, e.SubagentRunID)
	case *events.SubagentStarted:
		entity = r.gate.entity(verify.KindSubagent, e.SubagentRunID, events.Opt[string]{})
	}
	if entity != nil && r.callers {
		entity.Caller = callSite()
	}
	return entity
}

// late returns why nothing more may be written, or nil. What comes after the run's own terminal event
// is for the machine to refuse; without it, this is where it ends.
func (r *run) late() error {
	if r.closed != nil {
		return r.closed
	}
	if build.NoVerify && r.terminal != nil {
		return &closedError{what: "the run has ended"}
	}
	return nil
}

// freeForm returns v as the JSON of the member name of an event.
func (em *Emitter) freeForm(t events.Type, name string, v any) (events.JSON, error) {
	j, err := events.NewJSON(v)
	if err != nil {
		return events.JSON{}, em.fault(&EncodeError{EventType: t, Err: fmt.Errorf("%s: %w", name, err)})
	}
	return j, nil
}
