package stream_test

import (
	"errors"
	"fmt"
	"strings"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/stream"
)

const recorded = `data: {"type":"RUN_STARTED","threadId":"t1","runId":"r1"}

data: {"type":"TEXT_MESSAGE_START","messageId":"msg-1","role":"assistant"}

: ping

data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"Hello"}

data: {"type":"RUN_FINISHED","threadId":"t1","runId":"r1"}

`

func ExampleCheck() {
	err := stream.Check(strings.NewReader(recorded))
	if f, ok := errors.AsType[stream.Finding](err); ok {
		fmt.Println(f.Position)
		fmt.Println(f.Violation.Sentence)
		fmt.Println(f.Violation.Remedy)
	}
	fmt.Println(errors.Is(err, verify.NotOpen))
	// Output:
	// event 2 (line 7, byte 149)
	// text message "msg_1" was never opened: "msg-1" is open; you wrote "msg_1"
	// use the id that was opened, or send TEXT_MESSAGE_START first
	// true
}

func ExampleReader() {
	r := stream.NewReader(strings.NewReader(recorded))
	for ev, err := range r.Events() {
		if err != nil {
			fmt.Println(err)
			continue
		}
		if content, ok := ev.(*events.TextMessageContent); ok {
			fmt.Printf("line %d: %s\n", r.Position().Line, content.Delta)
		}
	}
	// Output:
	// line 7: Hello
}

// All that is wrong with a recorded thread of several runs, and what was open at each place.
func ExampleChecker() {
	c := stream.NewChecker(stream.MultiRun())
	for f, err := range c.Read(strings.NewReader(recorded)) {
		switch {
		case err != nil:
			fmt.Println("not read:", err)
		case f.Flaw != 0:
			fmt.Println("framing:", f.Flaw.Sentence())
		default:
			fmt.Printf("line %d: %s, open: %v\n", f.Line, f.Violation.Rule.String(), f.Violation.Open)
		}
	}
	fmt.Println(c.Runs(), "run,", c.Position().Index, "events")
	// Output:
	// line 7: NotOpen, open: [text message "msg-1" (opened by event 1)]
	// line 9: OpenAtFinish, open: [text message "msg-1" (opened by event 1)]
	// line 11: Unterminated, open: [text message "msg-1" (opened by event 1)]
	// 1 run, 4 events
}
