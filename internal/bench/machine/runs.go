package machine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
	"github.com/agui-go/agui/verify"
)

const runsAbout = `
Whole runs through a new verifier each time, for one event of the run: ours (Verifier.Observe), which checks order and
values with Strict and order alone with Core, and the official TypeScript one in Node.js, which checks order
(verifyEvents of @ag-ui/client), or values before (enforceEvents). The events are the same, as decoded values in
memory; where messages are open at once, all are before the first delta and until the last. Each clock is in the
process of its verifier and leaves out other processes; all have run the sequence before. The map has a look-up for each
event, the least for a writer that looks at ids. In brackets: allocations for one event.`

const (
	rowObserve = "Observe"
	rowAgain   = "Observe again"
	rowCore    = "Observe, Core"
	rowTS      = "TypeScript, order"
	rowTSAll   = "TypeScript, values and order"

	partsOfRun   = 500
	warmUpEvents = 200_000 // how many events a client has seen before it is timed
	longRun      = 20_000  // from how many events on half the rounds will do, since a turn has so many
)

// pair is two rows that do the same work.
type pair struct{ theirs, ours string }

var alike = []pair{{rowTS, rowCore}, {rowTSAll, rowObserve}}

// Why a run is less than twenty times as fast.
const (
	whyIDs  = "most of the run is ids that it has not seen before: an entity and its copy of the id to allocate, and an entry in the table of all ids (a hash, a look-up that must fail, the copy of the bytes, the growth of the table), about 250 ns for an id of 36 characters; a content event is over twenty times as fast, as the row of one message shows"
	whyLook = "a delta whose id is not that of the one before is looked up in ours, which adds some 17 ns to its 26; the official verifier looks every id up, and so takes no longer than for one message"
)

func runs(ctx context.Context, o report.Options) (*report.Result, error) {
	r := &report.Result{About: runsAbout, Header: []string{"run", "events", "ours, ns", rowAgain, rowCore, rowMap, rowTS, rowTSAll}}
	parts := partsOfRun
	if o.Short {
		parts = 20
	}
	var ours, twins []measure.Ratio
	for _, s := range sequences(parts) {
		t, err := measureRun(ctx, o, s)
		if err != nil {
			return nil, fmt.Errorf("machine: %s: %w", s.name, err)
		}
		row := []string{s.name, fmt.Sprint(len(s.events)), fmt.Sprintf("%.1f (%.2g)", t.NS(rowObserve), t.Allocs[rowObserve])}
		for _, name := range r.Header[3:] {
			row = append(row, fmt.Sprintf("%.3g", t.Ratio(name, rowObserve).Median))
		}
		r.Rows = append(r.Rows, row)
		twin := t.Ratio(rowAgain, rowObserve)
		for _, like := range s.judged() {
			theirs := t.Ratio(like.theirs, like.ours).Beside(twin)
			r.Goals = append(r.Goals, report.Goal{
				Number: 16, Unit: "x", AtLeast: true, What: like.theirs + ", against " + like.ours + ", " + s.name,
				Got: theirs.Median, Want: 20, Noise: theirs.Noise, Why: s.why,
			})
		}
		least := t.Ratio(rowTS, rowObserve)
		r.Orders = append(r.Orders, report.Order{What: "TypeScript takes longer than ours, " + s.name, Got: least.Median, Noise: least.Noise})
		ours, twins = append(ours, t.Ratio(rowObserve, rowMap)), append(twins, twin)
	}
	same := measure.Geomean(twins)
	mean := measure.Geomean(ours).Beside(same)
	r.Ratios = []report.Ratio{{Name: "machine, whole runs, against map look-ups", Got: mean.Median, Noise: mean.Noise}}
	r.Twins = []report.Twin{{What: rowAgain + " takes as long as " + rowObserve, Got: same.Median}}
	return r, nil
}

// measureRun measures the sequence. All of it is to be accepted.
func measureRun(ctx context.Context, o report.Options, s sequence) (t *measure.Times, err error) {
	c, err := start(ctx, s)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, c.stop()) }()
	for _, mode := range []string{orderOnly, withSchemas} {
		if err := c.warmUp(mode, len(s.events), o.Short); err != nil {
			return nil, err
		}
	}
	n := len(s.events)
	if n > longRun {
		o.Rounds = max(1, cmp.Or(o.Rounds, report.DefaultRounds)/2)
	}
	ours := func(set verify.Set) func(int) error { return observing(s, set) }
	theirs := func(mode string) func(int) (time.Duration, error) {
		return func(n int) (time.Duration, error) {
			took, _, err := c.passes(mode, n)
			return took, err
		}
	}
	return measure.Rows(ctx, o, "Runs/"+s.name, []measure.Row{
		{Name: rowObserve, Once: n, Do: ours(verify.Strict)},
		{Name: rowAgain, Once: n, Do: ours(verify.Strict)},
		{Name: rowCore, Once: n, Do: ours(verify.Core)},
		{Name: rowMap, Once: n, Do: mapping(s)},
		{Name: rowTS, Once: n, Clock: theirs(orderOnly)},
		{Name: rowTSAll, Once: n, Clock: theirs(withSchemas)},
	})
}

// warmUp has the client compile what it runs often. All events are to come out.
func (c *client) warmUp(mode string, events int, short bool) error {
	passes := max(1, warmUpEvents/events)
	if short {
		passes = 1
	}
	_, out, err := c.passes(mode, passes)
	if err == nil && out != events {
		err = fmt.Errorf("the official verifier let %d of %d events through", out, events)
	}
	return err
}

func observing(s sequence, set verify.Set) func(n int) error {
	return func(n int) error {
		for range n {
			v := verify.New(set)
			for _, ev := range s.events {
				if err := v.Observe(ev); err != nil {
					return err
				}
			}
			if err := v.End(); err != nil {
				return err
			}
		}
		return nil
	}
}

// mapping looks each event's id up in a map of all that the run has.
func mapping(s sequence) func(n int) error {
	m := map[string]slot{}
	var ids []string
	for _, ev := range s.events {
		id := idOf(ev)
		m[strings.Clone(id)] = slot{kind: verify.KindTextMessage, open: true}
		ids = append(ids, id)
	}
	look := looking(m, ids)
	return func(n int) error {
		for range n {
			if err := look(len(ids)); err != nil {
				return err
			}
		}
		return nil
	}
}

// idOf returns what an event of the sequences is about.
func idOf(ev events.Event) string {
	switch e := ev.(type) {
	case *events.TextMessageStart:
		return e.MessageID
	case *events.TextMessageContent:
		return e.MessageID
	case *events.TextMessageEnd:
		return e.MessageID
	case *events.ToolCallStart:
		return e.ToolCallID
	case *events.ToolCallArgs:
		return e.ToolCallID
	case *events.ToolCallEnd:
		return e.ToolCallID
	case *events.ToolCallResult:
		return e.ToolCallID
	case *events.ReasoningStart:
		return e.MessageID
	case *events.ReasoningMessageStart:
		return e.MessageID
	case *events.ReasoningMessageContent:
		return e.MessageID
	case *events.ReasoningMessageEnd:
		return e.MessageID
	case *events.ReasoningEnd:
		return e.MessageID
	case *events.StepStarted:
		return e.StepName
	case *events.StepFinished:
		return e.StepName
	case *events.ActivitySnapshot:
		return e.MessageID
	}
	return string(ev.EventType())
}
