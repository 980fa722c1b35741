package machine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/agui-go/agui/internal/bench/instructions"
	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
	"github.com/agui-go/agui/verify"
)

const lookupAbout = `
The ordering machine alone, for one content event: by id (Verifier.Content) and by the entity in hand
(Verifier.Continue), against one look-up of the same id in a Go map of the open messages and one look at the kind and
state that are found. Ids have 36 characters and are in other memory than the map's keys. The loop around the calls is
in all figures.`

const (
	rowMap    = "map look-up"
	rowTwin   = "map again"
	rowID     = "by id"
	rowEntity = "by entity"
)

// errLost is what a look-up ends with that does not find what is there.
var errLost = errors.New("machine: an open message was not found")

// scene is how many messages are open, and how many deltas of one come in a row.
type scene struct {
	open, burst int
}

func (s scene) String() string {
	switch {
	case s.open == 1:
		return "1 open"
	case s.burst == 1:
		return fmt.Sprintf("%d open, random order", s.open)
	}
	return fmt.Sprintf("%d open, bursts of %d", s.open, s.burst)
}

// Why a hit is more than half a look-up, by the table of instructions.
const (
	whyHit    = "a hit takes 161 instructions, a look-up 213. Both compare 36 bytes, which takes 53, and both have the loop, which takes 29: that alone is 0.38 of a look-up. What is left is hash and search for the one (130), and kind, phase, owner, lanes and index of the event for the other (80). With a comparison of half as many instructions a hit was no faster"
	whyRandom = "an id that is not the last one is looked up in the same map, and the 80 instructions for kind, phase, owner, lanes and index of the event come on top of 229"
	whyEntity = "it is 43 instructions of the machine and 25 of the loop around it, beside 213 for a look-up with its loop: the loop alone is more than a tenth. The index of the event is a number in memory that each event increases, so that two events cannot overlap"
)

var scenes = []scene{{1, 1}, {100, 20}, {100, 1}, {10_000, 20}, {10_000, 1}}

func lookups(ctx context.Context, o report.Options) (*report.Result, error) {
	r := &report.Result{About: lookupAbout, Header: []string{"", "map, ns", rowTwin, rowID, rowEntity}}
	var all []*measure.Times
	for _, s := range scenes {
		t, err := measureScene(ctx, o, s)
		if err != nil {
			return nil, err
		}
		row := []string{s.String(), fmt.Sprintf("%.1f", t.NS(rowMap))}
		for _, name := range r.Header[2:] {
			row = append(row, fmt.Sprintf("%.2f (%.2g)", t.Ratio(name, rowMap).Median, t.Allocs[name]))
		}
		r.Rows = append(r.Rows, row)
		all = append(all, t)
	}
	judgeLookups(r, all)
	return r, nil
}

// judgeLookups adds what is asked of the look-ups, given the times of all scenes.
func judgeLookups(r *report.Result, all []*measure.Times) {
	var byID, byEntity, apart, twins []measure.Ratio
	for i, t := range all {
		twin := t.Ratio(rowTwin, rowMap)
		id, entity := t.Ratio(rowID, rowMap), t.Ratio(rowEntity, rowMap)
		byID, byEntity, twins = append(byID, id), append(byEntity, entity), append(twins, twin)
		apart = append(apart, t.Ratio(rowID, rowEntity))
		goalsOf(r, scenes[i], id.Beside(twin), entity.Beside(twin))
		if scenes[i].open > 1 {
			continue
		}
		// The noise is that of the rounds: what the twin is off is large when rows are mixed up.
		for _, look := range []string{rowMap, rowTwin} {
			longer := t.Ratio(look, rowID)
			r.Orders = append(r.Orders, report.Order{What: look + " takes longer than by id, " + scenes[i].String(), Got: longer.Median, Noise: longer.Noise})
		}
	}
	same, longer := measure.Geomean(twins), measure.Geomean(apart)
	id, entity := measure.Geomean(byID).Beside(same), measure.Geomean(byEntity).Beside(same)
	r.Ratios = []report.Ratio{
		{Name: "machine, by id, against a map look-up", Got: id.Median, Noise: id.Noise},
		{Name: "machine, by entity, against a map look-up", Got: entity.Median, Noise: entity.Noise},
	}
	r.Twins = []report.Twin{{What: rowTwin + " takes as long as " + rowMap, Got: same.Median}}
	r.Orders = append(r.Orders, report.Order{What: "by id takes longer than by entity", Got: longer.Median, Noise: longer.Noise})
}

// goalsOf adds the goals of a scene.
func goalsOf(r *report.Result, s scene, id, entity measure.Ratio) {
	goal := report.Goal{Number: 9, Unit: "x", What: s.String() + ", by id, against a map look-up", Got: id.Median, Noise: id.Noise, Want: 0.5, Why: whyHit}
	if s.open > 1 && s.burst == 1 {
		goal.Want, goal.Why = 1.05, whyRandom
	}
	r.Goals = append(r.Goals, goal)
	if s.open > 1 {
		return
	}
	r.Goals = append(r.Goals, report.Goal{Number: 9, Unit: "x", What: "by entity, against a map look-up", Got: entity.Median, Noise: entity.Noise, Want: 0.1, Why: whyEntity})
	r.Lines = []report.Line{{Place: 4, What: "the ordering machine on a delta, against one Go map look-up", Figure: fmt.Sprintf("%.2f x", id.Median)}}
}

func measureScene(ctx context.Context, o report.Options, s scene) (*measure.Times, error) {
	rows, err := s.rows()
	if err != nil {
		return nil, err
	}
	return measure.Rows(ctx, o, "Machine/"+s.String(), rows)
}

// Counted returns tables of one content event whose instructions are worth counting.
func Counted() []instructions.Table {
	var tables []instructions.Table
	for _, s := range []scene{{1, 1}, {100, 1}} {
		tables = append(tables, instructions.Table{
			Name: s.String(),
			Open: func() ([]measure.Row, func() error, error) {
				rows, err := s.rows()
				rows = slices.DeleteFunc(rows, func(r measure.Row) bool { return r.Name == rowTwin })
				return rows, func() error { return nil }, err
			},
			Watched: []string{rowID, rowEntity},
		})
	}
	return tables
}

// rows are a look-up in a map, and what the machine does for a content event.
func (s scene) rows() ([]measure.Row, error) {
	v, err := opened(s.open)
	if err != nil {
		return nil, err
	}
	ids := order(s.open, s.burst)
	entities := make([]*verify.Entity, len(ids))
	for i, id := range ids {
		if entities[i] = v.Entity(verify.KindTextMessage, id, tag{}); entities[i] == nil {
			return nil, errLost
		}
	}
	return []measure.Row{
		{Name: rowMap, Do: looking(slots(s.open), ids)},
		{Name: rowTwin, Do: looking(slots(s.open), ids)},
		{Name: rowID, Do: func(n int) error {
			for i := 0; n > 0; n-- {
				if _, err := v.Content(verify.KindTextMessage, ids[i], tag{}); err != nil {
					return err
				}
				if i++; i == len(ids) {
					i = 0
				}
			}
			return nil
		}},
		{Name: rowEntity, Do: func(n int) error {
			for i := 0; n > 0; n-- {
				if err := v.Continue(entities[i], tag{}); err != nil {
					return err
				}
				if i++; i == len(entities) {
					i = 0
				}
			}
			return nil
		}},
	}, nil
}

// looking looks the ids up in the map, one after the other.
func looking(m map[string]slot, ids []string) func(n int) error {
	return func(n int) error {
		for i := 0; n > 0; n-- {
			if s := m[ids[i]]; !s.open || s.kind != verify.KindTextMessage || s.owner != 0 {
				return errLost
			}
			if i++; i == len(ids) {
				i = 0
			}
		}
		return nil
	}
}
