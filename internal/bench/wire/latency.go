package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"

	"github.com/agui-go/agui/internal/bench/report"
)

// latencySetups are those of whole runs, with deltas of 16 B that carry their time.
func latencySetups(short bool) []setup {
	var all []setup
	for _, s := range runSetups(short) {
		if s.load.Size != stampSize {
			continue
		}
		s.load.Stamped = true
		s.each = (s.each + 1) / 2
		all = append(all, s)
	}
	return all
}

// latencyRounds is how many rounds the setup takes. Turns of many streams have so many deltas that a few of
// them will do.
func (s setup) latencyRounds(o report.Options) int {
	if o.Short {
		return 1
	}
	rounds := cmp.Or(o.Rounds, report.DefaultRounds)
	if s.streams > 1 {
		return max(1, rounds/3)
	}
	return rounds
}

func measureLatency(ctx context.Context, o report.Options) (_ *report.Result, err error) {
	p, err := start(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	res := &report.Result{
		About: `The whole runs of 500 deltas of 16 B once more, whose deltas carry the time at which the agent gave them to the emitter, in turns of their own: how long each is on its way until the client's read that
brings it returns. The agent writes as fast as it can, so a delta waits for those before it, in the buffers of the kernel and for a client that has all streams to read on the same processors; with a window, or where
streams share a connection, it waits for the flush too. The rows are judged by the CPU of these turns: a delay is now this and now that, as client and server get in step. p50 and p99 are those of a turn, and the median of the turns.`,
		Header: []string{"over, streams at once, deltas", "handler", "p50", "p99"},
	}
	var all setups
	for _, s := range latencySetups(o.Short) {
		progress(o, "latency: %v", s)
		late := lateness{}
		t, err := p.take(ctx, s, runKinds, s.latencyRounds(o), late.read)
		if err != nil {
			return nil, err
		}
		if err := late.complete(s.streams * s.each * s.load.Deltas); err != nil {
			return nil, err
		}
		all = append(all, t)
		p50, p99 := late.quantile(0.5), late.quantile(0.99)
		s.delayLines(o.Bench, p50, p99)
		for _, k := range runKinds {
			res.Rows = append(res.Rows, []string{
				s.String(), string(k), inMicroseconds(p50.median(k)), inMicroseconds(p99.median(k)),
			})
		}
	}
	all.ordered(res) // delays are too unsteady for that: the same handler has 40 µs in one turn and 200 in the next
	return res, nil
}

// delayLines writes a line for each turn, in the format of go test -bench.
func (s setup) delayLines(w io.Writer, p50, p99 series) {
	if w == nil {
		return
	}
	for _, k := range runKinds {
		for round := range p50[k] {
			fmt.Fprintf(w, "Benchmarklatency/over=%s/streams=%d/%s-%d\t%d\t%.0f p50-ns\t%.0f p99-ns\n",
				s.over, s.streams, k, runtime.GOMAXPROCS(0), s.streams*s.each*s.load.Deltas, p50[k][round], p99[k][round])
		}
	}
}
