package wire

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/agui-go/agui/internal/bench/report"
)

// cost is what an event takes: microseconds, calls of write(2), bytes.
type cost struct{ cpu, writes, bytes float64 }

// scenario is a group with figures as it has on some machine, of each set-up.
type scenario struct {
	name   string
	setups []setup
	rounds []int
	kinds  []kind
	costs  []map[kind]cost
	judge  func(setups, *report.Result)
	// unseen are the swaps that do not show, because the two do the same work, or nearly.
	unseen [][2]kind
}

// wholeRun is the costs of whole runs, with one write an event but for the window.
func wholeRun(bytes, bare, again, agui, window, json, sdk float64) map[kind]cost {
	return map[kind]cost{
		"bare": {bare, 1.002, bytes}, "bare-again": {again, 1.002, bytes}, "agui": {agui, 1.002, bytes},
		"agui-10ms": {window, 0.021, bytes - 6}, "json": {json, 1.002, bytes}, "sdk": {sdk, 1.002, bytes + 65},
	}
}

var scenarios = []scenario{
	{
		"wire", runSetups(false), []int{60, 60, 15, 30, 30, 15}, runKinds, []map[kind]cost{
			wholeRun(123.2, 2.47, 2.38, 2.86, 0.53, 3.45, 5.30),
			wholeRun(170.8, 2.36, 2.56, 3.04, 0.53, 3.70, 5.57),
			wholeRun(123.2, 1.00, 1.09, 1.26, 0.31, 2.06, 4.31),
			wholeRun(147.9, 7.57, 7.36, 8.20, 0.57, 8.75, 11.45),
			wholeRun(195.5, 7.18, 7.35, 8.20, 0.68, 8.96, 11.85),
			wholeRun(132.8, 4.41, 4.45, 4.85, 0.67, 5.24, 8.02),
		},
		setups.judgeRuns,
		[][2]kind{{bare, twin}},
	},
	{
		"latency", latencySetups(false), []int{15, 5, 15, 5}, runKinds, []map[kind]cost{
			wholeRun(123.2, 2.67, 2.58, 3.06, 0.73, 3.65, 5.50),
			wholeRun(123.2, 1.20, 1.29, 1.46, 0.51, 2.26, 4.51),
			wholeRun(147.9, 7.77, 7.56, 8.40, 0.77, 8.95, 11.65),
			wholeRun(132.8, 4.61, 4.65, 5.05, 0.87, 5.44, 8.22),
		},
		setups.ordered,
		[][2]kind{{bare, twin}},
	},
	{
		"storm", []setup{{http1, 1, 2, load{Deltas: 20_000, Size: 16}}}, []int{30}, stormKinds, []map[kind]cost{{
			bare: {2.18, 1, 123}, twin: {2.31, 1, 123}, ours: {3.11, 1, 123},
			ours5: {0.11, 0.011, 117}, ours10: {0.10, 0.011, 117}, ours20: {0.10, 0.011, 117},
		}},
		func(all setups, res *report.Result) { all[0].judgeStorm(res) },
		[][2]kind{{bare, twin}, {ours5, ours10}, {ours5, ours20}, {ours10, ours20}},
	},
	{
		"telemetry", []setup{{http1, 1, 1, load{Deltas: 100_000, Size: 16}}}, []int{30}, telemetryKinds, []map[kind]cost{{
			bare: {2.18, 1, 123}, twin: {2.24, 1, 123}, ours: {2.62, 1, 123}, watched: {2.66, 1, 123},
		}},
		func(all setups, res *report.Result) { all[0].judgeTelemetry(res) },
		[][2]kind{{bare, twin}, {ours, watched}}, // the latter is seen by what is recorded
	},
	{
		"paced", []setup{{http1, 20, 1, load{Deltas: 500, Size: 16, Pace: time.Millisecond, Stamped: true}}}, []int{15},
		append([]kind{ticks}, pacedKinds...), []map[kind]cost{{
			bare: {6.67, 1.011, 123}, twin: {6.40, 1.011, 123}, ours: {6.80, 1.012, 123},
			ours5: {4.74, 0.177, 118}, ours10: {4.75, 0.111, 117}, ours20: {4.34, 0.068, 117},
			hand: {7.87, 1.011, 123}, peer: {9.54, 1.012, 188}, ticks: {3.67, 0.020, 5},
		}},
		func(all setups, res *report.Result) { all[0].judgePaced(res) },
		[][2]kind{{bare, twin}, {bare, ours}, {twin, ours}},
	},
	{
		"first-byte", []setup{{http1, 1, 100, load{Size: stampSize}}}, []int{60}, firstKinds, []map[kind]cost{{
			bare: {17.2, 1.2, 190}, twin: {17.3, 1.2, 190}, ours: {28.5, 1.2, 190}, hand: {19.7, 1.2, 190}, peer: {28.2, 1.2, 255},
		}},
		func(all setups, res *report.Result) {
			firsts := series{}
			for k, figures := range all[0].cpu {
				firsts[k] = slices.Clone(figures)
			}
			all[0].judgeFirstByte(res, firsts)
		},
		[][2]kind{{bare, twin}},
	},
}

// synthetic is what is found where each kind has the cost of change(kind), times slow(kind), but for the noise of
// a machine: a tenth of the CPU in each turn.
func (s scenario) synthetic(change func(kind) kind, slow func(kind) float64, seed uint64) *report.Result {
	random := rand.New(rand.NewPCG(seed, 2))
	var all setups
	for i, set := range s.setups {
		t := &turns{set, series{}, series{}, series{}}
		for range s.rounds[i] {
			for _, k := range s.kinds {
				c := s.costs[i][change(k)]
				t.cpu.add(k, 1e3*c.cpu*slow(change(k))*(1+0.1*random.NormFloat64()))
				t.writes.add(k, c.writes)
				t.bytes.add(k, c.bytes)
			}
		}
		all = append(all, t)
	}
	res := &report.Result{}
	s.judge(all, res)
	return res
}

// failures are what the check says, goals aside.
func failures(res, recorded *report.Result) []string {
	record := report.Record{}.With("", []report.Section{{Result: recorded}})
	return report.Judge([]report.Section{{Result: &report.Result{Ratios: res.Ratios, Orders: res.Orders, Twins: res.Twins}}}, record)
}

func itself(k kind) kind  { return k }
func normal(kind) float64 { return 1 }

// TestSwapped: two rows that run each other's code fail the check, but for those that take the same.
func TestSwapped(t *testing.T) {
	for _, s := range scenarios {
		recorded := s.synthetic(itself, normal, 1)
		if got := failures(s.synthetic(itself, normal, 3), recorded); len(got) > 0 {
			t.Errorf("%s, the same once more\n got: %q\nwant: no failure", s.name, got)
		}
		for i, a := range s.kinds {
			for _, b := range s.kinds[:i] {
				swap := func(k kind) kind {
					switch k {
					case a:
						return b
					case b:
						return a
					}
					return k
				}
				seen := !slices.Contains(s.unseen, [2]kind{a, b}) && !slices.Contains(s.unseen, [2]kind{b, a})
				if got := failures(s.synthetic(swap, normal, 3), recorded); seen != (len(got) > 0) {
					t.Errorf("%s, %s and %s swapped\n got: %q\nwant: a failure: %v", s.name, a, b, got, seen)
				}
			}
		}
	}
}

// TestReplaced: a row that runs the code of another one, which stays where it is, fails the check: above all a window
// that does not wait.
func TestReplaced(t *testing.T) {
	for _, tt := range []struct {
		scenario string
		row, by  kind
	}{
		{"wire", twin, peer}, {"wire", ours10, ours}, {"wire", ours, ours10}, {"latency", ours10, ours},
		{"storm", ours5, ours}, {"storm", ours10, ours}, {"storm", ours20, ours},
		{"paced", ours5, ours}, {"paced", ours10, ours}, {"paced", ours20, ours}, {"paced", ticks, bare},
	} {
		s := scenarios[slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == tt.scenario })]
		replace := func(k kind) kind {
			if k == tt.row {
				return tt.by
			}
			return k
		}
		if got := failures(s.synthetic(replace, normal, 3), s.synthetic(itself, normal, 1)); len(got) == 0 {
			t.Errorf("%s, %s with the code of %s\n got: no failure\nwant: one", s.name, tt.row, tt.by)
		}
	}
}

// TestSlower: ours slower by a fifth fails the check of whole runs.
func TestSlower(t *testing.T) {
	s := scenarios[0]
	slow := func(k kind) float64 {
		if k == ours {
			return 1.2
		}
		return 1
	}
	if got := failures(s.synthetic(itself, slow, 3), s.synthetic(itself, normal, 1)); len(got) == 0 {
		t.Error("ours slower by a fifth\n got: no failure\nwant: one")
	}
}
