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

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8080", "`address` to listen on; port 0 picks a free one")
	spans := flag.String("otel", "violations", "spans to print: console (all), violations, or off")
	flag.Parse()

	// The first signal ends the runs and the server; a second one ends the process at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	if err := serve(ctx, *addr, *spans, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "echo-agent:", err)
		os.Exit(1)
	}
}

const (
	// headerTime is how long a client may take to send the header of a request.
	headerTime = 10 * time.Second
	// shutdownTime is how long runs may take to end once they were told to.
	shutdownTime = 5 * time.Second
)

// serve answers requests until ctx is done, and prints its address and its spans to out.
func serve(ctx context.Context, addr, spans string, out io.Writer) error {
	tracer, err := newTracer(spans, out)
	if err != nil {
		return err
	}
	e := newServer(tracer)
	if e.Listener, err = net.Listen("tcp", addr); err != nil {
		return err
	}
	e.Server.ReadHeaderTimeout = headerTime
	// Shutdown waits for open streams and does not end them. This does: every request's context, and so
	// every run's, ends with ctx, and its client is told.
	e.Server.BaseContext = func(net.Listener) context.Context { return ctx }

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
		return err
	}
	if err := <-stopped; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// newTracer returns the tracer that spans says.
func newTracer(spans string, out io.Writer) (trace.Tracer, error) {
	switch spans {
	case "console", "violations":
		return newTracerProvider(out, spans == "console").Tracer("echo-agent"), nil
	case "off":
		return noop.NewTracerProvider().Tracer("echo-agent"), nil
	}
	return nil, fmt.Errorf("-otel %q: want console, violations or off", spans)
}
