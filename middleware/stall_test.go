package middleware_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// TestStalledReadersHoldLittle floods clients that keep their connections open and never read, until no
// agent can write any more, and looks at what the process then holds.
func TestStalledReadersHoldLittle(t *testing.T) {
	const (
		clients = 20
		each    = 256 << 10 // bytes of an event
		most    = 4 * each  // bytes that a client may hold
	)
	var written atomic.Int64
	done := make(chan error, clients)
	agent := func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
		text := strings.Repeat("x", each)
		for {
			if err := em.Custom("x:flood", text); err != nil {
				done <- context.Cause(ctx)
				return err
			}
			written.Add(1)
		}
	}
	server := httptest.NewServer(middleware.Handler(agent, middleware.WithLogger(nil), middleware.WithWriteTimeout(4*time.Second)))
	defer server.Close()
	before := heap()
	for range clients {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(input), input)
	}
	for last := int64(-1); written.Load() != last; time.Sleep(500 * time.Millisecond) {
		last = written.Load()
	}
	held := (heap() - before) / clients
	if held > most {
		t.Errorf("a client that has stalled holds:\n got %d bytes\nwant at most %d", held, most)
	}
	t.Logf("%d bytes for each stalled client, behind %d events of %d bytes", held, written.Load()/clients, each)
	for range clients {
		if cause := <-done; !errors.Is(cause, emitter.ErrDisconnected) {
			t.Errorf("cause:\n got %v\nwant %v", cause, emitter.ErrDisconnected)
		}
	}
}

// heap returns the bytes of the objects that are in use.
func heap() int64 {
	runtime.GC()
	runtime.GC() // what a pool holds goes with the second one
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// TestStuckHTTP2ConnectionIsSaidOnce warns of a server that lets a stalled client hold an HTTP/2
// connection.
func TestStuckHTTP2ConnectionIsSaidOnce(t *testing.T) {
	tests := []struct {
		name   string
		major  int
		server *http.Server
		opts   []middleware.Option
		want   int
	}{
		{"HTTP/2", 2, &http.Server{}, nil, 1},
		{"with a limit of the server", 2, &http.Server{HTTP2: &http.HTTP2Config{WriteByteTimeout: time.Minute}}, nil, 0},
		{"with other settings of the server", 2, &http.Server{HTTP2: &http.HTTP2Config{}}, nil, 1},
		{"without a limit of our own", 2, &http.Server{}, []middleware.Option{middleware.WithWriteTimeout(0)}, 0},
		{"HTTP/1.1", 1, &http.Server{}, nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var log logs
			handler := middleware.Handler(done, append(tt.opts, log.option())...)
			for range 3 {
				r := newRequest(context.WithValue(t.Context(), http.ServerContextKey, tt.server))
				r.ProtoMajor = tt.major
				handler.ServeHTTP(httptest.NewRecorder(), r)
			}
			if got := strings.Count(log.String(), "has no WriteByteTimeout"); got != tt.want {
				t.Errorf("lines in the log of three runs:\n got %d\nwant %d\n%s", got, tt.want, log.String())
			}
		})
	}
}
