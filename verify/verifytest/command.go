package verifytest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/agui-go/agui/verify"
)

// asked is what a command reads, one a line.
type asked struct {
	ID     string            `json:"id"`
	Events []json.RawMessage `json:"events"`
}

// answered is what a command prints, one a line. It may print more members.
type answered struct {
	ID string `json:"id"`
	Verdict
}

// RunCommand holds a command in any language to every case that has a verdict of set, one subtest each.
// command returns the command that reads the cases from file, JSON Lines of
//
//	{"id":"…","events":[{"type":"RUN_STARTED",…},…]}
//
// and prints to its standard output, in any order, a line for each,
//
//	{"id":"…","ok":true}
//	{"id":"…","ok":false,"at":3,"rule":"NotOpen"}
//
// and exits with 0. Under [verify.Strict] it judges the end of a run too, at the number of its events; under
// [verify.Core] it does not. Its standard error is shown when it fails.
func RunCommand(t *testing.T, set verify.Set, command func(file string) *exec.Cmd) {
	t.Helper()
	var input bytes.Buffer
	given := make(map[string]bool)
	enc := json.NewEncoder(&input)
	enc.SetEscapeHTML(false)
	for c := range Cases() {
		if _, ok := c.Want(set); !ok {
			continue
		}
		if err := enc.Encode(asked{c.ID, c.Events}); err != nil {
			t.Fatalf("verifytest: BUG: case %s: %v", c.ID, err)
		}
		given[c.ID] = true
	}
	name := filepath.Join(t.TempDir(), "cases.jsonl")
	if err := os.WriteFile(name, input.Bytes(), 0o600); err != nil {
		t.Fatalf("verifytest: %v", err)
	}

	answers := readAnswers(t, output(t, command(name)))
	for id := range answers {
		if !given[id] {
			t.Errorf("the command judges a case that it was not given: %q", id)
		}
	}
	RunJudge(t, set, func(t *testing.T, c Case) Verdict {
		got, ok := answers[c.ID]
		if !ok {
			t.Fatal("the command says nothing about the case: print a line for each")
		}
		return got
	})
}

// output runs cmd, which must succeed, and returns what it prints.
func output(t *testing.T, cmd *exec.Cmd) []byte {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, &stderr)
	}
	return stdout.Bytes()
}

func readAnswers(t *testing.T, text []byte) map[string]Verdict {
	t.Helper()
	answers := make(map[string]Verdict)
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		var a answered
		if err := json.Unmarshal(line, &a); err != nil || a.ID == "" {
			t.Fatalf("the command prints a line that is no verdict: %q: %v", line, err)
		}
		if _, twice := answers[a.ID]; twice {
			t.Fatalf("the command judges %s twice", a.ID)
		}
		answers[a.ID] = a.Verdict
	}
	return answers
}
