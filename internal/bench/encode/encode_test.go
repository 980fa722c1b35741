package encode

import (
	"encoding/json"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/bench/reporttest"
)

func TestShort(t *testing.T) {
	if r := reporttest.Short(t, Group()); len(r.Rows) != 31 || len(r.Ratios) != 1 {
		t.Errorf("got %d events and %d ratios\nwant 31 and 1", len(r.Rows), len(r.Ratios))
	}
}

// TestSamples: each event type is there once, and the official SDK knows most.
func TestSamples(t *testing.T) {
	all, err := samples()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[events.Type]bool{}
	known := 0
	for _, s := range all {
		if _, unknown := s.event.(*events.Unknown); unknown || seen[s.event.EventType()] {
			t.Errorf("got %s\nwant each event of the protocol once", s.event.EventType())
		}
		seen[s.event.EventType()] = true
		if err := events.Check(s.event); err != nil {
			t.Error(err)
		}
		if s.sdk != nil {
			known++
		}
	}
	if known < 20 {
		t.Errorf("the official SDK is compared on %d events\nwant 20 at least", known)
	}
}

func TestTyped(t *testing.T) {
	for _, text := range []string{
		`{"b":1,"a":{"x":[],"y":null},"c":[1,2],"d":[1,"a",{}],"e":1.5,"f":true}`,
		`[{"a":1},{"a":2},{"b":3},null]`,
		`"text"`,
	} {
		v, err := typed([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(v)
		if err != nil || string(got) != text {
			t.Errorf("got  %s, %v\nwant %s", got, err, text)
		}
	}
	if _, err := typed([]byte(`{"a":`)); err == nil {
		t.Error("half a value was read")
	}
}
