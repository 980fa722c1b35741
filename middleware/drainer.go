package middleware

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/agui-go/agui/internal/ended"
)

// ErrShutdown is matched by the cause of a context whose run was ended by a [Drainer].
var ErrShutdown error = &typedError{errors.New("middleware: the server is shutting down"), CodeServerShutdown, ended.ServerShutdown}

// retryAfter is when a client that found no room may try again.
const retryAfter = 5 * time.Second

// A Drainer ends the runs of a server that shuts down. http.Server.Shutdown alone neither ends a stream
// nor tells its agent: it waits. One Drainer may serve any number of handlers, each by [WithDrainer]:
//
//	drainer := middleware.NewDrainer(10 * time.Second)
//	http.Handle("/agent", middleware.Handler(agent, middleware.WithDrainer(drainer)))
//	server.RegisterOnShutdown(drainer.Drain)
//	...
//	err := server.Shutdown(ctx)
//	left := drainer.Wait(ctx)
//
// With echo it is e.Shutdown, and Drain is registered twice, since echo has a server for TLS, whose streams
// it waits for first:
//
//	e.Server.RegisterOnShutdown(drainer.Drain)
//	e.TLSServer.RegisterOnShutdown(drainer.Drain)
//
// Give Shutdown more time than the grace period. All methods may be called concurrently.
type Drainer struct {
	grace time.Duration
	empty chan struct{} // closed when no run is left and none can come

	mu       sync.Mutex
	active   int
	draining bool
	timer    *time.Timer // of the grace period, once that has begun
	over     bool        // the grace period is
	watching map[*run]struct{}
}

// NewDrainer returns a Drainer that lets runs go on for the grace period before it ends them; with
// zero or less it ends them at once.
func NewDrainer(grace time.Duration) *Drainer {
	return &Drainer{grace: grace, empty: make(chan struct{}), watching: make(map[*run]struct{})}
}

// Drain begins to drain and returns at once. From now on requests are refused with status 503. After
// the grace period every run that is left is ended: its client gets RUN_ERROR [CodeServerShutdown], and
// its context is cancelled with a cause that Is [ErrShutdown]. Neither waits for the agent; the response
// ends when the agent returns. Later calls do nothing.
func (d *Drainer) Drain() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.draining {
		return
	}
	d.draining = true
	switch {
	case d.active == 0:
		close(d.empty)
	case d.grace <= 0:
		d.end()
	default:
		d.timer = time.AfterFunc(d.grace, func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.end()
		})
	}
}

// end ends the runs that there are, and those that come to watch later. The caller holds the lock.
func (d *Drainer) end() {
	d.over = true
	for u := range d.watching {
		go u.drained()
	}
}

// watch arranges for the run to be ended, until forget.
func (d *Drainer) watch(u *run) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.watching[u] = struct{}{}
	if d.over {
		go u.drained()
	}
}

func (d *Drainer) forget(u *run) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.watching, u)
}

// Wait drains, and returns when no run is left or ctx is done. It returns how many runs are left: their
// agents have been told to end, and have not returned.
func (d *Drainer) Wait(ctx context.Context) (left int) {
	d.Drain()
	select {
	case <-d.empty:
	case <-ctx.Done():
	}
	return d.Active()
}

// Active returns how many runs there are. A run counts from when its request was read until its agent
// has returned and its response has ended.
func (d *Drainer) Active() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.active
}

// enter counts a run, or refuses it.
func (d *Drainer) enter() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.draining {
		return noRoom("server_shutdown", "the server is shutting down; send the request again, another server may answer it")
	}
	d.active++
	return nil
}

// leave takes back enter.
func (d *Drainer) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.active--
	if !d.draining || d.active > 0 {
		return
	}
	if d.timer != nil {
		d.timer.Stop()
	}
	close(d.empty)
}

// noRoom refuses a run that may be started later.
func noRoom(code, message string) error {
	return &Refusal{
		Status:  http.StatusServiceUnavailable,
		Code:    code,
		Message: message,
		Header:  http.Header{"Retry-After": {strconv.Itoa(int(retryAfter / time.Second))}},
	}
}
