package middleware

import "context"

// broken ends the run at once, because a function that the agent gave to Emitter.Go has failed. What the
// agent itself returns is then a consequence.
func (u *run) broken(err error) {
	before := context.Cause(u.em.Context())
	u.mu.Lock()
	u.cut = err
	u.mu.Unlock()
	u.abort(err)
	if _, panicked := err.(*PanicError); !panicked { // the emitter has logged a panic
		u.report(err, before)
	}
}

// brokenBy returns the failure that was given to broken, or nil.
func (u *run) brokenBy() error {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.cut
}

// wait waits for the functions that the agent gave to Emitter.Go, and returns the failure of one.
func (u *run) wait() error {
	_ = u.em.Wait() // a failure that counts was given to broken; others come after the end of the run
	return u.brokenBy()
}
