//go:build conformance

package conformance

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// walked is one sequence of a walk: events that all pass, and at most one more that does not.
type walked struct {
	events []events.Event
	texts  []json.RawMessage
	fault  *verify.Violation // of the last event, or of the end for Unterminated; nil when the run is fine
}

// walker makes runs of mostly legal events, chosen by asking the verifier first, and plants faults.
type walker struct {
	*dice
	set    verify.Set
	chunks bool           // whether runs may hold chunks
	counts map[breach]int // faults made so far, so that rare ones come first
}

// breach is a rule and a type of event that broke it.
type breach struct {
	rule verify.Rule
	typ  events.Type
}

func breachOf(v *verify.Violation) breach { return breach{v.Rule, v.EventType} }

// walk returns the sequences of one run: the run itself, and for each fault the part of the run before it
// with the fault.
func (w *walker) walk() ([]walked, error) {
	r := &running{walker: w, v: verify.New(w.set)}
	if w.once(12) {
		r.plant()
	}
	if w.set == verify.Core && w.once(12) {
		r.take(&events.Raw{Event: events.MustJSON(1)})
	}
	r.take(w.runStarted())
	for n := w.length(); n > 0 && !r.over(); n-- {
		if w.once(25) {
			r.plant()
		}
		if w.chunks && w.once(400) {
			r.remake()
		}
		r.step()
	}
	if w.once(3) {
		r.plant()
	}
	if !w.once(15) {
		r.finish()
	}
	if w.once(6) {
		r.plant()
	}
	r.out = append(r.out, walked{events: r.events, texts: r.texts, fault: violation(r.v.End())})
	return r.out, r.err
}

// length is mostly short, sometimes long.
func (w *walker) length() int {
	if w.once(20) {
		return w.IntN(120)
	}
	return w.IntN(25)
}

// any returns any event that the walker may use.
func (w *walker) any() events.Event {
	for {
		ev := w.event()
		if w.chunks || !isChunk(ev) {
			return ev
		}
	}
}

func isChunk(ev events.Event) bool {
	switch ev.(type) {
	case *events.TextMessageChunk, *events.ToolCallChunk, *events.ReasoningMessageChunk:
		return true
	}
	return false
}

// running is a run under way.
type running struct {
	*walker
	v      *verify.Verifier
	events []events.Event
	texts  []json.RawMessage
	out    []walked
	err    error
	ended  bool
}

func (r *running) over() bool { return r.ended || r.err != nil }

// take adds ev to the run if it passes.
func (r *running) take(ev events.Event) bool {
	if r.v.Would(ev) != nil {
		return false
	}
	text, err := ev.AppendJSON(nil)
	if err == nil {
		err = r.v.Observe(ev)
	}
	if err != nil {
		r.err = errors.Join(r.err, err)
		return false
	}
	r.events, r.texts = append(r.events, ev), append(r.texts, text)
	switch ev.(type) {
	case *events.RunFinished, *events.RunError:
		r.ended = true
	}
	return true
}

// step adds one event that passes.
func (r *running) step() {
	for range 30 {
		ev := r.any()
		if open := r.v.Open(); len(open) > 0 && r.once(2) {
			ev = r.continuation(open)
		}
		switch ev.(type) {
		case *events.RunFinished, *events.RunError:
			if !r.once(40) {
				continue
			}
		case *events.Unknown:
			if !r.once(10) {
				continue
			}
		}
		if r.take(ev) {
			return
		}
	}
}

// finish closes what is open and ends the run.
func (r *running) finish() {
	for !r.over() {
		open := r.v.Open()
		if len(open) == 0 {
			break
		}
		o := open[r.IntN(len(open))]
		if o.Kind == verify.KindSubagent && r.once(4) {
			r.take(&events.SubagentError{SubagentRunID: o.ID, Message: "x"})
			continue
		}
		r.take(closing(o, o.Owner))
	}
	for !r.over() {
		ev := r.terminal("t", "r")
		if finished, ok := ev.(*events.RunFinished); ok && r.once(3) {
			finished.Outcome = events.RunSuccess{PendingToolCallIDs: r.pending()}
		}
		r.take(ev)
	}
}

// pending returns the calls of the run that have no result, as RUN_FINISHED must list them.
func (r *running) pending() []string {
	var calls []string
	for _, ev := range r.events {
		id := tag{}
		switch ev := ev.(type) {
		case *events.ToolCallStart:
			id = events.Some(ev.ToolCallID)
		case *events.ToolCallChunk:
			id = ev.ToolCallID
		}
		if id, named := id.Get(); named && !slices.Contains(calls, id) {
			calls = append(calls, id)
		}
	}
	for _, ev := range r.events {
		if result, ok := ev.(*events.ToolCallResult); ok {
			calls = slices.DeleteFunc(calls, func(id string) bool { return id == result.ToolCallID })
		}
	}
	return calls
}

// plant makes a sequence of the run so far and an event that does not pass: of several the one whose like
// has come least often.
func (r *running) plant() {
	var best walked
	for range 40 {
		ev, text := r.any(), json.RawMessage(nil)
		switch r.IntN(20) {
		case 0:
			ev, text = r.malformed()
		case 1:
			ev = r.mixed(ev)
		}
		s := r.faulty(ev, text)
		if s.fault != nil && (best.fault == nil || r.counts[breachOf(s.fault)] < r.counts[breachOf(best.fault)]) {
			best = s
		}
	}
	r.keep(best)
}

// faulty returns the run so far and ev, or the text of an event that cannot be decoded, with what is wrong
// with it.
func (r *running) faulty(ev events.Event, text json.RawMessage) walked {
	fault, text, err := r.refusal(ev, text)
	r.err = errors.Join(r.err, err)
	return walked{append(slices.Clip(r.events), ev), append(slices.Clip(r.texts), text), fault}
}

// keep adds a sequence to those of the walk if it has a fault.
func (r *running) keep(s walked) {
	if s.fault == nil {
		return
	}
	r.counts[breachOf(s.fault)]++
	r.out = append(r.out, s)
}

// remake makes a call by chunks, then its parent message by a result of another lane, and names the parent
// again.
func (r *running) remake() {
	r.results++
	parent := fmt.Sprintf("result%d", r.results)
	chunk := &events.ToolCallChunk{
		ToolCallID: events.Some(r.call()), ToolCallName: events.Some("f"), ParentMessageID: events.Some(parent), SubagentRunID: r.tag(),
	}
	result := &events.ToolCallResult{ToolCallID: chunk.ToolCallID.Or(""), MessageID: parent, SubagentRunID: r.tag()}
	if r.take(chunk) && r.take(result) {
		r.keep(r.faulty(chunk, nil))
	}
}

// mixed returns explicit content or an explicit end for what a chunk of the run has named, or ev if none
// has.
func (r *running) mixed(ev events.Event) events.Event {
	for _, before := range slices.Backward(r.events) {
		id, kind, chunk := subject(before)
		if !chunk || r.once(4) {
			continue
		}
		return r.continuation([]verify.Open{{Kind: kind, ID: id, Owner: r.tag()}})
	}
	return ev
}

// refusal returns why the verifier would refuse ev, or text where ev is nil because it cannot be decoded,
// and the text of the event.
func (r *running) refusal(ev events.Event, text json.RawMessage) (*verify.Violation, json.RawMessage, error) {
	if ev != nil {
		text, err := ev.AppendJSON(nil)
		return violation(r.v.Would(ev)), text, err
	}
	_, err := events.Decode(text)
	var field *events.FieldError
	if !errors.As(err, &field) {
		return nil, nil, err
	}
	// Refuse counts, so a fresh verifier is asked, and what comes before the event is known to pass.
	v := verify.New(r.set)
	for _, before := range r.events {
		if err := v.Observe(before); err != nil {
			return nil, nil, err
		}
	}
	return violation(v.Refuse(field)), text, nil
}

func violation(err error) *verify.Violation {
	if err == nil {
		return nil
	}
	v, _ := errors.AsType[*verify.Violation](err)
	return v
}
