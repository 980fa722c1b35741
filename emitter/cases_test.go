package emitter_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/verifytest"
)

// TestSequences gives every case that events can express to an emitter, and expects the
// labelled verdict: the rule and the index of the first call that is refused, and what came before it
// on the wire.
func TestSequences(t *testing.T) {
	judged := 0
	for c := range verifytest.Cases() {
		evs, ok := expressible(c)
		if !ok {
			continue
		}
		for _, set := range []verify.Set{verify.Core, verify.Strict} {
			if want, ok := c.Want(set); ok {
				judged++
				judge(t, c.ID, set, evs, want)
			}
		}
	}
	// The sample has 253 lines; most can be expressed under both sets.
	if judged < 400 {
		t.Errorf("judged %d verdicts: the sample shrank, or too much of it is taken to be inexpressible", judged)
	}
}

// expressible returns the events of a case as values. Three things cannot be said to an emitter:
// what is no value of its type, the retired events, which it refuses, and the end of the stream.
func expressible(c verifytest.Case) ([]events.Event, bool) {
	var evs []events.Event
	for _, raw := range c.Events {
		ev, err := events.Decode(raw)
		if err != nil {
			return nil, false
		}
		if _, unknown := ev.(*events.Unknown); unknown {
			return nil, false
		}
		evs = append(evs, ev)
	}
	return evs, true
}

func judge(t *testing.T, id string, set verify.Set, evs []events.Event, want verifytest.Verdict) {
	t.Helper()
	var buf, written bytes.Buffer
	em := emitter.New(t.Context(), emitter.ToWriter(&buf), emitter.WithRules(set), emitter.WithLogger(nil), emitter.WithPolicy(emitter.Reject))
	defer em.Close(nil)
	if build.NoVerify || want.Rule == verify.Unterminated.String() {
		want = verifytest.Verdict{OK: true}
	}
	for i, ev := range evs {
		err := em.Emit(ev)
		if err != nil {
			checkRefusal(t, id, set, i, err, want)
			break
		}
		if !want.OK && want.At == i {
			t.Errorf("%s, %v: event %d\n got accepted\nwant %s", id, set, i, want.Rule)
			return
		}
		line, encodeErr := ev.AppendJSON(nil)
		must(t, encodeErr)
		written.WriteString("data: " + string(line) + "\n\n")
	}
	if buf.String() != written.String() {
		t.Errorf("%s, %v: on the wire\n got %s\nwant %s", id, set, buf.String(), written.String())
	}
}

func checkRefusal(t *testing.T, id string, set verify.Set, i int, err error, want verifytest.Verdict) {
	t.Helper()
	var v *verify.Violation
	if build.NoVerify && errors.Is(err, emitter.ErrClosed) {
		return // the run had ended: the one thing that this build checks
	}
	if !errors.As(err, &v) || want.OK || v.Rule.String() != want.Rule || v.Index != want.At || i != want.At {
		t.Errorf("%s, %v: event %d\n got %v\nwant %+v", id, set, i, err, want)
	}
}
