package encode

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"reflect"

	sdk "github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/events"

	"github.com/agui-go/agui/events"
)

// lines has one event of each type, with every member that it can have.
//
//go:embed events.jsonl
var lines []byte

// sample is one event in the forms that are measured.
type sample struct {
	event events.Event
	size  int // of its JSON in bytes
	typed any // for encoding/json

	// The official SDK does not know all members, or not even the event. Ours is compared with it on what it
	// knows.
	known events.Event
	sdk   sdk.Event
}

// samples returns the samples, each form of which encodes to the same.
func samples() ([]sample, error) {
	var all []sample
	for line := range bytes.Lines(lines) {
		s, err := newSample(bytes.TrimSpace(line))
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

func newSample(line []byte) (sample, error) {
	ev, err := events.Decode(line)
	if err != nil {
		return sample{}, err
	}
	value, err := typed(line)
	if err != nil {
		return sample{}, err
	}
	s := sample{event: ev, size: len(line), typed: value}
	ours, err := ev.AppendJSON(nil)
	if err != nil {
		return sample{}, err
	}
	theirs, err := json.Marshal(value)
	if err != nil {
		return sample{}, err
	}
	if !bytes.Equal(ours, line) || !bytes.Equal(theirs, line) {
		return sample{}, fmt.Errorf("encode: %s\nours is %s\nencoding/json has %s", line, ours, theirs)
	}
	return s, s.addSDK(line)
}

// addSDK adds what the official SDK makes of the event, unless it does not know it or loses a member that the
// event cannot be without.
func (s *sample) addSDK(line []byte) error {
	theirs, err := sdk.EventFromJSON(line)
	if err != nil {
		return nil // the SDK has no such event
	}
	text, err := theirs.ToJSON()
	if err != nil {
		return nil
	}
	known, err := events.Decode(text)
	if err != nil || events.Check(known) != nil {
		return nil
	}
	ours, err := known.AppendJSON(nil)
	if err != nil {
		return err
	}
	if !sameJSON(ours, text) {
		return fmt.Errorf("encode: ours is %s\nthe official SDK has %s", ours, text)
	}
	s.known, s.sdk = known, theirs
	return nil
}

func sameJSON(a, b []byte) bool {
	var x, y any
	return json.Unmarshal(a, &x) == nil && json.Unmarshal(b, &y) == nil && reflect.DeepEqual(x, y)
}
