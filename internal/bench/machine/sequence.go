package machine

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/agui-go/agui/events"
)

// sequence is a run for the verifiers of both languages.
type sequence struct {
	name   string
	events []events.Event
	goal   bool   // the run is like one that happens, or like the look-ups, so the goal is judged by it
	why    string // why the goal is out of its reach; empty: it is not
}

// judged returns the pairs of rows that the goal is judged by.
func (s sequence) judged() []pair {
	if !s.goal {
		return nil
	}
	return alike
}

// sequences are runs of about as many events each, n times what a message of 20 deltas has: one message,
// messages of a few deltas and of many, and all kinds of entities mixed; and those of as many deltas in which
// messages are open side by side.
func sequences(n int) []sequence {
	all := []sequence{
		{"one message", run(1, message(22*n)), true, ""},
		{"messages of 20 deltas", run(n, message(20)), true, whyIDs},
		{"messages of 3 deltas", run(4*n, message(3)), false, ""},
		{"messages without deltas", run(11*n, message(0)), false, ""},
		{"all kinds mixed", run(n, mixed), true, whyIDs},
	}
	deltas := 22 * n
	for _, s := range scenes[1:] { // the first is one message
		why := whyLook
		if 2*s.open > deltas/2 { // as many starts and ends
			why = whyIDs
		}
		all = append(all, sequence{s.String(), sideBySide(s, deltas), true, why})
	}
	return all
}

// sideBySide is a run whose messages are all open before the first delta and until the last one.
func sideBySide(s scene, deltas int) []events.Event {
	all := []events.Event{events.NewRunStarted("thread", "run")}
	for i := range s.open {
		all = append(all, events.NewTextMessageStart(longID(i)))
	}
	ids := order(s.open, s.burst)
	for i := range deltas {
		all = append(all, events.NewTextMessageContent(strings.Clone(ids[i%len(ids)]), "Hello, "))
	}
	for i := range s.open {
		all = append(all, events.NewTextMessageEnd(longID(i)))
	}
	return append(all, events.NewRunFinished("thread", "run"))
}

// run is a whole run whose middle is n parts.
func run(n int, part func(i int) []events.Event) []events.Event {
	all := []events.Event{events.NewRunStarted("thread", "run")}
	for i := range n {
		all = append(all, part(i)...)
	}
	return append(all, events.NewRunFinished("thread", "run"))
}

// message is the life of one text message. Each event has its id in memory of its own, as it is when events
// are decoded.
func message(deltas int) func(i int) []events.Event {
	return func(i int) []events.Event {
		part := []events.Event{events.NewTextMessageStart(longID(i))}
		for range deltas {
			part = append(part, events.NewTextMessageContent(longID(i), "Hello, "))
		}
		return append(part, events.NewTextMessageEnd(longID(i)))
	}
}

// mixed is a step in which a message, a call with its result, and reasoning are open at once, and state, an
// activity and the application's own events come between.
func mixed(i int) []events.Event {
	msg, call, result, thought := longID(4*i), fmt.Sprintf("call_%031x", i), longID(4*i+1), longID(4*i+2)
	step := fmt.Sprintf("step %d", i)
	part := []events.Event{
		events.NewStepStarted(step),
		events.NewReasoningStart(thought),
		events.NewReasoningMessageStart(thought),
		events.NewTextMessageStart(msg),
		events.NewToolCallStart(call, "search"),
	}
	for range 6 {
		part = append(part,
			events.NewReasoningMessageContent(thought, "hm "),
			events.NewTextMessageContent(msg, "Hello, "),
			events.NewToolCallArgs(call, "1"))
	}
	return append(part,
		events.NewToolCallEnd(call),
		events.NewToolCallResult(result, call, "18 degrees"),
		&events.StateSnapshot{Snapshot: events.MustJSON(map[string]any{"n": i})},
		events.NewStateDelta(events.Replace("/n", i+1)),
		&events.ActivitySnapshot{MessageID: longID(4*i + 3), ActivityType: "plan", Content: events.MustJSON(map[string]any{"n": 0})},
		&events.Custom{Name: "acme.tick", Value: events.MustJSON(i)},
		&events.Raw{Event: events.MustJSON(i)},
		events.NewReasoningMessageEnd(thought),
		events.NewReasoningEnd(thought),
		events.NewTextMessageEnd(msg),
		events.NewStepFinished(step),
	)
}

// jsonArray is the sequence as a JSON array in one line.
func (s sequence) jsonArray() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('[')
	for i, ev := range s.events {
		if i > 0 {
			b.WriteByte(',')
		}
		text, err := ev.AppendJSON(nil)
		if err != nil {
			return nil, fmt.Errorf("machine: event %d of %s: %w", i, s.name, err)
		}
		b.Write(text)
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}
