package wire

import (
	"context"
	"errors"
	"fmt"

	"github.com/agui-go/agui/internal/bench/report"
)

// stormKinds are the rows of storms.
var stormKinds = []kind{bare, twin, ours, ours5, ours10, ours20}

func measureStorm(ctx context.Context, o report.Options) (_ *report.Result, err error) {
	p, err := start(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	res := &report.Result{
		About:  `One run over HTTP/1.1 whose agent writes 20,000 deltas of 16 B as fast as it can, with flush windows and without. In a storm it is the size of what waits that makes a flush, not the time.`,
		Header: []string{"over, streams at once, deltas", "handler", "CPU, x bare", "(µs an event)", "write(2) an event", "bytes an event"},
	}
	s := setup{http1, 1, 2, load{Deltas: 20_000, Size: 16}}
	if o.Short {
		s.each, s.load.Deltas = 1, 2_000
	}
	progress(o, "storm: %v", s)
	t, err := p.take(ctx, s, stormKinds, roundsOf(o, 2), drained)
	if err != nil {
		return nil, err
	}
	t.benchLines(o.Bench, "storm", stormKinds)
	t.rows(res, stormKinds)
	t.judgeStorm(res)
	return res, nil
}

// judgeStorm adds what is asked of storms. A window of 5 ms, one of 10 and one of 20 do the same here.
func (t *turns) judgeStorm(res *report.Result) {
	t.goal(res, 13, ours10, bare, 0.03, whyStorm)
	res.Goals = append(res.Goals, report.Goal{
		Number: 13, What: fmt.Sprintf("write(2) an event with a window of 10 ms, storm of %d deltas", t.setup.load.Deltas), Got: t.writes.median(ours10), Want: 0.012,
	})
	t.record(res, ours, bare)
	all := setups{t}
	all.alike(res)
	all.falling(res, cpu, ours, bare)
	all.falling(res, cpu, ours, twin)
	for _, window := range []kind{ours5, ours10, ours20} {
		all.falling(res, cpu, bare, window)
		all.falling(res, writes, bare, window)
	}
}
