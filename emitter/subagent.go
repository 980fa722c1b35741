package emitter

import (
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
)

// What the client is told of a subagent that its code did not end, or ended with an error: the text of
// an error is the developer's.
const (
	subagentFailed   = "The subagent failed."
	codeSubagentFail = "subagent_error"
)

// A Subagent is the view of an emitter for one subagent: what is written through it carries the
// subagent's tag. It may have subagents of its own. Its methods may be called concurrently.
type Subagent struct {
	*Emitter
	ended bool // guarded by the emitter's lock
}

// Subagent starts a subagent and returns its view. The id is one that the run has not used before; an
// empty one stands for a new one. When it cannot be started, the view keeps the error, returns it from
// every call, and writes nothing.
//
//	sub := em.Subagent("", "researcher")
//	defer sub.Close() // as failed, unless Finish was reached
//	...
//	return sub.Finish(nil)
func (em *Emitter) Subagent(id, name string, opts ...SubagentOption) *Subagent {
	if id == "" {
		id = em.NewID(ids.Subagent)
	}
	view := *em
	view.tag = events.Some(id)
	view.ctx = NewContext(em.ctx, &view)
	view.refused = em.startSubagent(id, name, opts)
	return &Subagent{Emitter: &view}
}

// RunSubagent runs do as a new subagent, which ends as do does: as a success when it returns nil,
// unless it has ended the subagent itself, and as failed when it returns an error or panics. It returns
// do's error, or else the error of starting or ending the subagent. When the subagent cannot be
// started, do is not run. The client is not told the text of the error.
func (em *Emitter) RunSubagent(name string, do func(sub *Subagent) error, opts ...SubagentOption) error {
	sub := em.Subagent("", name, opts...)
	if sub.refused != nil {
		return sub.refused
	}
	defer sub.Close()
	if err := do(sub); err != nil {
		return err
	}
	if sub.isEnded() {
		return nil
	}
	return sub.Finish(nil)
}

func (em *Emitter) startSubagent(id, name string, opts []SubagentOption) error {
	m, err := gather(em, events.TypeSubagentStarted, opts, SubagentOption.subagent)
	if err != nil {
		return err
	}
	return em.emit(&events.SubagentStarted{
		Base:                m.base,
		SubagentRunID:       id,
		Name:                name,
		Description:         m.description,
		ParentSubagentRunID: em.tag,
		ParentToolCallID:    m.parentCall,
	})
}

// ID returns the subagent's id, which is the tag of its events.
func (s *Subagent) ID() string { return s.tag.Or("") }

// Finish ends the subagent as a success. The result is encoded as JSON; nil leaves it out. A result
// that cannot be encoded is an [*EncodeError], and the subagent can still be ended.
func (s *Subagent) Finish(result any) error {
	ev := &events.SubagentFinished{SubagentRunID: s.ID()}
	if result != nil {
		j, err := s.freeForm(ev.EventType(), "result", result)
		if err != nil {
			return err
		}
		if !j.IsNull() {
			ev.Result = j
		}
	}
	return s.end(ev)
}

// Suspend ends the subagent as one that waits for the interrupts that the run will end with; none
// means that one of its own subagents waits.
func (s *Subagent) Suspend(interruptIDs ...string) error {
	return s.end(&events.SubagentFinished{
		SubagentRunID: s.ID(),
		Outcome:       events.SubagentSuspended{InterruptIDs: interruptIDs},
	})
}

// Fail ends the subagent as failed; the run goes on. An empty code is left out.
func (s *Subagent) Fail(message, code string) error {
	return s.end(&events.SubagentError{SubagentRunID: s.ID(), Message: message, Code: nonEmpty(code)})
}

// Close ends the subagent as failed unless it has been ended; it is meant to be deferred, for the ways
// out that do not reach [Subagent.Finish]. It never panics; after the end of the run it returns an error
// that Is [ErrClosed] and writes nothing.
func (s *Subagent) Close() error {
	s.mu.Lock()
	if s.ended || s.refused != nil {
		s.mu.Unlock()
		return s.refused
	}
	s.ended = true
	return s.closeWith(&events.SubagentError{SubagentRunID: s.ID(), Message: subagentFailed, Code: events.Some(codeSubagentFail)})
}

func (s *Subagent) isEnded() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// end emits the event that ends the subagent.
func (s *Subagent) end(ev events.Event) error {
	if err := s.emit(ev); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	return nil
}
