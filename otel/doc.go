// Package aguiotel records runs with OpenTelemetry. The emitter uses it by default: a rule that an
// agent breaks is a span event on the span in its context, with no set-up.
//
//	package main
//
//	import (
//		"context"
//
//		aguiotel "github.com/agui-go/agui/otel"
//		"github.com/agui-go/agui/verify"
//	)
//
//	func main() {
//		run := aguiotel.New().Run()
//		ctx := run.Start(context.Background(), nil)
//		run.Violation(ctx, &verify.Violation{Rule: verify.NotOpen, ID: "m1"}) // on the span in ctx, if one records
//		run.End(ctx, nil, nil)
//	}
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
// counts them all.
//
// The package uses the OpenTelemetry API alone: the spans are those of whatever tracer started them,
// and without an SDK nothing is recorded and nothing allocated.
package aguiotel
