package faults

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

var (
	seed  = flag.Uint64("faults.seed", 1, "the seed of the campaign")
	only  = flag.Int("faults.only", -1, "the number of the one trial to run")
	runs  = flag.Int("faults.runs", 240, "how many trials to run")
	limit = flag.Duration("faults.time", 0, "run trials for this long instead")
)

// together is how many trials go on at a time. What one of them leaves behind shows when all are over.
const together = 24

// slowest is how long an agent may wait to be told of a client that has left. On an idle machine it is
// some milliseconds; the race detector, on a machine that does something else, takes its time.
const slowest = 5 * time.Second

// goodbye is how long package crypto/tls tries to tell a peer that does not read of the end.
const goodbye = 5 * time.Second

// TestCampaign runs trials.
func TestCampaign(t *testing.T) {
	if *only >= 0 {
		tr := newTrial(*seed, *only)
		t.Log(tr)
		for _, failure := range tr.run().failures {
			t.Error(failure)
		}
		return
	}
	newTrial(*seed, 0).run() // what the runtime opens for good is open then
	before := leftovers{goleak.IgnoreCurrent(), openFiles(t)}
	var all tally
	begin := time.Now()
	for next := 0; (*limit > 0 && time.Since(begin) < *limit || *limit == 0 && next < *runs) && !t.Failed(); next += together {
		batch(t, next, &all)
		before.check(t, next)
	}
	t.Logf("seed %d, %v\n%s", *seed, time.Since(begin).Round(time.Second), all.report())
}

// batch runs some trials at the same time.
func batch(t *testing.T, first int, all *tally) {
	t.Helper()
	var wg sync.WaitGroup
	for number := first; number < first+together; number++ {
		wg.Go(func() {
			tr := newTrial(*seed, number)
			o := tr.run()
			all.add(tr, o)
			for _, failure := range o.failures {
				t.Errorf("%v\n%s", tr, failure)
			}
			most := slowest
			if tr.fault.inRun {
				most += stallTimeout + goodbye
			}
			if o.latency > most {
				t.Errorf("%v\nthe agent was told after %v", tr, o.latency)
			}
		})
	}
	wg.Wait()
}

// leftovers is what there was before.
type leftovers struct {
	goroutines goleak.Option
	files      int
}

// check looks for what the batch has left behind.
func (l leftovers) check(t *testing.T, first int) {
	t.Helper()
	if err := goleak.Find(l.goroutines); err != nil {
		t.Errorf("trials %d to %d left goroutines: %v", first, first+together-1, err)
	}
	files := openFiles(t)
	for deadline := time.Now().Add(5 * time.Second); files > l.files && time.Now().Before(deadline); files = openFiles(t) {
		time.Sleep(10 * time.Millisecond)
	}
	if files > l.files {
		t.Errorf("trials %d to %d left open files:\n got %d\nwant %d", first, first+together-1, files, l.files)
	}
}

// openFiles counts the file descriptors of the process; where that cannot be told, none.
func openFiles(t *testing.T) int {
	t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	list, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// tally counts what came of the trials of each fault.
type tally struct {
	mu   sync.Mutex
	rows map[string]*row
}

type row struct {
	trials, ran, hit, events int
	latencies                []time.Duration
}

func (a *tally) add(t *trial, o outcome) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.rows == nil {
		a.rows = make(map[string]*row)
	}
	r := a.rows[t.fault.name]
	if r == nil {
		r = new(row)
		a.rows[t.fault.name] = r
	}
	r.trials++
	r.events += o.events
	if o.ran {
		r.ran++
	}
	if o.hit {
		r.hit++
	}
	if o.latency > 0 {
		r.latencies = append(r.latencies, o.latency)
	}
}

// report returns a table of Markdown.
func (a *tally) report() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	var b strings.Builder
	var sum row
	b.WriteString("| Fault | Trials | Runs | Ended by the fault | Events received | Told after (median, 99 %, most) |\n|---|---|---|---|---|---|\n")
	for _, f := range faults {
		r := a.rows[f.name]
		if r == nil {
			continue
		}
		sum.trials, sum.ran, sum.hit, sum.events = sum.trials+r.trials, sum.ran+r.ran, sum.hit+r.hit, sum.events+r.events
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %s |\n", f.name, r.trials, r.ran, r.hit, r.events, spread(r.latencies))
	}
	fmt.Fprintf(&b, "| all | %d | %d | %d | %d | |\n", sum.trials, sum.ran, sum.hit, sum.events)
	return b.String()
}

func spread(d []time.Duration) string {
	if len(d) == 0 {
		return ""
	}
	slices.Sort(d)
	at := func(share float64) time.Duration {
		return d[int(share*float64(len(d)-1))].Round(100 * time.Microsecond)
	}
	return fmt.Sprintf("%v, %v, %v", at(0.5), at(0.99), at(1))
}
