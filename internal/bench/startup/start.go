package startup

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/agui-go/agui/internal/bench/wire/child"
)

// startTime is how long a program may take to start, and to end.
const startTime = 20 * time.Second

// beginning is how a program has begun.
type beginning struct {
	listens time.Duration // until it has printed its address
	answers time.Duration // until the first byte of an answer
	peak    int64         // bytes of memory at most, by then
}

// start starts the program, makes one request and ends it.
func (p *program) start(ctx context.Context) (_ beginning, err error) {
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.path, "-addr", "127.0.0.1:0", "-otel", "off")
	cmd.Env = without(os.Environ(), "OTEL_") // or it would export
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return beginning{}, fmt.Errorf("startup: %w", err)
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return beginning{}, fmt.Errorf("startup: %w", err)
	}
	defer func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // when it has ended already, Wait says how
		if e := cmd.Wait(); e != nil {
			err = errors.Join(err, fmt.Errorf("startup: %s: %w: %s", p.build, e, strings.TrimSpace(stderr.String())))
		}
	}()
	var b beginning
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return beginning{}, fmt.Errorf("startup: %s prints no address: %w", p.build, err)
	}
	b.listens = time.Since(began)
	_, address, _ := strings.Cut(strings.TrimSpace(line), "http://")
	if err := get(ctx, address); err != nil {
		return beginning{}, fmt.Errorf("startup: %s: %w", p.build, err)
	}
	b.answers = time.Since(began)
	if _, b.peak, err = child.Memory(cmd.Process.Pid); err != nil {
		return beginning{}, err
	}
	return b, nil
}

// get asks for the page and reads the beginning of the answer.
func get(ctx context.Context, address string) error {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(startTime)); err != nil {
		return err
	}
	if _, err := fmt.Fprintf(conn, "GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n", address); err != nil {
		return err
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("the answer is %s", resp.Status)
	}
	return nil
}

// without returns the variables whose names do not begin so.
func without(environ []string, prefix string) []string {
	var kept []string
	for _, v := range environ {
		if !strings.HasPrefix(v, prefix) {
			kept = append(kept, v)
		}
	}
	return kept
}
