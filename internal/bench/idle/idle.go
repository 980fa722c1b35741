package idle

import (
	"context"
	"fmt"
	"math"
	"syscall"
	"time"

	"github.com/agui-go/agui/internal/bench/report"
)

var kinds = []kind{bare, twin, ours, bareEcho, oursEcho}

const (
	// allowed is what a stream of ours may hold above a bare one, in bytes of heap and stack.
	allowed = 1024
	// spareFiles are the descriptors of a process that are no streams.
	spareFiles = 100
)

func measure(ctx context.Context, o report.Options) (*report.Result, error) {
	res := &report.Result{
		About: `What a stream holds while nothing happens on it, in the process of the server: bytes of heap and stack after a collection, resident memory, and goroutines, each less what the server held
before. ` + "`bare`" + ` is a handler of net/http that sets the same header, writes an event and waits, ` + "`bare-again`" + ` the same once more; ` + "`agui`" + ` is middleware.Handler with a keep-alive, of which
each stream has sent one, and ` + "`echo-`" + ` the two under echo. Each row is a fresh process over HTTP/1.1; the client is another one.`,
		Header: []string{"streams", "handler", "heap", "stack", "heap + stack, above bare", "resident", "goroutines"},
	}
	limit, err := files()
	if err != nil {
		return nil, err
	}
	sizes, rest := []int{1_000, 10_000}, silence+silence/4
	if o.Short {
		sizes, rest = []int{50}, 50*time.Millisecond
	}
	for _, streams := range sizes {
		if most := limit - spareFiles; streams > most {
			res.After += fmt.Sprintf("%d streams were to be held; a process may have %d files open (RLIMIT_NOFILE), so it were %d.\n", streams, limit, most)
			streams = most
		}
		held := map[kind]footprint{}
		for _, k := range kinds {
			if o.Progress != nil {
				fmt.Fprintf(o.Progress, "idle: %d streams, %s\n", streams, k)
			}
			if held[k], err = hold(ctx, k, streams, rest); err != nil {
				return nil, err
			}
			if o.Bench != nil {
				f, n := held[k], float64(streams)
				fmt.Fprintf(o.Bench, "Benchmarkidle/streams=%d/%s 1 %.1f heapB/stream %.1f stackB/stream %.1f residentB/stream %.3f goroutines/stream\n",
					streams, k, float64(f.Heap)/n, float64(f.Stack)/n, float64(f.Resident)/n, float64(f.Goroutines)/n)
			}
		}
		rows(res, streams, held)
		noise := math.Abs(above(streams, held, twin, bare)) / allowed
		goals(res, streams, held, ours, bare, noise)
		order(res, streams, held, ours, bare)
		order(res, streams, held, ours, twin)
		goals(res, streams, held, oursEcho, bareEcho, noise)
		order(res, streams, held, oursEcho, bareEcho)
	}
	return res, nil
}

// files returns how many files a process may have open. The runtime has raised the limit as far as it may.
func files() (int, error) {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		return 0, fmt.Errorf("idle: getrlimit: %w", err)
	}
	return int(min(limit.Cur, math.MaxInt32)), nil
}

// above returns how many bytes of heap and stack a stream of a holds more than one of b.
func above(streams int, held map[kind]footprint, a, b kind) float64 {
	more := held[a].minus(held[b])
	return float64(more.Heap+more.Stack) / float64(streams)
}

// rows adds a row for each kind.
func rows(res *report.Result, streams int, held map[kind]footprint) {
	for _, k := range kinds {
		f, n := held[k], int64(streams)
		res.Rows = append(res.Rows, []string{
			fmt.Sprint(streams), string(k), fmt.Sprint(f.Heap / n), fmt.Sprint(f.Stack / n),
			fmt.Sprintf("%d, %+.0f", (f.Heap+f.Stack)/n, above(streams, held, k, bare)),
			fmt.Sprint(f.Resident / n), fmt.Sprintf("%.2f", float64(f.Goroutines)/float64(n)),
		})
	}
}

// order adds that a stream of a holds more than one of b.
func order(res *report.Result, streams int, held map[kind]footprint, a, b kind) {
	bytes := func(k kind) float64 { return float64(held[k].Heap + held[k].Stack) }
	res.Orders = append(res.Orders, report.Order{
		What: fmt.Sprintf("a stream of %s holds more than one of %s, %d streams", a, b, streams), Got: bytes(a) / bytes(b),
	})
}

// whyMemory is why a stream takes more: by a heap profile.
const whyMemory = "about 1,000 B cannot go with the contexts of the standard library: to hear of a cancelled request 400 B, the agent's context and its channel 208 B, the input 240 B, the timer of the keep-alive 128 B. The emitter and the run are 850 B, the ordering machine 288 B with 300 B for its first id"

// goals adds what is asked of a, which is b with this library.
func goals(res *report.Result, streams int, held map[kind]footprint, a, b kind, noise float64) {
	more := above(streams, held, a, b)
	goroutines := float64(held[a].Goroutines-held[b].Goroutines) / float64(streams)
	res.Goals = append(res.Goals,
		report.Goal{
			Number: 15, What: fmt.Sprintf("heap and stack of a stream of %s above %s, %d streams", a, b, streams),
			Got: more, Want: allowed, Noise: noise, Unit: "B", Why: whyMemory,
		},
		report.Goal{
			Number: 15, What: fmt.Sprintf("goroutines of a stream of %s above %s, %d streams", a, b, streams),
			Got: math.Round(goroutines*100) / 100, Want: 0,
		},
	)
	// What ours adds is a tenth of a stream, and would have to double before a ratio of whole streams showed it.
	res.Ratios = append(res.Ratios, report.Ratio{
		Name: fmt.Sprintf("bytes of heap and stack of %s above %s, %d idle streams", a, b, streams), Got: more,
		Noise: math.Abs(above(streams, held, twin, bare) / more),
	})
	if a == ours && streams >= 10_000 {
		res.Lines = append(res.Lines, report.Line{
			Place: 6, What: "memory of an idle stream above that of a bare handler, 10,000 streams", Figure: fmt.Sprintf("%.0f B", more),
		})
	}
}
