package verifytest_test

import (
	"fmt"
	"os/exec"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/verifytest"
)

// A machine of one's own: it knows that a run begins with RUN_STARTED, and nothing else.
type first struct{ started bool }

func (m *first) Observe(ev events.Event) error {
	_, starts := ev.(*events.RunStarted)
	if !m.started && !starts {
		return verify.RunNotStarted // a rule is an error that knows its name
	}
	m.started = true
	return nil
}

func (*first) Refuse(*events.FieldError) error { return nil }
func (*first) End() error                      { return nil }

func ExampleRun() {
	_ = func(t *testing.T) { // a test
		verifytest.Run(t, verify.Core, func(*testing.T) verifytest.Machine { return new(first) })
	}
	m := new(first)
	fmt.Println(verifytest.VerdictOf(m.Observe(&events.StepStarted{StepName: "plan"}), 0))
	// Output:
	// RunNotStarted at 0
}

func ExampleRunCommand() {
	// The command of this module, or one that reads and prints the same in another language.
	_ = func(t *testing.T) { // a test
		verifytest.RunCommand(t, verify.Strict, func(file string) *exec.Cmd {
			return exec.Command("agui-verify", "-rules", "strict", "-cases", file)
		})
	}
	// Output:
}

func ExampleCases() {
	for c := range verifytest.Cases() {
		if c.ID != "conf-x-tool-result-before-end" {
			continue
		}
		fmt.Println(c.About)
		for _, event := range c.Events[:c.Strict.At+1] {
			fmt.Println(string(event))
		}
		fmt.Println("strict:", c.Strict)
		fmt.Println("the official client:", c.Client)
	}
	// Output:
	// Result while the call is open.
	// {"type": "RUN_STARTED", "threadId": "t", "runId": "r"}
	// {"type": "TOOL_CALL_START", "toolCallId": "t1", "toolCallName": "tool"}
	// {"type": "TOOL_CALL_RESULT", "messageId": "x1", "toolCallId": "t1", "content": "ok"}
	// strict: OutOfOrder at 2
	// the official client: accepted
}
