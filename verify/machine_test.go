package verify_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// TestMachineAgainstModel holds the machine to the naive reading of the rules over random runs, Would to
// Observe, and what is reported and open to what should be. AGUI_SEED repeats a run.
func TestMachineAgainstModel(t *testing.T) {
	seed := uint64(time.Now().UnixNano())
	if s := os.Getenv("AGUI_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seed = n
	}
	runs := 20_000
	if testing.Short() {
		runs = 4_000
	}
	t.Logf("seed %d: %d runs", seed, runs)
	met := map[verify.Rule]int{}
	for i := range uint64(runs) {
		if newMatch(newDice(seed+i), met).play(t); t.Failed() {
			t.Fatalf("AGUI_SEED=%d repeats this run as the first", seed+i)
		}
	}
	for _, r := range verify.Rules() {
		if r != verify.Unterminated && met[r] == 0 {
			t.Errorf("no run broke %s: the dice are too tame", r)
		}
	}
	for r, n := range met {
		t.Logf("%6d %s", n, r.String())
	}
}

// match is one random run through machine and model.
type match struct {
	dice
	met     map[verify.Rule]int
	v       *verify.Verifier
	m       *model
	report  []verify.Rule // the rules that are reported
	reports []verify.Rule // what has been reported for the latest event
	trail   []events.Event
}

// String tells the run so far.
func (g *match) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "strict %t, lets through %v, reports %v\n", g.m.strict, names(g.m.lenient), names(g.report))
	for i, ev := range g.trail {
		line, _ := ev.AppendJSON(nil)
		fmt.Fprintf(&b, "%3d %s %s\n", i, ev.EventType(), line)
	}
	return b.String()
}

func names(rules []verify.Rule) []string {
	var list []string
	for _, r := range rules {
		list = append(list, r.String())
	}
	return list
}

func newMatch(d dice, met map[verify.Rule]int) *match {
	g := &match{dice: d, met: met}
	set := pick(d, verify.Core, verify.Strict, verify.Strict)
	g.m = &model{strict: set == verify.Strict}
	var opts []verify.Option
	if d.once(2) {
		allow := g.rules()
		g.report = g.rules()
		opts = append(opts, verify.Allow(allow...), verify.Report(g.hear, g.report...))
		g.report = slices.DeleteFunc(g.report, func(r verify.Rule) bool {
			return r == verify.RunNotStarted || r == verify.RunEnded || r == verify.DuplicateRunStarted || r == verify.InvalidField
		})
		g.m.lenient = append(allow, g.report...)
	}
	g.v = verify.New(set, opts...)
	for range d.IntN(3) {
		history := d.messages()
		g.v.Seed(history)
		g.m.messages(history, false)
	}
	return g
}

// rules returns some of the rules.
func (g *match) rules() []verify.Rule {
	var list []verify.Rule
	for _, r := range verify.Rules() {
		if g.once(6) {
			list = append(list, r)
		}
	}
	return list
}

func (g *match) hear(v *verify.Violation) { g.reports = append(g.reports, v.Rule) }

func (g *match) play(t *testing.T) {
	t.Helper()
	for i, ev := range g.events(10 + g.IntN(60)) {
		g.trail = append(g.trail, ev)
		g.reports = nil
		would := g.v.Would(ev)
		if len(g.reports) != 0 {
			t.Errorf("Would reports %v\n%s", g.reports, g)
		}
		err := g.observe(ev)
		if errorText(err) != errorText(would) {
			t.Errorf("Would and Observe differ\n  Would: %v\nObserve: %v\n%s", would, err, g)
		}
		want := g.m.observe(ev)
		var got verify.Rule
		if violation, ok := errors.AsType[*verify.Violation](err); ok {
			got = violation.Rule
			if violation.Index != i {
				t.Errorf("index\n got: %d\nwant: %d", violation.Index, i)
			}
		}
		g.met[got]++
		if got != want {
			t.Errorf("verdict\n got: %v (%v)\nwant: %v\n%s", got, err, want, g)
		}
		reports := slices.DeleteFunc(g.m.broken, func(r verify.Rule) bool { return !slices.Contains(g.report, r) })
		if !slices.Equal(g.reports, reports) {
			t.Errorf("reports\n got: %v\nwant: %v\n%s", g.reports, reports, g)
		}
		g.open(t)
		if t.Failed() {
			return
		}
	}
	if got, want := g.v.End() != nil, !g.m.over && !slices.Contains(g.m.lenient, verify.Unterminated); got != want {
		t.Errorf("End fails\n got: %t\nwant: %t\n%s", got, want, g)
	}
}

// observe gives ev to the machine, content in any of the three ways.
func (g *match) observe(ev events.Event) error {
	var kind verify.Kind
	var id string
	switch ev := ev.(type) {
	case *events.TextMessageContent:
		kind, id = verify.KindTextMessage, ev.MessageID
	case *events.ToolCallArgs:
		kind, id = verify.KindToolCall, ev.ToolCallID
	case *events.ReasoningMessageContent:
		kind, id = verify.KindReasoningMessage, ev.MessageID
	}
	by := events.SubagentRunID(ev)
	e := g.v.Entity(kind, id, by)
	switch {
	case kind == 0 || g.once(3):
		return g.v.Observe(ev)
	case e != nil && g.once(2):
		return g.v.Continue(e, by)
	}
	got, err := g.v.Content(kind, id, by)
	if err == nil && got != e {
		return fmt.Errorf("Content returns %v, and %v is open", got, e)
	}
	return err
}

// open compares what is open, in order.
func (g *match) open(t *testing.T) {
	t.Helper()
	var got []mOpen
	for _, o := range g.v.Open() {
		got = append(got, mOpen{o.Kind, o.ID, o.Owner})
	}
	var want []mOpen
	for _, o := range g.m.open {
		switch o.kind {
		case verify.KindStep, verify.KindSubagent:
		default:
			o.tag = g.m.ownerOf(space(o.kind), o.id)
		}
		want = append(want, o)
	}
	if !slices.Equal(got, want) {
		t.Errorf("open\n got: %v\nwant: %v\n%s", got, want, g)
	}
}
