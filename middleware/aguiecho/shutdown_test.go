package aguiecho_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/middleware/aguiecho"
)

// TestShutdown ends an echo as the documentation of Drainer says, with a run that would go on for ever.
func TestShutdown(t *testing.T) {
	certificate := httptest.NewUnstartedServer(nil) // and a client that trusts it
	certificate.EnableHTTP2 = true
	certificate.StartTLS()
	defer certificate.Close()
	for _, secure := range []bool{false, true} {
		name, scheme := "plain", "http://"
		if secure {
			name, scheme = "TLS", "https://"
		}
		t.Run(name, func(t *testing.T) {
			drainer := middleware.NewDrainer(10 * time.Millisecond)
			running, causes := make(chan bool), make(chan error, 1)
			e := echo.New()
			e.HideBanner, e.HidePort = true, true
			e.POST("/", aguiecho.Handler(func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
				close(running)
				<-ctx.Done()
				causes <- context.Cause(ctx)
				return nil
			}, middleware.WithDrainer(drainer), middleware.WithLogger(nil)))
			e.Server.RegisterOnShutdown(drainer.Drain)
			e.TLSServer.RegisterOnShutdown(drainer.Drain)

			server, addr := e.Server, e.ListenerAddr
			if secure {
				server, addr = e.TLSServer, e.TLSListenerAddr
				server.TLSConfig = certificate.TLS.Clone()
			}
			server.Addr = "127.0.0.1:0"
			stopped := make(chan error, 1)
			go func() { stopped <- e.StartServer(server) }()
			for addr() == nil {
				time.Sleep(time.Millisecond)
			}
			client := certificate.Client()
			defer client.CloseIdleConnections()
			resp, err := client.Post(scheme+addr().String()+"/", "application/json", strings.NewReader(input))
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			<-running

			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			if err := e.Shutdown(ctx); err != nil {
				t.Errorf("Shutdown: %v", err)
				drainer.Drain()
			}
			if cause := <-causes; !errors.Is(cause, middleware.ErrShutdown) {
				t.Errorf("cause:\n got %v\nwant %v", cause, middleware.ErrShutdown)
			}
			if body, err := io.ReadAll(resp.Body); err != nil || !strings.Contains(string(body), middleware.CodeServerShutdown) {
				t.Errorf("stream:\n got %s (%v)\nwant RUN_ERROR %s", body, err, middleware.CodeServerShutdown)
			}
			if err := <-stopped; !errors.Is(err, http.ErrServerClosed) {
				t.Errorf("the server ended with:\n got %v\nwant %v", err, http.ErrServerClosed)
			}
		})
	}
}
