package middleware

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
)

// ErrStreamOpen is the error of a Write to the response of a run: nothing but events reaches the
// client.
var ErrStreamOpen = errors.New("middleware: an AG-UI stream is open: use the emitter")

// guard is the response as code inside a run sees it: sent, and closed to all but the emitter.
type guard struct {
	run    *run
	copied sync.Once
	header http.Header
	once   sync.Once // see record
}

// closedResponse returns the run's guard. Most agents do not ask for it.
func (u *run) closedResponse() *guard {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.guard == nil {
		u.guard = &guard{run: u}
	}
	return u.guard
}

// Header returns a copy of what was sent. Changes have no effect.
func (g *guard) Header() http.Header {
	g.copied.Do(func() { g.header = g.run.stream.header() })
	return g.header
}

// Write writes nothing and returns ErrStreamOpen.
func (g *guard) Write(p []byte) (int, error) {
	g.record(fmt.Sprintf("Write of %d bytes", len(p)))
	return 0, ErrStreamOpen
}

// WriteHeader sends nothing. A handler that answers with an error status has failed, and so has its
// run.
func (g *guard) WriteHeader(status int) {
	call := fmt.Sprintf("WriteHeader(%d)", status)
	g.record(call)
	if isErrorStatus(status) {
		g.run.fail(fmt.Errorf("%s: %w", call, ErrStreamOpen))
	}
}

// Flush does nothing: each event is flushed when it is written.
func (g *guard) Flush() {}

// record logs the first refused call of the run.
func (g *guard) record(call string) {
	g.once.Do(func() {
		g.run.logAttrs(slog.LevelWarn, "agui: a foreign write to an open stream was refused",
			slog.String("call", call), slog.Any("error", ErrStreamOpen))
	})
}
