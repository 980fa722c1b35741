package aguiecho

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/labstack/echo/v4"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/sound"
	"github.com/agui-go/agui/middleware"
)

// Config configures [MiddlewareWithConfig]. The zero Config is [DefaultConfig].
type Config struct {
	// Skipper says which requests to pass to the next handler as they are. Nil skips none. Echo's
	// middleware.Skipper fits.
	Skipper func(c echo.Context) bool
	// Options are the options of the runs.
	Options []middleware.Option
}

// DefaultConfig is the Config of [Middleware] without options. This package does not read it.
var DefaultConfig = Config{Skipper: func(echo.Context) bool { return false }}

// Handler returns an echo handler that answers each request with a run of the agent. The agent finds
// the echo.Context with [FromContext]. It panics when agent is nil.
//
// The handler returns nil to echo always: by then the answer, be it a stream or a refusal, has been
// written, and echo's error handler has nothing to add. c.Response() has its status and size, and takes no
// more: what a middleware or an error handler writes to it afterwards reaches nobody.
func Handler(agent middleware.RunFunc, opts ...middleware.Option) echo.HandlerFunc {
	if agent == nil {
		panic("aguiecho: Handler needs an agent")
	}
	runner := middleware.New(opts...)
	return func(c echo.Context) error {
		serve(runner, c, agent)
		return nil
	}
}

// Middleware returns an echo middleware that makes an agent of the handler that follows. That finds the
// emitter with emitter.FromContext and the input with middleware.InputFromContext, both in
// c.Request().Context(). The run is finished when it returns nil, and fails when it returns an error or
// panics; what it writes to c.Response() is refused with middleware.ErrStreamOpen. Put the middleware
// last, on the routes of agents: it starts a run on every request that it sees.
func Middleware(opts ...middleware.Option) echo.MiddlewareFunc {
	return MiddlewareWithConfig(Config{Options: opts})
}

// MiddlewareWithConfig returns a [Middleware] with the config.
func MiddlewareWithConfig(config Config) echo.MiddlewareFunc {
	runner := middleware.New(config.Options...)
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			if config.Skipper != nil && config.Skipper(c) {
				return next(c)
			}
			serve(runner, c, func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
				return next(c)
			})
			return nil
		}
	}
}

// WithPrepare is middleware.WithPrepare for a function that works on the echo.Context. An
// *echo.HTTPError is the answer, with its code and its message. A function that has answered the request
// itself, by c.JSON or the like, has refused it, whatever it returns.
func WithPrepare(prepare func(c echo.Context, in *events.RunAgentInput) (context.Context, error)) middleware.Option {
	return middleware.WithPrepare(func(r *http.Request, in *events.RunAgentInput) (context.Context, error) {
		c, ok := FromContext(r.Context())
		if !ok {
			return nil, errors.New("aguiecho: WithPrepare is an option for this package's Handler and Middleware alone")
		}
		c.SetRequest(r) // whose context is the run's
		ctx, err := prepare(c, in)
		if c.Response().Committed {
			return nil, middleware.ErrAnswered
		}
		return ctx, answerOf(sound.Error(err))
	})
}

// answerOf returns err, or what an *echo.HTTPError in it answers. Looking at err must be safe.
func answerOf(err error) error {
	var he *echo.HTTPError
	if !errors.As(err, &he) || he == nil {
		return err
	}
	return &middleware.Refusal{Status: he.Code, Message: messageOf(he.Message)}
}

// messageOf returns the message of an *echo.HTTPError, which may be anything, as text.
func messageOf(message any) string {
	switch m := message.(type) {
	case string:
		return m
	case error:
		return sound.Error(m).Error()
	}
	text, err := json.Marshal(message)
	if err != nil {
		return fmt.Sprint(message)
	}
	return string(text)
}

// body is a request's body whose errors package middleware understands: echo's BodyLimit answers by one.
type body struct {
	io.ReadCloser
}

func (b body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	return n, answerOf(sound.Error(err))
}

type contextKey struct{}

// FromContext returns the echo.Context of the run that ctx belongs to, and whether there is one. Echo
// uses it again for another request when the run is over, and it is not safe for concurrent use: do
// not keep it, and use it on the agent's own goroutine.
func FromContext(ctx context.Context) (echo.Context, bool) {
	c, ok := ctx.Value(contextKey{}).(echo.Context)
	return c, ok
}

// serve answers the request of c with a run of the agent. While the agent runs, the request of c has
// the run's context and the response of c refuses to write; the run itself writes to the response that
// was there before, whose status and size are therefore right. When that has the answer, it is shut: what
// follows, by a middleware or an error handler that does not look at Committed, would come behind the last
// event.
func serve(runner *middleware.Runner, c echo.Context, agent middleware.RunFunc) {
	request, res := c.Request(), c.Response()
	defer func(unread io.ReadCloser) {
		request.Body = unread
		c.SetRequest(request)
		c.SetResponse(res)
		if res.Committed {
			res.Writer = answered{res.Writer}
		}
	}(request.Body)
	request.Body = body{request.Body}
	runner.Serve(response{res, c}, request, func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
		asked, _ := middleware.RequestFromContext(ctx)
		closed, _ := middleware.ResponseFromContext(ctx)
		// Not Committed: echo would swallow a WriteHeader, which is to be refused and noticed.
		shut := echo.NewResponse(closed, c.Echo())
		shut.Status = http.StatusOK
		c.SetRequest(asked.WithContext(ctx))
		c.SetResponse(shut)
		return agent(ctx, in, em)
	})
}
