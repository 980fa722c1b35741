package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
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
when the client's read that brings it returns. Both are processes of one machine: what is left is the way through the handler, the kernel and two wake-ups, and a window is waited for in full.`,
		Header: []string{"handler", "CPU without waiting, x bare", "(µs an event)", "CPU in all, x bare", "write(2) an event", "p50", "p99"},
	}
	s := setup{http1, 20, 1, load{Deltas: 500, Size: 16, Pace: time.Millisecond}}
	if o.Short {
		s.load.Deltas = 50
	}
	progress(o, "paced: %v", s)
	late := map[kind]*delays{ticks: {}}
	for _, k := range pacedKinds {
		late[k] = &delays{}
	}
	t, err := p.take(ctx, s, append([]kind{ticks}, pacedKinds...), roundsOf(o, 1), func(k kind) func(io.Reader) error { return late[k].read })
	if err != nil {
		return nil, err
	}
	t.benchLines(o.Bench, "paced", append([]kind{ticks}, pacedKinds...))
	t.pacedRows(res, late)
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
	return res, nil
}

// pacedRows adds a row for each kind.
func (t *turns) pacedRows(res *report.Result, late map[kind]*delays) {
	base := t.cpu.median(ticks)
	for _, k := range pacedKinds {
		res.Rows = append(res.Rows, []string{
			string(k), fmt.Sprintf("%.2f", t.cpu.share(k, bare, ticks).Median), fmt.Sprintf("(%.2f)", (t.cpu.median(k)-base)/1e3),
			fmt.Sprintf("%.2f", t.cpu.ratio(k, bare).Median), fmt.Sprintf("%.3f", t.writes.median(k)),
			late[k].quantile(0.5).String(), late[k].quantile(0.99).String(),
		})
	}
	res.Rows = append(res.Rows, []string{
		string(ticks), "0", "(0)", fmt.Sprintf("%.2f", t.cpu.ratio(ticks, bare).Median), fmt.Sprintf("%.3f", t.writes.median(ticks)), "-", "-",
	})
}

// quantile returns the delay that a share of the deltas does not exceed.
func (d *delays) quantile(share float64) time.Duration {
	if len(d.all) == 0 {
		return 0
	}
	slices.Sort(d.all)
	return d.all[int(share*float64(len(d.all)-1))].Round(time.Microsecond)
}
