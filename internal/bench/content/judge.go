package content

import (
	"fmt"
	"math"
	"slices"

	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
)

// rowOf is the line of a cell in the table.
func rowOf(c cell, t *measure.Times) []string {
	row := []string{c.String(), fmt.Sprintf("%.0f", t.NS(rowFloor))}
	for _, w := range writers[1:] {
		row = append(row, fmt.Sprintf("%.3g (%.2g)", t.Ratio(w.name, rowFloor).Median, t.Allocs[w.name]))
	}
	return row
}

// limit is a goal: how many times as long the row takes as the base at most, or the base as the row at least.
type limit struct {
	number  int
	row     string
	base    string
	text    string
	sizes   []int
	atLeast bool // the base takes at least this many times as long as the row
	want    float64
	why     string // why it is out of reach; empty: it is not
}

// Why small deltas are out of reach, by the table of instructions, a profile, and builds without one part after
// the other.
const (
	whySmall = "R takes 166 instructions for 16 B, and half of its time is its lock; ours 579 by handle and 661 by id, of which those above R overlap with the lock and with each other and so take 15 and 20 ns. 88 look for what needs escaping, 55 guard against a panic of the sink, 43 are the ordering machine by handle and 133 by id (53 compare the 36 bytes of the id), and the rest is what makes a call safe to make: is anything closed, whose tag is it, does the delta end within a character, may it be too large, does somebody listen. Without the guard, the dearest part, it would be 1.5 to 1.7 R by handle and 1.8 to 1.9 R by id; with a comparison of ids or a look for escapes in fewer instructions it was no faster"
	whyWide  = whySmall + ". A word of this text is several times as long to look at as one of ASCII: 333 instructions for 16 B of CJK, 477 for 16 of escaped JSON, two groups of eight bytes that depend on each other"
	whyPeer  = whySmall + ". The peer costs less beside R here than on the machine where the goal was set"
)

var limits = []limit{
	{2, rowID, rowFloor, "ASCII", []int{6}, false, 1.55, whySmall},
	{2, rowID, rowFloor, "ASCII", []int{16}, false, 1.5, whySmall},
	{2, rowID, rowFloor, "ASCII", []int{64}, false, 1.7, whySmall},
	{3, rowHandle, rowFloor, "ASCII", []int{6}, false, 1.35, whySmall},
	{3, rowHandle, rowFloor, "ASCII", []int{16}, false, 1.25, whySmall},
	{3, rowHandle, rowFloor, "ASCII", []int{64}, false, 1.4, whySmall},
	{4, rowID, rowFloor, "ASCII", []int{1024}, false, 5.5, ""},
	{4, rowID, rowFloor, "ASCII", []int{65536}, false, 9.5, ""},
	{5, rowHandle, rowFloor, "CJK", []int{6}, false, 1.6, whyWide},
	{5, rowHandle, rowFloor, "CJK", []int{16}, false, 1.6, whyWide},
	{5, rowHandle, rowFloor, "CJK", []int{64}, false, 2.1, whyWide},
	{5, rowHandle, rowFloor, "CJK", []int{1024}, false, 12, ""},
	{5, rowHandle, rowFloor, "CJK", []int{65536}, false, 20, ""},
	{6, rowHandle, rowFloor, "escaped JSON", []int{16}, false, 1.5, whyWide},
	{6, rowHandle, rowFloor, "escaped JSON", []int{64}, false, 4.4, whyWide},
	{6, rowHandle, rowFloor, "escaped JSON", []int{1024}, false, 43, ""},
	{6, rowHandle, rowFloor, "escaped JSON", []int{65536}, false, 75, ""},
	{7, rowID, rowJSON, "ASCII", []int{6, 16, 64}, true, 10, whyPeer},
	{7, rowID, rowJSON, "ASCII", []int{1024}, true, 9, ""},
	{7, rowID, rowJSON, "ASCII", []int{65536}, true, 7, ""},
	{7, rowID, rowJSON, "CJK", []int{6, 16, 64}, true, 8, whyPeer},
	{7, rowID, rowJSON, "CJK", []int{1024, 65536}, true, 4.5, ""},
	{7, rowID, rowJSON, "escaped JSON", []int{64}, true, 5, ""},
	{7, rowID, rowJSON, "escaped JSON", []int{1024}, true, 2.7, ""},
	{7, rowID, rowJSON, "prose", []int{64}, true, 4, ""},
	{7, rowID, rowJSON, "prose", []int{1024}, true, 2, ""},
	{8, rowID, rowSDK, "ASCII", []int{6, 16, 64}, true, 38, whyPeer},
	{8, rowID, rowSDK, "ASCII", []int{1024}, true, 30, whyPeer},
	{8, rowID, rowSDK, "ASCII", []int{65536}, true, 20, whyPeer},
}

var ours = []string{rowID, rowHandle, rowCore, rowWindow}

func (t table) goals() []report.Goal {
	goals := []report.Goal{{Number: 1, What: "allocations for a delta, the most of any text, size and way", Got: t.mostAllocs()}}
	for _, l := range limits {
		goals = append(goals, t.goal(l))
	}
	return goals
}

// goal is the limit with the worst figure of its sizes.
func (t table) goal(l limit) report.Goal {
	g := report.Goal{Number: l.number, Want: l.want, AtLeast: l.atLeast, Unit: "x", Why: l.why}
	first, last := sizeName(l.sizes[0]), sizeName(l.sizes[len(l.sizes)-1])
	span := first
	if first != last {
		span = first + " to " + last
	}
	g.What = fmt.Sprintf("%s %s %s, against %s", l.text, span, l.row, l.base)
	if l.atLeast {
		g.What = fmt.Sprintf("%s against %s, %s %s", l.base, l.row, l.text, span)
	}
	for i, size := range l.sizes {
		ratio, noise := t.ratio(l.text, size, l.row, l.base)
		if l.atLeast {
			ratio = 1 / ratio
		}
		if i == 0 || l.atLeast && ratio < g.Got || !l.atLeast && ratio > g.Got {
			g.Got, g.Noise = ratio, noise
		}
	}
	return g
}

// ratio is that of two rows, with the noise of the cell or of the ratio, which is larger.
func (t table) ratio(text string, size int, row, base string) (ratio, noise float64) {
	for c, times := range t {
		if c.text.name == text && c.size == size {
			r := times.Ratio(row, base).Beside(times.Ratio(rowTwin, rowFloor))
			return r.Median, r.Noise
		}
	}
	return math.NaN(), 0
}

// mostAllocs is the most allocations that any of ours needs for a delta.
func (t table) mostAllocs() float64 {
	most := 0.0
	for _, row := range ours {
		most = max(most, t.allocs(row))
	}
	return most
}

// allocs is the most allocations that the row needs for a delta of any cell.
func (t table) allocs(row string) float64 {
	most := 0.0
	for _, times := range t {
		most = max(most, times.Allocs[row])
	}
	return most
}

// mean is the geometric mean of a row's ratio to another over the cells of the sizes, of one text or, where
// text is empty, of all.
func (t table) mean(row, base, text string, sizes ...int) measure.Ratio {
	var all, twins []measure.Ratio
	for c, times := range t {
		if slices.Contains(sizes, c.size) && (text == "" || text == c.text.name) {
			all = append(all, times.Ratio(row, base))
			twins = append(twins, times.Ratio(rowTwin, rowFloor))
		}
	}
	return measure.Geomean(all).Beside(measure.Geomean(twins))
}

var (
	small = sizes[:3] // where the event costs more than its text
	large = sizes[3:] // where the text does
)

// ratios are means over the texts, apart for small and large deltas, so that a change to either is seen. Half
// of R is its lock, which takes as long when all else is twice as fast, so json.Marshal is a second measure.
func (t table) ratios() []report.Ratio {
	var ratios []report.Ratio
	for _, row := range ours {
		for _, part := range []struct {
			name  string
			sizes []int
		}{{"up to 64 B", small}, {"1 KiB and more", large}} {
			thing := fmt.Sprintf("content, %s, %s", row, part.name)
			for _, base := range []string{rowFloor, rowJSON} {
				r := t.mean(row, base, "", part.sizes...)
				ratios = append(ratios, report.Ratio{Name: thing + ", against " + base, Thing: thing, Got: r.Median, Noise: r.Noise})
			}
		}
	}
	return ratios
}

// orders are the relations that hold as long as each row runs its own code.
func (t table) orders() []report.Order {
	var orders []report.Order
	for _, o := range []struct {
		larger, smaller string
		text            string
		sizes           []int
	}{
		{rowHandle, rowFloor, "", sizes},
		{rowID, rowHandle, "ASCII", small},
		{rowJSON, rowID, "", sizes},
		{rowSDK, rowJSON, "", sizes},
		{rowJSON, rowGoSSE, "", sizes},
		{rowGoSSE, rowID, "", small},
		{rowDataSSE, rowID, "", small},
	} {
		r := t.mean(o.larger, o.smaller, o.text, o.sizes...)
		what := fmt.Sprintf("%s takes longer than %s, %s to %s", o.larger, o.smaller, sizeName(o.sizes[0]), sizeName(o.sizes[len(o.sizes)-1]))
		orders = append(orders, report.Order{What: what, Got: r.Median, Noise: r.Noise})
	}
	// Allocations tell the two apart that only frame, whatever the machine.
	return append(orders, report.Order{
		What: rowDataSSE + " allocates more than " + rowGoSSE,
		Got:  t.allocs(rowDataSSE) / (t.allocs(rowGoSSE) + 0.5),
	})
}

// twins are the two floors.
func (t table) twins() []report.Twin {
	return []report.Twin{{What: rowTwin + " takes as long as " + rowFloor, Got: t.mean(rowTwin, rowFloor, "", sizes...).Median}}
}

// lines are those for the README.
func (t table) lines() []report.Line {
	span := func(base string) string {
		low, high := math.Inf(1), 0.0
		for _, size := range small {
			ratio, _ := t.ratio("ASCII", size, base, rowHandle)
			low, high = min(low, ratio), max(high, ratio)
		}
		return fmt.Sprintf("%.0f to %.0f times as fast", low, high)
	}
	return []report.Line{
		{Place: 1, What: "allocations for a content delta, any text, 6 B to 64 KiB", Figure: fmt.Sprintf("%.2g", t.mostAllocs())},
		{Place: 2, What: "a delta of up to 64 B by handle, against `json.Marshal` and `fmt.Fprintf`", Figure: span(rowJSON)},
		{Place: 3, What: "the same, against the official community Go SDK", Figure: span(rowSDK)},
	}
}
