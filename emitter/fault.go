package emitter

import (
	"log/slog"

	"github.com/agui-go/agui/internal/watch"
)

// faults are the reasons for which events of a run were not written, beside broken rules and a client that
// is gone.
type faults uint8

const (
	notEncoded faults = 1 << iota
	tooLarge
	tooLate // after the end of a handle, or of a run that has ended well
)

// faultOf returns the reason that err gives, 0 for one that is nobody's mistake or has its own record.
func faultOf(err error) faults {
	switch e := err.(type) {
	case *EncodeError:
		return notEncoded
	case *LimitError:
		return tooLarge
	case *closedError:
		if e.cause == nil {
			return tooLate
		}
	}
	return 0
}

// fault makes known that an event was not written, so that nobody overlooks it by ignoring the error: by
// one line of log for each reason in a run. It returns err.
func (em *Emitter) fault(err error) error {
	reason := faultOf(err)
	if reason == 0 {
		return err
	}
	if em.onFault != nil {
		em.onFault(err)
	}
	em.mu.Lock()
	seen := em.faults&reason != 0
	em.faults |= reason
	em.mu.Unlock()
	if !seen {
		em.log(em.ctx, slog.LevelWarn, "agui: an event was not written", slog.Any("error", err))
	}
	return err
}

// watch does what the test that the run belongs to wants.
func (r *run) watch(t watch.Test) {
	if t.Violation != nil {
		r.observe(watcher(t.Violation))
	}
	r.onFault = t.Fault
	if r.ids == nil {
		r.ids = t.IDs
	}
}
