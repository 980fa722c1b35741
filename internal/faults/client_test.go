package faults

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const input = `{"threadId":"thread_1","runId":"run_1","messages":[]}`

// received is what a client got.
type received struct {
	status int
	body   []byte
	err    error
}

// ask sends the request of a trial and reads the answer, until the fault strikes or to its end.
func ask(t *trial, server *httptest.Server) received {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	transport := &http.Transport{
		ForceAttemptHTTP2: t.http2,
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := new(net.Dialer).DialContext(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return t.dialled(c, cancel), nil
		},
	}
	if t.http2 {
		transport.TLSClientConfig = server.Client().Transport.(*http.Transport).TLSClientConfig.Clone()
	}
	defer transport.CloseIdleConnections()
	defer t.hangUp()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, strings.NewReader(input))
	if err != nil {
		return received{err: err}
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return received{err: err}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return received{resp.StatusCode, body, err}
}

// conn is the connection of a client, which misbehaves after some bytes.
type conn struct {
	net.Conn
	strike   func()
	left     atomic.Int64 // bytes before it strikes; zero or less: it does not by bytes
	slow     atomic.Bool
	stalled  atomic.Bool
	released chan struct{}
	hangUp   sync.Once
}

func (c *conn) Read(p []byte) (int, error) {
	if c.slow.Load() {
		time.Sleep(time.Millisecond)
		p = p[:min(len(p), 300)]
	}
	if left := c.left.Load(); left > 0 {
		p = p[:min(int64(len(p)), left)]
	}
	n, err := c.Conn.Read(p)
	if n > 0 && c.left.Add(-int64(n)) == 0 {
		c.strike()
	}
	if c.stalled.Load() {
		<-c.released
		return 0, io.ErrUnexpectedEOF
	}
	return n, err
}

// release lets go of a reader that is stalled, and of the connection.
func (c *conn) release() {
	close(c.released)
	c.Close()
}
