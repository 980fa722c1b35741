package report

import (
	"cmp"
	"fmt"
	"math"
	"sort"
)

// slack is by which share a ratio may be worse than the one on record, besides the noise.
const slack = 0.10

// busy is the noise above which a run proves little: it would not show that something got slower by a fifth.
const busy = 0.10

// apart is how many times as long as the other the row of a twin may take.
const apart = 1.15

// State is what became of a goal.
type State string

// The states of a goal.
const (
	Reached     State = "reached"
	WithinNoise State = "missed within noise"
	Missed      State = "MISSED"
	OutOfReach  State = "out of reach"
)

// State says whether the goal was reached. A figure that is not a number was not measured, and is missed,
// for which there is no reason.
func (g Goal) State() State {
	excess := g.Got / g.Want
	if g.AtLeast {
		excess = g.Want / g.Got
	}
	switch {
	case math.IsNaN(g.Got):
		return Missed
	case g.Got == g.Want || excess <= 1:
		return Reached
	case excess <= 1+g.Noise:
		return WithinNoise
	case g.Why != "":
		return OutOfReach
	}
	return Missed
}

// Holds reports whether the order is as it has to be, but for the noise.
func (o Order) Holds() bool { return o.Got >= 1-o.Noise }

// Alike reports whether the rows take about as long. Where not, no noise that they show means anything.
func (t Twin) Alike() bool { return t.Got <= apart && t.Got >= 1/apart }

// Worse reports whether the ratio is worse than the one on record by more than a tenth and the noise.
func (r Ratio) Worse(record float64) bool { return !(r.Got <= record*(1+slack+r.Noise)) }

// Section is a group with what it found.
type Section struct {
	Group  Group
	Result *Result
}

// Judge returns what fails the check, each in one line: goals that were missed by more than the noise, orders
// that do not hold, twins that are not alike, and ratios that are worse than those on record or have none. The list is empty when all
// is well.
func Judge(sections []Section, record Record) []string {
	var failures []string
	fail := func(format string, args ...any) { failures = append(failures, fmt.Sprintf(format, args...)) }
	for _, s := range sections {
		for _, g := range s.Result.Goals {
			if g.State() == Missed {
				fail("goal %d, %s: %s, which is to be %s", g.Number, g.What, g.figure(g.Got), g.bound())
			}
		}
		for _, o := range s.Result.Orders {
			if !o.Holds() {
				fail("%s: %s; it is only %.2f times as much, so rows or groups were mixed up, or what is measured does not do its work", s.Group.Key, o.What, o.Got)
			}
		}
		for _, t := range s.Result.Twins {
			if !t.Alike() {
				fail("%s: %s; it takes %.2f times as long, so rows were mixed up, or the machine is too busy", s.Group.Key, t.What, t.Got)
			}
		}
		failures = append(failures, judgeRatios(s, record)...)
	}
	return failures
}

// judgeRatios returns the ratios of a section that are worse than on record, of one thing all or none.
func judgeRatios(s Section, record Record) []string {
	var failures []string
	worse, fine := map[string][]string{}, map[string]bool{}
	var things []string
	for _, r := range s.Result.Ratios {
		recorded, ok := record.Ratios[r.Name]
		thing := cmp.Or(r.Thing, r.Name)
		switch {
		case !ok:
			failures = append(failures, fmt.Sprintf("%s: %s has no ratio on record: run with -record", s.Group.Key, r.Name))
		case !r.Worse(recorded):
			fine[thing] = true
		default:
			if len(worse[thing]) == 0 {
				things = append(things, thing)
			}
			worse[thing] = append(worse[thing], fmt.Sprintf("%s: %s is %s, %.0f %% worse than %s on record", s.Group.Key, r.Name, compared(r.Got), 100*(r.Got/recorded-1), compared(recorded)))
		}
	}
	for _, thing := range things {
		if !fine[thing] {
			failures = append(failures, worse[thing]...)
		}
	}
	return failures
}

// Noise returns the largest noise among the recorded ratios, and whether it is so large that the run proves
// little.
func Noise(sections []Section) (share float64, tooMuch bool) {
	for _, s := range sections {
		for _, r := range s.Result.Ratios {
			share = math.Max(share, r.Noise)
		}
	}
	return share, share > busy
}

// goalsOf returns all goals, in the order of their numbers.
func goalsOf(sections []Section) []Goal {
	var goals []Goal
	for _, s := range sections {
		goals = append(goals, s.Result.Goals...)
	}
	sort.SliceStable(goals, func(i, j int) bool { return goals[i].Number < goals[j].Number })
	return goals
}
