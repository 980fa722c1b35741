package verifytest

import (
	"bytes"
	_ "embed" // the suite
	"encoding/json"
	"fmt"
	"iter"

	"github.com/agui-go/agui/verify"
)

//go:embed sequences.jsonl
var file string

// File returns the suite as it is written: JSON Lines, one [Case] a line. Each call returns a copy.
func File() []byte { return []byte(file) }

// Case is one recorded run and what is to become of it.
type Case struct {
	// ID names the case. It is unique in the suite and fit for a file name.
	ID string `json:"id"`
	// About says what the run is about. It may be empty.
	About string `json:"about"`
	// Events are the events of the run as a stream has them, each one JSON object.
	Events []json.RawMessage `json:"events"`
	// Core is the verdict of [verify.Core] on the events; the end of the run is not judged. It is nil when
	// the case is about a value that cannot be decoded: Core does not judge values.
	Core *Verdict `json:"core"`
	// Strict is the verdict of [verify.Strict] on the events and then on their end.
	Strict Verdict `json:"strict"`
	// Client is the verdict of the official client. It names no rule.
	Client Verdict `json:"client"`
	// Source is the address of the public report that the run comes from, if it comes from one.
	Source string `json:"source"`
}

// Want returns the verdict that the case expects of a set, and false when it expects none.
func (c Case) Want(set verify.Set) (Verdict, bool) {
	switch {
	case set == verify.Strict:
		return c.Strict, true
	case c.Core != nil:
		return *c.Core, true
	}
	return Verdict{}, false
}

// Cases returns the cases of the suite in its order. It reads the suite anew each time.
func Cases() iter.Seq[Case] {
	return func(yield func(Case) bool) {
		dec := json.NewDecoder(bytes.NewReader(File()))
		dec.DisallowUnknownFields()
		for n := 1; dec.More(); n++ {
			var c Case
			if err := dec.Decode(&c); err != nil {
				panic(fmt.Sprintf("verifytest: BUG: case %d of the suite: %v", n, err))
			}
			if !yield(c) {
				return
			}
		}
	}
}
