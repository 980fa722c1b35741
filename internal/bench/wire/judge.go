package wire

import (
	"fmt"

	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
)

// setups are the turns of all set-ups of a group.
type setups []*turns

// figure is one of the things that turns count.
type figure struct {
	more string // what one that has more of it does
	of   func(*turns) series
}

var (
	cpu    = figure{"takes more CPU than", func(t *turns) series { return t.cpu }}
	writes = figure{"makes more calls of write(2) than", func(t *turns) series { return t.writes }}
	size   = figure{"writes more bytes than", func(t *turns) series { return t.bytes }}
)

// mean is how many times the figure of b that of a is, as the geometric mean over the set-ups. Its noise is what
// the spread of the rounds makes of it. What the twin is off is not in it, because that is large when the twin
// has the code of another row.
func (all setups) mean(f figure, a, b kind) measure.Ratio {
	var ratios []measure.Ratio
	for _, t := range all {
		ratios = append(ratios, f.of(t).ratio(a, b))
	}
	return measure.Geomean(ratios)
}

// alike adds that the two bare handlers take about as much CPU.
func (all setups) alike(res *report.Result) {
	res.Twins = append(res.Twins, report.Twin{
		What: fmt.Sprintf("%s takes as much CPU as %s", twin, bare), Got: all.mean(cpu, twin, bare).Median,
	})
}

// falling adds that each of the kinds has more of the figure than the next one.
func (all setups) falling(res *report.Result, f figure, kinds ...kind) {
	for i, smaller := range kinds[1:] {
		r := all.mean(f, kinds[i], smaller)
		res.Orders = append(res.Orders, report.Order{
			What: fmt.Sprintf("%s %s %s", kinds[i], f.more, smaller), Got: r.Median, Noise: r.Noise,
		})
	}
}

// record puts on record how much of the CPU of the bases ours takes over all set-ups. The mean is off by less than
// each of them, and so shows smaller changes.
func (all setups) record(res *report.Result, bases ...kind) {
	same := all.mean(cpu, twin, bare)
	thing := fmt.Sprintf("CPU of %s, mean of all whole runs", ours)
	for _, base := range bases {
		r := all.mean(cpu, ours, base).Beside(same)
		res.Ratios = append(res.Ratios, report.Ratio{
			Name: fmt.Sprintf("%s, against %s", thing, base), Thing: thing, Got: r.Median, Noise: r.Noise,
		})
	}
}
