package emitter

import (
	"context"
	"log/slog"

	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/verify"
)

// leaving says what a call may do about a broken rule when it leaves the emitter.
type leaving bool

const (
	mayPanic   leaving = true
	neverPanic leaving = false
)

// finding is a broken rule on its way to the log and the observers.
type finding struct {
	violation *verify.Violation
	log       bool // the first of its rule in this run
	ends      bool // it ends the run
}

// leave ends a call: it gives up the lock, which the caller holds, records the rules that the call
// broke, and returns err, or panics where the policy says so. Nothing is recorded under the lock: a
// log handler may write through the emitter.
func (em *Emitter) leave(err error, how leaving) error {
	if err == nil && !em.gate.hasReported() {
		em.mu.Unlock()
		return nil
	}
	return em.leaveWith(err, how)
}

// leaveWith is leave for a call that has something to tell.
func (em *Emitter) leaveWith(err error, how leaving) error {
	let := em.gate.takeReported()
	broken, _ := err.(*verify.Violation)
	if broken == nil && len(let) == 0 {
		em.mu.Unlock()
		if err != nil && how == mayPanic {
			return em.fault(err)
		}
		return err
	}
	var findings []finding
	for _, v := range let {
		findings = append(findings, em.find(v))
	}
	afterEnd := em.terminal != nil
	if broken != nil {
		found := em.find(broken)
		em.failRun(broken)
		found.ends = em.why == error(broken) //nolint:errorlint // this very violation
		findings = append(findings, found)
	}
	em.mu.Unlock()

	for _, f := range findings {
		em.record(f)
	}
	if broken == nil {
		return err // let through, and then not written: the client is gone
	}
	if how == mayPanic && em.panicsOn(broken.Rule) {
		panic(broken)
	}
	if afterEnd && broken.Rule == verify.RunEnded {
		return &endedError{violation: broken}
	}
	return err
}

// find adds to v what only the emitter knows. The caller holds the lock.
func (r *run) find(v *verify.Violation) finding {
	if r.callers {
		v.Caller = callSite()
		v.Open = r.gate.openEntities()
	}
	if r.first == nil {
		r.first = v
	}
	if r.logged == nil {
		r.logged = make(map[verify.Rule]bool)
	}
	seen := r.logged[v.Rule]
	r.logged[v.Rule] = true
	return finding{violation: v, log: !seen}
}

// failRun ends the run for v where the emitter was told to. The caller holds the lock.
func (r *run) failRun(v *verify.Violation) {
	if !r.failOnViolation || !r.started || r.closed != nil || r.terminal != nil {
		return
	}
	message := ViolationMessage
	if r.failFast {
		message = v.Sentence
	}
	if err := r.abort(message, CodeProtocolViolation, v); err != nil {
		return // the client is gone, and the emitter closed for that
	}
	r.cancel(v)
}

// ViolationMessage is the message of the RUN_ERROR that ends a run for a broken rule. It says nothing
// of the violation, which is for the developer: the log and the span event have it.
const ViolationMessage = "The agent broke the ordering rules of the protocol."

// record tells the log and the observers.
func (em *Emitter) record(f finding) {
	v := f.violation
	em.observers.violation(em.ctx, v)
	if em.logger != nil && (f.log || f.ends) {
		em.logViolation(em.ctx, f)
	}
}

func (r *run) logViolation(ctx context.Context, f finding) {
	v := f.violation
	attrs := []slog.Attr{
		slog.String("rule", v.Rule.String()),
		slog.String("event", string(v.EventType)),
		slog.String("id", v.ID),
		slog.Int("index", v.Index),
		slog.String("reason", v.Sentence),
		slog.String("remedy", v.Remedy),
	}
	if owner, ok := v.Owner.Get(); ok {
		attrs = append(attrs, slog.String("owner", owner))
	}
	if v.Caller != "" {
		attrs = append(attrs, slog.String("caller", v.Caller))
	}
	if r.input != nil {
		attrs = append(attrs, slog.String("thread", clip.ID(r.input.ThreadID)), slog.String("run", clip.ID(r.input.RunID)))
	}
	level := slog.LevelWarn
	if f.ends {
		level = slog.LevelError
	}
	r.log(ctx, level, "agui: a rule of the protocol was broken", attrs...)
}

// panicsOn reports whether breaking the rule panics: an explicit policy beats fail-fast.
func (r *run) panicsOn(rule verify.Rule) bool {
	if action, ok := r.policy[rule]; ok {
		return action == Panic
	}
	return r.failFast
}

// logPanic says that an observer has panicked. The emitter may be locked then: the context does not carry it,
// so that a log handler which writes through the emitter of its context does not wait for itself.
func (r *run) logPanic(method string, panicked any) {
	r.log(r.carrier.Context, slog.LevelError, "agui: an observer panicked", slog.String("method", method), slog.Any("panic", panicked))
}

// log logs about the run, if anything is to be logged. A log handler that panics does not take the run, or
// the process, with it.
func (r *run) log(ctx context.Context, level slog.Level, message string, attrs ...slog.Attr) {
	if r.logger == nil {
		return
	}
	defer func() { _ = recover() }()
	r.logger.LogAttrs(ctx, level, message, attrs...) //nolint:sloglint // the callers have literals
}
