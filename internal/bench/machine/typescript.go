package machine

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

//go:embed typescript.mjs
var script string

// client is a process with the verifier of the official client, and a sequence that is in its memory.
type client struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	errors bytes.Buffer
}

// start starts a client with the sequence. It installs the official client where that has not been done.
func start(ctx context.Context, s sequence) (*client, error) {
	dir, err := installed(ctx)
	if err != nil {
		return nil, err
	}
	text, err := s.jsonArray()
	if err != nil {
		return nil, err
	}
	// The script comes by -e, so that it looks for packages in the working directory.
	c := &client{cmd: exec.CommandContext(ctx, "node", "--input-type=module", "-e", script)}
	c.cmd.Dir = dir
	c.cmd.Stderr = &c.errors
	c.cmd.WaitDelay = time.Second
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("machine: node: %w", err)
	}
	if _, err := c.in.Write(append(text, '\n')); err != nil {
		return nil, errors.Join(err, c.stop())
	}
	return c, nil
}

// What a sequence goes through in the client.
const (
	orderOnly   = "order"   // the verifier
	withSchemas = "schemas" // the check of each event's values, then the verifier
)

// passes has the sequence go through new operators n times. It returns how long that took in the process,
// and how many events each pass let out.
func (c *client) passes(mode string, n int) (took time.Duration, out int, err error) {
	if _, err := fmt.Fprintln(c.in, mode, n); err != nil {
		return 0, 0, err
	}
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return 0, 0, fmt.Errorf("machine: node ended: %w: %s", err, c.errors.Bytes())
	}
	var reply struct {
		NS    int64
		Out   int
		Error string
	}
	if err := json.Unmarshal(line, &reply); err != nil {
		return 0, 0, err
	}
	if reply.Error != "" {
		return 0, 0, fmt.Errorf("machine: the official verifier: %s", reply.Error)
	}
	return time.Duration(reply.NS), reply.Out, nil
}

// stop ends the process, which ends with its input.
func (c *client) stop() error { return errors.Join(c.in.Close(), c.cmd.Wait()) }

// installed returns the directory where the official client is installed, and installs it if it is not.
func installed(ctx context.Context) (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		at := filepath.Join(dir, "internal", "conformance")
		if _, err := os.Stat(filepath.Join(at, "package-lock.json")); err == nil {
			return at, install(ctx, at)
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("machine: internal/conformance is not above the working directory: run the benchmarks in the module")
		}
		dir = parent
	}
}

func install(ctx context.Context, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, "node_modules", "@ag-ui", "client")); err == nil {
		return nil
	}
	npm := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		return fmt.Errorf("machine: npm ci: %w: %s", err, out)
	}
	return nil
}
