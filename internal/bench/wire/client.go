package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/agui-go/agui/internal/bench/wire/child"
)

// input is the request of each run.
const input = `{"threadId":"thread_1","runId":"run_1","state":{},"messages":[{"id":"m1","role":"user","content":"Hello"}],"tools":[],"context":[],"forwardedProps":{}}`

// protocol is how requests are made.
type protocol string

const (
	http1 protocol = "HTTP/1.1"
	http2 protocol = "HTTP/2+TLS"
)

// peers are the server, in a process of its own, and its clients in this one.
type peers struct {
	server  *child.Process
	clients map[protocol]*http.Client
	roots   map[protocol]string
	plain   string // where it listens for HTTP/1.1
}

// start starts the server.
func start(ctx context.Context) (*peers, error) {
	server, err := child.Start(ctx, name)
	if err != nil {
		return nil, err
	}
	var where address
	if err := server.Ask(question{}, &where); err != nil {
		return nil, errors.Join(err, server.Close())
	}
	certificate, err := x509.ParseCertificate(where.Certificate)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("wire: %w", err), server.Close())
	}
	known := x509.NewCertPool()
	known.AddCert(certificate)
	return &peers{
		server: server,
		clients: map[protocol]*http.Client{
			http1: {Transport: &http.Transport{MaxIdleConnsPerHost: 1000, DisableCompression: true}},
			http2: {Transport: &http.Transport{
				DisableCompression: true, ForceAttemptHTTP2: true,
				TLSClientConfig: &tls.Config{RootCAs: known, MinVersion: tls.VersionTLS13},
			}},
		},
		roots: map[protocol]string{http1: "http://" + where.Plain, http2: "https://" + where.TLS},
		plain: where.Plain,
	}, nil
}

// close ends the server.
func (p *peers) close() error {
	for _, c := range p.clients {
		c.CloseIdleConnections()
	}
	return p.server.Close()
}

// set says what runs are to write from now on.
func (p *peers) set(l load) error {
	return p.server.Ask(question{Load: &l}, &child.Usage{})
}

// batch makes so many requests of a kind one after another, on each of so many streams at once, and returns what
// the server used for them. Each response is given to read.
func (p *peers) batch(ctx context.Context, over protocol, k kind, streams, each int, read func(io.Reader) error) (child.Usage, error) {
	var before, after child.Usage
	if err := p.server.Ask(question{Tidy: true}, &before); err != nil {
		return child.Usage{}, err
	}
	errs := make([]error, streams)
	var wg sync.WaitGroup
	for i := range streams {
		wg.Go(func() {
			for range each {
				if errs[i] = p.get(ctx, over, k, read); errs[i] != nil {
					return
				}
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return child.Usage{}, err
	}
	if err := p.server.Ask(question{}, &after); err != nil {
		return child.Usage{}, err
	}
	return after.Minus(before), nil
}

// get makes one request.
func (p *peers) get(ctx context.Context, over protocol, k kind, read func(io.Reader) error) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, p.roots[over]+"/"+string(k), strings.NewReader(input))
	if err != nil {
		return fmt.Errorf("wire: %w", err)
	}
	r.Header.Set("Content-Type", "application/json")
	resp, err := p.clients[over].Do(r)
	if err != nil {
		return fmt.Errorf("wire: %s: %w", k, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK || !strings.HasPrefix(string(over), fmt.Sprintf("HTTP/%d", resp.ProtoMajor)) {
		return fmt.Errorf("wire: %s over %s answers with status %s over %s", k, over, resp.Status, resp.Proto)
	}
	if err := read(resp.Body); err != nil {
		return fmt.Errorf("wire: %s over %s: %w", k, over, err)
	}
	return nil
}

// drain reads a response to its end.
func drain(r io.Reader) error {
	_, err := io.Copy(io.Discard, r)
	return err
}
