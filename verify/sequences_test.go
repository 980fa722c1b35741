package verify_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/verifytest"
)

// sets are the sets of rules.
var sets = []verify.Set{verify.Core, verify.Strict}

func TestSequences(t *testing.T) {
	for _, set := range sets {
		t.Run(set.String(), func(t *testing.T) {
			verifytest.Run(t, set, func(*testing.T) verifytest.Machine { return verify.New(set) })
		})
	}
	if got, want := len(slices.Collect(verifytest.Cases())), 253; got < want {
		t.Errorf("cases\n got: %d\nwant: at least %d", got, want)
	}
}

// TestSequencesWould holds Would to Observe at every event of every case, rejected ones included.
func TestSequencesWould(t *testing.T) {
	for _, set := range sets {
		for c := range verifytest.Cases() {
			v := verify.New(set)
			for i, data := range c.Events {
				ev, err := events.Decode(data)
				if err != nil {
					continue // there is no event to ask about
				}
				want := v.Would(ev)
				got := v.Observe(ev)
				if errorText(got) != errorText(want) {
					t.Errorf("%s, %s, event %d\n  Would: %v\nObserve: %v", c.ID, set, i, want, got)
				}
			}
		}
	}
}

// feed gives one encoded event to v, as a reader of a stream does.
func feed(t testing.TB, v *verify.Verifier, data []byte) error {
	t.Helper()
	ev, err := events.Decode(data)
	if err == nil {
		return v.Observe(ev)
	}
	field, ok := errors.AsType[*events.FieldError](err)
	if !ok {
		t.Fatalf("decode %s: %v", data, err)
	}
	return v.Refuse(field)
}

// strictly returns what Strict says of a case, nil when it accepts it.
func strictly(t testing.TB, c verifytest.Case) *verify.Violation {
	t.Helper()
	v := verify.New(verify.Strict)
	for _, data := range c.Events {
		if err := feed(t, v, data); err != nil {
			return violationOf(t, err)
		}
	}
	if err := v.End(); err != nil {
		return violationOf(t, err)
	}
	return nil
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
