// Package retained measures what a million ids cost that the ordering machine keeps until the run is over.
package retained

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
	"github.com/agui-go/agui/internal/bench/wire/child"
)

// Group returns the group of this package. Its children are this program, whose main calls [Child] first.
func Group() report.Group {
	return report.Group{Key: "retained", Title: "A million ids that are kept", Measure: retain}
}

const about = `
What is kept of %s messages that were opened and closed, with an id of 36 characters each, against a map of as many
ids: bytes of the heap for an id, CPU time that marking takes for each garbage collection, the slowest batch of 1,000
inserts (collections included), and the time of one insert, which for the verifier is the start and the end of a
message; and how many times as long the inserts of the last tenth take as those of the first. Each is a new process,
and takes %d turns; the figures are medians, but for the slowest batch, which is that of the best turn: what the code
makes slow is slow in each, and what other processes do is not.`

const (
	many      = 1_000_000
	shortMany = 20_000
	maxTurns  = 5
)

func retain(ctx context.Context, o report.Options) (*report.Result, error) {
	n, turns := many, maxTurns
	if o.Short {
		n, turns = shortMany, 1
	}
	turns = max(1, min(turns, o.Rounds))
	found := map[string][]figures{}
	for turn := range turns {
		for _, what := range []string{keepMap, keepVerifier} {
			f, err := inChild(ctx, what, n)
			if err != nil {
				return nil, fmt.Errorf("retained: %s: %w", what, err)
			}
			found[what] = append(found[what], f)
			if o.Progress != nil {
				fmt.Fprintf(o.Progress, "retained: turn %d of %d, %s\n", turn+1, turns, what)
			}
		}
	}
	return result(n, turns, found[keepMap], found[keepVerifier]), nil
}

func result(n, turns int, inMap, inVerifier []figures) *report.Result {
	r := &report.Result{
		About:  fmt.Sprintf(about, fmt.Sprint(n), turns),
		Header: []string{"", "B for an id", "marking, ms", "slowest 1,000, ms", "insert, ns", "last tenth against first"},
	}
	row := func(name string, all []figures) (m figures) {
		m = medians(all)
		r.Rows = append(r.Rows, []string{
			name, fmt.Sprintf("%.1f", m.BytesPerID), fmt.Sprintf("%.2f", m.MarkMS),
			fmt.Sprintf("%.1f", m.WorstMS), fmt.Sprintf("%.0f", m.InsertNS), fmt.Sprintf("%.2f", m.Growth),
		})
		return m
	}
	m, v := row("map[string]struct{}", inMap), row("verifier", inVerifier)
	noise := spread(inVerifier)
	r.Goals = []report.Goal{
		{Number: 10, What: "bytes of a retained id, against a map's", Got: v.BytesPerID / m.BytesPerID, Want: 0.52, Unit: "x"},
		{Number: 10, What: "marking with retained ids, against a map's", Got: v.MarkMS / m.MarkMS, Want: 0.02, Unit: "x", Noise: noise.MarkMS},
		{Number: 10, What: "the slowest 1,000 inserts", Got: v.WorstMS, Want: 4, Unit: "ms"},
		{Number: 18, What: "a retained id", Got: v.BytesPerID, Want: 55, Unit: "B"},
	}
	r.Ratios = []report.Ratio{{Name: "retained ids, bytes against a map's", Got: v.BytesPerID / m.BytesPerID}}
	return r
}

// medians are the medians of each figure, and the least of the slowest batches.
func medians(all []figures) figures {
	m := each(all, measure.Median)
	m.WorstMS = each(all, slices.Min[[]float64]).WorstMS
	return m
}

// spread is by what share the best of the figures is off the median.
func spread(all []figures) figures {
	return each(all, func(values []float64) float64 {
		middle := measure.Median(values)
		return (middle - slices.Min(values)) / middle
	})
}

func each(all []figures, fn func([]float64) float64) figures {
	column := func(get func(figures) float64) float64 {
		var values []float64
		for _, f := range all {
			values = append(values, get(f))
		}
		return fn(values)
	}
	return figures{
		BytesPerID: column(func(f figures) float64 { return f.BytesPerID }),
		MarkMS:     column(func(f figures) float64 { return f.MarkMS }),
		WorstMS:    column(func(f figures) float64 { return f.WorstMS }),
		InsertNS:   column(func(f figures) float64 { return f.InsertNS }),
		Growth:     column(func(f figures) float64 { return f.Growth }),
	}
}

// inChild has a process of its own keep n ids.
func inChild(ctx context.Context, what string, n int) (f figures, err error) {
	process, err := child.Start(ctx, name)
	if err != nil {
		return figures{}, err
	}
	defer func() { err = errors.Join(err, process.Close()) }()
	return f, process.Ask(question{what, n}, &f)
}
