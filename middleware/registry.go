package middleware

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"sync"

	"github.com/agui-go/agui/internal/clip"
)

// A Registry knows which runs there are, and keeps two from sharing a thread or an id: see
// [WithRegistry]. [MemoryRegistry] is one for a single process; one that several servers share keeps the
// same in a store of theirs. Its methods are called concurrently.
type Registry interface {
	// Start claims the thread for the run, and returns the function that gives it up. That is called
	// once, when the agent has returned and before RUN_FINISHED or RUN_ERROR is sent, so that a client may
	// start the next run as soon as it has read the end of this one. An agent that sends the end itself, or
	// whose run was ended from outside, keeps its thread until it returns. The end of the run waits for the
	// function; a panic in it is logged. An error refuses the request, as one of a [PrepareFunc] does:
	// [ThreadBusy] and [RunKnown] are for the two that are to be expected. ctx is the one that the run
	// is to have.
	Start(ctx context.Context, threadID, runID string) (end func(), err error)
}

// ThreadBusy returns the refusal of a run on a thread that has an active one: status 409, thread_busy.
func ThreadBusy(threadID, activeRunID string) *Refusal {
	return &Refusal{
		Status: http.StatusConflict,
		Code:   "thread_busy",
		Message: fmt.Sprintf("run %q is active on the thread %q: wait for its end, or cancel it",
			clip.ID(activeRunID), clip.ID(threadID)),
		Field: "/threadId",
	}
}

// RunKnown returns the refusal of a run whose id was used before: status 409, run_known.
func RunKnown(runID string) *Refusal {
	return &Refusal{
		Status:  http.StatusConflict,
		Code:    "run_known",
		Message: fmt.Sprintf("a run %q was started before: give each run an id of its own", clip.ID(runID)),
		Field:   "/runId",
	}
}

// DefaultKnownRuns is how many ids a [MemoryRegistry] remembers by default.
const DefaultKnownRuns = 100_000

// A MemoryRegistry is the [Registry] of one process. It allows one active run for each thread, and one
// start for each run id that it remembers. An id takes about 120 bytes, however long it is.
type MemoryRegistry struct {
	mu     sync.Mutex
	active map[string]string // the run of a thread
	known  map[fingerprint]struct{}
	order  []fingerprint // the ids in known, as a ring once it is full
	next   int           // where the ring goes on
	keep   int
}

// fingerprint stands for an id: clients choose ids, and may choose long ones.
type fingerprint [sha256.Size]byte

// NewMemoryRegistry returns a MemoryRegistry that remembers the ids of the last runs, that many of them;
// zero or less stands for [DefaultKnownRuns].
func NewMemoryRegistry(known int) *MemoryRegistry {
	if known <= 0 {
		known = DefaultKnownRuns
	}
	return &MemoryRegistry{active: make(map[string]string), known: make(map[fingerprint]struct{}), keep: known}
}

// Start claims the thread, or returns the refusal that says why not: [ThreadBusy] or [RunKnown].
func (m *MemoryRegistry) Start(_ context.Context, threadID, runID string) (end func(), err error) {
	id := fingerprint(sha256.Sum256([]byte(runID)))
	m.mu.Lock()
	defer m.mu.Unlock()
	if active, busy := m.active[threadID]; busy {
		return nil, ThreadBusy(threadID, active)
	}
	if _, known := m.known[id]; known {
		return nil, RunKnown(runID)
	}
	m.remember(id)
	m.active[threadID] = runID
	return func() { m.end(threadID) }, nil
}

// remember adds an id, in the place of the oldest when there are too many.
func (m *MemoryRegistry) remember(id fingerprint) {
	m.known[id] = struct{}{}
	if len(m.order) < m.keep {
		m.order = append(m.order, id)
		return
	}
	delete(m.known, m.order[m.next])
	m.order[m.next] = id
	m.next = (m.next + 1) % m.keep
}

func (m *MemoryRegistry) end(threadID string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.active, threadID)
}
