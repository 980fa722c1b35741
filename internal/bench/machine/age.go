package machine

import (
	"context"
	"fmt"
	"strings"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
	"github.com/agui-go/agui/verify"
)

const ageAbout = `
The same events early and late in a run: after 10 events, and after 1,000,000, which have brought in %s ids that the
machine keeps. A message is its start, three deltas and its end; one has the id of an earlier message each time,
which leaves the run as old as it was.`

const (
	rowEarly      = "after 10"
	rowEarlyAgain = "after 10, again"
	rowLate       = "after 1,000,000"
)

func ages(ctx context.Context, o report.Options) (*report.Result, error) {
	late := 1_000_000
	if o.Short {
		late = 10_000
	}
	r := &report.Result{Header: []string{"", "after 10, ns", rowEarlyAgain, rowLate}}
	var all, twins []measure.Ratio
	retained := 0
	for _, work := range []struct {
		name string
		do   func(*verify.Verifier) func(n int) error
	}{
		{"content by id", contents},
		{"content by entity", continues},
		{"message with a known id", lives},
	} {
		var rows []measure.Row
		for _, row := range []struct {
			name   string
			events int
		}{{rowEarly, 10}, {rowEarlyAgain, 10}, {rowLate, late}} {
			v, err := aged(row.events)
			if err != nil {
				return nil, err
			}
			retained = v.Retained()
			rows = append(rows, measure.Row{Name: row.name, Do: work.do(v)})
		}
		t, err := measure.Rows(ctx, o, "Age/"+work.name, rows)
		if err != nil {
			return nil, err
		}
		twin := t.Ratio(rowEarlyAgain, rowEarly)
		ratio := t.Ratio(rowLate, rowEarly).Beside(twin)
		all, twins = append(all, t.Ratio(rowLate, rowEarly)), append(twins, twin)
		r.Rows = append(r.Rows, []string{
			work.name, fmt.Sprintf("%.1f", t.NS(rowEarly)),
			fmt.Sprintf("%.2f", twin.Median), fmt.Sprintf("%.2f", ratio.Median),
		})
		r.Goals = append(r.Goals, report.Goal{
			Number: 17, Unit: "x", What: work.name + " after 1,000,000 events, against after 10",
			Got: ratio.Median, Want: 1.3, Noise: ratio.Noise,
		})
	}
	r.About = fmt.Sprintf(ageAbout, thousands(retained))
	same := measure.Geomean(twins)
	mean := measure.Geomean(all).Beside(same)
	r.Ratios = []report.Ratio{{Name: "machine, after 1,000,000 events, against after 10", Got: mean.Median, Noise: mean.Noise}}
	r.Twins = []report.Twin{{What: rowEarlyAgain + " takes as long as " + rowEarly, Got: same.Median}}
	return r, nil
}

const (
	openID  = "msg_019ad4a1c2f07d4c8e0b5a4f6d1c9b3e"
	knownID = "msg_019ad4a1c2f07d4c8e0b5a4f6d1c9b3f"
)

// aged returns a verifier that has seen n events: messages of three deltas with an id each. One message is
// open, and one was.
func aged(n int) (*verify.Verifier, error) {
	v := verify.New(verify.Strict)
	for _, ev := range []events.Event{
		events.NewRunStarted("thread", "run"),
		events.NewTextMessageStart(knownID),
		events.NewTextMessageEnd(knownID),
		events.NewTextMessageStart(openID),
	} {
		if err := v.Observe(ev); err != nil {
			return nil, err
		}
	}
	for i := 0; v.Index()+eventsOfLife <= n; i++ {
		if err := life(v, longID(i)); err != nil {
			return nil, err
		}
	}
	return v, nil
}

const eventsOfLife = 5

// life is a message of three deltas.
func life(v *verify.Verifier, id string) error {
	if err := v.Observe(&events.TextMessageStart{MessageID: id}); err != nil {
		return err
	}
	for range eventsOfLife - 2 {
		if _, err := v.Content(verify.KindTextMessage, id, tag{}); err != nil {
			return err
		}
	}
	return v.Observe(&events.TextMessageEnd{MessageID: id})
}

func contents(v *verify.Verifier) func(n int) error {
	id := strings.Clone(openID)
	return func(n int) error {
		for range n {
			if _, err := v.Content(verify.KindTextMessage, id, tag{}); err != nil {
				return err
			}
		}
		return nil
	}
}

func continues(v *verify.Verifier) func(n int) error {
	e := v.Entity(verify.KindTextMessage, openID, tag{})
	return func(n int) error {
		for range n {
			if err := v.Continue(e, tag{}); err != nil {
				return err
			}
		}
		return nil
	}
}

func lives(v *verify.Verifier) func(n int) error {
	id := strings.Clone(knownID)
	return func(n int) error {
		for range n {
			if err := life(v, id); err != nil {
				return err
			}
		}
		return nil
	}
}

// thousands writes n with a comma before every three digits.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}
