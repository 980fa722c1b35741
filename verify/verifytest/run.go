package verifytest

import (
	"errors"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// Machine judges one run, event by event. [*verify.Verifier] is a Machine.
//
// A method returns nil to accept. An error refuses, and tells the rule as [VerdictOf] reads it.
type Machine interface {
	// Observe judges the next event.
	Observe(ev events.Event) error
	// Refuse judges, in place of an event, what is wrong with one that cannot be decoded.
	Refuse(err *events.FieldError) error
	// End judges the end of the run. Only [verify.Strict] asks for it, and only when every event was
	// accepted.
	End() error
}

// Run holds the machine to every case that has a verdict of set, one subtest each. newMachine returns a
// machine that checks set and has seen nothing.
func Run(t *testing.T, set verify.Set, newMachine func(*testing.T) Machine) {
	t.Helper()
	RunJudge(t, set, func(t *testing.T, c Case) Verdict {
		m := newMachine(t)
		for i, data := range c.Events {
			if err := feed(t, m, data); err != nil {
				return VerdictOf(err, i)
			}
		}
		if set == verify.Strict {
			return VerdictOf(m.End(), len(c.Events))
		}
		return Verdict{OK: true}
	})
}

// feed gives one encoded event to m.
func feed(t *testing.T, m Machine, data []byte) error {
	t.Helper()
	ev, err := events.Decode(data)
	if err == nil {
		return m.Observe(ev)
	}
	field, ok := errors.AsType[*events.FieldError](err)
	if !ok {
		t.Fatalf("verifytest: BUG: an event of the suite is not JSON: %v", err)
	}
	return m.Refuse(field)
}

// RunJudge holds judge to every case that has a verdict of set, one subtest each. judge returns its verdict
// on the events of the case and, under [verify.Strict], on their end.
func RunJudge(t *testing.T, set verify.Set, judge func(*testing.T, Case) Verdict) {
	t.Helper()
	for c := range Cases() {
		want, ok := c.Want(set)
		if !ok {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			compare(t, set, c, judge(t, c), want)
		})
	}
}

func compare(t *testing.T, set verify.Set, c Case, got, want Verdict) {
	t.Helper()
	if got == want {
		return
	}
	t.Errorf("%s, %s\n got: %s\nwant: %s", set, c.ID, got, want)
	if c.About != "" {
		t.Log(c.About)
	}
	for i, data := range c.Events {
		t.Logf("%3d %s", i, data)
	}
}
