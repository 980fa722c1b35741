package ids

import (
	"strconv"
	"sync"
)

// Sequence returns a source for tests that counts each kind from one: msg_1, msg_2, call_1, msg_3.
// Each call returns a source that starts anew. It is safe for concurrent use; which of two goroutines
// gets which number is then up to the scheduler, so a golden file needs one goroutine for each kind.
//
// Two sequences return the same ids: never use one where runs share a thread or a store.
func Sequence() Source { return &sequence{last: make(map[Kind]uint64)} }

type sequence struct {
	mu   sync.Mutex
	last map[Kind]uint64
}

func (s *sequence) NewID(kind Kind) string {
	s.mu.Lock()
	n := s.last[kind] + 1
	s.last[kind] = n
	s.mu.Unlock()
	return string(strconv.AppendUint(appendPrefix(nil, kind), n, 10))
}
