package emitter

import "github.com/agui-go/agui/events"

// RunStart opens the run and announces the protocol version. It must come before all else.
func (em *Emitter) RunStart(threadID, runID string, opts ...StartOption) error {
	m, err := gather(em, events.TypeRunStarted, opts, StartOption.start)
	if err != nil {
		return err
	}
	return em.emit(&events.RunStarted{
		Base:            m.base,
		ThreadID:        threadID,
		RunID:           runID,
		ProtocolVersion: events.Some(events.ProtocolVersion),
		ParentRunID:     m.parent,
	})
}

// RunFinish ends the run as a success. The result is encoded as JSON; nil leaves it out. A result that
// cannot be encoded is an [*EncodeError], and the run can still be ended. Everything that was opened
// must have been closed: see [Emitter.CloseOpen].
func (em *Emitter) RunFinish(result any, opts ...FinishOption) error {
	m, err := gather(em, events.TypeRunFinished, opts, FinishOption.finish)
	if err != nil {
		return err
	}
	ev := &events.RunFinished{Base: m.base, Usage: m.usage}
	if result != nil {
		j, err := em.freeForm(ev.EventType(), "result", result)
		if err != nil {
			return err
		}
		if !j.IsNull() {
			ev.Result = j
		}
	}
	if m.pending != nil {
		ev.Outcome = events.RunSuccess{PendingToolCallIDs: m.pending}
	}
	return em.finish(ev)
}

// RunInterrupt ends the run as one that waits for answers. It takes at least one interrupt, each with
// an id of its own: that of the tool call it is about, or one of em.NewID(ids.Interrupt). The tokens that
// the run spent go with it by Emit(events.RunFinished{...}). Calls of front-end tools need no interrupt: a run that made some ends by
// [Emitter.RunFinish].
func (em *Emitter) RunInterrupt(interrupts ...events.Interrupt) error {
	return em.finish(&events.RunFinished{Outcome: events.RunInterrupted{Interrupts: interrupts}})
}

// RunCancel ends the run as one that was stopped on purpose. Everything that was opened must have been
// closed: see [Emitter.CloseOpen].
func (em *Emitter) RunCancel() error {
	return em.finish(&events.RunFinished{Outcome: events.RunCancelled{}})
}

// finish emits the end of the run under the ids that it was started with.
func (em *Emitter) finish(ev *events.RunFinished) error {
	em.mu.Lock()
	ev.ThreadID, ev.RunID = em.threadID, em.runID
	em.mu.Unlock()
	return em.emit(ev)
}

// Complete ends the run from outside as a success: RUN_FINISHED is written and the emitter closed, as by
// [Emitter.Close], in one step. So a call that comes later, by a goroutine that was forgotten, finds the
// run over and breaks no rule. When RUN_FINISHED is refused, Complete does what [Emitter.RunFinish] does,
// and the run goes on.
func (em *Emitter) Complete() error {
	if em.refused != nil {
		return em.refused
	}
	em.mu.Lock()
	_, err := em.putEncoded(&events.RunFinished{ThreadID: em.threadID, RunID: em.runID})
	if err == nil {
		err = em.shut(nil)
	}
	if err := em.leave(err, mayPanic); err != nil {
		return err
	}
	return em.Close(nil)
}

// RunError ends a run that failed; what is open need not be closed. The message is shown to the user.
// An empty code is left out.
func (em *Emitter) RunError(message, code string, opts ...ErrorOption) error {
	m, err := gather(em, events.TypeRunError, opts, ErrorOption.fail)
	if err != nil {
		return err
	}
	return em.emit(&events.RunError{Base: m.base, Message: message, Code: nonEmpty(code), Usage: m.usage})
}
