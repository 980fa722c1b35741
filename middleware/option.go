package middleware

import (
	"context"
	"log/slog"
	"math"
	"net/http"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	aguiotel "github.com/agui-go/agui/otel"
)

// The defaults of the options.
const (
	DefaultMaxBody      = 8 << 20 // bytes
	DefaultMaxDepth     = 512     // arrays and objects in one another
	DefaultMaxMessages  = 10_000
	DefaultKeepAlive    = 15 * time.Second
	DefaultWriteTimeout = 30 * time.Second
)

// PrepareFunc decides about a request before anything is sent: see [WithPrepare].
type PrepareFunc = func(r *http.Request, in *events.RunAgentInput) (context.Context, error)

// OpenAtReturn says what becomes of a run whose agent returns nil and leaves something open.
type OpenAtReturn uint8

const (
	// Close closes what is open and finishes the run. Where that would lie, the run fails all the
	// same: a tool call whose arguments are not complete JSON, an active subagent.
	Close OpenAtReturn = iota
	// Fail ends the run with RUN_ERROR protocol_violation.
	Fail
)

// Option changes how runs are served. A nil Option is harmless.
type Option interface {
	apply(*config)
}

type optionFunc func(*config)

func (f optionFunc) apply(c *config) { f(c) }

type config struct {
	prepare      PrepareFunc
	maxBody      int64
	maxDepth     int
	maxMessages  int
	maxRuns      int // zero or less: no limit
	drainer      *Drainer
	registry     Registry
	keepAlive    time.Duration
	heartbeat    string // the event's name; empty: comments alone
	writeTimeout time.Duration
	runTimeout   time.Duration
	detachLimit  time.Duration // zero or less: a run ends with its client
	openAtReturn OpenAtReturn
	publicError  func(error) (message, code string)
	logger       *slog.Logger        // nil: slog.Default() when the request comes
	telemetry    *aguiotel.Telemetry // nil: the emitter's own
	emitter      []emitter.Option
}

func newConfig(opts []Option) config {
	c := config{
		maxBody:      DefaultMaxBody,
		maxDepth:     DefaultMaxDepth,
		maxMessages:  DefaultMaxMessages,
		keepAlive:    DefaultKeepAlive,
		writeTimeout: DefaultWriteTimeout,
	}
	for _, o := range opts {
		if o != nil {
			o.apply(&c)
		}
	}
	return c
}

// WithPrepare sets a function that is called for each request that holds a run, before anything is
// sent: the place for authentication, quotas and unknown threads. The run's context gets the values
// of the context that it returns, and the run ends when that one does; nil stands for the request's.
//
// An error refuses the request. One that has a method HTTPStatus() int, such as a [*Refusal], is the
// answer: that status, which must be 400 to 599, and the error's text as the message. Any other is
// logged and answered with status 500 and a fixed text. A panic is not recovered: nothing was sent,
// and the server or the framework answers it.
func WithPrepare(prepare PrepareFunc) Option {
	return optionFunc(func(c *config) { c.prepare = prepare })
}

// WithMaxBody sets the largest request body in bytes; a larger one is refused with status 413. The
// default is [DefaultMaxBody]; zero or less is ignored, since a body without a limit is held in memory.
func WithMaxBody(bytes int64) Option {
	return optionFunc(func(c *config) {
		if bytes > 0 {
			c.maxBody = min(bytes, math.MaxInt64-1) // one more is read, to see whether there is more
		}
	})
}

// WithMaxDepth sets how many arrays and objects may be in one another in a request body; a deeper one
// is refused with status 422. The default is [DefaultMaxDepth]; with zero or less, and at most, it is
// the 10,000 of package encoding/json.
func WithMaxDepth(levels int) Option {
	return optionFunc(func(c *config) { c.maxDepth = levels })
}

// WithMaxMessages sets how many messages a request may have; one with more is refused with status 422.
// The default is [DefaultMaxMessages]; zero or less means no limit but that of the body's size.
func WithMaxMessages(messages int) Option {
	return optionFunc(func(c *config) { c.maxMessages = messages })
}

// WithMaxRuns sets how many runs of this handler may be active at a time, in this process; a request
// for one more is refused with status 503 and a Retry-After, before the function given to [WithPrepare]
// is called. A run is active until its agent has returned: a client that has read RUN_FINISHED finds room
// for its next. By default, and with zero or less, there is no limit.
func WithMaxRuns(runs int) Option {
	return optionFunc(func(c *config) { c.maxRuns = runs })
}

// WithRegistry makes each run claim its thread and its id, after the function given to [WithPrepare]
// has let it pass, and give up the thread when the agent has returned, before the client is told that the
// run is over: so that two runs do not write to one thread at a time, and a request that was sent twice
// does not start two. [NewMemoryRegistry] makes one for a single process. By default, and with nil,
// nothing is claimed.
func WithRegistry(r Registry) Option {
	return optionFunc(func(c *config) { c.registry = r })
}

// WithDrainer makes d end the runs when the server shuts down. By default, and with nil, a run goes on
// for as long as its agent does.
func WithDrainer(d *Drainer) Option {
	return optionFunc(func(c *config) { c.drainer = d })
}

// WithDetach lets a run go on for at most limit when its client has left. Its events are still checked
// and observed, and go nowhere; calls do not fail, and the context is not cancelled. When the limit, or
// the run's time, is up, the run's context is cancelled with a cause that Is [emitter.ErrDisconnected],
// or [ErrRunTimeout]. The function given to [WithPrepare] then cannot end the run by a context that
// derives from the request's: that was cancelled with the request. By default, and with zero or less,
// the context is cancelled at once.
func WithDetach(limit time.Duration) Option {
	return optionFunc(func(c *config) { c.detachLimit = limit })
}

// WithKeepAlive sets after how much silence a comment is sent, so that no proxy takes the stream for
// dead. Clients do not see comments. The default is [DefaultKeepAlive]; zero or less sends none.
func WithKeepAlive(silence time.Duration) Option {
	return optionFunc(func(c *config) { c.keepAlive = silence })
}

// WithHeartbeat makes what is sent after a silence an event, CUSTOM with the name and the value null,
// for clients and servers between that do not count a comment. Prefix the name with a vendor or
// application id. While chunks may be incomplete, which a CUSTOM event would cut in two, a comment is
// sent all the same: see [emitter.Emitter.KeepAlive]. By default, and with an empty name, all are comments.
func WithHeartbeat(name string) Option {
	return optionFunc(func(c *config) { c.heartbeat = name })
}

// WithWriteTimeout sets how long one event may take to be written and flushed before the client
// counts as gone. Over HTTP/1 the limit is renewed lazily: an event has at least three quarters of it. The
// default is [DefaultWriteTimeout]; zero or less sets no limit, and then a client that stops reading
// holds its run for as long as it likes. http.Server.WriteTimeout does not apply to a run, nor to the time
// before it: a request that is refused has all of it for the refusal.
func WithWriteTimeout(limit time.Duration) Option {
	return optionFunc(func(c *config) { c.writeTimeout = limit })
}

// WithRunTimeout sets how long a run may take. When the time is up the client gets RUN_ERROR
// [CodeRunTimeout] at once, and the run's context is cancelled with a cause that Is [ErrRunTimeout];
// the response ends when the agent returns. A deadline of the request's context, or of the one that
// [WithPrepare] returned, does the same. By default, and with zero or less, there is no limit.
func WithRunTimeout(limit time.Duration) Option {
	return optionFunc(func(c *config) { c.runTimeout = limit })
}

// WithOnOpenAtReturn sets what becomes of a run whose agent returns nil and leaves something open.
// The default is [Close]. In either case the mistake is recorded as a violation of OpenAtFinish.
func WithOnOpenAtReturn(do OpenAtReturn) Option {
	return optionFunc(func(c *config) { c.openAtReturn = do })
}

// WithPublicError sets what the client is told of a failed run. The function gets the agent's error,
// a [*PanicError], a [*verify.Violation], or an error that Is [ErrRunTimeout] or
// [emitter.ErrDisconnected], and returns the message and the code of the RUN_ERROR; an empty string
// stands for the default. It may be called from another goroutine than the agent's, and for a run whose
// terminal event the agent has sent already, where what it returns has no effect. By default the
// client gets one fixed sentence for each code: the text of an error is the developer's.
func WithPublicError(public func(err error) (message, code string)) Option {
	return optionFunc(func(c *config) { c.publicError = public })
}

// WithLogger sets where failed runs and broken rules are logged. The default is slog.Default(); nil
// logs nothing.
func WithLogger(l *slog.Logger) Option {
	if l == nil {
		l = slog.New(slog.DiscardHandler)
	}
	return optionFunc(func(c *config) { c.logger = l })
}

// WithTelemetry records runs with t: a span for each, metrics, and what else it was made to. It also
// sends what [aguiotel.WithTraceHeader] and [aguiotel.WithTraceEvent] ask for. By default, and with nil,
// broken rules alone are recorded, on the span in the request's context.
func WithTelemetry(t *aguiotel.Telemetry) Option {
	return optionFunc(func(c *config) { c.telemetry = t })
}

// WithEmitter adds options for the emitter of each run: rules, policy, observers, ids and so on. They
// come after those that this package sets, the input and the logger.
func WithEmitter(opts ...emitter.Option) Option {
	return optionFunc(func(c *config) { c.emitter = append(c.emitter, opts...) })
}
