package measure_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
)

// clock is a row that takes ns for one unit of work by a clock of the test's own, times what speed says for
// the turn.
func clock(name string, ns float64, speed func(turn int) float64) measure.Row {
	turn := 0
	return measure.Row{Name: name, Clock: func(n int) (time.Duration, error) {
		turn++
		return time.Duration(ns * float64(n) * speed(turn)), nil
	}}
}

func steady(int) float64 { return 1 }

func rows(t *testing.T, o report.Options, rows ...measure.Row) *measure.Times {
	t.Helper()
	times, err := measure.Rows(context.Background(), o, "Test", rows)
	if err != nil {
		t.Fatal(err)
	}
	return times
}

// TestPhases: a machine that is half as fast in every other round does not change a ratio.
func TestPhases(t *testing.T) {
	round, turns := 0, 0
	slow := func(int) float64 {
		if turns++; turns%4 == 0 { // a warm-up and a turn of each of two rows
			round++
		}
		return float64(1 + round%2)
	}
	got := rows(t, report.Options{Rounds: 16}, clock("a", 300, slow), clock("b", 100, slow)).Ratio("a", "b")
	if math.Abs(got.Median-3) > 0.1 {
		t.Errorf("got a ratio of %v\nwant 3", got.Median)
	}
}

// TestBeside: the noise that a twin shows is what its median is off 1 by and how far that may be off.
func TestBeside(t *testing.T) {
	for _, tt := range []struct {
		name      string
		twin      measure.Row
		low, high float64
	}{
		{"same", clock("twin", 100, steady), 0, 0.001},
		{"a tenth off", clock("twin", 110, steady), 0.099, 0.101},
		{"scattered", clock("twin", 100, func(n int) float64 { return 1 + 0.3*math.Sin(float64(n)) }), 0.02, 0.3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			times := rows(t, report.Options{Rounds: 15}, clock("row", 100, steady), tt.twin, clock("ours", 200, steady))
			got := times.Ratio("ours", "row").Beside(times.Ratio("twin", "row"))
			if got.Median != 2 || got.Noise < tt.low || got.Noise > tt.high {
				t.Errorf("got %v\nwant 2, with a noise of %v to %v", got, tt.low, tt.high)
			}
		})
	}
}

// TestRotation: every row is as often first, and the rows take turns.
func TestRotation(t *testing.T) {
	var order []string
	row := func(name string) measure.Row {
		return measure.Row{Name: name, Clock: func(n int) (time.Duration, error) {
			order = append(order, name)
			return time.Duration(n) * time.Second, nil
		}}
	}
	rows(t, report.Options{Rounds: 3}, row("a"), row("b"), row("c"))
	got := strings.Join(order, "")
	// One turn to calibrate each row; then in each round a warm-up and a turn of each.
	if want := "abc" + "aabbcc" + "bbccaa" + "ccaabb"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAllocs(t *testing.T) {
	var kept []*[64]byte
	got := rows(t, report.Options{Rounds: 1, Short: true},
		measure.Row{Name: "none", Do: func(int) error { return nil }},
		measure.Row{Name: "two", Once: 1, Do: func(n int) error {
			for range n {
				kept = []*[64]byte{new([64]byte)}
			}
			return nil
		}},
		measure.Row{Name: "one in four", Once: 4, Do: func(n int) error {
			for range n {
				kept[0] = new([64]byte)
			}
			return nil
		}},
	).Allocs
	for name, want := range map[string]float64{"none": 0, "two": 2, "one in four": 0.25} {
		if got[name] != want {
			t.Errorf("%s: got %v\nwant %v", name, got[name], want)
		}
	}
}

func TestBenchLines(t *testing.T) {
	var out strings.Builder
	rows(t, report.Options{Rounds: 2, Bench: &out}, clock("by id", 100, steady))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 || !strings.HasPrefix(lines[0], "BenchmarkTest/by_id-") || !strings.Contains(lines[0], "100 ns/op") {
		t.Errorf("got %q\nwant a line of go test -bench for each round", lines)
	}
}

func TestErrors(t *testing.T) {
	broken := errors.New("broken")
	_, err := measure.Rows(context.Background(), report.Options{Rounds: 1}, "Test",
		[]measure.Row{{Name: "bad", Do: func(int) error { return broken }}})
	if !errors.Is(err, broken) || !strings.Contains(err.Error(), `"bad"`) {
		t.Errorf("got %v\nwant the error of the row, with its name", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := measure.Rows(ctx, report.Options{Rounds: 1}, "Test", []measure.Row{clock("a", 1, steady)}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v\nwant that of the context", err)
	}
}

func TestGeomean(t *testing.T) {
	got := measure.Geomean([]measure.Ratio{{Median: 1, Noise: 0.3}, {Median: 4, Noise: 0.4}})
	if math.Abs(got.Median-2) > 1e-9 || math.Abs(got.Noise-0.25) > 1e-9 {
		t.Errorf("got %v\nwant a mean of 2 with a noise of 0.25", got)
	}
}
