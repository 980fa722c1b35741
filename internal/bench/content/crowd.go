package content

import (
	"errors"
	"fmt"
	"strings"
)

// checkedDeltas is how many deltas each goroutine writes before it is timed.
const checkedDeltas = 100

// check has n goroutines write deltas that say whose they are and which, and looks at what comes out.
func (w crowdWriter) check(n int) (err error) {
	var sink recorder
	deltas := make([]string, n)
	members, end, err := w.open(&sink, deltas)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, end()) }()
	begun := sink.Len()
	var writes []func(int) error
	for g, m := range members {
		writes = append(writes, func(count int) error {
			for i := range count {
				deltas[g] = numbered(g, i)
				if err := m.write(1); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := together(writes)(n * checkedDeltas); err != nil {
		return err
	}
	return checkCrowd(sink.String()[begun:], members)
}

// numbered is a delta of 16 B: the one with number i of goroutine g.
func numbered(g, i int) string { return fmt.Sprintf("%07d %08d", g, i) }

// checkCrowd checks that the stream is whole frames, checkedDeltas of each member, in the order in which it wrote
// them.
func checkCrowd(stream string, members []member) error {
	next := make([]int, len(members))
	for len(stream) > 0 {
		g, err := author(stream, members, next)
		if err != nil {
			return err
		}
		stream = stream[len(crowdFrame(members[g].id, g, next[g])):]
		next[g]++
	}
	for g, n := range next {
		if n != checkedDeltas {
			return fmt.Errorf("wrote %d deltas of goroutine %d, not %d", n, g, checkedDeltas)
		}
	}
	return nil
}

// author returns the member whose next frame the stream begins with.
func author(stream string, members []member, next []int) (int, error) {
	var g, i int
	_, delta, _ := strings.Cut(stream, `"delta":"`)
	if _, err := fmt.Sscanf(delta, "%07d %08d", &g, &i); err != nil || g < 0 || g >= len(members) {
		return 0, fmt.Errorf("wrote %q, which is no delta of a goroutine", clip(stream))
	}
	if want := crowdFrame(members[g].id, g, next[g]); !strings.HasPrefix(stream, want) {
		return 0, fmt.Errorf("wrote %q\nwant  %q", clip(stream), want)
	}
	return g, nil
}

// crowdFrame is the frame of a numbered delta.
func crowdFrame(id string, g, i int) string {
	return `data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"` + id + `","delta":"` + numbered(g, i) + frameSuffix
}
