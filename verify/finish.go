package verify

import "github.com/agui-go/agui/events"

// finish judges a RUN_FINISHED.
func (t *trial) finish() {
	_ = t.noInterrupts() || t.openAtFinish() || t.runMismatch() || t.duplicateInterrupt() || t.pendingToolCalls()
}

// outcome returns what the RUN_FINISHED says of interrupts, whether it says that the run was
// interrupted, and the calls that it says are pending.
func (t *trial) outcome() (interrupts []events.Interrupt, interrupted bool, pending []string) {
	switch o := t.act.event.(*events.RunFinished).Outcome.(type) {
	case events.RunInterrupted:
		return o.Interrupts, true, nil
	case *events.RunInterrupted:
		if o != nil {
			return o.Interrupts, true, nil
		}
	case events.RunSuccess:
		return nil, false, o.PendingToolCallIDs
	case *events.RunSuccess:
		if o != nil {
			return nil, false, o.PendingToolCallIDs
		}
	}
	return nil, false, nil
}

func (t *trial) noInterrupts() bool {
	interrupts, interrupted, _ := t.outcome()
	return interrupted && len(interrupts) == 0 && t.breaks(InvalidOutcome)
}

func (t *trial) openAtFinish() bool {
	return t.v.open.count > 0 && t.breaks(OpenAtFinish)
}

// runMismatch compares with the RUN_STARTED that began the run, if there was one.
func (t *trial) runMismatch() bool {
	ev := t.act.event.(*events.RunFinished)
	other := t.v.begun && (ev.ThreadID != t.v.threadID || ev.RunID != t.v.runID)
	return other && t.breaks(RunMismatch)
}

func (t *trial) duplicateInterrupt() bool {
	_, second := t.twins()
	return second > 0 && t.breaks(DuplicateInterrupt)
}

// twins returns the places of the first two interrupts that share an id; second is 0 if none do.
func (t *trial) twins() (first, second int) {
	interrupts, _, _ := t.outcome()
	if len(interrupts) < 2 {
		return 0, 0
	}
	seen := make(map[string]int, len(interrupts))
	for i, interrupt := range interrupts {
		if first, ok := seen[interrupt.ID]; ok {
			return first, i
		}
		seen[interrupt.ID] = i
	}
	return 0, 0
}

func (t *trial) pendingToolCalls() bool {
	_, fault := t.pendingFault()
	return fault != pendingExact && t.breaks(PendingToolCalls)
}

// pendingFault says what is wrong with a list of pending calls.
type pendingFault uint8

const (
	pendingExact pendingFault = iota
	pendingStranger
	pendingAnswered
	pendingDisordered
	pendingMissing
)

// pendingFault returns the first fault of the list of pending calls and its place in it. The list is
// exact when it names only calls of this run without a result, in growing order of their start, and as
// many as there are.
func (t *trial) pendingFault() (int, pendingFault) {
	_, _, pending := t.outcome()
	if len(pending) == 0 {
		return 0, pendingExact
	}
	var last uint32
	for i, id := range pending {
		call := t.v.ledger.get(classToolCall, id)
		switch {
		case call.flags&started == 0:
			return i, pendingStranger
		case call.flags&answered != 0:
			return i, pendingAnswered
		case call.mark <= last:
			return i, pendingDisordered
		}
		last = call.mark
	}
	if len(pending) < t.v.pending {
		return len(pending), pendingMissing
	}
	return 0, pendingExact
}
