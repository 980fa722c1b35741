package child

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// variable says to a process which child it is.
const variable = "AGUI_BENCH_CHILD"

// patience is how long a child may take to end when it is told to.
const patience = 10 * time.Second

// Process is a child as its parent sees it. It is not safe for concurrent use.
type Process struct {
	name   string
	cmd    *exec.Cmd
	ask    io.WriteCloser
	answer *json.Decoder
	stderr *bytes.Buffer
}

// Start starts this program again as the child called name, as the last argument of the command under where
// there is one. The child is killed when ctx is done; Close ends it.
func Start(ctx context.Context, name string, under ...string) (*Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("child: %s: %w", name, err)
	}
	command := append(slices.Clone(under), self)
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = append(os.Environ(), variable+"="+name)
	stderr := &bytes.Buffer{}
	cmd.Stderr = stderr
	ask, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("child: %s: %w", name, err)
	}
	answers, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("child: %s: %w", name, err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("child: %s: %w", name, err)
	}
	return &Process{name, cmd, ask, json.NewDecoder(answers), stderr}, nil
}

// Ask puts a question to the child and waits for the answer. Both are JSON. After an error the child can
// only be closed, which says what it printed.
func (p *Process) Ask(question, answer any) error {
	text, err := json.Marshal(question)
	if err != nil {
		return fmt.Errorf("child: %s: %w", p.name, err)
	}
	if _, err := p.ask.Write(append(text, '\n')); err != nil {
		return fmt.Errorf("child: %s: %w", p.name, err)
	}
	if err := p.answer.Decode(answer); err != nil {
		return fmt.Errorf("child: %s gave no answer to %s: %w", p.name, text, err)
	}
	return nil
}

// Close ends the child and waits for it. The error has what a child that failed has printed.
func (p *Process) Close() error {
	p.ask.Close()
	impatient := time.AfterFunc(patience, func() { _ = p.cmd.Process.Kill() })
	defer impatient.Stop()
	if err := p.cmd.Wait(); err != nil {
		return fmt.Errorf("child: %s: %w: %s", p.name, err, strings.TrimSpace(p.stderr.String()))
	}
	return nil
}

// Parent is the parent as the child sees it.
type Parent struct {
	questions *json.Decoder
	answers   *json.Encoder
	told      int64 // answers so far
	bytes     int64 // and their length
}

// Run serves the parent when this process was started as the child called name, and reports whether it
// was. A serve that fails ends the process with status 1; io.EOF, which Parent.Next returns when the
// parent wants no more, is no failure.
func Run(name string, serve func(*Parent) error) bool {
	if os.Getenv(variable) != name {
		return false
	}
	parent := &Parent{questions: json.NewDecoder(os.Stdin)}
	parent.answers = json.NewEncoder(parent)
	if err := serve(parent); err != nil && !errors.Is(err, io.EOF) {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
	return true
}

// Next waits for a question. Its error Is io.EOF when there is none any more.
func (p *Parent) Next(question any) error { return p.questions.Decode(question) }

// Answer answers the question.
func (p *Parent) Answer(v any) error { return p.answers.Encode(v) }

// Write implements io.Writer for the answers, and counts them.
func (p *Parent) Write(answer []byte) (int, error) {
	p.told++
	p.bytes += int64(len(answer))
	return os.Stdout.Write(answer)
}
