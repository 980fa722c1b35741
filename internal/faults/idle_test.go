package faults

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

var (
	idle     = flag.Int("faults.idle", 0, "measure this many idle streams")
	idleTime = flag.Duration("faults.idletime", time.Minute, "how long they are idle")
	idleOf   = flag.String("faults.idleof", "", "measure this kind of server alone: for TestIdleStreams itself")
)

// footprint is what a process holds.
type footprint struct {
	Heap, Stack, Goroutines int64
}

// heapLimits say how many bytes of heap an idle stream may have above a bare handler's. They are a tenth above
// what it has, and a measurement with few streams errs by some fifty bytes.
var heapLimits = map[string]int64{"net/http": 2560, "echo": 3450}

// TestIdleStreams measures, best with -faults.idle=2000, what an idle stream with keep-alive costs above a
// handler of package net/http that sets the same header and waits: each kind of server in a process of its own.
func TestIdleStreams(t *testing.T) {
	if *idleOf != "" {
		printFootprint(t, *idleOf)
		return
	}
	n, rest := *idle, *idleTime
	if n == 0 {
		n, rest = 300, 100*time.Millisecond
	}
	bare := measure(t, "bare", n, rest)
	for kind, limit := range heapLimits {
		ours := measure(t, kind, n, rest)
		t.Logf("%d idle streams of %s for %v: above a bare handler (%d bytes of heap, %d of stack, %.2f goroutines) a stream has %d bytes of heap, %d of stack, %.2f goroutines",
			n, kind, rest, bare.Heap/int64(n), bare.Stack/int64(n), float64(bare.Goroutines)/float64(n),
			(ours.Heap-bare.Heap)/int64(n), (ours.Stack-bare.Stack)/int64(n), float64(ours.Goroutines-bare.Goroutines)/float64(n))
		if extra := (ours.Heap - bare.Heap) / int64(n); extra > limit {
			t.Errorf("bytes of heap of an idle stream of %s, above a bare handler's:\n got %d\nwant at most %d", kind, extra, limit)
		}
		if extra := ours.Goroutines - bare.Goroutines; extra > int64(n)/10 {
			t.Errorf("goroutines of %d idle streams of %s, above a bare handler's:\n got %d\nwant none", n, kind, extra)
		}
	}
}

// measure runs this test again, for one kind of server.
func measure(t *testing.T, kind string, n int, rest time.Duration) footprint {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestIdleStreams$", "-test.v", "-faults.idleof="+kind, fmt.Sprintf("-faults.idle=%d", n), "-faults.idletime="+rest.String())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", kind, err, out)
	}
	_, line, _ := strings.Cut(string(out), "footprint ")
	line, _, _ = strings.Cut(line, "\n")
	var f footprint
	if err := json.Unmarshal([]byte(line), &f); err != nil {
		t.Fatalf("%s: %v\n%s", kind, err, out)
	}
	return f
}

// printFootprint opens the streams, waits, and prints what they cost.
func printFootprint(t *testing.T, kind string) {
	t.Helper()
	handler := http.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{ // as any handler of streams sets them
			"Content-Type": "text/event-stream", "Cache-Control": "no-cache", "X-Accel-Buffering": "no", "X-Content-Type-Options": "nosniff",
		} {
			w.Header().Set(name, value)
		}
		fmt.Fprint(w, "data: {}\n\n")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	for _, s := range shapes {
		if s.name == kind {
			handler = s.serve(func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
				<-ctx.Done()
				return ctx.Err()
			}, middleware.WithLogger(nil), middleware.WithDrainer(middleware.NewDrainer(0)))
		}
	}
	server := httptest.NewServer(handler)
	defer server.Close()
	defer server.CloseClientConnections()
	dial(t, server).Close() // what is made once is there
	before := footprintNow()
	conns := make([]net.Conn, *idle)
	for i := range conns {
		conns[i] = dial(t, server)
	}
	time.Sleep(*idleTime)
	after := footprintNow()
	text, _ := json.Marshal(footprint{after.Heap - before.Heap, after.Stack - before.Stack, after.Goroutines - before.Goroutines})
	fmt.Printf("footprint %s\n", text)
	for _, c := range conns {
		c.Close()
	}
}

// dial opens a stream and reads its first event, without a goroutine of its own.
func dial(t *testing.T, server *httptest.Server) net.Conn {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(input), input)
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil) //nolint:bodyclose // the caller closes the connection under it
	if err != nil {
		t.Fatal(err)
	}
	if _, err := resp.Body.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return conn
}

func footprintNow() footprint {
	for range 3 {
		runtime.GC()
		time.Sleep(50 * time.Millisecond)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return footprint{int64(m.HeapAlloc), int64(m.StackInuse), int64(runtime.NumGoroutine())}
}
