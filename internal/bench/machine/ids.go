package machine

import (
	"fmt"
	"math/rand/v2"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

type tag = events.Opt[string]

// longID returns an id of 36 characters.
func longID(i int) string { return fmt.Sprintf("msg_%032x", i) }

// order is in what order deltas come from n open messages. The strings are in other memory than those that
// the messages were opened with.
func order(n, burst int) []string {
	random := rand.New(rand.NewPCG(1, uint64(n)))
	length := max(n, min(16*n, 20_000))
	ids := make([]string, 0, length+burst)
	for len(ids) < length {
		id := longID(random.IntN(n))
		for range burst {
			ids = append(ids, id)
		}
	}
	return ids
}

// opened returns a verifier with n open messages.
func opened(n int) (*verify.Verifier, error) {
	v := verify.New(verify.Strict)
	if err := v.Observe(events.NewRunStarted("thread", "run")); err != nil {
		return nil, err
	}
	for i := range n {
		if err := v.Observe(events.NewTextMessageStart(longID(i))); err != nil {
			return nil, err
		}
	}
	return v, nil
}

// slot is what somebody who checks by hand keeps of an open message.
type slot struct {
	owner uint32
	kind  verify.Kind
	open  bool
}

// slots returns the map that a verifier's look-up is measured against.
func slots(n int) map[string]slot {
	m := make(map[string]slot)
	for i := range n {
		m[longID(i)] = slot{kind: verify.KindTextMessage, open: true}
	}
	return m
}
