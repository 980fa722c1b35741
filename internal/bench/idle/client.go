package idle

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/agui-go/agui/internal/bench/wire/child"
)

// input is the request of each stream.
const input = `{"threadId":"thread_1","runId":"run_1","state":{},"messages":[],"tools":[],"context":[],"forwardedProps":{}}`

// openTime is how long a stream may take to begin.
const openTime = 10 * time.Second

// hold starts a server of the kind, opens so many streams, lets them rest, and returns what they cost the
// server.
func hold(ctx context.Context, k kind, streams int, rest time.Duration) (_ footprint, err error) {
	server, err := child.Start(ctx, name)
	if err != nil {
		return footprint{}, err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	var address string
	if err := server.Ask(question{Kind: k}, &address); err != nil {
		return footprint{}, err
	}
	conns := make([]net.Conn, 0, streams)
	defer func() {
		for _, c := range conns {
			hangUp(c)
		}
	}()
	first, err := open(ctx, address)
	if err != nil {
		return footprint{}, err
	}
	hangUp(first) // what is made once is there
	if err := pause(ctx, 50*time.Millisecond); err != nil {
		return footprint{}, err
	}
	var before, after footprint
	if err := server.Ask(question{}, &before); err != nil {
		return footprint{}, err
	}
	for range streams {
		c, err := open(ctx, address)
		if err != nil {
			return footprint{}, fmt.Errorf("stream %d of %d of %s: %w", len(conns)+1, streams, k, err)
		}
		conns = append(conns, c)
	}
	if err := pause(ctx, rest); err != nil {
		return footprint{}, err
	}
	if err := server.Ask(question{}, &after); err != nil {
		return footprint{}, err
	}
	return after.minus(before), nil
}

// open opens a stream and reads its first event. It needs no goroutine that stays.
func open(ctx context.Context, address string) (net.Conn, error) {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("idle: %w", err)
	}
	if err := begin(conn); err != nil {
		hangUp(conn)
		return nil, fmt.Errorf("idle: %w", err)
	}
	return conn, nil
}

func begin(conn net.Conn) error {
	if err := conn.SetDeadline(time.Now().Add(openTime)); err != nil {
		return err
	}
	_, err := fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(input), input)
	if err != nil {
		return err
	}
	resp, err := http.ReadResponse(bufio.NewReaderSize(conn, 1024), nil)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the answer is %s, not a stream", resp.Status)
	}
	for name, want := range header {
		if got := resp.Header.Get(name); got != want {
			return fmt.Errorf("the header %s is %q, not %q: the handlers cannot be compared", name, got, want)
		}
	}
	event := make([]byte, len("data: "))
	if _, err := io.ReadFull(resp.Body, event); err != nil {
		return err
	}
	if string(event) != "data: " {
		return fmt.Errorf("the stream begins with %q, not with an event", event)
	}
	return conn.SetDeadline(time.Time{})
}

// hangUp resets the connection, so that its port is free at once.
func hangUp(conn net.Conn) {
	if c, ok := conn.(*net.TCPConn); ok {
		_ = c.SetLinger(0)
	}
	conn.Close()
}

// pause waits, but no longer than ctx.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(d):
		return nil
	}
}
