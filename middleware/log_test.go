package middleware_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// logHandler is a slog.Handler of one function.
type logHandler func(ctx context.Context, message string)

func (logHandler) Enabled(context.Context, slog.Level) bool { return true }
func (h logHandler) WithAttrs([]slog.Attr) slog.Handler     { return h }
func (h logHandler) WithGroup(string) slog.Handler          { return h }

func (h logHandler) Handle(ctx context.Context, r slog.Record) error {
	h(ctx, r.Message)
	return nil
}

func (h logHandler) option() middleware.Option { return middleware.WithLogger(slog.New(h)) }

// TestLogHandlersThatPanic has something to log in every way there is: the client gets the same answer.
func TestLogHandlersThatPanic(t *testing.T) {
	fails := func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return errors.New("x") }
	writes := func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
		w, _ := middleware.ResponseFromContext(ctx)
		_, _ = io.WriteString(w, "x")
		return nil
	}
	waits := func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
		<-ctx.Done()
		return nil
	}
	tests := []struct {
		name   string
		agent  middleware.RunFunc
		body   string
		opt    middleware.Option
		logged string
		want   string // in the answer
	}{
		{"an agent that fails", fails, input, nil, "the agent failed", middleware.CodeAgentError},
		{"a goroutine that fails", func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
			return em.Go(func(ctx context.Context) error { return errors.New("x") })
		}, input, nil, "the agent failed", middleware.CodeAgentError},
		{"a function of the user's that panics", fails, input,
			middleware.WithPublicError(func(error) (message, code string) { panic("x") }), "WithPublicError panicked", middleware.CodeAgentError},
		{"a foreign write", writes, input, nil, "a foreign write", "RUN_FINISHED"},
		{"a run that takes too long", waits, input, middleware.WithRunTimeout(10 * time.Millisecond), "took too long", middleware.CodeRunTimeout},
		{"another version", done, strings.TrimSuffix(input, "}") + `,"protocolVersion":"1.7"}`, nil, "another version", "RUN_FINISHED"},
		{"a refusal", done, input,
			middleware.WithPrepare(func(*http.Request, *events.RunAgentInput) (context.Context, error) { return nil, errors.New("x") }),
			"could not be served", "internal_error"},
		{"a registry that panics", done, input, middleware.WithRegistry(registry(func() (func(), error) { return func() { panic("x") }, nil })),
			"the registry panicked", "RUN_FINISHED"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			logged := make(chan string, 10)
			log := logHandler(func(_ context.Context, message string) {
				logged <- message
				panic("the log's own")
			})
			got := post(t, middleware.Handler(tt.agent, tt.opt, log.option()), tt.body)
			if got.err != nil || !strings.Contains(got.body, tt.want) {
				t.Errorf("answer:\n got %s (%v)\nwant %s", got.body, got.err, tt.want)
			}
			close(logged)
			var messages []string
			for m := range logged {
				messages = append(messages, m)
			}
			if !strings.Contains(strings.Join(messages, "\n"), tt.logged) {
				t.Errorf("logged:\n got %q\nwant a message with %q", messages, tt.logged)
			}
		})
	}
}

// TestEndDoesNotWaitForTheLog ends runs whose log handler hangs: the client and the agent are told at once.
func TestEndDoesNotWaitForTheLog(t *testing.T) {
	errFailed := errors.New("x")
	tests := []struct {
		name  string
		agent middleware.RunFunc
		opts  func(*middleware.Drainer) middleware.Option
		cause error
		want  string
	}{
		{"time", nil, func(*middleware.Drainer) middleware.Option { return middleware.WithRunTimeout(time.Second) }, middleware.ErrRunTimeout, "0s RUN_STARTED, 1s RUN_ERROR"},
		{"shutdown", nil, middleware.WithDrainer, middleware.ErrShutdown, "0s RUN_STARTED, 1s RUN_ERROR"},
		{"a goroutine", func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.Go(func(context.Context) error {
				time.Sleep(time.Second)
				return errFailed
			})
		}, nil, errFailed, "0s RUN_STARTED, 1s RUN_ERROR"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				free := make(chan bool)
				log := logHandler(func(_ context.Context, message string) {
					if !strings.Contains(message, "no write deadline") { // of the recorder
						<-free
					}
				})
				drainer := middleware.NewDrainer(0)
				var opt middleware.Option
				if tt.opts != nil {
					opt = tt.opts(drainer)
				}
				causes := make(chan error, 1)
				agent := func(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
					if tt.agent != nil {
						if err := tt.agent(ctx, in, em); err != nil {
							return err
						}
					}
					<-ctx.Done()
					causes <- context.Cause(ctx)
					return nil
				}
				w := &timeline{ResponseRecorder: httptest.NewRecorder(), start: time.Now()}
				over := make(chan bool)
				go func() {
					middleware.Handler(agent, opt, log.option()).ServeHTTP(w, newRequest(t.Context()))
					close(over)
				}()
				time.Sleep(time.Second)
				drainer.Drain()
				synctest.Wait()
				select {
				case cause := <-causes:
					if !errors.Is(cause, tt.cause) {
						t.Errorf("cause:\n got %v\nwant %v", cause, tt.cause)
					}
				default:
					t.Error("the agent was not told")
				}
				if got := strings.Join(w.notes, ", "); got != tt.want {
					t.Errorf("written:\n got %s\nwant %s", got, tt.want)
				}
				close(free)
				<-over
			})
		})
	}
}
