package emittertest

import (
	"context"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
)

// Run runs an agent as a server does and returns what it wrote: RUN_STARTED comes first, and at the end,
// unless the agent has ended the run itself, RUN_FINISHED when it returns nil and RUN_ERROR when it
// returns an error. The goroutines that it started by [emitter.Emitter.Go] are waited for. A broken rule
// fails the test, also what the agent has left open; see [New], whose options it takes. A panic of the
// agent is the test's. For the whole of a server, refusals and headers included, see [Post].
func Run(t testing.TB, agent func(context.Context, *events.RunAgentInput, *emitter.Emitter) error, input *events.RunAgentInput, opts ...Option) *Recorder {
	t.Helper()
	if input == nil {
		t.Fatal("emittertest: Run needs an input")
	}
	rec := New(t, append(opts, WithInput(input))...)
	err := agent(rec.Context(), input, rec.Emitter)
	if waitErr := rec.Wait(); err == nil {
		err = waitErr
	}
	switch {
	case rec.Ended():
	case err != nil:
		_ = rec.RunError("The agent failed.", "agent_error")
	default:
		_ = rec.RunFinish(nil)
	}
	return rec
}
