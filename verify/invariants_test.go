package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// The tests of this file compare two Verifiers that ought to be in the same state, over random runs. Two are
// the same when all that can be asked of them is: the index, what is open, and the verdicts, to the letter, on
// this event and on all that follow.

// rounds returns how many random runs a test of this file plays.
func rounds() int {
	if testing.Short() {
		return 100
	}
	return 1_000
}

// pair is two Verifiers that ought to be the same.
type pair struct {
	dice
	a, b  *verify.Verifier
	trail []string
}

// newPair returns two new Verifiers of a random set, with options, and the same seeds.
func newPair(seed uint64, opts ...verify.Option) *pair {
	p := &pair{dice: newDice(seed)}
	set := pick(p.dice, verify.Core, verify.Strict, verify.Strict)
	p.a, p.b = verify.New(set, opts...), verify.New(set, opts...)
	p.trail = append(p.trail, set.String())
	return p
}

// String tells what happened so far.
func (p *pair) String() string { return strings.Join(p.trail, "\n") }

// note adds an event to what happened.
func (p *pair) note(ev events.Event, what string) {
	line, err := ev.AppendJSON(nil)
	if err != nil {
		line = fmt.Appendf(nil, "%+v (%v)", ev, err)
	}
	p.trail = append(p.trail, fmt.Sprintf("%3d %s %s", len(p.trail)-1, line, what))
}

// same fails the test when something tells the two apart, some random events included.
func (p *pair) same(t *testing.T) {
	t.Helper()
	if got, want := p.a.Index(), p.b.Index(); got != want {
		t.Fatalf("Index\n  one: %d\nother: %d\n%s", got, want, p)
	}
	if got, want := p.a.Open(), p.b.Open(); !slices.Equal(got, want) {
		t.Fatalf("Open\n  one: %v\nother: %v\n%s", got, want, p)
	}
	if got, want := errorText(p.a.End()), errorText(p.b.End()); got != want {
		t.Fatalf("End\n  one: %s\nother: %s\n%s", got, want, p)
	}
	for range 4 {
		ev := p.event()
		if p.once(8) {
			ev = p.terminal()
		}
		if got, want := errorText(p.a.Would(ev)), errorText(p.b.Would(ev)); got != want {
			p.note(ev, "?")
			t.Fatalf("Would\n  one: %s\nother: %s\n%s", got, want, p)
		}
	}
}

// both gives ev to both.
func (p *pair) both(t *testing.T, ev events.Event) {
	t.Helper()
	p.note(ev, "")
	if got, want := errorText(p.a.Observe(ev)), errorText(p.b.Observe(ev)); got != want {
		t.Fatalf("Observe\n  one: %s\nother: %s\n%s", got, want, p)
	}
}

// TestRandomRefusedChangesNothing gives one Verifier a RAW event, which changes nothing but the index, for each
// event that the other refuses.
func TestRandomRefusedChangesNothing(t *testing.T) {
	refused := 0
	for i := range uint64(rounds()) {
		p := newPair(i)
		for _, ev := range p.events(10 + p.IntN(50)) {
			if p.a.Would(ev) == nil {
				p.both(t, ev)
			} else {
				p.note(ev, "refused")
				refused++
				if err := p.a.Observe(ev); err == nil {
					t.Fatalf("an event that would be refused is accepted\n%s", p)
				}
				_ = p.b.Observe(raw())
			}
			p.same(t)
		}
	}
	if least := 10 * rounds(); refused < least {
		t.Errorf("refused events\n got: %d\nwant: at least %d", refused, least)
	}
}

// TestRandomWouldChangesNothing asks one Verifier about events that it is then not given.
func TestRandomWouldChangesNothing(t *testing.T) {
	for i := range uint64(rounds()) {
		p := newPair(i)
		for _, ev := range p.events(10 + p.IntN(50)) {
			for range p.IntN(6) {
				_ = p.a.Would(p.event())
				_ = p.a.Would(p.terminal())
			}
			p.both(t, ev)
			p.same(t)
		}
	}
}

// TestRandomResetIsNew gives one Verifier a run, and seeds, before it is reset.
func TestRandomResetIsNew(t *testing.T) {
	for i := range uint64(rounds()) {
		p := newPair(i, verify.Allow(verify.NotOpen), verify.Report(func(*verify.Violation) {}, verify.OwnerMismatch))
		p.a.Seed(p.messages())
		for _, ev := range p.events(p.IntN(50)) {
			_ = p.a.Observe(ev)
		}
		p.a.Reset()
		p.same(t)
		for _, ev := range p.events(10 + p.IntN(50)) {
			p.both(t, ev)
			p.same(t)
		}
	}
}

// TestRandomSeedsAddUp gives one Verifier in two seeds, or as the input of RUN_STARTED, what the other gets in one.
func TestRandomSeedsAddUp(t *testing.T) {
	for i := range uint64(rounds()) {
		p := newPair(i)
		history := slices.Concat(p.messages(), p.messages(), p.messages())
		start := &events.RunStarted{ThreadID: "t", RunID: "r"}
		other := start
		p.b.Seed(history)
		switch cut := p.IntN(len(history) + 1); p.IntN(3) {
		case 0:
			p.a.Seed(history[:cut])
			p.a.Seed(history[cut:])
		case 1:
			p.a.Seed(history[:cut])
			other = &events.RunStarted{ThreadID: "t", RunID: "r", Input: &events.RunAgentInput{Messages: history[cut:]}}
		case 2:
			p.a.Seed(history)
			p.a.Seed(history) // nothing new
		}
		p.note(&events.MessagesSnapshot{Messages: history}, "seeds")
		if p.a.Observe(other) != nil || p.b.Observe(start) != nil {
			t.Fatalf("RUN_STARTED is refused\n%s", p)
		}
		p.same(t)
		for range 30 {
			p.both(t, p.event())
			p.same(t)
		}
	}
}

// TestRandomPrefixCanFinish closes what is open after each accepted event, in random order, and finishes.
func TestRandomPrefixCanFinish(t *testing.T) {
	finished := 0
	for i := range uint64(rounds()) {
		d := newDice(i)
		set := pick(d, verify.Core, verify.Strict, verify.Strict)
		v := verify.New(set)
		history := d.messages()
		v.Seed(history)
		var accepted []events.Event
		for _, ev := range d.events(10 + d.IntN(30)) {
			if v.Observe(ev) != nil {
				continue
			}
			accepted = append(accepted, ev)
			if v.End() == nil || accepted[0].EventType() != events.TypeRunStarted {
				continue
			}
			finished++
			again := verify.New(set)
			again.Seed(history)
			observe(t, again, accepted...)
			if err := closeAll(d, again); err != nil {
				t.Fatalf("seed %d, after %v: %v", i, accepted, err)
			}
		}
	}
	if least := 5 * rounds(); finished < least {
		t.Errorf("prefixes\n got: %d\nwant: at least %d", finished, least)
	}
}

// closeAll ends what is open and the run.
func closeAll(d dice, v *verify.Verifier) error {
	open := v.Open()
	d.Shuffle(len(open), func(i, j int) { open[i], open[j] = open[j], open[i] })
	for _, o := range open {
		if err := v.Observe(endOf(d, o)); err != nil {
			return err
		}
	}
	if err := v.Observe(runFinish()); err != nil {
		return err
	}
	return v.End()
}

// endOf returns the event that closes what is open, with its owner's tag or, where one may be left out,
// without.
func endOf(d dice, o verify.Open) events.Event {
	by := tag{}
	if d.once(2) {
		by = o.Owner
	}
	switch o.Kind {
	case verify.KindTextMessage:
		return &events.TextMessageEnd{MessageID: o.ID, SubagentRunID: by}
	case verify.KindToolCall:
		return &events.ToolCallEnd{ToolCallID: o.ID, SubagentRunID: by}
	case verify.KindReasoningSpan:
		return &events.ReasoningEnd{MessageID: o.ID, SubagentRunID: by}
	case verify.KindReasoningMessage:
		return &events.ReasoningMessageEnd{MessageID: o.ID, SubagentRunID: by}
	case verify.KindStep:
		return &events.StepFinished{StepName: o.ID, SubagentRunID: o.Owner}
	}
	if d.once(2) {
		return &events.SubagentError{SubagentRunID: o.ID, Message: "x"}
	}
	return &events.SubagentFinished{SubagentRunID: o.ID}
}
