package verify_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// BenchmarkLoop is the loop around the others.
func BenchmarkLoop(b *testing.B) {
	ids := shuffled(100)
	i := 0
	for b.Loop() {
		if len(ids[i]) == 0 {
			b.Fatal("lost")
		}
		if i++; i == len(ids) {
			i = 0
		}
	}
}

// BenchmarkMapLookup is what the others are measured against: one look-up of an id of 36 characters, in
// other memory than the key, in a map of the open messages, and one look at what it finds.
func BenchmarkMapLookup(b *testing.B) {
	type entity struct {
		id       string
		owner, _ uint32
		_        [40]byte
	}
	for _, n := range []int{1, 100, 10_000} {
		open := map[string]*entity{}
		for i := range n {
			open[longID(i)] = &entity{id: longID(i), owner: 1}
		}
		ids := shuffled(n)
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			i := 0
			for b.Loop() {
				if e := open[ids[i]]; e == nil || e.owner != 1 {
					b.Fatal("lost")
				}
				if i++; i == len(ids) {
					i = 0
				}
			}
		})
	}
}

// BenchmarkContent is content by id: always for one message, and for all open messages in random order.
func BenchmarkContent(b *testing.B) {
	for _, n := range []int{1, 100, 10_000} {
		v, _ := begun(b, verify.Strict, n)
		for _, order := range []struct {
			name string
			ids  []string
		}{{"same", []string{longID(n / 2)}}, {"random", shuffled(n)}} {
			b.Run(fmt.Sprintf("%d/%s", n, order.name), func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					if _, err := v.Content(verify.KindTextMessage, order.ids[i], tag{}); err != nil {
						b.Fatal(err)
					}
					if i++; i == len(order.ids) {
						i = 0
					}
				}
			})
		}
	}
}

// BenchmarkContinue is content for an entity in hand.
func BenchmarkContinue(b *testing.B) {
	for _, n := range []int{1, 100, 10_000} {
		v, _ := begun(b, verify.Strict, n)
		var entities []*verify.Entity
		for _, id := range shuffled(n) {
			entities = append(entities, v.Entity(verify.KindTextMessage, id, tag{}))
		}
		b.Run(fmt.Sprintf("%d", n), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if err := v.Continue(entities[i], tag{}); err != nil {
					b.Fatal(err)
				}
				if i++; i == len(entities) {
					i = 0
				}
			}
		})
	}
}

// BenchmarkContinueTagged is content of a subagent.
func BenchmarkContinueTagged(b *testing.B) {
	v, _ := begun(b, verify.Strict, 0)
	s1 := events.Some("s1")
	observe(b, v, &events.TextMessageStart{MessageID: "m", SubagentRunID: s1})
	e := v.Entity(verify.KindTextMessage, "m", s1)
	b.ReportAllocs()
	for b.Loop() {
		if err := v.Continue(e, s1); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkObserve is content as an event value.
func BenchmarkObserve(b *testing.B) {
	for _, set := range []verify.Set{verify.Core, verify.Strict} {
		v, ids := begun(b, set, 1)
		ev := &events.TextMessageContent{MessageID: strings.Clone(ids[0]), Delta: "x"}
		b.Run(set.String(), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := v.Observe(ev); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMessage is the life of a message with a new id each time: start, k deltas, end. A run has so many of
// them that it also shows that the cost of an event does not grow.
func BenchmarkMessage(b *testing.B) {
	starts := make([]events.TextMessageStart, 1<<16)
	ends := make([]events.TextMessageEnd, len(starts))
	for i := range starts {
		starts[i].MessageID, ends[i].MessageID = longID(i), longID(i)
	}
	for _, k := range []int{0, 20} {
		b.Run(fmt.Sprintf("%d deltas", k), func(b *testing.B) {
			v, _ := begun(b, verify.Strict, 0)
			b.ReportAllocs()
			i := 0
			for b.Loop() {
				if err := v.Observe(&starts[i]); err != nil {
					b.Fatal(err)
				}
				for range k {
					if _, err := v.Content(verify.KindTextMessage, ends[i].MessageID, tag{}); err != nil {
						b.Fatal(err)
					}
				}
				if err := v.Observe(&ends[i]); err != nil {
					b.Fatal(err)
				}
				if i++; i == len(starts) {
					i = 0
					v.Reset()
					observe(b, v, &events.RunStarted{ThreadID: "t", RunID: "r"})
				}
			}
		})
	}
}

// BenchmarkContentAfter is content after a long run: 0 and 200,000 closed messages.
func BenchmarkContentAfter(b *testing.B) {
	for _, closed := range []int{0, 200_000} {
		v, _ := begun(b, verify.Strict, 0)
		for i := range closed {
			observe(b, v, &events.TextMessageStart{MessageID: longID(i)}, &events.TextMessageEnd{MessageID: longID(i)})
		}
		observe(b, v, &events.TextMessageStart{MessageID: "m1"}, &events.TextMessageStart{MessageID: "m2"})
		b.Run(fmt.Sprintf("%d", closed), func(b *testing.B) {
			for b.Loop() {
				if _, err := v.Content(verify.KindTextMessage, "m1", tag{}); err != nil {
					b.Fatal(err)
				}
				if _, err := v.Content(verify.KindTextMessage, "m2", tag{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkViolation is the failure path with many near misses to choose from.
func BenchmarkViolation(b *testing.B) {
	v, _ := begun(b, verify.Strict, 10_000)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := v.Content(verify.KindTextMessage, "0199f0c2_7d5e_7c3a_9b1e_00000000000x", tag{}); err == nil {
			b.Fatal("accepted")
		}
	}
}

// shuffled returns the ids of n messages in random order, in memory of their own.
func shuffled(n int) []string {
	ids := make([]string, n)
	for i, j := range rand.New(rand.NewPCG(1, 2)).Perm(n) {
		ids[i] = longID(j)
	}
	return ids
}
