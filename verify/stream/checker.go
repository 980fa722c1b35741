package stream

import (
	"errors"
	"io"
	"iter"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// Checker reads a whole stream and judges it: its order by the rules of package verify, and its framing by
// what the official client can read. The bytes come from a reader ([Checker.Read]), or piece by piece
// ([Checker.Feed], [Checker.End]). What it keeps is one event, one piece, and what a [verify.Verifier] keeps
// of ids. One Checker checks one stream. It is not safe for concurrent use.
//
// Its findings come in the order of the stream. An event that breaks a rule changes nothing, so that what
// follows is judged as if it had not been sent: to learn of the first violation alone, stop there. An event
// that could not be read is an *[Error] in place of a finding, except that a member which cannot be a value
// of its type is the violation [verify.InvalidField], or nothing under [verify.Core].
type Checker struct {
	scan    scanner
	set     verify.Set
	rules   []verify.Option
	multi   bool
	seeds   []events.Message
	onEvent func(events.Event, Position)

	machine *verify.Verifier
	open    openings
	runs    int
	ended   bool     // the run had its terminal event
	closed  bool     // nothing is read any more
	found   []result // not yet told
}

// result is an element of the sequences that a Checker returns.
type result struct {
	Finding
	err error
}

// NewChecker returns a Checker of a stream of one run, against [verify.Strict] and without history, unless
// options say otherwise.
func NewChecker(opts ...CheckOption) *Checker {
	c := &Checker{scan: scanner{limit: DefaultLimit}, set: verify.Strict}
	for _, opt := range opts {
		if opt != nil {
			opt.applyCheck(c)
		}
	}
	onFlaw := c.scan.onFlaw
	c.scan.onFlaw = func(f Flaw, at Position) {
		c.found = append(c.found, result{Finding: Finding{Position: at, Flaw: f}})
		if onFlaw != nil {
			onFlaw(f, at)
		}
	}
	c.machine = verify.New(c.set, c.rules...)
	c.machine.Seed(c.seeds)
	return c
}

// Check reads src to its end and returns the first violation, as a [Finding], or the first *[Error]. Flaws
// of the framing are passed over: they are for [Checker.Read].
func Check(src io.Reader, opts ...CheckOption) error {
	for f, err := range NewChecker(opts...).Read(src) {
		switch {
		case err != nil:
			return err
		case f.Violation != nil:
			return f
		}
	}
	return nil
}

// Read reads src to its end and returns what it finds, the end included: a run that has not ended is
// [verify.Unterminated]. If reading fails, the *[Error] is the last thing in the sequence, and the end is
// not judged. Breaking out of the loop loses nothing: Read goes on from there when it is called again.
func (c *Checker) Read(src io.Reader) iter.Seq2[Finding, error] {
	return c.judge(func() bool {
		c.scan.fill(src)
		return true
	})
}

// Feed gives the checker the next bytes of the stream, of which it keeps nothing, and returns what it finds
// in the events that are complete. They are judged by ranging over the sequence. Breaking out of the loop
// leaves the rest to the next call.
func (c *Checker) Feed(p []byte) iter.Seq2[Finding, error] {
	if !c.closed {
		c.scan.write(p)
	}
	return c.judge(func() bool { return false })
}

// End says that no more bytes come, and returns what it finds in what is left and in the end of the stream.
func (c *Checker) End() iter.Seq2[Finding, error] {
	c.scan.eof = true
	return c.Feed(nil)
}

// judge judges event after event, and calls more when it needs bytes. It stops when more reports that there
// are none yet.
func (c *Checker) judge(more func() bool) iter.Seq2[Finding, error] {
	return func(yield func(Finding, error) bool) {
		for {
			for len(c.found) > 0 {
				r := c.found[0]
				c.found = c.found[1:]
				if !yield(r.Finding, r.err) {
					return
				}
			}
			if c.closed || !c.step() && !more() {
				return
			}
		}
	}
}

// step reads and judges one event, or the end of the stream. It reports false when bytes are missing.
func (c *Checker) step() bool {
	ev, err := c.scan.next()
	var field *events.FieldError
	switch {
	case err == errMore:
		return false
	case err == errDropped: // the flaw has been found
	case err == io.EOF:
		c.closed = true
		c.violates(c.machine.End(), c.scan.here())
	case errors.As(err, &field):
		c.violates(c.machine.Refuse(field), c.scan.doc.at)
	case err != nil:
		c.closed = err == c.scan.last
		c.found = append(c.found, result{err: err})
	default:
		c.observe(ev)
	}
	return true
}

func (c *Checker) observe(ev events.Event) {
	if c.onEvent != nil {
		c.onEvent(ev, c.scan.doc.at)
	}
	t := ev.EventType()
	if c.multi && t == events.TypeRunStarted && c.machine.NextRun() {
		c.ended, c.open = false, openings{}
	}
	if err := c.open.observe(c.machine, ev); err != nil {
		c.violates(err, c.scan.doc.at)
		return
	}
	switch t {
	case events.TypeRunStarted:
		c.runs++
	case events.TypeRunFinished, events.TypeRunError:
		c.ended = true
	}
}

// violates keeps what the machine said of the event at at.
func (c *Checker) violates(err error, at Position) {
	var v *verify.Violation
	if !errors.As(err, &v) {
		return
	}
	v.Open = c.open.first(c.machine)
	c.found = append(c.found, result{Finding: Finding{Position: at, Violation: v, OpenCount: c.open.count}})
}

// Position returns how far the checker has read: the number of events, of bytes, and the line.
func (c *Checker) Position() Position { return c.scan.here() }

// Settled returns the number of bytes, from the beginning of the stream, that hold whole events which have
// been judged, comments among them. While a finding is being told, the event that it is about is not yet
// settled: whoever holds events back until they are judged may let go of what comes before it.
func (c *Checker) Settled() int64 { return c.scan.settled }

// Runs returns the number of runs that have been started.
func (c *Checker) Runs() int { return c.runs }

// Ended reports whether the run, the latest one if there are several, has had its terminal event.
func (c *Checker) Ended() bool { return c.ended }

// Framing returns the framing of the stream: [Detect] until that is known.
func (c *Checker) Framing() Framing { return c.scan.framing }
