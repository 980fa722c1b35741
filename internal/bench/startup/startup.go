package startup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/report"
)

// figures are what was found of a program, a figure for each start.
type figures struct {
	listens, answers, peak []float64 // nanoseconds, nanoseconds, bytes
}

func measureStart(ctx context.Context, o report.Options) (_ *report.Result, err error) {
	dir, err := os.MkdirTemp("", "agui-bench-")
	if err != nil {
		return nil, fmt.Errorf("startup: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	chosen, rounds := builds, cmp.Or(o.Rounds, report.DefaultRounds)
	if o.Short {
		chosen, rounds = builds[:1], 1 // each links for seconds
	}
	var programs []*program
	for _, b := range chosen {
		if o.Progress != nil {
			fmt.Fprintf(o.Progress, "startup: building %s\n", b)
		}
		p, err := b.make(ctx, dir)
		if err != nil {
			return nil, err
		}
		programs = append(programs, p)
	}
	found, err := startAll(ctx, programs, rounds)
	if err != nil {
		return nil, err
	}
	return result(o, programs, found), nil
}

// startAll starts each program in each round; in each round another one is the first.
func startAll(ctx context.Context, programs []*program, rounds int) (map[*program]*figures, error) {
	found := map[*program]*figures{}
	for _, p := range programs {
		if _, err := p.start(ctx); err != nil { // its file is in memory from now on
			return nil, err
		}
		found[p] = &figures{}
	}
	for round := range rounds {
		for i := range programs {
			p := programs[(i+round)%len(programs)]
			b, err := p.start(ctx)
			if err != nil {
				return nil, err
			}
			f := found[p]
			f.listens = append(f.listens, float64(b.listens.Nanoseconds()))
			f.answers = append(f.answers, float64(b.answers.Nanoseconds()))
			f.peak = append(f.peak, float64(b.peak))
		}
	}
	return found, nil
}

func result(o report.Options, programs []*program, found map[*program]*figures) *report.Result {
	res := &report.Result{
		About: `The program of examples/echo-agent, which has echo and the exporters of OpenTelemetry in it: the size of its file; the time from the start of the process until it has
printed that it listens and until the header of its first answer is there (` + "`GET /`" + `), when its file is in memory; and the most memory by then. Times are medians, of this machine at this hour; sizes are
the same at each build with one version of Go.`,
		Header: []string{"build", "size, MiB", "of the default", "(listens, ms)", "(answers, ms)", "peak memory, MiB"},
	}
	const mib = 1 << 20
	for _, p := range programs {
		f, size := found[p], float64(p.size)/mib
		peak := measure.Median(f.peak) / mib
		res.Rows = append(res.Rows, []string{
			p.build.String(), fmt.Sprintf("%.2f", size), fmt.Sprintf("%.3f", float64(p.size)/float64(programs[0].size)),
			ms(f.listens), ms(f.answers), fmt.Sprintf("%.1f", peak),
		})
		res.Ratios = append(res.Ratios, report.Ratio{Name: "MiB of the example agent, " + p.build.String(), Got: size})
		if o.Bench != nil {
			for i := range f.answers {
				fmt.Fprintf(o.Bench, "Benchmarkstartup/tag=%s/stripped=%t 1 %.0f ns/op %d fileB %.0f peakB\n", p.build.tag, p.build.stripped, f.answers[i], p.size, f.peak[i])
			}
		}
	}
	return res
}

// ms writes the median of nanoseconds as milliseconds, in brackets, since it is no ratio.
func ms(ns []float64) string {
	return fmt.Sprintf("(%.1f)", measure.Median(ns)/float64(time.Millisecond.Nanoseconds()))
}
