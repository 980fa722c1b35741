package retained

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"time"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/bench/measure"
	"github.com/agui-go/agui/internal/bench/wire/child"
	"github.com/agui-go/agui/verify"
)

// name is what a process is called that keeps ids.
const name = "retained"

// question says what a child is to keep.
type question struct {
	In string // one of keepMap and keepVerifier
	N  int
}

// figures are what a child finds.
type figures struct {
	BytesPerID float64 // of the heap
	MarkMS     float64 // CPU time of marking for one collection
	WorstMS    float64 // the slowest batch of inserts
	InsertNS   float64
	Growth     float64 // how many times as long the last tenth of the inserts takes as the first
}

const (
	keepMap      = "map"
	keepVerifier = "verifier"

	batch  = 1000
	cycles = 10
)

// Child does the work of a child when this process was started as one, and reports whether it was. Call it
// first in main, and return when it was.
func Child() bool { return child.Run(name, serve) }

func serve(parent *child.Parent) error {
	var q question
	if err := parent.Next(&q); err != nil {
		return err
	}
	f, err := keep(q.In, q.N)
	if err != nil {
		return err
	}
	return parent.Answer(f)
}

// keep keeps n ids, and measures that.
func keep(what string, n int) (figures, error) {
	set, err := newSet(what)
	if err != nil {
		return figures{}, err
	}
	text := idText(n)
	before := heap()
	var f figures
	var batches []float64
	begin := time.Now()
	for i := 0; i < n; i += batch {
		batchBegin := time.Now()
		for k := i; k < min(i+batch, n); k++ {
			// Ids come in strings of their own, as from a decoder.
			if err := set.add(string(text[k*idLen : (k+1)*idLen])); err != nil {
				return figures{}, err
			}
		}
		batches = append(batches, milliseconds(time.Since(batchBegin)))
	}
	f.InsertNS = float64(time.Since(begin).Nanoseconds()) / float64(n)
	f.WorstMS = slices.Max(batches)
	tenth := max(1, len(batches)/10)
	f.Growth = measure.Median(batches[len(batches)-tenth:]) / measure.Median(batches[:tenth])
	f.BytesPerID = float64(heap()-before) / float64(n)
	f.MarkMS = markMS()
	if got := set.len(); got != n {
		return figures{}, fmt.Errorf("%s keeps %d ids of %d", what, got, n)
	}
	runtime.KeepAlive(text)
	return f, nil
}

const idLen = 36

// idText is n different ids one after the other, in one piece that the collector does not look into. Their
// digits are mixed, as those of random ids are.
func idText(n int) []byte {
	text := make([]byte, 0, n*idLen)
	for i := range n {
		x := (uint64(i) + 1) * 0x9e3779b97f4a7c15
		text = fmt.Appendf(text, "msg_%016x%016x", x^x>>29, x)
	}
	return text
}

// set is what keeps the ids.
type set interface {
	add(id string) error
	len() int
}

func newSet(what string) (set, error) {
	switch what {
	case keepMap:
		return stringSet{}, nil
	case keepVerifier:
		v := verify.New(verify.Strict)
		return verifierSet{v}, v.Observe(events.NewRunStarted("thread", "run"))
	}
	return nil, fmt.Errorf("there is no way %q to keep ids", what)
}

type stringSet map[string]struct{}

func (s stringSet) add(id string) error { s[id] = struct{}{}; return nil }
func (s stringSet) len() int            { return len(s) }

// verifierSet keeps an id as a verifier does whose run has had a message with it.
type verifierSet struct{ *verify.Verifier }

func (s verifierSet) add(id string) error {
	if err := s.Observe(&events.TextMessageStart{MessageID: id}); err != nil {
		return err
	}
	return s.Observe(&events.TextMessageEnd{MessageID: id})
}

func (s verifierSet) len() int { return s.Retained() }

// heap is how many bytes of the heap are in use.
func heap() int64 {
	runtime.GC()
	runtime.GC() // the first leaves the pools of the cycle before
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// markMS is the CPU time that the marking of one collection takes, helpers and idle cores included.
func markMS() float64 {
	before := markSeconds()
	for range cycles {
		runtime.GC()
	}
	return (markSeconds() - before) / cycles * 1000
}

func markSeconds() float64 {
	samples := []metrics.Sample{
		{Name: "/cpu/classes/gc/mark/assist:cpu-seconds"},
		{Name: "/cpu/classes/gc/mark/dedicated:cpu-seconds"},
		{Name: "/cpu/classes/gc/mark/idle:cpu-seconds"},
	}
	metrics.Read(samples)
	sum := 0.0
	for _, s := range samples {
		sum += s.Value.Float64()
	}
	return sum
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
