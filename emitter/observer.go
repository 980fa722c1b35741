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
type observers []observer

func (os observers) start(ctx context.Context, input *events.RunAgentInput) context.Context {
	for _, o := range os {
		ctx = o.start(ctx, input)
	}
	return ctx
}

// listening returns the observers but for those to which events and flushes are nothing.
func (os observers) listening() observers {
	var list observers
	for _, o := range os {
		switch o.Observer.(type) {
		case quiet, watcher:
		default:
			list = append(list, o)
		}
	}
	return list
}

func (os observers) event(t events.Type, ev events.Event, bytes int) {
	for _, o := range os {
		o.event(t, ev, bytes)
	}
}

// delta tells of a delta that was written and flushed.
func (os observers) delta(t events.Type, bytes int) {
	for _, o := range os {
		o.delta(t, bytes)
	}
}

func (os observers) flush(err error) {
	for _, o := range os {
		o.flush(err)
	}
}

func (os observers) violation(ctx context.Context, v *verify.Violation) {
	for _, o := range os {
		o.violation(ctx, v)
	}
}

func (os observers) end(ctx context.Context, terminal events.Event, cause error) {
	for _, o := range os {
		o.end(ctx, terminal, cause)
	}
}

// observer keeps the panics of an Observer, and of the providers behind the one of package otel, out of the
// emitter, which is locked while it tells of events. What panicked is logged.
type observer struct {
	Observer
	run *run
}

func (o observer) recovered(method string) {
	if v := recover(); v != nil {
		o.run.logPanic(method, v)
	}
}

func (o observer) start(ctx context.Context, input *events.RunAgentInput) (run context.Context) {
	run = ctx //nolint:wastedassign // stays when Start panics
	defer o.recovered("Start")
	return o.Start(ctx, input)
}

func (o observer) event(t events.Type, ev events.Event, bytes int) {
	defer o.recovered("Event")
	o.Event(t, ev, bytes)
}

// delta is event and flush in one call, as the run's telemetry takes it.
func (o observer) delta(t events.Type, bytes int) {
	telemetry, ok := o.Observer.(*aguiotel.Run)
	if !ok {
		o.event(t, nil, bytes)
		o.flush(nil)
		return
	}
	defer o.recovered("Delta")
	telemetry.Delta(t, bytes)
}

func (o observer) flush(err error) {
	defer o.recovered("Flush")
	o.Flush(err)
}

func (o observer) violation(ctx context.Context, v *verify.Violation) {
	defer o.recovered("Violation")
	o.Violation(ctx, v)
}

func (o observer) end(ctx context.Context, terminal events.Event, cause error) {
	defer o.recovered("End")
	o.End(ctx, terminal, cause)
}

// watcher is the observer of a test that has put it into the context.
type watcher func(*verify.Violation)

func (watcher) Start(ctx context.Context, _ *events.RunAgentInput) context.Context { return ctx }
func (watcher) Event(events.Type, events.Event, int)                               {}
func (watcher) Flush(error)                                                        {}
func (watcher) End(context.Context, events.Event, error)                           {}

func (w watcher) Violation(_ context.Context, v *verify.Violation) { w(v) }
