package aguiotel_test

import (
	"io"
	"runtime"
	"slices"
	"syscall"
	"testing"

	"github.com/agui-go/agui/emitter"
	aguiotel "github.com/agui-go/agui/otel"
)

// deltas is the length of a run that is long.
const deltas = 100_000

// TestDeltasAllocateNothing checks a delta of a run that is traced and measured.
func TestDeltasAllocateNothing(t *testing.T) {
	rec := newRecording()
	emit(t, rec.telemetry(), func(em *emitter.Emitter) {
		must(t, em.RunStart("t", "r"))
		msg := em.Text()
		must(t, msg.Err())
		got := testing.AllocsPerRun(1000, func() {
			if _, err := msg.WriteString("hello "); err != nil {
				t.Fatal(err)
			}
		})
		if got != 0 {
			t.Errorf("allocations of a delta\n got: %v\nwant: 0", got)
		}
	})
}

// BenchmarkRun compares runs of 100,000 deltas with tracing and metrics on and off, by the time of the
// processor that each costs in memory. (What they cost of a run over HTTP is measured in internal/bench, where
// the server has a process of its own.) Each run without is followed by one with, or the other way round, and
// the median of the pairs counts: the machine's moods hit both.
func BenchmarkRun(b *testing.B) {
	rec := newRecording()
	telemetry := rec.telemetry()
	var off, on, more []float64
	var offAllocs, onAllocs []float64
	for i := 0; b.Loop(); i++ {
		pair := [2]cost{}
		for _, which := range [2]int{i % 2, 1 - i%2} {
			pair[which] = measure(func() { inMemory(b, [2]*aguiotel.Telemetry{nil, telemetry}[which]) })
		}
		off, on = append(off, pair[0].time/deltas), append(on, pair[1].time/deltas)
		more = append(more, 100*(pair[1].time/pair[0].time-1))
		offAllocs, onAllocs = append(offAllocs, pair[0].allocs/deltas), append(onAllocs, pair[1].allocs/deltas)
		rec.spans.Reset()
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(median(off), "off-cpu-ns/delta")
	b.ReportMetric(median(on), "on-cpu-ns/delta")
	b.ReportMetric(median(more), "more-cpu-%")
	b.ReportMetric(median(offAllocs), "off-allocs/delta")
	b.ReportMetric(median(onAllocs), "on-allocs/delta")
}

// cost is time of the processor, in nanoseconds, and allocations.
type cost struct {
	time, allocs float64
}

func measure(run func()) cost {
	runtime.GC()
	before := spent()
	run()
	after := spent()
	return cost{after.time - before.time, after.allocs - before.allocs}
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

// spent returns what this process has cost so far.
func spent() cost {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	return cost{float64(usage.Utime.Nano() + usage.Stime.Nano()), float64(mem.Mallocs)}
}

func talk(em *emitter.Emitter) error {
	msg := em.Text()
	for range deltas {
		if _, err := msg.WriteString("hello "); err != nil {
			return err
		}
	}
	return msg.Close()
}

// inMemory is a run whose events go nowhere.
func inMemory(b *testing.B, telemetry *aguiotel.Telemetry) {
	b.Helper()
	opts := []emitter.Option{emitter.WithLogger(nil), emitter.WithoutTelemetry()}
	if telemetry != nil {
		opts[1] = emitter.WithTelemetry(telemetry)
	}
	em := emitter.New(b.Context(), emitter.ToWriter(io.Discard), opts...)
	defer em.Close(nil)
	must(b, em.RunStart("t", "r"), talk(em), em.RunFinish(nil))
}
