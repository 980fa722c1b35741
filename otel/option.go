package aguiotel

import (
	"time"

	otellog "go.opentelemetry.io/otel/log"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"
)

// Option changes what [New] records. A nil Option is harmless.
type Option interface {
	apply(*config)
}

type optionFunc func(*config)

func (f optionFunc) apply(c *config) { f(c) }

type config struct {
	agent          string
	provider       string
	tracerProvider trace.TracerProvider
	meterProvider  metric.MeterProvider
	loggerProvider otellog.LoggerProvider
	signal         ViolationSignal
	runSpan        bool
	toolSpans      bool
	subagentSpans  bool
	stepSpans      bool
	traceHeader    bool
	traceEvent     bool
	errorTypes     []string
	clock          func() time.Time
}

// WithAgent names the agent: gen_ai.agent.name on spans and metrics. It is the developer's name for it
// and not one that came with a request.
func WithAgent(name string) Option {
	return optionFunc(func(c *config) { c.agent = name })
}

// WithProvider names the model's provider, as gen_ai.provider.name on the run's span: openai, anthropic,
// aws.bedrock and so on.
func WithProvider(name string) Option {
	return optionFunc(func(c *config) { c.provider = name })
}

// WithTracerProvider sets where spans go. The default is the global provider.
func WithTracerProvider(p trace.TracerProvider) Option {
	return optionFunc(func(c *config) { c.tracerProvider = p })
}

// WithMeterProvider sets where metrics go. The default is the global provider.
func WithMeterProvider(p metric.MeterProvider) Option {
	return optionFunc(func(c *config) { c.meterProvider = p })
}

// WithLoggerProvider sets where log events go, if any are asked for: see [WithViolationSignal]. The
// default is the global provider.
func WithLoggerProvider(p otellog.LoggerProvider) Option {
	return optionFunc(func(c *config) { c.loggerProvider = p })
}

// ViolationSignal says what a broken rule is recorded as.
type ViolationSignal uint8

const (
	// SpanEvent is an event on the span in the context.
	SpanEvent ViolationSignal = iota
	// LogEvent is a log record with an event name, which carries the trace and the span.
	LogEvent
	// SpanAndLogEvent is both. Where a log processor makes span events of log events, each is there
	// twice.
	SpanAndLogEvent
)

func (s ViolationSignal) span() bool { return s != LogEvent }
func (s ViolationSignal) log() bool  { return s != SpanEvent }

// WithViolationSignal sets what a broken rule is recorded as. The default is [SpanEvent]. Name and
// attributes are the same in either case, and no more than 16 are recorded for a run.
func WithViolationSignal(s ViolationSignal) Option {
	return optionFunc(func(c *config) { c.signal = s })
}

// WithoutRunSpan makes no span for a run, as where the agent's framework makes one. Broken rules are
// recorded on the span in the context, and metrics as ever.
func WithoutRunSpan() Option {
	return optionFunc(func(c *config) { c.runSpan = false })
}

// WithToolSpans makes a span of each tool call that the run answers: from TOOL_CALL_END, when the
// arguments are complete, to TOOL_CALL_RESULT. A call of a front-end tool has no result in its run, and
// no span. Leave it out where what executes the tools makes such spans.
func WithToolSpans() Option {
	return optionFunc(func(c *config) { c.toolSpans = true })
}

// WithSubagentSpans makes a span of each subagent. The spans of its tool calls and steps are below it;
// those that the subagent's own code starts are below the run's.
func WithSubagentSpans() Option {
	return optionFunc(func(c *config) { c.subagentSpans = true })
}

// WithStepSpans makes a span of each step.
func WithStepSpans() Option {
	return optionFunc(func(c *config) { c.stepSpans = true })
}

// WithTraceHeader sends the ids of the trace and of the run's span with the response, in the header
// traceresponse, and lets front ends on other origins read it. It shows a client inner ids.
func WithTraceHeader() Option {
	return optionFunc(func(c *config) { c.traceHeader = true })
}

// WithTraceEvent sends the id of the trace to the front end as the CUSTOM event agui.trace, after
// RUN_STARTED, so that it can be shown and reported: {"traceId":"…","spanId":"…"}.
func WithTraceEvent() Option {
	return optionFunc(func(c *config) { c.traceEvent = true })
}

// WithErrorTypes adds values of error.type that metrics may carry: codes that the agent gives its
// RUN_ERROR events, or types that its errors give themselves. Any other is _OTHER on metrics, so that
// no error text makes a series; spans carry every type.
func WithErrorTypes(types ...string) Option {
	return optionFunc(func(c *config) { c.errorTypes = append(c.errorTypes, types...) })
}

// WithClock sets the clock. The default is time.Now; nil is ignored.
func WithClock(now func() time.Time) Option {
	return optionFunc(func(c *config) {
		if now != nil {
			c.clock = now
		}
	})
}
