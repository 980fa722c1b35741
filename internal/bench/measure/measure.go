// Package measure times rows of work against each other.
//
// The speed of a machine changes from one second to the next, by more than the rows differ. So the rows take
// turns of a few milliseconds, and what counts is never a time but a ratio: that of two turns of one round,
// which had the same machine, and of those ratios the median over all rounds.
package measure

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"time"

	"github.com/agui-go/agui/internal/bench/report"
)

// A Row is one way to do the work.
type Row struct {
	Name string
	// Do does the work n times, in the goroutine that calls it. It is timed by the clock of its thread.
	Do func(n int) error
	// Parallel says that Do works in several goroutines and is timed by the clock on the wall.
	Parallel bool
	// Clock, in place of Do, does the work n times and says how long that took: for work that is done where
	// this process's clock would time more than the work.
	Clock func(n int) (time.Duration, error)
	// Once is how many of the work units one call counts for, zero for one: a row that handles a whole
	// sequence at a time says how many events it has.
	Once int
}

// turn does the work n times and returns the time it took.
func (r *Row) turn(n int) (time.Duration, error) {
	if r.Clock != nil {
		took, err := r.Clock(n)
		return took, named(r.Name, err)
	}
	if r.Parallel {
		begin := time.Now()
		err := r.Do(n)
		return time.Since(begin), named(r.Name, err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	begin := threadTime()
	err := r.Do(n)
	return threadTime() - begin, named(r.Name, err)
}

func named(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("measure: row %q: %w", name, err)
}

const (
	turnTime      = 3 * time.Millisecond
	shortTurnTime = 100 * time.Microsecond
	shortRounds   = 3
	allocRuns     = 500
)

// Times are what the rounds took.
type Times struct {
	rows []string
	ns   map[string][]float64 // a figure for each round, of one unit of work
	// Allocs is how many allocations one unit of work needs, by row. It has none for rows with a Clock.
	Allocs map[string]float64
}

// Rows measures the rows. Key names the group and the table in the lines for benchstat. The error is that of
// a row, or of ctx.
func Rows(ctx context.Context, o report.Options, key string, rows []Row) (*Times, error) {
	rounds, limit := cmp.Or(o.Rounds, report.DefaultRounds), cmp.Or(o.Turn, turnTime)
	if o.Short {
		rounds, limit = min(rounds, shortRounds), shortTurnTime
	}
	t := &Times{ns: map[string][]float64{}, Allocs: map[string]float64{}}
	counts := make([]int, len(rows))
	for i := range rows {
		row := &rows[i]
		n, err := calibrate(row, limit)
		if err != nil {
			return nil, err
		}
		if row.Do != nil {
			allocs, err := allocs(row, min(n, allocRuns))
			if err != nil {
				return nil, err
			}
			t.Allocs[row.Name] = allocs
		}
		counts[i] = n
		t.rows = append(t.rows, row.Name)
	}
	for round := range rounds {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for k := range rows {
			i := (round + k) % len(rows)
			row := &rows[i]
			ns, err := perUnit(row, counts[i])
			if err != nil {
				return nil, err
			}
			t.ns[row.Name] = append(t.ns[row.Name], ns)
			if t.Allocs[row.Name] > 0 {
				runtime.GC() // what this row has left is not for the next one to clear away
			}
			benchLine(o.Bench, key+"/"+row.Name, counts[i], ns, t.Allocs[row.Name])
		}
	}
	return t, nil
}

// perUnit warms the row up, takes one turn of n and returns the nanoseconds of one unit of work.
func perUnit(row *Row, n int) (float64, error) {
	if _, err := row.turn(1 + n/16); err != nil {
		return 0, err
	}
	took, err := row.turn(n)
	if err != nil {
		return 0, err
	}
	return float64(took.Nanoseconds()) / float64(n*max(1, row.Once)), nil
}

// calibrate returns how often the work is done in limit, at least once.
func calibrate(row *Row, limit time.Duration) (int, error) {
	for n := 1; ; n *= 4 {
		took, err := row.turn(n)
		if err != nil {
			return 0, err
		}
		if took >= limit/4 {
			return max(1, int(float64(n)*float64(limit)/float64(took))), nil
		}
	}
}

// allocs counts the allocations of one unit of work over n turns of the work, to a twentieth. It counts those
// of the whole process, so the few of the runtime's own are among them: the least of three counts has fewest.
func allocs(row *Row, n int) (float64, error) {
	least := math.Inf(1)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := row.Do(n)
		runtime.ReadMemStats(&after)
		if err != nil {
			return 0, named(row.Name, err)
		}
		least = min(least, float64(after.Mallocs-before.Mallocs)/float64(n*max(1, row.Once)))
	}
	return math.Floor(least*20+0.5) / 20, nil
}

// Ratio is how many times as long a takes as b: the median over the rounds, and how far that median may be
// off, as a share of it.
func (t *Times) Ratio(a, b string) Ratio {
	as, bs := t.ns[a], t.ns[b]
	if len(as) == 0 || len(as) != len(bs) {
		panic(fmt.Sprintf("measure: no rows %q and %q", a, b))
	}
	ratios := make([]float64, len(as))
	for i := range as {
		ratios[i] = as[i] / bs[i]
	}
	return RatioOf(ratios)
}

// NS returns the median time of a row's unit of work in nanoseconds.
func (t *Times) NS(row string) float64 { return Median(t.ns[row]) }

// benchLine writes a line in the format of go test -bench.
func benchLine(w io.Writer, name string, n int, ns, allocs float64) {
	if w == nil {
		return
	}
	name = strings.NewReplacer(" ", "_", ",", "").Replace(name)
	fmt.Fprintf(w, "Benchmark%s-%d\t%d\t%.4g ns/op\t%g allocs/op\n", name, runtime.GOMAXPROCS(0), n, ns, allocs)
}
