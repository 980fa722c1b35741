package aguiotel

import (
	"go.opentelemetry.io/otel/attribute"

	"github.com/agui-go/agui/events"
)

// ScopeName is the name of the tracer, the meter and the logger.
const ScopeName = "github.com/agui-go/agui/otel"

// The names of what is recorded, beside the metrics.
const (
	ViolationEvent = "agui.verify.violation" // the span event, and log event, of a broken rule
	PanicEvent     = "agui.run.panic"        // the span event of an agent that panicked
	TraceEvent     = "agui.trace"            // the CUSTOM event of [WithTraceEvent]

	spanRun  = "invoke_agent" // and the agent's name
	spanTool = "execute_tool" // and the tool's name
	spanStep = "agui.step"
)

// The attributes. Those of the gen_ai.* namespace are OpenTelemetry's conventions for generative AI,
// version 0.1.0; code.*, exception.* and error.type are its semantic conventions, version 1.43; agui.* are this
// library's own.
const (
	KeyOperation    = attribute.Key("gen_ai.operation.name")
	KeyAgent        = attribute.Key("gen_ai.agent.name")
	KeyConversation = attribute.Key("gen_ai.conversation.id")
	KeyProvider     = attribute.Key("gen_ai.provider.name")
	KeyModel        = attribute.Key("gen_ai.request.model")
	KeyTool         = attribute.Key("gen_ai.tool.name")
	KeyToolCall     = attribute.Key("gen_ai.tool.call.id")

	KeyInputTokens      = attribute.Key("gen_ai.usage.input_tokens")
	KeyOutputTokens     = attribute.Key("gen_ai.usage.output_tokens")
	KeyCacheReadTokens  = attribute.Key("gen_ai.usage.cache_read.input_tokens")
	KeyCacheWriteTokens = attribute.Key("gen_ai.usage.cache_creation.input_tokens")
	KeyReasoningTokens  = attribute.Key("gen_ai.usage.reasoning.output_tokens")

	KeyErrorType  = attribute.Key("error.type")
	KeyMessage    = attribute.Key("exception.message")
	KeyStacktrace = attribute.Key("exception.stacktrace")
	KeyFile       = attribute.Key("code.file.path")
	KeyLine       = attribute.Key("code.line.number")

	KeyRun             = attribute.Key("agui.run.id")
	KeyParentRun       = attribute.Key("agui.parent_run.id")
	KeyOutcome         = attribute.Key("agui.run.outcome")
	KeyEvents          = attribute.Key("agui.events")
	KeyViolations      = attribute.Key("agui.violations")
	KeyRule            = attribute.Key("agui.rule")
	KeyEventType       = attribute.Key("agui.event.type")
	KeyEntityID        = attribute.Key("agui.entity.id")
	KeyOwner           = attribute.Key("agui.owner")
	KeyIndex           = attribute.Key("agui.event.index")
	KeySubagent        = attribute.Key("agui.subagent.id")
	KeySubagentOutcome = attribute.Key("agui.subagent.outcome")
	KeyStep            = attribute.Key("agui.step.name")
)

// an attr is an attribute with what it says.
type attr struct {
	key  attribute.Key
	kind string
	text string
}

// attrs describes every attribute. The tables below name the places where each occurs.
var attrs = []attr{
	{KeyOperation, "string", "`invoke_agent` or `execute_tool`"},
	{KeyAgent, "string", "the agent's name, as `WithAgent` sets it; the subagent's on its span"},
	{KeyConversation, "string", "the thread's id"},
	{KeyProvider, "string", "the model's provider: as `WithProvider` sets it, else as the run's usage says, if it names only one"},
	{KeyModel, "string", "the model, as the run's usage says, if it names only one"},
	{KeyTool, "string", "the tool's name, as the agent sent it"},
	{KeyToolCall, "string", "the tool call's id"},
	{KeyInputTokens, "int", "input tokens, cached ones included: the sum over the terminal event's usage"},
	{KeyOutputTokens, "int", "output tokens, likewise"},
	{KeyCacheReadTokens, "int", "input tokens read from a cache, likewise"},
	{KeyCacheWriteTokens, "int", "input tokens written to a cache, likewise"},
	{KeyReasoningTokens, "int", "output tokens spent on reasoning, likewise"},
	{KeyErrorType, "string", "why it failed: see [error types](#error-types); absent when it did not fail"},
	{KeyMessage, "string", "what the agent panicked with, cut to 256 bytes"},
	{KeyStacktrace, "string", "the stack at the panic"},
	{KeyFile, "string", "the file of the call that broke the rule, where call sites are recorded"},
	{KeyLine, "int", "and its line"},
	{KeyRun, "string", "the run's id"},
	{KeyParentRun, "string", "the id of the run that spawned it"},
	{KeyOutcome, "string", "how the run ended: see [outcomes](#outcomes)"},
	{KeyEvents, "int", "how many events were written"},
	{KeyViolations, "int", "how many rules were broken; absent when none was"},
	{KeyRule, "string", "the name of the rule that was broken: see [the rules](rules.md)"},
	{KeyEventType, "string", "one of the 31 event types of AG-UI 1.0; on a metric `other` for any other"},
	{KeyEntityID, "string", "the id of the message, call, step or subagent that the event names"},
	{KeyOwner, "string", "the event's subagentRunId"},
	{KeyIndex, "int", "the event's index in the run, from zero"},
	{KeySubagent, "string", "the subagent's subagentRunId"},
	{KeySubagentOutcome, "string", "`success`, `suspended`, `error`, or `unfinished` when the run ended first"},
	{KeyStep, "string", "the step's name"},
}

// A signal is a span, or an event on one, with its attributes.
type signal struct {
	name  string
	text  string
	attrs []attribute.Key
}

// spans are the spans and span events that are recorded.
var spans = []signal{
	{spanRun + " {agent}", "one for each run, INTERNAL", []attribute.Key{
		KeyOperation, KeyAgent, KeyConversation, KeyProvider, KeyModel, KeyRun, KeyParentRun, KeyOutcome, KeyErrorType,
		KeyEvents, KeyViolations, KeyInputTokens, KeyOutputTokens, KeyCacheReadTokens, KeyCacheWriteTokens, KeyReasoningTokens,
	}},
	{ViolationEvent, "an event for each of a run's first 16 violations, on the span in the context of the call that made it", []attribute.Key{
		KeyRule, KeyEventType, KeyEntityID, KeyOwner, KeyIndex, KeyFile, KeyLine,
	}},
	{PanicEvent, "an event when the agent panicked, on the run's span, or without one on the span in the request's context", []attribute.Key{
		KeyMessage, KeyStacktrace,
	}},
	{spanTool + " {tool}", "with `WithToolSpans`: a tool call from TOOL_CALL_END to TOOL_CALL_RESULT", []attribute.Key{
		KeyOperation, KeyTool, KeyToolCall, KeyAgent,
	}},
	{spanRun + " {subagent}", "with `WithSubagentSpans`: a subagent from SUBAGENT_STARTED to its end", []attribute.Key{
		KeyOperation, KeyAgent, KeySubagent, KeySubagentOutcome, KeyErrorType,
	}},
	{spanStep, "with `WithStepSpans`: a step from STEP_STARTED to STEP_FINISHED", []attribute.Key{KeyStep}},
}

// A metric is an instrument. Its attributes have few values, whatever an agent or a client sends.
type instrument struct {
	name    string
	kind    string // histogram, counter or updowncounter
	unit    string
	text    string
	attrs   []attribute.Key
	buckets []float64
}

// runBuckets are the boundaries of how long runs take, in seconds: agents take from a blink to hours.
var runBuckets = []float64{0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 51.2, 102.4, 204.8, 409.6, 819.2, 1638.4, 3600, 7200}

// firstBuckets are those of how long it takes until something is seen, in seconds.
var firstBuckets = []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}

var (
	duration = instrument{"gen_ai.invoke_agent.duration", "histogram", "s",
		"How long runs take, from when the request has been read and prepared to their end.", []attribute.Key{KeyAgent, KeyOutcome, KeyErrorType}, runBuckets}
	firstEvent = instrument{"agui.run.time_to_first_event", "histogram", "s",
		"How long it takes until the first event after RUN_STARTED is written.", []attribute.Key{KeyAgent}, firstBuckets}
	firstContent = instrument{"agui.run.time_to_first_content", "histogram", "s",
		"How long it takes until the first delta of a message, of reasoning or of a call's arguments is written and flushed.",
		[]attribute.Key{KeyAgent}, firstBuckets}
	activeRuns = instrument{"agui.active_runs", "updowncounter", "{run}",
		"The runs that have begun and not ended.", []attribute.Key{KeyAgent}, nil}
	eventCount = instrument{"agui.events", "counter", "{event}",
		"The events written.", []attribute.Key{KeyEventType}, nil}
	violationCount = instrument{"agui.verify.violations", "counter", "{violation}",
		"The broken rules.", []attribute.Key{KeyRule, KeyEventType}, nil}
	byteCount = instrument{"agui.stream.bytes", "counter", "By",
		"The size of the events written, frames included.", nil, nil}
	flushCount = instrument{"agui.stream.flushes", "counter", "{flush}",
		"The flushes that succeeded.", nil, nil}
	writeErrorCount = instrument{"agui.stream.write.errors", "counter", "{error}",
		"The writes and flushes of events that failed: of clients that left, or that were too slow.", []attribute.Key{KeyErrorType}, nil}
)

// metrics are the instruments, in the order of the documentation.
var metrics = []instrument{
	duration, firstEvent, firstContent, activeRuns, eventCount, violationCount, byteCount, flushCount, writeErrorCount,
}

// eventTypes are the values of agui.event.type on metrics. The last stands for every other type.
var eventTypes = [...]events.Type{
	events.TypeTextMessageStart, events.TypeTextMessageContent, events.TypeTextMessageEnd, events.TypeTextMessageChunk,
	events.TypeToolCallStart, events.TypeToolCallArgs, events.TypeToolCallEnd, events.TypeToolCallChunk, events.TypeToolCallResult,
	events.TypeStateSnapshot, events.TypeStateDelta, events.TypeMessagesSnapshot,
	events.TypeActivitySnapshot, events.TypeActivityDelta, events.TypeRaw, events.TypeCustom,
	events.TypeRunStarted, events.TypeRunFinished, events.TypeRunError, events.TypeStepStarted, events.TypeStepFinished,
	events.TypeReasoningStart, events.TypeReasoningMessageStart, events.TypeReasoningMessageContent, events.TypeReasoningMessageEnd,
	events.TypeReasoningMessageChunk, events.TypeReasoningEnd, events.TypeReasoningEncryptedValue,
	events.TypeSubagentStarted, events.TypeSubagentFinished, events.TypeSubagentError,
	"other",
}

const otherType = len(eventTypes) - 1

// typeIndex returns the place of t in eventTypes.
func typeIndex(t events.Type) int {
	for i, known := range eventTypes[:otherType] {
		if t == known {
			return i
		}
	}
	return otherType
}

// isContent reports whether an event of the type, nil for a delta, brings something to look at.
func isContent(t events.Type, ev events.Event) bool {
	switch e := ev.(type) {
	case *events.TextMessageChunk:
		return e.Delta.Or("") != ""
	case *events.ToolCallChunk:
		return e.Delta.Or("") != ""
	case *events.ReasoningMessageChunk:
		return e.Delta.Or("") != ""
	}
	switch t {
	case events.TypeTextMessageContent, events.TypeToolCallArgs, events.TypeReasoningMessageContent:
		return true
	}
	return false
}
