package middleware

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/clip"
	"github.com/agui-go/agui/internal/sound"
)

// admission is a request on its way to a run, with what it has taken for that.
type admission struct {
	*Runner
	input   *events.RunAgentInput
	request *http.Request   // for the run
	ctx     context.Context // for the run

	entered bool   // the drainer has counted the run
	counted bool   // among those that are limited
	giveUp  func() // gives up the thread; nil: there is nothing to give up
}

// admit reads the request and takes what its run needs, or says why there can be none. What was taken
// by then is given back by release in either case.
func (a *admission) admit(w http.ResponseWriter, r *http.Request) (err error) {
	admitted := false
	holdWriteTimeout(w, r)
	defer func() {
		if !admitted {
			resumeWriteTimeout(w, r)
		}
	}()
	if a.input, err = readInput(r, &a.config); err != nil {
		return err
	}
	a.warnVersion(a.input)
	if err := a.enter(); err != nil {
		return err
	}
	if err := a.ask(w, r); err != nil {
		return err
	}
	if err := canStream(w); err != nil {
		return err
	}
	if err := a.register(); err != nil {
		return err
	}
	admitted = true
	return nil
}

// enter counts the run, where runs are counted. It comes before what may cost the user something.
func (a *admission) enter() error {
	if a.drainer != nil {
		if err := a.drainer.enter(); err != nil {
			return err
		}
		a.entered = true
	}
	if a.maxRuns <= 0 {
		return nil
	}
	a.counted = true
	if a.active.Add(1) > int64(a.maxRuns) {
		return noRoom("too_many_runs", fmt.Sprintf("%d runs are active, and the server allows no more (middleware.WithMaxRuns); send the request again later", a.maxRuns))
	}
	return nil
}

// ask lets the user's function decide.
func (a *admission) ask(w http.ResponseWriter, r *http.Request) error {
	adapter, adapted := w.(adapter)
	a.request, a.ctx = r, r.Context()
	if a.prepare != nil {
		if adapted {
			a.request = r.WithContext(adapter.RunContext(a.ctx))
		}
		ctx, err := a.prepare(a.request, a.input)
		if err != nil {
			return sound.Error(err)
		}
		if ctx != nil {
			a.ctx = ctx
		}
	}
	if adapted {
		a.ctx = adapter.RunContext(a.ctx)
	}
	return nil
}

// adapter is what a framework's response may be: see [Runner.Serve].
type adapter interface {
	RunContext(context.Context) context.Context
}

// register claims the run's thread and id. It comes after authentication: a refusal names another run.
func (a *admission) register() error {
	if a.registry == nil {
		return nil
	}
	giveUp, err := a.registry.Start(a.ctx, a.input.ThreadID, a.input.RunID)
	if err != nil {
		return sound.Error(err)
	}
	a.giveUp = giveUp
	return nil
}

// vacate gives up what the client's next run may need: the place and the thread. It is called when the agent
// has returned and before the client can know; later calls do nothing.
func (a *admission) vacate() {
	if a.counted {
		a.counted = false
		a.active.Add(-1)
	}
	giveUp := a.giveUp
	if giveUp == nil {
		return
	}
	a.giveUp = nil
	defer func() {
		if v := recover(); v != nil {
			a.note(a.ctx, slog.LevelError, "agui: the registry panicked when it was to give up a thread",
				slog.Any("panic", v), slog.String("stack", string(debug.Stack())),
				slog.String("thread", clip.ID(a.input.ThreadID)), slog.String("run", clip.ID(a.input.RunID)))
		}
	}()
	giveUp()
}

// release gives back what is left of what was taken. The response has ended.
func (a *admission) release() {
	if a.entered {
		defer a.drainer.leave()
	}
	a.vacate()
}
