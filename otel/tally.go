package aguiotel

import (
	"errors"
	"os"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// tally measures one run. Events are counted in plain integers, since the instruments cost more than the
// events do, and published when the run ends and by Run.Publish. It is the caller's to call its methods
// one at a time, except where the run's lock is named.
type tally struct {
	*meters
	clock   func() time.Time
	counts  [len(eventTypes)]int64
	size    int64
	flushed int64

	last      events.Type // the type of the last event, and its place
	lastIndex int
	first     first

	broken map[breach]int64 // guarded by the run's lock
}

// breach is what violations are counted by.
type breach struct {
	rule      verify.Rule
	eventType int
}

// first says what the run is still waiting for.
type first uint8

const (
	started first = iota // RUN_STARTED
	anyEvent
	content
	contentFlush
	nothing
)

func newTally(t *Telemetry) *tally {
	return &tally{meters: t.meters, clock: t.clock, lastIndex: otherType}
}

// event counts one event.
func (c *tally) event(r *Run, t events.Type, ev events.Event, bytes int) {
	if t != c.last {
		c.last, c.lastIndex = t, typeIndex(t)
	}
	c.counts[c.lastIndex]++
	c.size += int64(bytes)
	if c.first != nothing {
		c.see(r, t, ev)
	}
}

// delta counts one delta that was written and flushed, among others of its type.
func (c *tally) delta(r *Run, t events.Type, bytes int) {
	if t != c.last || c.first != nothing {
		c.event(r, t, nil, bytes)
		c.flush(r, nil)
		return
	}
	c.counts[c.lastIndex]++
	c.size += int64(bytes)
	c.flushed++
}

// see measures how long the first event and the first content took.
func (c *tally) see(r *Run, t events.Type, ev events.Event) {
	switch {
	case c.first == started:
		if t == events.TypeRunStarted {
			c.first = anyEvent
		}
		return
	case isTrace(ev): // ours, and not the agent's
		return
	case c.first == anyEvent:
		c.firstEvent.Record(r.ctx, c.clock().Sub(r.begun).Seconds(), c.ofAgent...)
		c.first = content
	}
	if c.first == content && isContent(t, ev) {
		c.first = contentFlush
	}
}

// flush counts a flush that succeeded, or a write or flush that failed with err.
func (c *tally) flush(r *Run, err error) {
	if err != nil {
		c.writeErrors.Add(r.ctx, 1, c.failure(err)...)
		return
	}
	c.flushed++
	if c.first == contentFlush {
		c.firstContent.Record(r.ctx, c.clock().Sub(r.begun).Seconds(), c.ofAgent...)
		c.first = nothing
	}
}

// failure tells a client that was too slow from one that left.
func (c *tally) failure(err error) []metric.AddOption {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return c.late
	}
	return c.gone
}

// violation counts a broken rule. The caller holds the run's lock.
func (c *tally) violation(v *verify.Violation) {
	if c.broken == nil {
		c.broken = make(map[breach]int64)
	}
	c.broken[breach{v.Rule, typeIndex(v.EventType)}]++
}

// publish hands over what was counted, and counts from zero.
func (c *tally) publish(r *Run) {
	for i, n := range c.counts {
		if n > 0 {
			c.events.Add(r.ctx, n, c.ofType[i]...)
			c.counts[i] = 0
		}
	}
	if c.size > 0 {
		c.bytes.Add(r.ctx, c.size)
	}
	if c.flushed > 0 {
		c.flushes.Add(r.ctx, c.flushed)
	}
	c.size, c.flushed = 0, 0
	r.mu.Lock()
	defer r.mu.Unlock()
	c.publishViolations(r)
}

// publishViolations hands over the broken rules. The caller holds the run's lock.
func (c *tally) publishViolations(r *Run) {
	for broken, n := range c.broken {
		attrs := adding(KeyRule.String(broken.rule.String()), KeyEventType.String(string(eventTypes[broken.eventType])))
		c.violations.Add(r.ctx, n, attrs...)
	}
	clear(c.broken)
}

// end publishes the rest, and measures the run as a whole.
func (c *tally) end(r *Run, now time.Time, end ending) {
	c.publish(r)
	c.active.Add(r.ctx, -1, c.agent...)
	c.duration.Record(r.ctx, now.Sub(r.begun).Seconds(), c.ofEnd(end))
}
