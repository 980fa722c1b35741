//go:build conformance

package conformance

import (
	"encoding/json"
	"slices"
	"sync"
	"testing"

	"github.com/agui-go/agui/verify"
)

// tally counts what came of random sequences.
type tally struct {
	sequences, accepted, events int
	rules                       map[verify.Rule]int
	exceptions                  map[int]int
	failures                    []string
}

func newTally() *tally {
	return &tally{rules: map[verify.Rule]int{}, exceptions: map[int]int{}}
}

// walkers work side by side: one makes sequences while the client judges another's.
const walkers = 2

// TestVerdictsStrict holds Strict against the whole client: verdict, index and stage of mostly legal
// random runs with planted faults.
func TestVerdictsStrict(t *testing.T) { checkVerdicts(t, verify.Strict, *sequences) }

// TestVerdictsCore holds Core against the official verifier alone, which knows no chunks.
func TestVerdictsCore(t *testing.T) { checkVerdicts(t, verify.Core, *sequences/3) }

func checkVerdicts(t *testing.T, set verify.Set, n int) {
	client := startDriver(t)
	total := newTally()
	var mu sync.Mutex
	var wait sync.WaitGroup
	for stream := range walkers {
		wait.Go(func() {
			w := &walker{
				dice: newDice(*seed, uint64(stream)+1), set: set, chunks: set == verify.Strict,
				counts: map[breach]int{},
			}
			mine := newTally()
			for mine.sequences < n/walkers && len(mine.failures) < 5 {
				if err := w.batch(client, mine); err != nil {
					mine.failures = append(mine.failures, err.Error())
				}
			}
			mu.Lock()
			defer mu.Unlock()
			total.add(mine)
		})
	}
	wait.Wait()
	total.check(t, set)
}

// batch makes sequences, has the client judge them, and compares.
func (w *walker) batch(client *driver, count *tally) error {
	var list []walked
	for len(list) < 300 {
		more, err := w.walk()
		if err != nil {
			return err
		}
		list = append(list, more...)
	}
	verdicts := make([]verdict, len(list))
	// The reducer sees what is fine: where an event fails earlier, it sees less of the same.
	for _, fine := range []bool{true, false} {
		var ask [][]json.RawMessage
		var place []int
		for i, s := range list {
			if (s.fault == nil || s.fault.Rule == verify.Unterminated) == fine {
				ask, place = append(ask, s.texts), append(place, i)
			}
		}
		answer, _, err := client.judge(map[string]any{"sequences": ask, "alone": w.set == verify.Core, "reducer": fine})
		if err != nil {
			return err
		}
		for i, v := range answer {
			verdicts[place[i]] = v
		}
	}
	for i := range list {
		count.one(w.set, &list[i], verdicts[i])
	}
	return nil
}

func (c *tally) one(set verify.Set, s *walked, v verdict) {
	c.sequences++
	c.events += len(s.events)
	if s.fault == nil {
		c.accepted++
	} else {
		c.rules[s.fault.Rule]++
	}
	exception, err := compare(set, s, v)
	if err != nil {
		c.failures = append(c.failures, err.Error()+lines(s.texts))
		return
	}
	if exception >= 0 {
		c.exceptions[exception]++
	}
}

func (c *tally) add(other *tally) {
	c.sequences += other.sequences
	c.accepted += other.accepted
	c.events += other.events
	for rule, n := range other.rules {
		c.rules[rule] += n
	}
	for i, n := range other.exceptions {
		c.exceptions[i] += n
	}
	c.failures = append(c.failures, other.failures...)
}

// check fails the test for every disagreement, and when the sequences were not what they should be: two in
// five accepted, each rule the reason once in a thousand, each exception met.
func (c *tally) check(t *testing.T, set verify.Set) {
	t.Helper()
	for _, failure := range c.failures {
		t.Error(failure)
	}
	share := 100 * float64(c.accepted) / float64(max(c.sequences, 1))
	t.Logf("%d sequences of %d events (seed %d), %.1f %% accepted, %d disagreements", c.sequences, c.events, *seed, share, len(c.failures))
	if share < 40 {
		t.Errorf("accepted\n got: %.1f %%\nwant: 40 %% at least", share)
	}
	for _, rule := range verify.Rules() {
		if rule.Set() > set {
			continue
		}
		t.Logf("%8d %s", c.rules[rule], rule.String())
		if got, want := c.rules[rule], c.sequences/1000; got < want {
			t.Errorf("%s was the reason\n got: %d times\nwant: %d times at least", rule.String(), got, want)
		}
	}
	for i, e := range exceptions {
		if !slices.Contains(e.set, set) {
			continue
		}
		t.Logf("%8d exception: %s (%s)", c.exceptions[i], e.name, e.why)
		if c.exceptions[i] == 0 {
			t.Errorf("the exception %q was not met: it is none, or the sequences are too few", e.name)
		}
	}
}
