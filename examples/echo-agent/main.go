// Command echo-agent is a complete AG-UI agent that needs no model and no key: it says what the user
// said, and for some words shows what else the protocol can do. Its README.md lists them.
//
//	go run ./examples/echo-agent
//
// It listens on 127.0.0.1:8080: GET / is a page to try it in a browser, POST /agent the agent.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/agui-go/agui/middleware"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`address` to listen on; port 0 picks a free one")
	show := flag.String("otel", "violations", "what to print: console (spans and metrics), violations (spans with one), or off")
	flag.Parse()

	// The first signal ends the runs and the server; a second one ends the process at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	if err := serve(ctx, *addr, *show, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "echo-agent:", err)
		os.Exit(1)
	}
}

const (
	// headerTime is how long a client may take to send the header of a request.
	headerTime = 10 * time.Second
	// graceTime is how long runs may go on when the server is told to end.
	graceTime = time.Second
	// shutdownTime is how long it may take in all. A run that has not ended by then is cut off.
	shutdownTime = 5 * time.Second
)

// serve answers requests until ctx is done, and prints to out its address and what show says.
func serve(ctx context.Context, addr, show string, out io.Writer) (err error) {
	telemetry, err := newTelemetry(ctx, show, out)
	if err != nil {
		return err
	}
	defer func() {
		limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
		defer cancel()
		err = errors.Join(err, telemetry.shutdown(limit))
	}()
	drainer := middleware.NewDrainer(graceTime)
	e := newServer(telemetry.tracer(), middleware.WithDrainer(drainer), telemetry.option())
	if e.Listener, err = net.Listen("tcp", addr); err != nil {
		return err
	}
	e.Server.ReadHeaderTimeout = headerTime
	// Shutdown waits for open streams and does not end them. The drainer does, and tells their clients.
	// Echo waits for the server for TLS first, so that one has to know it, too.
	e.Server.RegisterOnShutdown(drainer.Drain)
	e.TLSServer.RegisterOnShutdown(drainer.Drain)

	fmt.Fprintf(out, "echo-agent listens on http://%s\n", e.Listener.Addr())
	stopped := make(chan error, 1)
	go func() { stopped <- e.Start("") }()
	select {
	case err := <-stopped:
		return err
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := e.Shutdown(limit); err != nil {
		return fmt.Errorf("%d runs have not ended: %w", drainer.Active(), err)
	}
	if err := <-stopped; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
