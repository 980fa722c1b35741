package faults

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// TestReload leaves, as a browser does that loads its page again, agents that are deaf to it: their
// goroutines go on with flat calls and handles, some until after the agent has returned. In a build that
// fails fast a wrong call panics, which on a goroutine of the agent's own ends the process; to come after
// the client has left is not wrong.
func TestReload(t *testing.T) {
	const clients, goroutines, more = 20, 4, 100
	for _, s := range shapes {
		t.Run(s.name, func(t *testing.T) {
			var outliving sync.WaitGroup
			late := make(chan error, clients*goroutines)
			agent := func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
				for i := range goroutines {
					outliving.Go(func() {
						r := rand.New(rand.NewPCG(uint64(i), 1))
						err, left := error(nil), more
						for begin := time.Now(); left > 0 && time.Since(begin) < patience; {
							msg := em.Text()
							_, err = msg.WriteString(words(r))
							err = errors.Join(err, msg.Close(), em.Custom("faults:deaf", nil))
							if errors.Is(err, emitter.ErrDisconnected) {
								left--
							}
							time.Sleep(time.Duration(r.IntN(200)) * time.Microsecond)
						}
						late <- err
					})
				}
				<-ctx.Done()
				return ctx.Err()
			}
			server := httptest.NewServer(s.serve(agent, middleware.WithLogger(nil)))
			defer server.Close()
			for i := range clients {
				reload(t, server, i)
			}
			outliving.Wait()
			for range clients * goroutines {
				if err := <-late; !errors.Is(err, emitter.ErrDisconnected) {
					t.Errorf("the last call of a goroutine that goes on:\n got %v\nwant %v", err, emitter.ErrDisconnected)
				}
			}
		})
	}
}

// reload reads some events, and leaves.
func reload(t *testing.T, server *httptest.Server, events int) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	body := fmt.Sprintf(`{"threadId":"t","runId":"r%d","messages":[]}`, events)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	lines := bufio.NewReader(resp.Body)
	for range 2 * events {
		if _, err := lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
}
