package machine

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
)

// typical is what a look-up takes in nanoseconds, in the order of the scenes.
var typical = map[string][5]float64{
	rowMap:    {14.7, 13.1, 14.5, 14.1, 19.9},
	rowTwin:   {14.8, 13.1, 15.2, 14.1, 20.5},
	rowID:     {10.5, 11.7, 18.3, 11.7, 25.9},
	rowEntity: {4, 3.5, 3.5, 3.7, 3.6},
}

var lookupRows = []string{rowMap, rowTwin, rowID, rowEntity}

// synthetic is what is found where each row takes the time of change(row), but for the noise of a machine.
func synthetic(t *testing.T, change func(string) string) *report.Result {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var all []*measure.Times
	for i := range scenes {
		var rows []measure.Row
		for _, name := range lookupRows {
			ns := typical[change(name)][i]
			rows = append(rows, measure.Row{Name: name, Clock: func(n int) (time.Duration, error) {
				return time.Duration(float64(n) * ns * (1 + 0.05*random.NormFloat64())), nil
			}})
		}
		times, err := measure.Rows(context.Background(), report.Options{}, "Test", rows)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, times)
	}
	r := &report.Result{}
	judgeLookups(r, all)
	return r
}

func itself(row string) string { return row }

// TestSwapped: two rows that run each other's code fail the check, but for the two maps.
func TestSwapped(t *testing.T) {
	record := report.Record{}.With("", []report.Section{{Result: synthetic(t, itself)}})
	failures := func(change func(string) string) []string {
		return report.Judge([]report.Section{{Result: synthetic(t, change)}}, record)
	}
	if got := failures(itself); len(got) > 0 {
		t.Errorf("the same once more: got %q\nwant no failure", got)
	}
	for i, a := range lookupRows {
		for _, b := range lookupRows[:i] {
			got := failures(func(row string) string {
				switch row {
				case a:
					return b
				case b:
					return a
				}
				return row
			})
			alike := a == rowTwin && b == rowMap
			if alike != (len(got) == 0) {
				t.Errorf("%s and %s swapped: got %q\nwant a failure: %v", a, b, got, !alike)
			}
		}
	}
}
