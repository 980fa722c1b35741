package emitter

import (
	"context"

	"github.com/agui-go/agui/events"
	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify"
)

// violationsOnly is the telemetry that is there by default.
var violationsOnly aguiotel.Telemetry

// quiet observes a run for violationsOnly, which hears of broken rules and of the end. Its observer is made
// when there is something to hear, which in most runs is the end, and costs an idle stream nothing.
type quiet struct{ *run }

func (quiet) Start(ctx context.Context, _ *events.RunAgentInput) context.Context { return ctx }
func (quiet) Event(events.Type, events.Event, int)                               {}
func (quiet) Flush(error)                                                        {}

func (q quiet) Violation(ctx context.Context, v *verify.Violation) {
	q.observer().Violation(ctx, v)
}

func (q quiet) End(ctx context.Context, terminal events.Event, cause error) {
	q.observer().End(ctx, terminal, cause)
}

// observer returns the observer, and makes it where there is none.
func (r *run) observer() *aguiotel.Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.recorder == nil {
		r.recorder = violationsOnly.Run()
		r.recorder.Start(&r.carrier, r.input)
	}
	return r.recorder
}
