package emitter

import (
	"log/slog"
	"time"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/internal/build"
	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify"
)

// DefaultMaxEventSize is the size in bytes, frame included, that one event may have by default. The
// official client refuses events over 10 MiB.
const DefaultMaxEventSize = 8 << 20

// Option changes how [New] makes an emitter. A nil Option is harmless.
type Option interface {
	apply(*setup)
}

type optionFunc func(*setup)

func (f optionFunc) apply(c *setup) { f(c) }

// setup is what the options say.
type setup struct {
	config
	telemetry    *aguiotel.Telemetry // nil: none
	newObservers []func() Observer
}

// config is the part of it that is needed for as long as the run lasts.
type config struct {
	input           *events.RunAgentInput
	policy          policy
	logger          *slog.Logger
	ids             ids.Source
	maxEvent        int
	maxIDs          int
	window          time.Duration // zero or less: each event is flushed
	windowSize      int
	onFailure       func(err error)
	set             verify.Set
	failFast        bool
	failOnViolation bool
	callers         bool
}

func newSetup(opts []Option) setup {
	c := setup{
		config: config{
			set:      verify.Strict,
			failFast: build.Debug,
			callers:  build.Debug,
			logger:   slog.Default(),
			maxEvent: DefaultMaxEventSize,
			maxIDs:   DefaultMaxIDs,
		},
		telemetry: &violationsOnly,
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
	return optionFunc(func(c *setup) { c.input = input })
}

// WithRules sets the rules to check. The default is [verify.Strict]: nothing that it lets out is
// refused by the official client.
func WithRules(set verify.Set) Option {
	return optionFunc(func(c *setup) { c.set = set })
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
	return optionFunc(func(c *setup) {
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
	return optionFunc(func(c *setup) { c.failFast = true })
}

// FailOnViolation makes the first broken rule end the run: RUN_ERROR with the code
// [CodeProtocolViolation] is written, the run's context is cancelled with the violation as its cause,
// and later calls return an error that Is [ErrClosed].
func FailOnViolation() Option {
	return optionFunc(func(c *setup) { c.failOnViolation = true })
}

// WithCallers records the file and line of the call that broke a rule and of the calls that opened
// what is open. It costs a stack walk for every event that opens something. It is the default of
// builds with the tag aguidebug.
func WithCallers() Option {
	return optionFunc(func(c *setup) { c.callers = true })
}

// WithLogger sets where each broken rule is logged, once for a run: at level Warn, and at level Error
// where it ends the run ([FailOnViolation]). The default is slog.Default(); nil logs nothing.
func WithLogger(l *slog.Logger) Option {
	return optionFunc(func(c *setup) { c.logger = l })
}

// WithIDs sets where the handles and [Emitter.ToolResult] take new ids from. The default is
// ids.Random(). A nil source is ignored.
func WithIDs(s ids.Source) Option {
	return optionFunc(func(c *setup) {
		if s != nil {
			c.ids = s
		}
	})
}

// WithMaxEventSize sets how many bytes one event may have on the wire; a larger one is a
// [*LimitError]. The default is [DefaultMaxEventSize]; zero or less means no limit.
func WithMaxEventSize(bytes int) Option {
	return optionFunc(func(c *setup) { c.maxEvent = bytes })
}

// DefaultMaxIDs is how many ids one run may bring in by default. Those of 36 characters take 5 to 6 MB, less
// than the largest event, and are more than anybody will look at in a client.
const DefaultMaxIDs = 100_000

// WithMaxIDs sets how many ids one run may bring in: of messages, reasoning, tool calls and their results,
// activities, steps and subagents. To check the order the emitter keeps every one until the run is over,
// with about 17 bytes more, so an agent that never stops would take all memory. An event with one more id
// is a [*LimitError]; content, what closes something, ids that the run or its input has named before, and
// the end of the run pass. What is open counts twice, the tag of a subagent once more than its id, and the
// input not at all. The default is [DefaultMaxIDs]; zero or less means no limit. In builds with the tag
// aguinoverify nothing is kept, and there is no limit.
func WithMaxIDs(n int) Option {
	return optionFunc(func(c *setup) { c.maxIDs = n })
}

// DefaultFlushSize is how many bytes wait for the end of a flush window at most, by default.
const DefaultFlushSize = 32 << 10

// WithFlushWindow lets deltas share a write and a flush, which cost a hundred times what an event costs:
// worth it where many streams, or fast ones, share a server. Without it each event is flushed at once.
//
// A delta (TEXT_MESSAGE_CONTENT, TOOL_CALL_ARGS, REASONING_MESSAGE_CONTENT, or a chunk that carries one)
// waits for the window to pass, and no longer, whether or not the agent goes on; it goes at once when size
// bytes are waiting. Every other event goes at once, together with what waits. The order stays, and
// nothing is left waiting when the run ends, is aborted or is closed; only a client that is gone gets no
// more. A window of 5 to 20 ms is hardly seen. Zero or less waits for nothing; a size of zero or less is
// [DefaultFlushSize].
//
// A call that returned nil may so have its delta waiting still. When the write then fails, the emitter is
// closed and the run's context cancelled as ever. [Observer.Event] hears of a delta when it begins to
// wait, [Observer.Flush] of each flush.
func WithFlushWindow(window time.Duration, size int) Option {
	if size <= 0 {
		size = DefaultFlushSize
	}
	return optionFunc(func(c *setup) { c.window, c.windowSize = window, size })
}

// WithOnFailure sets what is called when a function given to [Emitter.Go] fails, with its error or a
// [*PanicError]: once in a run, before the run's context is cancelled, and not when the run was over by
// then. It is called in the goroutine that failed, may use the emitter ([Emitter.Abort] above all), and
// must not call [Emitter.Wait]. Package middleware sets its own, which ends the run. nil calls nothing.
func WithOnFailure(fn func(err error)) Option {
	return optionFunc(func(c *setup) { c.onFailure = fn })
}

// WithObserver adds an observer; newRun is called once for each emitter made with the option.
func WithObserver[O Observer](newRun func() O) Option {
	return optionFunc(func(c *setup) {
		c.newObservers = append(c.newObservers, func() Observer { return newRun() })
	})
}

// WithTelemetry records the run with t, in place of the observer that is there by default: that one
// records broken rules alone, as events on the span in the context. nil is ignored.
func WithTelemetry(t *aguiotel.Telemetry) Option {
	return optionFunc(func(c *setup) {
		if t != nil {
			c.telemetry = t
		}
	})
}

// WithoutTelemetry leaves out the observer that is there by default, or was set by [WithTelemetry].
func WithoutTelemetry() Option {
	return optionFunc(func(c *setup) { c.telemetry = nil })
}
