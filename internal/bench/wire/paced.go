package wire

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/agui-go/agui/internal/bench/report"
)

// pacedKinds are the rows of paced runs.
var pacedKinds = []kind{bare, twin, ours, ours5, ours10, ours20, hand, peer}

func measurePaced(ctx context.Context, o report.Options) (_ *report.Result, err error) {
	p, err := start(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	res := &report.Result{
		About: `20 streams at once over HTTP/1.1, each of 1,000 deltas of 16 B a second for half a second: what flushes cost at the pace of a busy server, and how long a delta takes. CPU is without what
waiting for each delta takes alone, which the row ` + "`none`" + ` has. A delta carries the time of CLOCK_MONOTONIC, which server and client share, at which the agent gave it to the emitter; it has arrived
when the client's read that brings it returns; p50 and p99 are those of a turn, and the median of the turns. Both are processes of one machine: what is left is the way through the handler, the kernel and two wake-ups, and a window is waited for in full.`,
		Header: []string{"handler", "CPU without waiting, x bare", "(µs an event)", "CPU in all, x bare", "write(2) an event", "p50", "p99"},
	}
	s := setup{http1, 20, 1, load{Deltas: 500, Size: 16, Pace: time.Millisecond, Stamped: true}}
	if o.Short {
		s.load.Deltas = 50
	}
	progress(o, "paced: %v", s)
	late := lateness{}
	t, err := p.take(ctx, s, append([]kind{ticks}, pacedKinds...), roundsOf(o, 1), late.read)
	if err != nil {
		return nil, err
	}
	delete(late, ticks) // it sends none
	if err := late.complete(s.streams * s.each * s.load.Deltas); err != nil {
		return nil, err
	}
	t.benchLines(o.Bench, "paced", append([]kind{ticks}, pacedKinds...))
	t.pacedRows(res, late)
	t.judgePaced(res)
	return res, nil
}

// judgePaced adds what is asked of paced runs.
func (t *turns) judgePaced(res *report.Result) {
	for _, g := range []struct {
		kind kind
		want float64
	}{{ours5, 0.45}, {ours10, 0.33}, {ours20, 0.2}} {
		r := t.cpu.share(g.kind, bare, ticks)
		res.Goals = append(res.Goals, report.Goal{
			Number: 14, What: fmt.Sprintf("flush share of the CPU of %s against bare, 20 streams of 1,000 deltas a second", g.kind),
			Got: r.Median, Want: g.want, Noise: r.Beside(t.cpu.share(twin, bare, ticks)).Noise, Unit: "x",
			Why: "a flush is cheaper here than where the goal was set, and the ticks of the producer, which are taken off, are most of what is measured",
		})
	}
	t.record(res, ours, bare)
	for _, window := range []kind{ours5, ours10, ours20} {
		t.record(res, window, bare)
		w := t.writes.ratio(window, bare)
		res.Ratios = append(res.Ratios, report.Ratio{
			Name: fmt.Sprintf("write(2) of %s against %s, %v", window, bare, t.setup), Got: w.Median, Noise: t.writes.noise(w),
		})
	}
	all := setups{t}
	all.alike(res)
	all.falling(res, writes, bare, ours5, ours10, ours20, ticks)
	all.falling(res, cpu, peer, hand, ours)
	all.falling(res, cpu, hand, bare)
	all.falling(res, cpu, hand, twin)
}

// pacedRows adds a row for each kind.
func (t *turns) pacedRows(res *report.Result, late lateness) {
	base, p50, p99 := t.cpu.median(ticks), late.quantile(0.5), late.quantile(0.99)
	for _, k := range pacedKinds {
		res.Rows = append(res.Rows, []string{
			string(k), fmt.Sprintf("%.2f", t.cpu.share(k, bare, ticks).Median), fmt.Sprintf("(%.2f)", (t.cpu.median(k)-base)/1e3),
			fmt.Sprintf("%.2f", t.cpu.ratio(k, bare).Median), fmt.Sprintf("%.3f", t.writes.median(k)),
			inMicroseconds(p50.median(k)), inMicroseconds(p99.median(k)),
		})
	}
	res.Rows = append(res.Rows, []string{
		string(ticks), "0", "(0)", fmt.Sprintf("%.2f", t.cpu.ratio(ticks, bare).Median), fmt.Sprintf("%.3f", t.writes.median(ticks)), "-", "-",
	})
}

// inMicroseconds writes nanoseconds as a duration.
func inMicroseconds(ns float64) string {
	return time.Duration(ns).Round(time.Microsecond).String()
}
