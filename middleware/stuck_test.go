package middleware_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// TestEndGetsPastAStuckWrite ends runs whose agents are in a write that the client does not take: the agent's
// context is done at once, with the cause of the end and not that of the write.
func TestEndGetsPastAStuckWrite(t *testing.T) {
	errBye := errors.New("bye")
	const after = time.Second // by then the buffers of the connection are full
	tests := []struct {
		name  string
		opt   func(cancel <-chan bool, d *middleware.Drainer) middleware.Option
		cause error
	}{
		{"the request is cancelled", func(cancel <-chan bool, _ *middleware.Drainer) middleware.Option {
			return middleware.WithPrepare(func(r *http.Request, _ *events.RunAgentInput) (context.Context, error) {
				ctx, end := context.WithCancelCause(r.Context())
				go func() { <-cancel; end(errBye) }()
				return ctx, nil
			})
		}, errBye},
		{"the server shuts down", func(_ <-chan bool, d *middleware.Drainer) middleware.Option {
			return middleware.WithDrainer(d)
		}, middleware.ErrShutdown},
		{"the run's time is up", func(<-chan bool, *middleware.Drainer) middleware.Option {
			return middleware.WithRunTimeout(after)
		}, middleware.ErrRunTimeout},
	}
	for _, http2 := range []bool{false, true} {
		for _, tt := range tests {
			name := tt.name + ", HTTP/1.1"
			if http2 {
				name = tt.name + ", HTTP/2"
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				type told struct {
					at    time.Time
					cause error
				}
				ended := make(chan told, 1)
				agent := func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
					context.AfterFunc(ctx, func() { ended <- told{time.Now(), context.Cause(ctx)} })
					text := strings.Repeat("x", 1<<20)
					for {
						if err := em.Custom("x:flood", text); err != nil {
							return err
						}
					}
				}
				cancel, drainer := make(chan bool), middleware.NewDrainer(0)
				server := httptest.NewUnstartedServer(middleware.Handler(agent, tt.opt(cancel, drainer), middleware.WithLogger(nil)))
				startServer(server, http2)
				defer server.Close()
				start := time.Now()
				resp, err := server.Client().Post(server.URL, "application/json", strings.NewReader(input))
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				time.Sleep(time.Until(start.Add(after)))
				due := time.Now()
				close(cancel)
				drainer.Drain()
				got := <-ended
				if late := got.at.Sub(due); late > time.Second {
					t.Errorf("told after:\n got %v\nwant under a second", late)
				}
				if !errors.Is(got.cause, tt.cause) {
					t.Errorf("cause:\n got %v\nwant %v", got.cause, tt.cause)
				}
			})
		}
	}
}
