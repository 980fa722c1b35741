package emitter

import (
	"log/slog"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/verify"
)

// DefaultMaxEventSize is the size in bytes, frame included, that one event may have by default. The
// official client refuses events over 10 MiB.
const DefaultMaxEventSize = 8 << 20

// Option changes how [New] makes an emitter. A nil Option is harmless.
type Option interface {
	apply(*config)
}

type optionFunc func(*config)

func (f optionFunc) apply(c *config) { f(c) }

type config struct {
	input           *events.RunAgentInput
	set             verify.Set
	policy          policy
	failFast        bool
	failOnViolation bool
	callers         bool
	logger          *slog.Logger
	ids             ids.Source
	maxEvent        int
	telemetry       bool
	newObservers    []func() Observer
}

func newConfig(opts []Option) config {
	c := config{
		set:       verify.Strict,
		failFast:  build.Debug,
		callers:   build.Debug,
		logger:    slog.Default(),
		ids:       ids.Random(),
		maxEvent:  DefaultMaxEventSize,
		telemetry: true,
	}
	for _, o := range opts {
		if o != nil {
			o.apply(&c)
		}
	}
	return c
}

// WithInput tells the emitter which request it answers: its messages become the machine's history,
// so that calls made in an earlier run may be answered, and the observers learn the run's identity.
func WithInput(input *events.RunAgentInput) Option {
	return optionFunc(func(c *config) { c.input = input })
}

// WithRules sets the rules to check. The default is [verify.Strict]: nothing that it lets out is
// refused by the official client.
func WithRules(set verify.Set) Option {
	return optionFunc(func(c *config) { c.set = set })
}

// WithPolicy sets what to do when one of the rules is broken, or any rule when none is named. It
// beats the default of the build and [FailFast]. Only Strict rules may be allowed; RunEnded,
// RunNotStarted, DuplicateRunStarted and InvalidField cannot be reported. WithPolicy itself panics
// when the action does not apply to a named rule, and with no rule named when the action is Allow or
// Report.
func WithPolicy(action Action, rules ...verify.Rule) Option {
	if len(rules) == 0 {
		if action == Allow || action == Report {
			panic("emitter: WithPolicy(" + action.String() + ") needs the rules that it is for")
		}
		rules = verify.Rules()
	}
	for _, r := range rules {
		if err := checkPolicy(action, r); err != nil {
			panic(err)
		}
	}
	return optionFunc(func(c *config) {
		if c.policy == nil {
			c.policy = policy{}
		}
		for _, r := range rules {
			c.policy[r] = action
		}
	})
}

// FailFast makes a broken rule panic at the call that broke it, after it was recorded. It is the
// default of builds with the tag aguidebug.
func FailFast() Option {
	return optionFunc(func(c *config) { c.failFast = true })
}

// FailOnViolation makes the first broken rule end the run: RUN_ERROR with the code
// [CodeProtocolViolation] is written, the run's context is cancelled with the violation as its cause,
// and later calls return an error that Is [ErrClosed].
func FailOnViolation() Option {
	return optionFunc(func(c *config) { c.failOnViolation = true })
}

// WithCallers records the file and line of the call that broke a rule and of the calls that opened
// what is open. It costs a stack walk for every event that opens something. It is the default of
// builds with the tag aguidebug.
func WithCallers() Option {
	return optionFunc(func(c *config) { c.callers = true })
}

// WithLogger sets where each broken rule is logged, once for a run, at level Warn. The default is
// slog.Default(); nil logs nothing.
func WithLogger(l *slog.Logger) Option {
	return optionFunc(func(c *config) { c.logger = l })
}

// WithIDs sets where the handles and [Emitter.ToolResult] take new ids from. The default is
// ids.Random(). A nil source is ignored.
func WithIDs(s ids.Source) Option {
	return optionFunc(func(c *config) {
		if s != nil {
			c.ids = s
		}
	})
}

// WithMaxEventSize sets how many bytes one event may have on the wire; a larger one is a
// [*LimitError]. The default is [DefaultMaxEventSize]; zero or less means no limit.
func WithMaxEventSize(bytes int) Option {
	return optionFunc(func(c *config) { c.maxEvent = bytes })
}

// WithObserver adds an observer; newRun is called once for each emitter made with the option.
func WithObserver[O Observer](newRun func() O) Option {
	return optionFunc(func(c *config) {
		c.newObservers = append(c.newObservers, func() Observer { return newRun() })
	})
}

// WithoutTelemetry leaves out the observer that records broken rules as OpenTelemetry span events.
func WithoutTelemetry() Option {
	return optionFunc(func(c *config) { c.telemetry = false })
}
