//go:build conformance

package conformance

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// TestEveryStateStrict and TestEveryStateCore walk through the states that the verifier and the official
// client can be in together, breadth first, and try every event of the alphabet in each. Strict is held
// against the expansion of chunks and the verifier, Core against the verifier alone.
//
// A state is the pair of both machines' states, up to the names of ids and owners. It is reached by a path of
// events that both accept, and is expanded once. That is sound: what a machine does depends on its state
// alone, the state's text leaves out nothing that a verdict depends on (see statekey_test.go and
// explore.mjs), and both treat ids and owners as names.
func TestEveryStateStrict(t *testing.T) { searchAll(t, verify.Strict) }

func TestEveryStateCore(t *testing.T) { searchAll(t, verify.Core) }

// searchAll gives each family a share of the time; what one does not need, those after it have.
func searchAll(t *testing.T, set verify.Set) {
	if err := checkFields(reflect.TypeFor[verify.Verifier]()); err != nil {
		t.Fatal(err)
	}
	client := startDriver(t)
	list := familiesOf(set)
	if len(list) == 0 {
		t.Fatalf("no family has %q in its name", *families)
	}
	end := time.Now().Add(*explore)
	for i, f := range list {
		s := newSearch(set, f)
		if err := s.run(client, time.Now().Add(time.Until(end)/time.Duration(len(list)-i))); err != nil {
			t.Fatal(err)
		}
		s.report(t)
		if len(s.failures) > 0 {
			return
		}
	}
}

// search is one walk through the states.
type search struct {
	family  string
	set     verify.Set
	letters []letter
	starts  []letter
	texts   []json.RawMessage

	mu       sync.Mutex
	seen     map[[16]byte]struct{}
	next     []path
	tried    int
	met      map[int]int // exceptions
	failures []string

	depth    int  // every sequence of so many events after the start has been judged
	expanded int  // states in which every event has been tried
	complete bool // these are all states there are
}

// path is how a state is reached: the number of the run's start, then those of events.
type path []uint16

func newSearch(set verify.Set, f family) *search {
	s := &search{family: f.name, set: set, seen: map[[16]byte]struct{}{}, met: map[int]int{}}
	for _, ev := range letters() {
		if f.holds(ev) && (set == verify.Strict || !isChunk(ev)) {
			s.letters = append(s.letters, ev)
		}
	}
	for _, ev := range startLetters() {
		if f.holds(ev) {
			s.starts = append(s.starts, ev)
		}
	}
	return s
}

func (s *search) run(client *driver, deadline time.Time) error {
	texts, err := encoded(s.letters)
	if err != nil {
		return err
	}
	starts, err := encoded(s.starts)
	if err != nil {
		return err
	}
	s.texts = texts
	if err := client.query("exploration", map[string]any{"events": texts, "runs": starts, "alone": s.set == verify.Core}, &struct{}{}); err != nil {
		return err
	}
	if err := s.outside(client, starts); err != nil {
		return err
	}
	for n := range s.starts {
		s.next = append(s.next, path{uint16(n)})
	}
	for {
		frontier := s.next
		s.next = nil
		if len(frontier) == 0 {
			s.complete = true
			return nil
		}
		if s.depth >= *depth {
			return nil
		}
		all, err := s.level(client, frontier, deadline)
		if err != nil || !all || len(s.failures) > 0 {
			return err
		}
		s.depth++
	}
}

// level expands the states of one depth and reports whether there was time for all. For the starts there
// always is.
func (s *search) level(client *driver, frontier []path, deadline time.Time) (bool, error) {
	const batch = 40
	work := make(chan []path)
	errs := make([]error, walkers)
	var wait sync.WaitGroup
	for n := range walkers {
		wait.Go(func() {
			for paths := range work {
				if errs[n] == nil {
					errs[n] = s.expand(client, paths)
				}
			}
		})
	}
	done := 0
	for done < len(frontier) && (s.depth == 0 || time.Now().Before(deadline)) {
		paths := frontier[done:min(done+batch, len(frontier))]
		work <- paths
		done += len(paths)
	}
	close(work)
	wait.Wait()
	return done == len(frontier), errors.Join(errs...)
}

// expansion is what explore.mjs says of one path.
type expansion struct {
	Accepts string
	States  []string
	Next    []int
}

func (s *search) expand(client *driver, paths []path) error {
	var answer struct{ Results []expansion }
	if err := client.query("expand", map[string]any{"paths": paths}, &answer); err != nil {
		return err
	}
	for i, p := range paths {
		if err := s.try(p, &answer.Results[i]); err != nil {
			return err
		}
	}
	return nil
}

// try compares what both say of every event in the state that p leads to, and notes the states after it.
func (s *search) try(p path, client *expansion) error {
	v, err := s.reach(p)
	if err != nil {
		return err
	}
	stores := make([][][]string, len(client.States))
	stores[0] = clientStores(client.States[0])
	// The starts are on the list without a look at their states.
	if len(p) == 1 && s.known(append(stateText(v), stores[0]...)) {
		return nil
	}
	var next []path
	accepted := 0
	for n, ev := range s.letters {
		here, there := v.Would(ev), client.Accepts[n] == '1'
		if there {
			accepted++
		}
		if (here == nil) != there {
			if err := s.differ(p, n, here, there); err != nil {
				return err
			}
			continue
		}
		if here != nil || client.Next[accepted-1] < 0 {
			continue // refused by both, or the run is over
		}
		state := client.Next[accepted-1]
		if stores[state] == nil {
			stores[state] = clientStores(client.States[state])
		}
		after, err := s.reach(append(p[:len(p):len(p)], uint16(n)))
		if err != nil {
			return err
		}
		if !s.known(append(stateText(after), stores[state]...)) {
			next = append(next, append(p[:len(p):len(p)], uint16(n)))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next = append(s.next, next...)
	s.expanded++
	s.tried += len(s.letters)
	return nil
}

// reach returns a verifier in the state that p leads to.
func (s *search) reach(p path) (*verify.Verifier, error) {
	v := verify.New(s.set)
	err := v.Observe(s.starts[p[0]])
	for _, n := range p[1:] {
		err = errors.Join(err, v.Observe(s.letters[n]))
	}
	return v, err
}

// known reports whether the state has been met, and remembers it.
func (s *search) known(state [][]string) bool {
	sum := sha256.Sum256([]byte(canonical(state)))
	key := [16]byte(sum[:])
	s.mu.Lock()
	defer s.mu.Unlock()
	_, met := s.seen[key]
	s.seen[key] = struct{}{}
	return met
}

// differ looks for the exception that a difference is.
func (s *search) differ(p path, n int, here error, there bool) error {
	list := []events.Event{s.starts[p[0]]}
	for _, n := range p[1:] {
		list = append(list, s.letters[n])
	}
	list = append(list, s.letters[n])
	texts, err := encoded(list)
	if err != nil {
		return err
	}
	v := verdict{OK: there, At: len(list) - 1, Stage: "order", Message: "it refuses this event"}
	exception, err := compare(s.set, &walked{list, texts, violation(here)}, v)
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil {
		s.met[exception]++
		return nil
	}
	if len(s.failures) < 5 {
		s.failures = append(s.failures, fmt.Sprintf("%v%s", err, lines(texts)))
	}
	return nil
}

// outside tries every event before the run and after each of its ends, where the rest of the state plays no
// part.
func (s *search) outside(client *driver, starts []json.RawMessage) error {
	var list []walked
	begin := s.starts[0]
	var ends [][]events.Event
	for _, ev := range s.letters {
		switch ev.(type) {
		case *events.RunFinished, *events.RunError:
			v := verify.New(s.set)
			if v.Observe(begin) == nil && v.Observe(ev) == nil {
				ends = append(ends, []events.Event{begin, ev})
			}
		}
	}
	for _, before := range append(ends, nil) {
		for _, ev := range append(s.letters[:len(s.letters):len(s.letters)], s.starts...) {
			v := verify.New(s.set)
			for _, ev := range before {
				if err := v.Observe(ev); err != nil {
					return err
				}
			}
			events := append(before[:len(before):len(before)], ev)
			texts, err := encoded(events)
			if err != nil {
				return err
			}
			list = append(list, walked{events, texts, violation(v.Observe(ev))})
		}
	}
	ask := make([][]json.RawMessage, len(list))
	for i, w := range list {
		ask[i] = w.texts
	}
	verdicts, _, err := client.judge(map[string]any{"sequences": ask, "alone": s.set == verify.Core})
	if err != nil {
		return err
	}
	for i, w := range list {
		exception, err := compare(s.set, &w, verdicts[i])
		if err != nil {
			s.failures = append(s.failures, err.Error()+lines(w.texts))
		} else if exception >= 0 {
			s.met[exception]++
		}
	}
	s.tried += len(list)
	return nil
}

func (s *search) report(t *testing.T) {
	t.Helper()
	for _, failure := range s.failures {
		t.Errorf("%s: %s", s.family, failure)
	}
	how := fmt.Sprintf("every sequence of %d events", s.depth)
	if s.complete {
		how = fmt.Sprintf("all there are, at most %d events away", s.depth)
	}
	var met []string
	for i, e := range exceptions {
		if s.met[i] > 0 {
			met = append(met, fmt.Sprintf("%s %d", e.name, s.met[i]))
		}
	}
	t.Logf("%s: %d events in the alphabet, %d states tried (%s), %d met, %d verdicts compared, %d disagreements; exceptions: %s",
		s.family, len(s.letters), s.expanded, how, len(s.seen), s.tried, len(s.failures), strings.Join(met, ", "))
	if s.expanded == 0 {
		t.Errorf("%s: no state was expanded", s.family)
	}
}
