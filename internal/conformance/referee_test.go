//go:build conformance

package conformance

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/agui-go/agui/events"
)

// verdict is what the official client says of a recorded run.
type verdict struct {
	OK      bool
	At      int    // the index of the event that failed the run
	Stage   string // what failed it: boundary, schema, chunks, order or reducer
	Message string
}

func (v verdict) String() string {
	if v.OK {
		return "accepted"
	}
	return fmt.Sprintf("refused at %d (%s): %s", v.At, v.Stage, v.Message)
}

// judge asks the client about recorded runs: params names them and how to judge them, see judge.mjs. It
// returns a verdict for each, and what the client warned of.
func (d *driver) judge(params map[string]any) ([]verdict, []string, error) {
	var answer struct {
		Verdicts []verdict
		Warnings []string
	}
	err := d.query("judge", params, &answer)
	return answer.Verdicts, answer.Warnings, err
}

// encoded returns events as the wire has them.
func encoded(list []events.Event) ([]json.RawMessage, error) {
	texts := make([]json.RawMessage, len(list))
	for i, ev := range list {
		text, err := ev.AppendJSON(nil)
		if err != nil {
			return nil, fmt.Errorf("event %d, %T: %w", i, ev, err)
		}
		texts[i] = text
	}
	return texts, nil
}

// lines returns a run as text, a line an event.
func lines(texts []json.RawMessage) string {
	var b strings.Builder
	for i, text := range texts {
		fmt.Fprintf(&b, "\n%4d %s", i, text)
	}
	return b.String()
}

// recorded is a line of the case file.
type recorded struct {
	ID     string
	Events []json.RawMessage
	Client struct {
		OK bool
		At int
	}
}

func caseFile(t *testing.T) []recorded {
	t.Helper()
	file, err := os.Open("../../verify/verifytest/sequences.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var cases []recorded
	scanner := bufio.NewScanner(file)
	scanner.Buffer(nil, 1<<20)
	for scanner.Scan() {
		var c recorded
		if err := json.Unmarshal(scanner.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases = append(cases, c)
	}
	if err := scanner.Err(); err != nil {
		t.Fatal(err)
	}
	if len(cases) == 0 {
		t.Fatal("the case file is empty")
	}
	return cases
}

// TestCaseFile holds what the case file says of the official client against the client.
func TestCaseFile(t *testing.T) {
	cases := caseFile(t)
	sequences := make([][]json.RawMessage, len(cases))
	for i, c := range cases {
		sequences[i] = c.Events
	}
	client := startDriver(t)
	verdicts, _, err := client.judge(map[string]any{"sequences": sequences, "reducer": true})
	if err != nil {
		t.Fatal(err)
	}
	var agents struct{ Failures []*string }
	client.call(t, "runAgent", map[string]any{"sequences": sequences}, &agents)
	for i, c := range cases {
		v := verdicts[i]
		if v.OK != c.Client.OK || !v.OK && v.At != c.Client.At {
			t.Errorf("%s\n got: %v\nwant: ok %t at %d", c.ID, v, c.Client.OK, c.Client.At)
		}
		// The driver puts the stages together itself, to learn the index; an agent does so too.
		failure := ""
		if agents.Failures[i] != nil {
			failure = *agents.Failures[i]
		}
		if v.Message != failure {
			t.Errorf("%s: failure\n got: %q\nwant: %q, as an agent has it", c.ID, v.Message, failure)
		}
	}
}
