package middleware

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/clip"
)

// RunFunc is an agent: it answers in by writing events to em, and returns when it has. RUN_STARTED
// was sent before; RUN_FINISHED is sent when it returns nil, and RUN_ERROR when it returns an error or
// panics, unless the agent has sent the terminal event itself.
//
// ctx is cancelled, with its cause, when the client leaves, when the run's time is up, when the server
// shuts down and when the agent has returned. It carries the values of the request's context, and those of this package and
// of [emitter.FromContext]. What outlives the agent may keep em: its calls return an error that Is
// [emitter.ErrClosed].
type RunFunc = func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error

// Handler returns a handler that answers each request with a run of the agent. It panics when agent
// is nil.
func Handler(agent RunFunc, opts ...Option) http.Handler {
	if agent == nil {
		panic("middleware: Handler needs an agent")
	}
	runner := New(opts...)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		runner.Serve(w, r, agent)
	})
}

// Wrap returns a middleware that makes an agent of a handler. The handler finds the emitter with
// [emitter.FromContext] and the input with [InputFromContext], both in the request's context; it
// returns when the run is finished, and makes the run fail with [FailRun], with a panic, or by sending
// RUN_ERROR itself. Its ResponseWriter is the one of [ResponseFromContext]: it refuses to write. Put
// Wrap innermost.
func Wrap(opts ...Option) func(http.Handler) http.Handler {
	runner := New(opts...)
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			runner.Serve(w, r, func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
				closed, _ := ResponseFromContext(ctx)
				next.ServeHTTP(closed, r.WithContext(ctx))
				return nil
			})
		})
	}
}

// A Runner serves runs: it is what [Handler], [Wrap] and the adapters to frameworks are made of. It is
// safe for concurrent use.
type Runner struct {
	config
	active       atomic.Int64 // runs, where their number is limited
	noDeadline   sync.Once
	stuckHTTP2   sync.Once
	otherVersion sync.Once
}

// New returns a Runner.
func New(opts ...Option) *Runner {
	return &Runner{config: newConfig(opts)}
}

// Serve answers r with a run of the agent, or with a refusal, and returns when the agent has
// returned. In either case w has the whole answer, and a framework has nothing to add. Serve panics
// with http.ErrAbortHandler if the agent does, and with what the function given to [WithPrepare]
// panics with.
//
// w must be able to stream: it, or what it unwraps to, has FlushError() error or Flush(). An adapter
// to a framework whose writer hides the errors of a flush gives its own with FlushError. If that has
// a method RunContext(context.Context) context.Context, the run gets the context that it returns, and so
// does the request given to the function of [WithPrepare]: the framework's values get in without a copy of
// the request, which an idle stream would hold on to.
func (rn *Runner) Serve(w http.ResponseWriter, r *http.Request, agent RunFunc) {
	a := &admission{Runner: rn}
	defer a.release()
	if err := a.admit(w, r); err != nil {
		rn.refuse(w, r, err)
		return
	}
	rn.warnHTTP2(r)
	ctx, cancel := rn.limit(a.ctx)
	defer cancel()
	u := newRun(ctx, w, a)
	if err := u.start(); err != nil {
		if u.stream.committed {
			u.startFailed(err)
		} else {
			rn.refuse(w, r, err)
		}
		return
	}
	u.watch()
	defer u.unwatch()
	u.serve(agent)
}

// limit gives a run its time limit.
func (rn *Runner) limit(ctx context.Context) (context.Context, context.CancelFunc) {
	if rn.runTimeout <= 0 {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, rn.runTimeout)
}

// warnNoDeadline says once that a stalled client cannot be noticed.
func (rn *Runner) warnNoDeadline() {
	rn.noDeadline.Do(func() {
		rn.note(context.Background(), slog.LevelWarn, "agui: the response takes no write deadline: a client that stops reading holds its run, and http.Server.WriteTimeout cuts it",
			slog.String("remedy", "give the wrappers of the response writer a method Unwrap() http.ResponseWriter"))
	})
}

// warnHTTP2 says once that the write deadline, which is a stream's, does not get through to an HTTP/2
// connection that is stuck: the deadline's own frame waits behind what cannot be written.
func (rn *Runner) warnHTTP2(r *http.Request) {
	server := serverOf(r)
	if server == nil || r.ProtoMajor < 2 || rn.writeTimeout <= 0 || server.HTTP2 != nil && server.HTTP2.WriteByteTimeout > 0 {
		return
	}
	rn.stuckHTTP2.Do(func() {
		rn.note(context.Background(), slog.LevelWarn, "agui: a client that stops reading its HTTP/2 connection holds its runs: the server has no WriteByteTimeout",
			slog.String("remedy", "set http.Server.HTTP2 to &http.HTTP2Config{WriteByteTimeout: 30 * time.Second}"))
	})
}

// warnVersion says once that a client speaks another version of the protocol.
func (rn *Runner) warnVersion(in *events.RunAgentInput) {
	version, said := in.ProtocolVersion.Get()
	if !said || version == events.ProtocolVersion {
		return
	}
	rn.otherVersion.Do(func() {
		rn.note(context.Background(), slog.LevelWarn, "agui: a client speaks another version of the protocol and is served as one of "+events.ProtocolVersion,
			slog.String("version", clip.ID(version)))
	})
}
