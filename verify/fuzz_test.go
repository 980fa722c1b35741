package verify_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/verifytest"
)

// byteSource is a source of randomness that a fuzzer steers: one byte for each draw, then a fixed sequence.
type byteSource struct {
	data []byte
	rest *rand.PCG
}

func (s *byteSource) Uint64() uint64 {
	if len(s.data) == 0 {
		return s.rest.Uint64()
	}
	b := s.data[0]
	s.data = s.data[1:]
	return uint64(b) * 0x0101_0101_0101_0101
}

// FuzzMachine holds the machine to the model over runs that the fuzzer draws.
func FuzzMachine(f *testing.F) {
	f.Add([]byte(nil))
	f.Add([]byte("a run, drawn from these bytes"))
	f.Add(bytes.Repeat([]byte{0x11, 0x80, 0xf0, 0x3a}, 100))
	f.Fuzz(func(t *testing.T, data []byte) {
		d := dice{rand.New(&byteSource{data, rand.NewPCG(1, 2)})}
		newMatch(d, map[verify.Rule]int{}).play(t)
	})
}

// FuzzStream feeds lines of JSON as a reader of a stream does: nothing panics, every event counts once, and
// Would and Observe agree.
func FuzzStream(f *testing.F) {
	for c := range verifytest.Cases() {
		var lines []byte
		for _, data := range c.Events {
			lines = append(append(lines, data...), '\n')
		}
		f.Add(lines)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, set := range []verify.Set{verify.Core, verify.Strict} {
			v := verify.New(set)
			count := 0
			for line := range bytes.Lines(data) {
				ev, err := events.Decode(line)
				var field *events.FieldError
				switch {
				case errors.As(err, &field):
					if rejected := v.Refuse(field) != nil; rejected != (set == verify.Strict) {
						t.Errorf("%s refuses %v: %t", set, field, rejected)
					}
				case err != nil:
					continue
				default:
					would := v.Would(ev)
					if got := v.Observe(ev); errorText(got) != errorText(would) {
						t.Errorf("%s, %s\n  Would: %v\nObserve: %v", set, line, would, got)
					}
				}
				count++
			}
			if got := v.Index(); got != count {
				t.Errorf("Index\n got: %d\nwant: %d", got, count)
			}
			v.Open()
			v.Reset()
			if v.Index() != 0 || v.Open() != nil {
				t.Error("Reset leaves something")
			}
		}
	})
}
