//go:build conformance

package conformance

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// driver is a process of driver.mjs. Its methods may be called concurrently.
type driver struct {
	stdin io.WriteCloser
	gone  chan struct{} // closed when the process answers no more

	mu      sync.Mutex
	last    int
	waiting map[int]chan []byte
}

// startDriver starts the official client, and ends it with the test.
func startDriver(t *testing.T) *driver {
	t.Helper()
	if _, err := os.Stat(filepath.Join("node_modules", "@ag-ui", "client")); err != nil {
		t.Fatal("the official client is not installed: run `make client-test`, or `npm ci` in internal/conformance")
	}
	cmd := exec.Command("node", "driver.mjs")
	cmd.Stderr = t.Output()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("node cannot be started (it must be version 20 or newer): %v", err)
	}
	d := &driver{stdin: stdin, gone: make(chan struct{}), waiting: map[int]chan []byte{}}
	go d.read(stdout)
	t.Cleanup(func() {
		stdin.Close()
		select {
		case <-d.gone:
		case <-time.After(10 * time.Second):
			t.Error("driver.mjs does not end with its input")
			cmd.Process.Kill()
			<-d.gone
		}
		if err := cmd.Wait(); err != nil {
			t.Errorf("driver.mjs: %v", err)
		}
	})
	return d
}

// read hands each answer to the call that waits for it.
func (d *driver) read(stdout io.Reader) {
	defer close(d.gone)
	lines := bufio.NewReader(stdout)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		var answer struct{ ID int }
		if json.Unmarshal(line, &answer) != nil {
			return
		}
		d.mu.Lock()
		if waiting, ok := d.waiting[answer.ID]; ok {
			waiting <- line
			delete(d.waiting, answer.ID)
		}
		d.mu.Unlock()
	}
}

// call sends a request, whose params are a JSON object, and stores the answer in result. It ends the
// test when the verb cannot do what was asked.
func (d *driver) call(t *testing.T, verb string, params map[string]any, result any) {
	t.Helper()
	if err := d.query(verb, params, result); err != nil {
		t.Fatal(err)
	}
}

// query is call for other goroutines than the test's own.
func (d *driver) query(verb string, params map[string]any, result any) error {
	answer, err := d.ask(verb, params)
	if err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
	var status struct {
		OK    bool
		Error string
	}
	if err := json.Unmarshal(answer, &status); err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
	if !status.OK {
		return fmt.Errorf("%s: %s", verb, status.Error)
	}
	if err := json.Unmarshal(answer, result); err != nil {
		return fmt.Errorf("%s: %w", verb, err)
	}
	return nil
}

// ask sends a request and returns the answer's line.
func (d *driver) ask(verb string, params map[string]any) ([]byte, error) {
	answer := make(chan []byte, 1)
	if err := d.send(verb, params, answer); err != nil {
		return nil, err
	}
	select {
	case line := <-answer:
		return line, nil
	case <-d.gone:
	}
	select {
	case line := <-answer: // its last words
		return line, nil
	default:
		return nil, errors.New("driver.mjs has ended")
	}
}

func (d *driver) send(verb string, params map[string]any, answer chan []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	request := map[string]any{"id": d.last, "verb": verb}
	maps.Copy(request, params)
	line, err := json.Marshal(request)
	if err != nil {
		return err
	}
	d.waiting[d.last] = answer
	if _, err := fmt.Fprintf(d.stdin, "%s\n", line); err != nil {
		return fmt.Errorf("driver.mjs: %w", err)
	}
	return nil
}

func TestUnknownVerb(t *testing.T) {
	answer, err := startDriver(t).ask("dance", nil)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		OK    *bool
		Error string
	}
	if err := json.Unmarshal(answer, &got); err != nil || got.OK == nil || *got.OK || got.Error == "" {
		t.Errorf("answer\n got: %s (%v)\nwant: ok false and an error", answer, err)
	}
}
