package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"

	"github.com/agui-go/agui/events"
)

// maxInput is how much of a request is kept for the history in it.
const maxInput = 8 << 20

// captured is the body of a request, of which a copy is kept while it is sent on.
type captured struct {
	body    io.ReadCloser
	encoded bool
	length  int64 // -1 if it is not known

	mu   sync.Mutex // the body may be sent while the answer comes
	text []byte
	size int64
	done bool
}

// capture puts a captured in the place of the request's body.
func capture(req *http.Request) *captured {
	c := &captured{body: req.Body, length: req.ContentLength, encoded: req.Header.Get("Content-Encoding") != ""}
	if req.Body == nil {
		c.body, c.done = http.NoBody, true
		return c
	}
	req.Body = c
	return c
}

// Read reads the body.
func (c *captured) Read(p []byte) (int, error) {
	n, err := c.body.Read(p)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size += int64(n)
	c.done = c.done || err == io.EOF || c.size == c.length
	if c.size <= maxInput {
		c.text = append(c.text, p[:n]...)
	} else {
		c.text = nil
	}
	return n, err
}

// Close closes the body.
func (c *captured) Close() error { return c.body.Close() }

// input returns the RunAgentInput in what was sent so far, and lets go of the copy.
func (c *captured) input() (*events.RunAgentInput, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	text := bytes.TrimSpace(c.text)
	c.text = nil
	switch {
	case c.size > maxInput:
		return nil, fmt.Errorf("the request is longer than %d bytes", maxInput)
	case c.encoded:
		return nil, errors.New("the request has a Content-Encoding")
	case !c.done:
		return nil, errors.New("the answer came before the request was sent")
	}
	return events.DecodeInput(text)
}
