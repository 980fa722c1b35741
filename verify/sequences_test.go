package verify_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// sequence is one line of testdata/sequences.jsonl.
type sequence struct {
	ID     string            `json:"id"`
	About  string            `json:"about"`
	Events []json.RawMessage `json:"events"`
	Core   *verdict          `json:"core"`
	Strict *verdict          `json:"strict"`
	Source string            `json:"source"`
}

// verdict is what becomes of a sequence: the first rule that it breaks, and where.
type verdict struct {
	OK   bool   `json:"ok"`
	At   int    `json:"at"`
	Rule string `json:"rule"`
}

func readSequences(t testing.TB) []sequence {
	t.Helper()
	f, err := os.Open("testdata/sequences.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []sequence
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s sequence
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatalf("line %d: %v", len(list)+1, err)
		}
		list = append(list, s)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// verdictOf turns what a Verifier returned into a verdict.
func verdictOf(t testing.TB, err error) verdict {
	t.Helper()
	if err == nil {
		return verdict{OK: true}
	}
	var v *verify.Violation
	if !errors.As(err, &v) {
		t.Fatalf("an error that is no violation: %v", err)
	}
	return verdict{At: v.Index, Rule: v.Rule.String()}
}

// feed gives one encoded event to v, as a reader of a stream does.
func feed(t testing.TB, v *verify.Verifier, data []byte) error {
	t.Helper()
	ev, err := events.Decode(data)
	if err == nil {
		return v.Observe(ev)
	}
	var field *events.FieldError
	if !errors.As(err, &field) {
		t.Fatalf("decode %s: %v", data, err)
	}
	return v.Refuse(field)
}

// run feeds the events of s to a new Verifier of set until one is rejected.
func run(t testing.TB, set verify.Set, s sequence) (*verify.Verifier, error) {
	t.Helper()
	v := verify.New(set)
	for _, data := range s.Events {
		if err := feed(t, v, data); err != nil {
			return v, err
		}
	}
	return v, nil
}

func TestSequences(t *testing.T) {
	list := readSequences(t)
	if got, want := len(list), 253; got != want {
		t.Errorf("sequences\n got: %d\nwant: %d", got, want)
	}
	for _, s := range list {
		t.Run(s.ID, func(t *testing.T) {
			if s.Core != nil {
				// The core verdict is that of the events: the end of the stream is not part of it.
				_, err := run(t, verify.Core, s)
				if got, want := verdictOf(t, err), *s.Core; got != want {
					t.Errorf("core: %s\n got: %+v (%v)\nwant: %+v", s.About, got, err, want)
				}
			}
			v, err := run(t, verify.Strict, s)
			if err == nil {
				err = v.End()
			}
			if got, want := verdictOf(t, err), *s.Strict; got != want {
				t.Errorf("strict: %s\n got: %+v (%v)\nwant: %+v", s.About, got, err, want)
			}
		})
	}
}

// TestSequencesWould holds Would to Observe at every event of every sequence, rejected ones included.
func TestSequencesWould(t *testing.T) {
	for _, set := range []verify.Set{verify.Core, verify.Strict} {
		for _, s := range readSequences(t) {
			v := verify.New(set)
			for i, data := range s.Events {
				ev, err := events.Decode(data)
				if err != nil {
					continue // there is no event to ask about
				}
				want := v.Would(ev)
				got := v.Observe(ev)
				if errorText(got) != errorText(want) {
					t.Errorf("%s, %s, event %d\n  Would: %v\nObserve: %v", s.ID, set, i, want, got)
				}
			}
		}
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
