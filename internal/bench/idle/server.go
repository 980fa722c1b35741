package idle

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/labstack/echo/v4"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/bench/wire/child"
	"github.com/agui-go/agui/middleware"
	"github.com/agui-go/agui/middleware/aguiecho"
)

// name is that of the process with the server.
const name = "idle"

// Child serves the streams when this process was started for that, and reports whether it was.
func Child() bool { return child.Run(name, serve) }

// kind is a way to serve a stream.
type kind string

const (
	bare     kind = "bare"       // a handler of net/http that sets the same header, writes an event and waits
	twin     kind = "bare-again" // the same, which shows the noise
	ours     kind = "agui"       // middleware.Handler
	bareEcho kind = "echo-bare"  // bare under echo
	oursEcho kind = "echo-agui"  // aguiecho.Handler
)

// silence is after how long ours sends a comment: all streams have sent one when they are measured.
const silence = 2 * time.Second

// question asks for a server of the kind, which is answered with its address. The later ones ask for a
// footprint.
type question struct {
	Kind kind
}

// footprint is what the process holds.
type footprint struct {
	Heap, Stack, Resident, Goroutines int64
}

func (f footprint) minus(g footprint) footprint {
	return footprint{f.Heap - g.Heap, f.Stack - g.Stack, f.Resident - g.Resident, f.Goroutines - g.Goroutines}
}

func serve(parent *child.Parent) error {
	var q question
	if err := parent.Next(&q); err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("idle: %w", err)
	}
	handler, err := handlerOf(q.Kind)
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: time.Minute}
	defer server.Close()
	go func() { _ = server.Serve(listener) }()
	if err := parent.Answer(listener.Addr().String()); err != nil {
		return err
	}
	for {
		if err := parent.Next(&q); err != nil {
			return err
		}
		f, err := footprintNow()
		if err != nil {
			return err
		}
		if err := parent.Answer(f); err != nil {
			return err
		}
	}
}

func handlerOf(k kind) (http.Handler, error) {
	switch k {
	case bare, twin:
		return http.HandlerFunc(wait), nil
	case ours:
		return middleware.Handler(agent, options()...), nil
	}
	e := echo.New()
	switch k {
	case bareEcho:
		e.POST("/", func(c echo.Context) error {
			wait(c.Response(), c.Request())
			return nil
		})
	case oursEcho:
		e.POST("/", aguiecho.Handler(agent, options()...))
	default:
		return nil, fmt.Errorf("idle: no kind of server is %q", k)
	}
	return e, nil
}

func options() []middleware.Option {
	return []middleware.Option{middleware.WithKeepAlive(silence), middleware.WithLogger(nil)}
}

// agent waits until the client leaves.
func agent(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
	<-ctx.Done()
	return ctx.Err()
}

// header is what ours sets.
var header = map[string]string{
	"Content-Type":           "text/event-stream",
	"Cache-Control":          "no-cache, no-transform",
	"X-Accel-Buffering":      "no",
	"X-Content-Type-Options": "nosniff",
}

// wait is a stream as somebody writes it who has no library.
func wait(w http.ResponseWriter, r *http.Request) {
	for name, value := range header {
		w.Header().Set(name, value)
	}
	fmt.Fprintf(w, "data: {}\n\n")
	if err := http.NewResponseController(w).Flush(); err != nil {
		return
	}
	<-r.Context().Done()
}

// footprintNow collects the garbage, gives what is free back to the system, and returns what is left.
func footprintNow() (footprint, error) {
	for range 3 {
		runtime.GC()
		time.Sleep(20 * time.Millisecond)
	}
	debug.FreeOSMemory()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	resident, _, err := child.Memory(os.Getpid())
	if err != nil {
		return footprint{}, err
	}
	return footprint{int64(m.HeapAlloc), int64(m.StackInuse), resident, fewest()}, nil
}

// fewest returns how many goroutines there are when no comment is being sent, which takes one for a moment.
func fewest() int64 {
	n := runtime.NumGoroutine()
	for range 20 {
		time.Sleep(time.Millisecond)
		n = min(n, runtime.NumGoroutine())
	}
	return int64(n)
}
