// Package aguiotel records runs with OpenTelemetry: a span for each run, an event on it for each broken
// rule, and metrics.
//
//	package main
//
//	import (
//		"context"
//		"log"
//		"net/http"
//
//		"github.com/agui-go/agui/emitter"
//		"github.com/agui-go/agui/events"
//		"github.com/agui-go/agui/middleware"
//		aguiotel "github.com/agui-go/agui/otel"
//	)
//
//	func main() {
//		telemetry := aguiotel.New(aguiotel.WithAgent("support")) // uses the global providers
//		http.Handle("/agent", middleware.Handler(agent, middleware.WithTelemetry(telemetry)))
//		log.Fatal(http.ListenAndServe("127.0.0.1:8080", nil))
//	}
//
//	func agent(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
//		return em.TextContent("m1", "never opened") // the event agui.verify.violation, on the span invoke_agent support
//	}
//
// # With and without set-up
//
// The emitter uses the zero [Telemetry] by default: it records broken rules, each as an event on the span
// in the context, whoever has started that, and nothing else. [New] makes one that also makes a span for
// each run, a child of the one in the context if there is one, and measures. Its providers come by option;
// else they are the global ones. Where there is none, nothing is recorded and nothing allocated. (The
// tracer of Go's automatic instrumentation is no global provider: give it by [WithTracerProvider].)
//
// # The run
//
// The span covers the run and not the connection. At its end it has agui.run.outcome, an [Outcome], and
// where it failed the status Error, error.type and one line for the developer. The context that the agent
// gets carries it, so that what the agent calls is below it in the trace. The tokens of the terminal event's
// usage are summed up on it. [WithToolSpans], [WithSubagentSpans] and [WithStepSpans] add spans for a run's
// parts. A delta never makes a span or an event.
//
// # Violations
//
// The event agui.verify.violation has these attributes; one that is not known is left out:
//
//	agui.rule          string  the rule: NotOpen
//	agui.event.type    string  the type of the offending event: TEXT_MESSAGE_CONTENT
//	agui.entity.id     string  the id of the message, call, step or subagent that it names
//	agui.owner         string  the subagentRunId of the event
//	agui.event.index   int     the event's index in the run, from zero
//	code.file.path     string  the file of the call that made the event
//	code.line.number   int     and its line
//
// Ids come from models and strangers: they are cut to 256 bytes, and bytes that are not UTF-8 become
// U+FFFD, so that no exporter refuses them.
//
// An SDK keeps 128 events of a span and drops the oldest first, which are the ones that explain the
// rest. So the first 16 violations of a run are events, and the span attribute agui.violations (int)
// counts them all. [WithViolationSignal] records log events instead, or both.
//
// # Metrics
//
// Events are counted in plain integers and published at the end of the run, and every few seconds while it
// goes on. No id, no name that came with an event, and no text of an error is an attribute of a metric.
// docs/observability.md lists all names, and a query for each question that an operator asks.
//
// The package uses the OpenTelemetry API alone.
package aguiotel

//go:generate go test -count=1 -run ^TestDocs$ . -update
