package content

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
)

// typical is what the rows take in nanoseconds, of small deltas and of large ones.
var typical = map[string][2]float64{
	rowFloor:   {20, 900},
	rowTwin:    {20, 900},
	rowID:      {29, 4500},
	rowHandle:  {25, 4400},
	rowCore:    {29, 4500},
	rowWindow:  {25.5, 4450},
	rowJSON:    {400, 60_000},
	rowSDK:     {1300, 200_000},
	rowGoSSE:   {160, 20_000},
	rowDataSSE: {200, 1800},
}

var typicalAllocs = map[string]float64{rowJSON: 3, rowSDK: 13, rowGoSSE: 1, rowDataSSE: 2}

// synthetic is a table as the rows would give it if each ran the code of change(row) and took its time, times
// slow(row), but for the noise of a machine: two percent.
func synthetic(t *testing.T, change func(row string) string, slow func(row string) float64) table {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	all := table{}
	for _, text := range texts {
		for _, size := range sizes {
			var rows []measure.Row
			for _, w := range writers {
				runs := change(w.name)
				ns := typical[runs][0] * slow(runs)
				if size >= 1024 {
					ns = typical[runs][1] * slow(runs)
				}
				rows = append(rows, measure.Row{Name: w.name, Clock: func(n int) (time.Duration, error) {
					return time.Duration(float64(n) * ns * (1 + 0.02*random.NormFloat64())), nil
				}})
			}
			allocs := map[string]float64{}
			for _, w := range writers {
				allocs[w.name] = typicalAllocs[change(w.name)]
			}
			times, err := measure.Rows(context.Background(), report.Options{}, "Test", rows)
			if err != nil {
				t.Fatal(err)
			}
			times.Allocs = allocs
			all[cell{text, size}] = times
		}
	}
	return all
}

func itself(row string) string  { return row }
func normal(row string) float64 { return 1 }

// failures are what the check says of the table, its goals aside: they depend on the texts.
func failures(all table, record report.Record) []string {
	result := &report.Result{Ratios: all.ratios(), Orders: all.orders(), Twins: all.twins()}
	return report.Judge([]report.Section{{Result: result}}, record)
}

func recordOf(all table) report.Record {
	return report.Record{}.With("", []report.Section{{Result: &report.Result{Ratios: all.ratios()}}})
}

// TestSlower: one of our ways that gets slower by a fifth fails the check, and noise does not.
func TestSlower(t *testing.T) {
	record := recordOf(synthetic(t, itself, normal))
	if got := failures(synthetic(t, itself, normal), record); len(got) > 0 {
		t.Errorf("the same once more: got %q\nwant no failure", got)
	}
	for _, row := range ours {
		slow := func(r string) float64 {
			if r == row {
				return 1.2
			}
			return 1
		}
		if got := failures(synthetic(t, itself, slow), record); len(got) == 0 {
			t.Errorf("%s slower by a fifth: got no failure\nwant one", row)
		}
	}
}

// TestSwapped: two rows that run each other's code fail the check, where the codes differ by more than an eighth.
func TestSwapped(t *testing.T) {
	record := recordOf(synthetic(t, itself, normal))
	for i, a := range writers {
		for _, b := range writers[:i] {
			swap := func(row string) string {
				switch row {
				case a.name:
					return b.name
				case b.name:
					return a.name
				}
				return row
			}
			x, y := typical[a.name], typical[b.name]
			alike := max(x[0]/y[0], y[0]/x[0], x[1]/y[1], y[1]/x[1]) < 1.13
			got := failures(synthetic(t, swap, normal), record)
			if alike != (len(got) == 0) {
				t.Errorf("%s and %s swapped: got %q\nwant a failure: %v", a.name, b.name, got, !alike)
			}
		}
	}
}
