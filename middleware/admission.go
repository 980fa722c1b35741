package middleware

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	"github.com/agui-go/agui/events"
)

// admission is a request on its way to a run, with what it has taken for as long as the run lasts.
type admission struct {
	*Runner
	input *events.RunAgentInput
	ctx   context.Context // for the run
	held  []func()        // gives back what was taken
}

// admit reads the request and takes what its run needs, or says why there can be none. What was taken
// by then is given back by release in either case.
func (a *admission) admit(w http.ResponseWriter, r *http.Request) error {
	var err error
	if a.input, err = readInput(r, &a.config); err != nil {
		return err
	}
	a.warnVersion(a.input)
	if err := a.enter(); err != nil {
		return err
	}
	if err := a.ask(r); err != nil {
		return err
	}
	if err := canStream(w); err != nil {
		return err
	}
	return a.register()
}

// enter counts the run, where runs are counted. It comes before what may cost the user something.
func (a *admission) enter() error {
	if a.drainer != nil {
		if err := a.drainer.enter(); err != nil {
			return err
		}
		a.hold(a.drainer.leave)
	}
	if a.maxRuns <= 0 {
		return nil
	}
	a.hold(func() { a.active.Add(-1) })
	if a.active.Add(1) > int64(a.maxRuns) {
		return noRoom("too_many_runs", fmt.Sprintf("%d runs are active, and the server allows no more (middleware.WithMaxRuns); send the request again later", a.maxRuns))
	}
	return nil
}

// ask lets the user's function decide.
func (a *admission) ask(r *http.Request) error {
	a.ctx = r.Context()
	if a.prepare == nil {
		return nil
	}
	ctx, err := a.prepare(r, a.input)
	if ctx != nil {
		a.ctx = ctx
	}
	return err
}

// register claims the run's thread and id. It comes after authentication: a refusal names another run.
func (a *admission) register() error {
	if a.registry == nil {
		return nil
	}
	end, err := a.registry.Start(a.ctx, a.input.ThreadID, a.input.RunID)
	if err != nil {
		return err
	}
	if end != nil {
		a.hold(end)
	}
	return nil
}

func (a *admission) hold(giveBack func()) { a.held = append(a.held, giveBack) }

// release gives back what was taken, the last first.
func (a *admission) release() {
	for _, giveBack := range slices.Backward(a.held) {
		giveBack()
	}
}
