package emitter

import "github.com/agui-go/agui/events"

// StepStart opens a step. Steps are known by their name, apart for each subagent.
func (em *Emitter) StepStart(name string, opts ...EventOption) error {
	ev := &events.StepStarted{StepName: name, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}

// StepFinish closes a step.
func (em *Emitter) StepFinish(name string, opts ...EventOption) error {
	ev := &events.StepFinished{StepName: name, SubagentRunID: em.tag}
	return em.emitWith(ev, &ev.Base, opts)
}

// Step runs do inside a step, which is closed also when do panics. It returns do's error, or else
// the error of closing the step, which Is [ErrClosed] when do has ended the run. When the step cannot
// be opened, do is not run.
func (em *Emitter) Step(name string, do func() error) (err error) {
	if err := em.StepStart(name); err != nil {
		return err
	}
	defer func() {
		em.mu.Lock()
		closeErr := em.closeWith(&events.StepFinished{StepName: name, SubagentRunID: em.tag})
		if err == nil {
			err = closeErr
		}
	}()
	return do()
}
