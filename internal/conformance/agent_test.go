//go:build conformance

package conformance

import (
	"bufio"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startAgent builds the echo-agent with the tags, starts it on a free port, and returns its URL. It is
// told to end when the test ends, and must do so.
func startAgent(t *testing.T, tags string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "echo-agent")
	build := exec.Command("go", "build", "-tags", tags, "-o", program, "../../examples/echo-agent")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build -tags %q: %v\n%s", tags, err, out)
	}
	cmd := exec.Command(program, "-addr", "127.0.0.1:0")
	cmd.Stderr = t.Output()
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stdout)
	first, err := lines.ReadString('\n')
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		io.Copy(t.Output(), lines)
	}()
	t.Cleanup(func() { stopAgent(t, cmd, copied) })
	_, url, found := strings.Cut(strings.TrimSpace(first), "listens on ")
	if err != nil || !found {
		t.Fatalf("the echo-agent prints no address: %q, %v", first, err)
	}
	return url + "/agent"
}

func stopAgent(t *testing.T, cmd *exec.Cmd, copied <-chan struct{}) {
	t.Helper()
	cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-copied:
	case <-time.After(10 * time.Second):
		t.Error("the echo-agent still runs 10 s after SIGTERM")
		cmd.Process.Kill()
		<-copied
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("the echo-agent: %v", err)
	}
}
