package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/agui-go/agui/internal/bench/report"
)

// runKinds are the rows of whole runs.
var runKinds = []kind{bare, twin, ours, ours10, hand, peer}

// runSetups are how whole runs of 500 deltas are asked for. A turn has at least 5,000 events, which take
// some ten milliseconds.
func runSetups(short bool) []setup {
	deltas, each, streams := 500, 10, 100
	if short {
		deltas, each, streams = 50, 1, 10
	}
	return []setup{
		{http1, 1, each, load{Deltas: deltas, Size: 16}},
		{http1, 1, each, load{Deltas: deltas, Size: 64}},
		{http1, streams, 1, load{Deltas: deltas, Size: 16}},
		{http2, 1, each, load{Deltas: deltas, Size: 16}},
		{http2, 1, each, load{Deltas: deltas, Size: 64}},
		{http2, streams, 1, load{Deltas: deltas, Size: 16}},
	}
}

// times is how many rounds the setup takes for each that was asked for.
func (s setup) times() int {
	switch {
	case s.streams > 1:
		return 1
	case s.over == http2:
		return 2
	}
	return 4
}

// roundsOf returns how many rounds to take. The ratios of turns that take little time need more of them, since
// what else the machine does weighs more.
func roundsOf(o report.Options, times int) int {
	if o.Short {
		return 1
	}
	return times * cmp.Or(o.Rounds, report.DefaultRounds)
}

func measureRuns(ctx context.Context, o report.Options) (_ *report.Result, err error) {
	p, err := start(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	res := &report.Result{
		About: `A run of 500 deltas in one message: RUN_STARTED, TEXT_MESSAGE_START, the contents, TEXT_MESSAGE_END, RUN_FINISHED, each flushed. CPU is that of the server's process
(getrusage), in ratios to a handler that writes prepared bytes; write(2) and bytes are from /proc/self/io, with header, chunks and TLS. All handlers are in one process, deliver the same events and
take turns. ` + "`bare-again`" + ` is ` + "`bare`" + ` once more and shows the noise. ` + "`agui`" + ` is middleware.Handler with its defaults, ` + "`agui-10ms`" + ` with a flush window; ` + "`json`" + ` is json.Marshal, Fprintf
and Flush, ` + "`sdk`" + ` the official community Go SDK, whose events have a time and whose frames have an id: compare its CPU and not its bytes. The time in brackets is the median, of this machine at this hour.`,
		Header: []string{"over, streams at once, deltas", "handler", "CPU, x bare", "(µs an event)", "write(2) an event", "bytes an event"},
	}
	var all setups
	for _, s := range runSetups(o.Short) {
		progress(o, "wire: %v", s)
		t, err := p.take(ctx, s, runKinds, roundsOf(o, s.times()), drained)
		if err != nil {
			return nil, err
		}
		t.benchLines(o.Bench, "wire", runKinds)
		t.rows(res, runKinds)
		all = append(all, t)
	}
	all.judgeRuns(res)
	return res, nil
}

// judgeRuns adds what is asked of whole runs.
func (all setups) judgeRuns(res *report.Result) {
	for _, t := range all {
		t.runGoals(res)
	}
	all.record(res, bare, hand)
	all.ordered(res)
}

// ordered adds how the rows of whole runs stand to each other.
func (all setups) ordered(res *report.Result) {
	all.alike(res)
	all.falling(res, cpu, peer, hand, ours, bare, ours10)
	all.falling(res, cpu, ours, twin, ours10)
}

// rows adds a row for each kind.
func (t *turns) rows(res *report.Result, kinds []kind) {
	for _, k := range kinds {
		res.Rows = append(res.Rows, []string{
			t.setup.String(), string(k), fmt.Sprintf("%.2f", t.cpu.ratio(k, bare).Median), fmt.Sprintf("(%.2f)", t.cpu.median(k)/1e3),
			fmt.Sprintf("%.3f", t.writes.median(k)), fmt.Sprintf("%.1f", t.bytes.median(k)),
		})
	}
}

// runGoals adds the goals of the set-up.
func (t *turns) runGoals(res *report.Result) {
	one := t.setup.over == http1 && t.setup.streams == 1
	want := 1.05
	if one {
		want = 1.03
	}
	t.goal(res, 11, ours, bare, want, whyBare)
	if !one {
		t.record(res, ours, hand)
		t.record(res, ours, peer)
		return
	}
	t.goal(res, 11, ours, hand, 0.82, "")
	t.goal(res, 11, ours, peer, 0.65, "")
	t.windowGoals(res)
}

// windowGoals adds what is asked of single streams over HTTP/1.1 alone: few writes, and with a window fewer.
func (t *turns) windowGoals(res *report.Result) {
	res.Goals = append(res.Goals, report.Goal{
		Number: 12, What: fmt.Sprintf("write(2) an event, %v", t.setup), Got: t.writes.median(ours), Want: 1.01,
	})
	t.goal(res, 13, ours10, bare, 0.2, whyRun)
	perRun := t.writes.median(ours10) * float64(t.setup.load.events())
	what := fmt.Sprintf("write(2) a run with a window of 10 ms, %v", t.setup)
	res.Ratios = append(res.Ratios, report.Ratio{Name: what, Got: perRun})
	if t.setup.load.Size > 16 {
		return // more bytes, more flushes
	}
	res.Goals = append(res.Goals, report.Goal{
		Number: 13, What: what, Got: perRun, Want: 8,
		Why: "the goal counts a message, and RUN_STARTED and RUN_FINISHED around it are a write each; net/http makes three of each flush of 32 KiB, and one of the last chunk",
	})
	res.Lines = append(res.Lines, report.Line{
		Place: 5, What: "a whole run of 500 deltas over HTTP/1.1: CPU of the server, against a handler that writes prepared bytes",
		Figure: fmt.Sprintf("%.2f x", t.cpu.ratio(ours, bare).Median),
	})
}

// Why the CPU of a run is out of reach.
const (
	whyBare  = "one write to a loopback socket takes about a microsecond of CPU here, where the goal was set it took three to six: beside it show the 0.11 us that an event of ours takes (to read the clock 0.03, to check and encode 0.04, the deadline, the guards and the header of the chunk the rest) and what a run takes besides its events: its input, its contexts, its timers"
	whyRun   = "in ten writes a run is so cheap that what it takes besides its events is most of it: the request, its input, its contexts, its timers"
	whyStorm = "an event takes about 0.1 us, all in; 0.03 of what the bare handler takes for one here is 0.03 us, less than to check and encode it"
)

// goal adds the goal that a takes at most so much of the CPU of b, and puts the ratio on record.
func (t *turns) goal(res *report.Result, number int, a, b kind, want float64, why string) {
	r := t.record(res, a, b)
	res.Goals = append(res.Goals, report.Goal{Number: number, What: r.Name, Got: r.Got, Want: want, Noise: r.Noise, Unit: "x", Why: why})
}

// record puts on record how much of the CPU of b a takes.
func (t *turns) record(res *report.Result, a, b kind) report.Ratio {
	r := t.cpu.ratio(a, b)
	entry := report.Ratio{
		Name: fmt.Sprintf("CPU of %s against %s, %v", a, b, t.setup), Got: r.Median, Noise: t.cpu.noise(r),
	}
	res.Ratios = append(res.Ratios, entry)
	return entry
}
