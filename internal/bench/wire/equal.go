package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
)

// said is what an event says, without what a library may add: a time, a role that is the default, the
// version of the protocol.
type said struct {
	Type      string
	ThreadID  string
	RunID     string
	MessageID string
	Delta     string
}

// compare checks that all kinds deliver the run that the load asks for, but the one that delivers nothing, and
// leaves the server with the load.
func (p *peers) compare(ctx context.Context, over protocol, l load, kinds []kind) error {
	plain := l
	plain.Pace, plain.Stamped = 0, false // stamps differ
	if err := p.set(plain); err != nil {
		return err
	}
	want := plain.run()
	for _, k := range kinds {
		if k == ticks {
			continue
		}
		err := p.get(ctx, over, k, func(body io.Reader) error {
			got, err := decode(body)
			if err != nil {
				return err
			}
			return different(got, want)
		})
		if err != nil {
			return err
		}
	}
	return p.set(l)
}

// run returns the events of a run.
func (l load) run() []said {
	all := []said{
		{Type: "RUN_STARTED", ThreadID: "thread_1", RunID: "run_1"},
		{Type: "TEXT_MESSAGE_START", MessageID: messageID},
	}
	for range l.Deltas {
		all = append(all, said{Type: "TEXT_MESSAGE_CONTENT", MessageID: messageID, Delta: string(l.delta())})
	}
	return append(all,
		said{Type: "TEXT_MESSAGE_END", MessageID: messageID},
		said{Type: "RUN_FINISHED", ThreadID: "thread_1", RunID: "run_1"})
}

// decode returns the events of a stream. The id of its message, which ours makes anew for each run, is replaced.
func decode(stream io.Reader) ([]said, error) {
	text, err := io.ReadAll(stream)
	if err != nil {
		return nil, err
	}
	var all []said
	first := ""
	for line := range bytes.Lines(text) {
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok {
			continue
		}
		var s said
		if err := json.Unmarshal(data, &s); err != nil {
			return nil, fmt.Errorf("%w in %q", err, line)
		}
		if first == "" {
			first = s.MessageID
		}
		switch {
		case s.MessageID == "" || len(first) != len(messageID):
		case s.MessageID == first:
			s.MessageID = messageID
		default:
			s.MessageID += ", not " + first
		}
		all = append(all, s)
	}
	return all, nil
}

// different returns an error that names the first event that differs, or nil.
func different(got, want []said) error {
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) {
			return fmt.Errorf("%d events, not %d", len(got), len(want))
		}
		if got[i] != want[i] {
			return fmt.Errorf("event %d is %+v, not %+v", i, got[i], want[i])
		}
	}
	return nil
}
