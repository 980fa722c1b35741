//go:build !aguinoverify

package emitter

import (
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// gate stands before the wire. In this build it holds the ordering machine.
type gate struct {
	machine *verify.Verifier
	seeded  int // ids of the history
	// reported collects the violations that the policy lets through, until the emitter, out of its
	// lock, has recorded them.
	reported []*verify.Violation
}

func (g *gate) open(set verify.Set, p policy, history []events.Message) {
	report := func(v *verify.Violation) { g.reported = append(g.reported, v) }
	g.machine = verify.New(set, verify.Allow(p.rules(Allow)...), verify.Report(report, p.rules(Report)...))
	g.machine.SeedUnowned(history)
	g.seeded = g.machine.Retained()
}

// mostIDs is the most ids that an event other than a MESSAGES_SNAPSHOT brings in: a result's two and its tag.
const mostIDs = 3

// full returns how many ids the run will have brought in with ev, and whether that is more than limit and ev
// brings in any.
func (g *gate) full(limit int, ev events.Event) (ids int, full bool) {
	ids = g.machine.Retained() - g.seeded
	if _, snapshot := ev.(*events.MessagesSnapshot); !snapshot && ids+mostIDs <= limit {
		return ids, false
	}
	introduced := g.machine.Introduces(ev)
	return ids + introduced, introduced > 0 && ids+introduced > limit
}

func (g *gate) observe(ev events.Event) error { return g.machine.Observe(ev) }

func (g *gate) would(ev events.Event) error { return g.machine.Would(ev) }

func (g *gate) content(k verify.Kind, id string, tag events.Opt[string]) (*verify.Entity, error) {
	return g.machine.Content(k, id, tag)
}

func (g *gate) resume(e *verify.Entity, tag events.Opt[string]) error {
	return g.machine.Continue(e, tag)
}

func (g *gate) entity(k verify.Kind, id string, tag events.Opt[string]) *verify.Entity {
	return g.machine.Entity(k, id, tag)
}

// refuse counts an event that the emitter itself refuses and returns the index it has.
func (g *gate) refuse(err *events.FieldError) int {
	i := g.machine.Index()
	_ = g.machine.Refuse(err) // the emitter refuses it whatever the machine's set says
	return i
}

func (g *gate) openEntities() []verify.Open { return g.machine.Open() }

// hasReported reports whether violations were let through since the last call of takeReported.
func (g *gate) hasReported() bool { return len(g.reported) > 0 }

// takeReported returns the violations let through since the last call.
func (g *gate) takeReported() []*verify.Violation {
	vs := g.reported
	g.reported = nil
	return vs
}
