package wire

import (
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/agui-go/agui/internal/bench/report"
	"github.com/agui-go/agui/internal/bench/wire/child"
)

// setup is how runs are asked for.
type setup struct {
	over    protocol
	streams int // at once
	each    int // runs on each, one after another
	load    load
}

func (s setup) events() int { return s.streams * s.each * s.load.events() }

func (s setup) String() string {
	streams := "1 stream"
	if s.streams > 1 {
		streams = fmt.Sprintf("%d streams", s.streams)
	}
	text := fmt.Sprintf("%s, %s, %d x %d B", s.over, streams, s.load.Deltas, s.load.Size)
	if s.load.Pace > 0 {
		text += fmt.Sprintf(", one each %v", s.load.Pace)
	}
	return text
}

// turns are what the server used in each turn of each kind, for an event.
type turns struct {
	setup              setup
	cpu, writes, bytes series // nanoseconds, calls, bytes
}

// take lets the kinds take turns. In each round another one is the first. The responses of a kind are
// given to the reader that read returns.
func (p *peers) take(ctx context.Context, s setup, kinds []kind, rounds int, read func(kind) func(io.Reader) error) (*turns, error) {
	if err := p.compare(ctx, s.over, s.load, kinds); err != nil {
		return nil, err
	}
	for _, k := range kinds { // connections are made, and buffers have grown
		if _, err := p.batch(ctx, s.over, k, s.streams, 1, drain); err != nil {
			return nil, err
		}
	}
	t := &turns{s, series{}, series{}, series{}}
	for round := range rounds {
		for i := range kinds {
			k := kinds[(i+round)%len(kinds)]
			used, err := p.batch(ctx, s.over, k, s.streams, s.each, read(k))
			if err != nil {
				return nil, err
			}
			t.add(k, used)
		}
	}
	return t, nil
}

// drained is for take when nothing is to be learnt from the responses.
func drained(kind) func(io.Reader) error { return drain }

func (t *turns) add(k kind, used child.Usage) {
	n := float64(t.setup.events())
	t.cpu.add(k, float64(used.CPU.Nanoseconds())/n)
	t.writes.add(k, float64(used.Writes)/n)
	t.bytes.add(k, float64(used.Bytes)/n)
}

// benchLines writes a line for each turn, in the format of go test -bench.
func (t *turns) benchLines(w io.Writer, key string, kinds []kind) {
	if w == nil {
		return
	}
	for _, k := range kinds {
		for round := range t.cpu[k] {
			fmt.Fprintf(w, "Benchmark%s/over=%s/streams=%d/size=%dB/%s-%d\t%d\t%.1f ns/op\t%.4f writes/op\t%.1f wireB/op\n",
				key, t.setup.over, t.setup.streams, t.setup.load.Size, k, runtime.GOMAXPROCS(0), t.setup.events(),
				t.cpu[k][round], t.writes[k][round], t.bytes[k][round])
		}
	}
}

// progress tells whoever waits.
func progress(o report.Options, format string, args ...any) {
	if o.Progress != nil {
		fmt.Fprintf(o.Progress, format+"\n", args...)
	}
}
