package stream

import (
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// DefaultLimit is the length of an event, in bytes of JSON, beyond which reading ends with a [LimitError].
const DefaultLimit = 10 << 20

// ReadOption sets up how a stream is read: by a [Reader] or, being a [CheckOption] too, by a [Checker].
type ReadOption interface {
	CheckOption
	applyRead(*scanner)
}

// CheckOption sets up a [Checker]. A nil option does nothing.
type CheckOption interface {
	applyCheck(*Checker)
}

type readOption func(*scanner)

func (o readOption) applyRead(s *scanner)  { o(s) }
func (o readOption) applyCheck(c *Checker) { o(&c.scan) }

type checkOption func(*Checker)

func (o checkOption) applyCheck(c *Checker) { o(c) }

// WithFraming returns an option that says how the events are framed, instead of [Detect].
func WithFraming(f Framing) ReadOption {
	return readOption(func(s *scanner) { s.framing = f })
}

// WithLimit returns an option that sets the length of an event, in bytes of JSON, beyond which reading ends
// with a [LimitError]. The default is [DefaultLimit]; a limit below 1 stands for that. It bounds the memory
// that reading takes: at most some four times the longest event.
func WithLimit(bytes int) ReadOption {
	return readOption(func(s *scanner) {
		if bytes < 1 {
			bytes = DefaultLimit
		}
		s.limit = bytes
	})
}

// OnFlaw returns an option that has fn called for each [Flaw] of a stream, before the event that has it is
// returned. A Checker has a [Finding] for it as well.
func OnFlaw(fn func(Flaw, Position)) ReadOption {
	return readOption(func(s *scanner) { s.onFlaw = fn })
}

// WithRules returns an option that checks the rules of set, set up by opts, instead of [verify.Strict].
func WithRules(set verify.Set, opts ...verify.Option) CheckOption {
	return checkOption(func(c *Checker) { c.set, c.rules = set, opts })
}

// MultiRun returns an option that takes a RUN_STARTED after a terminal event for the beginning of another
// run, which can answer the calls of the runs before it. Without it that is [verify.RunEnded].
func MultiRun() CheckOption {
	return checkOption(func(c *Checker) { c.multi = true })
}

// Seed returns an option that gives the checker the messages that the first run resumes from: those of the
// request. It is additive; see [verify.Verifier.Seed].
func Seed(messages ...events.Message) CheckOption {
	return checkOption(func(c *Checker) { c.seeds = append(c.seeds, messages...) })
}

// OnEvent returns an option that has fn called for each event, before it is judged. It is for whoever shows
// or uses the events of the stream that is checked.
func OnEvent(fn func(ev events.Event, at Position)) CheckOption {
	return checkOption(func(c *Checker) { c.onEvent = fn })
}
