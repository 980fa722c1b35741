package emitter

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/internal/sound"
	"github.com/agui-go/agui/internal/watch"
	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify"
)

// An Emitter writes the events of one run. Each event is checked by the ordering machine, encoded
// and written as one Server-Sent Events frame, in one step: the order that was checked is the order
// on the wire. All methods may be called concurrently.
//
// [Emitter.WithContext] and [Emitter.Subagent] return views: they share the run and differ in the
// context that violations are recorded on and in the tag that events get.
type Emitter struct {
	*run
	ctx context.Context
	tag events.Opt[string]
	// refused is why this view writes nothing: the error of a subagent that could not be started.
	refused error
}

// run is what all views of an emitter share.
type run struct {
	config
	view      Emitter // the first
	observers observers
	listeners observers // those of them that hear of events and flushes
	carrier   carrier   // the run's context, before any view's
	cancel    context.CancelCauseFunc
	onFault   func(error) // a test's

	mu        sync.Mutex
	gate      gate
	sink      Sink
	outbox    outbox
	untracked *untracked    // nil: none yet
	group     *group        // nil: no goroutine was started
	recorder  *aguiotel.Run // of quiet, once there is something to record
	publisher *time.Timer   // nil: nothing is measured
	threadID  string
	runID     string
	terminal  events.Event // the terminal event that was written
	closed    error        // why nothing more is written: a *closedError
	why       error        // why the run ended, when not by a terminal event of its own
	first     error        // what Err returns
	logged    map[verify.Rule]bool
	faults    faults
	started   bool
	closing   bool // Close has been called
	chunks    bool // see noteChunks
}

// New returns an emitter that writes to sink. The run's context, [Emitter.Context], derives from ctx.
// Call [Emitter.Close] when the run is over: it ends the observers and releases the context.
func New(ctx context.Context, sink Sink, opts ...Option) *Emitter {
	setup := newSetup(opts)
	r := &run{config: setup.config, sink: sink}
	switch setup.telemetry {
	case nil:
	case &violationsOnly:
		r.observe(quiet{r})
	default:
		r.observe(setup.telemetry.Run())
	}
	if test, ok := watch.From(ctx); ok {
		r.watch(test)
	}
	if r.ids == nil {
		r.ids = randomIDs
	}
	for _, newRun := range setup.newObservers {
		r.observe(newRun())
	}
	var history []events.Message
	if r.input != nil {
		history = r.input.Messages
	}
	r.outbox = newOutbox(r.window, r.windowSize)
	r.listeners = r.observers.listening()
	r.gate.open(r.set, r.policy, history)
	ctx, r.cancel = context.WithCancelCause(ctx)
	r.carrier.Context = ctx // for what is logged by then
	r.view = Emitter{run: r, ctx: &r.carrier}
	r.carrier = carrier{Context: r.observers.start(ctx, r.input), em: &r.view}
	r.publishOften()
	return &r.view
}

func (r *run) observe(o Observer) { r.observers = append(r.observers, observer{o, r}) }

// randomIDs is where ids come from by default.
var randomIDs = ids.Random()

// carrier is the context of a run, with the emitter in it for [FromContext].
type carrier struct {
	context.Context
	em *Emitter
}

func (c *carrier) Value(key any) any {
	if key == (contextKey{}) {
		return c.em
	}
	return c.Context.Value(key)
}

// Context returns the view's context: at first the run's, which is cancelled with the cause when the client
// is gone and when the emitter is closed. It carries the emitter for [FromContext]; a subagent's carries the
// view of the subagent. Give it to everything that the agent calls.
func (em *Emitter) Context() context.Context { return em.ctx }

// WithContext returns a view that records violations on ctx, usually on the span that it carries.
func (em *Emitter) WithContext(ctx context.Context) *Emitter {
	view := *em
	view.ctx = ctx
	return &view
}

// NewID returns a new id of the kind from the emitter's source: see [WithIDs].
func (em *Emitter) NewID(kind ids.Kind) string { return em.ids.NewID(kind) }

// Started reports whether RUN_STARTED has been written.
func (em *Emitter) Started() bool {
	em.mu.Lock()
	defer em.mu.Unlock()
	return em.started
}

// Ended reports whether a terminal event, RUN_FINISHED or RUN_ERROR, has been written.
func (em *Emitter) Ended() bool {
	em.mu.Lock()
	defer em.mu.Unlock()
	return em.terminal != nil
}

// Err returns the first violation, or the failure of the transport when that came first, or nil. On
// the view of a subagent that could not be started it returns why.
func (em *Emitter) Err() error {
	if em.refused != nil {
		return em.refused
	}
	em.mu.Lock()
	defer em.mu.Unlock()
	return em.first
}

// Open returns what is open, in the order in which it was opened. It is empty in builds with the tag
// aguinoverify, where nothing is tracked.
func (em *Emitter) Open() []verify.Open {
	em.mu.Lock()
	defer em.mu.Unlock()
	return em.gate.openEntities()
}

// Close ends the emitter from outside: later calls write nothing and return an error that Is
// [ErrClosed] and wraps cause, the run's context is cancelled with cause (context.Canceled when it is
// nil), and the observers end. It writes no event of its own: see [Emitter.Abort]. What waits for the end
// of a flush window is sent first, unless cause Is [ErrDisconnected], and Close returns the error of that.
// While another call is stuck in a write, Close waits for it; the context is cancelled after 200 ms all the
// same. Only the first Close counts; later ones do nothing and return nil.
func (em *Emitter) Close(cause error) error {
	cause = sound.Error(cause)
	em.lockFor(cause)
	if em.closing {
		em.mu.Unlock()
		return nil
	}
	em.closing = true
	if em.publisher != nil {
		em.publisher.Stop()
	}
	err := em.shut(cause)
	if em.first == nil && errors.Is(cause, ErrDisconnected) {
		em.first = cause
	}
	if em.why == nil && em.terminal == nil {
		em.why = cause
	}
	terminal, why := em.terminal, em.why
	em.cancel(cause) // under the lock: who sees that the run is over sees the context cancelled
	em.mu.Unlock()

	em.observers.end(&em.carrier, terminal, why)
	return err
}

// shut refuses all that follows and lets go of the sink. The caller holds the lock.
func (r *run) shut(cause error) error {
	defer r.outbox.discard()
	if r.closed != nil {
		return nil
	}
	if !errors.Is(cause, ErrDisconnected) {
		if err := r.sendWaiting(); err != nil {
			return err // and the emitter is closed for it
		}
	}
	r.closed = &closedError{what: overWords(cause), cause: cause}
	return nil
}

// Abort ends the run from outside: it writes RUN_ERROR with the message and the code, unless the run
// has not started, has ended or its client is gone, and closes the emitter as [Emitter.Close] does.
// No other event comes between. It returns the error of the write, which then has not reached the
// client whole.
func (em *Emitter) Abort(message, code string, cause error) error {
	cause = sound.Error(cause)
	em.lockFor(cause)
	err := em.abort(message, code, cause)
	em.cancel(cause)
	em.mu.Unlock()
	if closeErr := em.Close(cause); err == nil {
		err = closeErr
	}
	return err
}

// stuck is how long the end of a run waits for a write that does not come to an end, before it cancels the
// run's context: whoever waits for nothing else than that is told, and with this cause.
const stuck = 200 * time.Millisecond

// lockFor takes the lock for the end of the run by cause.
func (r *run) lockFor(cause error) {
	if r.mu.TryLock() {
		return
	}
	late := time.AfterFunc(stuck, func() { r.cancel(cause) })
	defer late.Stop()
	r.mu.Lock()
}

// abort writes a RUN_ERROR where one can be written and refuses all that follows. The caller holds
// the lock.
func (r *run) abort(message, code string, cause error) error {
	if r.closed != nil || r.terminal != nil || !r.started {
		return nil
	}
	r.why = cause
	buf := takeBuffer()
	defer buf.giveBack()
	ev := &events.RunError{Message: clip.CutTo(message, maxText), Code: events.Some(clip.CutTo(code, maxText))}
	var err error
	if buf.bytes, err = appendFrame(buf.bytes, ev); err != nil {
		return &EncodeError{EventType: ev.EventType(), Err: err}
	}
	if _, err := r.put(ev, buf.bytes); err != nil {
		return err
	}
	r.closed = &closedError{what: "the run was ended", cause: cause}
	return nil
}

// maxText is the length in bytes to which the texts of a RUN_ERROR from outside are cut: the client must
// get it, whatever the message is and however small the limit.
const maxText = 16 << 10

// overWords says that the run is over. A call that comes when all has ended well comes from a goroutine
// that nobody waited for.
func overWords(cause error) string {
	if cause == nil {
		return "the run is over, its agent has returned; wait for the agent's goroutines, or start them with Emitter.Go"
	}
	return "the run is over"
}
