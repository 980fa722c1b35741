package emitter

import (
	"context"

	"github.com/agui-go/agui/events"
	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify"
)

// Observer watches one run. Package otel has the one that is used by default; [WithObserver] adds
// others. An observer must not call the emitter that it watches. One that panics is logged, and the run
// goes on.
type Observer interface {
	// Start is called once, by [New], before anything is written. It returns the context that the
	// agent runs with. The input is nil when the emitter was made without one.
	Start(ctx context.Context, input *events.RunAgentInput) context.Context
	// Event is called for each event written, with its type and the size of its frame in bytes. ev is
	// the event in pointer form, not to be changed, and nil for a delta, which is written without one.
	// Calls of Event and Flush come one at a time, in the order of the wire, and hold up the stream. With
	// a flush window, see [WithFlushWindow], a delta is told of when it begins to wait.
	Event(t events.Type, ev events.Event, bytes int)
	// Flush is called after each flush of the sink, and after a write that has failed, with the error.
	Flush(err error)
	// Violation is called once for each broken rule, before the call that broke it returns or panics.
	// ctx is the context of the view that the call was made on. It may be called concurrently with
	// itself and with the other methods.
	Violation(ctx context.Context, v *verify.Violation)
	// End is called once, by [Emitter.Close], with the terminal event that was written, or nil, and why
	// the run ended when it was not by a terminal event of its own: the first cause given to
	// [Emitter.Abort] or [Emitter.Close], the violation of [FailOnViolation], or an error that Is
	// [ErrDisconnected]. What comes after the run's own end is no cause of it.
	End(ctx context.Context, terminal events.Event, cause error)
}

// observers fans out to any number of them.
type observers []Observer

func (os observers) start(ctx context.Context, input *events.RunAgentInput) context.Context {
	for _, o := range os {
		ctx = o.Start(ctx, input)
	}
	return ctx
}

// listening returns the observers but for those to which events and flushes are nothing.
func (os observers) listening() observers {
	var list observers
	for _, o := range os {
		switch o.(type) {
		case quiet, watcher:
		default:
			list = append(list, o)
		}
	}
	return list
}

func (os observers) event(t events.Type, ev events.Event, bytes int) {
	for _, o := range os {
		o.Event(t, ev, bytes)
	}
}

// delta tells of a delta that was written and flushed. The run's telemetry takes it in one call.
func (os observers) delta(t events.Type, bytes int) {
	for _, o := range os {
		if telemetry, ok := o.(*aguiotel.Run); ok {
			telemetry.Delta(t, bytes)
			continue
		}
		o.Event(t, nil, bytes)
		o.Flush(nil)
	}
}

func (os observers) flush(err error) {
	for _, o := range os {
		o.Flush(err)
	}
}

func (os observers) violation(ctx context.Context, v *verify.Violation) {
	for _, o := range os {
		o.Violation(ctx, v)
	}
}

func (os observers) end(ctx context.Context, terminal events.Event, cause error) {
	for _, o := range os {
		o.End(ctx, terminal, cause)
	}
}

// watcher is the observer of a test that has put it into the context.
type watcher func(*verify.Violation)

func (watcher) Start(ctx context.Context, _ *events.RunAgentInput) context.Context { return ctx }
func (watcher) Event(events.Type, events.Event, int)                               {}
func (watcher) Flush(error)                                                        {}
func (watcher) End(context.Context, events.Event, error)                           {}

func (w watcher) Violation(_ context.Context, v *verify.Violation) { w(v) }

// guarded keeps the panics of an observer that is not ours out of the emitter, which is locked while it
// is told of events. What panicked is logged.
type guarded struct {
	Observer
	log func(method string, panicked any)
}

func (g guarded) recovered(method string) {
	if v := recover(); v != nil {
		g.log(method, v)
	}
}

func (g guarded) Start(ctx context.Context, input *events.RunAgentInput) (run context.Context) {
	run = ctx //nolint:wastedassign // stays when Start panics
	defer g.recovered("Start")
	return g.Observer.Start(ctx, input)
}

func (g guarded) Event(t events.Type, ev events.Event, bytes int) {
	defer g.recovered("Event")
	g.Observer.Event(t, ev, bytes)
}

func (g guarded) Flush(err error) {
	defer g.recovered("Flush")
	g.Observer.Flush(err)
}

func (g guarded) Violation(ctx context.Context, v *verify.Violation) {
	defer g.recovered("Violation")
	g.Observer.Violation(ctx, v)
}

func (g guarded) End(ctx context.Context, terminal events.Event, cause error) {
	defer g.recovered("End")
	g.Observer.End(ctx, terminal, cause)
}
