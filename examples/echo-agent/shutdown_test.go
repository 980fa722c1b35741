package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestTerminated sends SIGTERM to the program in the middle of a stream.
func TestTerminated(t *testing.T) {
	program := filepath.Join(t.TempDir(), "echo-agent")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	cmd := exec.Command(program, "-addr", "127.0.0.1:0", "-otel", "off")
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }() // a process that has ended does not mind
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	_, url, _ := strings.Cut(strings.TrimSpace(line), "listens on ")

	resp := post(t.Context(), t, url+"/agent", saying("slow"))
	defer resp.Body.Close()
	if _, err := io.ReadFull(resp.Body, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Errorf("the stream broke off: %v", err)
	}
	if n := strings.Count(string(rest), `"type":"RUN_ERROR"`); n != 1 || !strings.HasSuffix(string(rest), `"code":"server_shutdown"}`+"\n\n") {
		t.Errorf("end of the stream\n got: %s\nwant: one RUN_ERROR server_shutdown", rest[max(0, len(rest)-200):])
	}
	if took := time.Since(began); took < graceTime {
		t.Errorf("the run was ended\n got: after %v\nwant: after %v", took, graceTime)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("exit\n got: %v\nwant: status 0", err)
	}
}
