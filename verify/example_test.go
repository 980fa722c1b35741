package verify_test

import (
	"errors"
	"fmt"
	"slices"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

func Example() {
	v := verify.New(verify.Strict)
	fmt.Println(v.Observe(&events.RunStarted{ThreadID: "thread", RunID: "run"}))
	fmt.Println(v.Observe(&events.TextMessageStart{MessageID: "msg-1"}))
	fmt.Println(v.Observe(&events.TextMessageContent{MessageID: "msg_1", Delta: "Hi"}))
	fmt.Println(v.Open())
	// Output:
	// <nil>
	// <nil>
	// verify: TEXT_MESSAGE_CONTENT "msg_1" (event 2): NotOpen: text message "msg_1" was never opened: "msg-1" is open; you wrote "msg_1"; use the id that was opened, or send TEXT_MESSAGE_START first
	// [text message "msg-1" (opened by event 1)]
}

// The smallest consumer: each event as it comes, and the error at the one that is wrong.
func ExampleVerifier() {
	v := verify.New(verify.Strict)
	for _, ev := range []events.Event{
		events.NewRunStarted("thread", "run"),
		events.NewTextMessageContent("m1", "Hello"),
	} {
		if err := v.Observe(ev); err != nil {
			fmt.Println(err)
			fmt.Println(errors.Is(err, verify.NotOpen))
		}
	}
	// Output:
	// verify: TEXT_MESSAGE_CONTENT "m1" (event 1): NotOpen: text message "m1" was never opened; send TEXT_MESSAGE_START first
	// true
}

func ExampleAll() {
	run := []events.Event{
		&events.RunStarted{ThreadID: "thread", RunID: "run"},
		&events.StepStarted{StepName: "plan"},
	}
	fmt.Println(verify.All(slices.Values(run)))
	// Output:
	// verify: end of stream (event 2): Unterminated: the stream ended in the middle of the run; end every run with RUN_FINISHED or RUN_ERROR
}

func ExampleViolation() {
	err := verify.All(slices.Values([]events.Event{
		&events.RunStarted{ThreadID: "thread", RunID: "run"},
		&events.ToolCallStart{ToolCallID: "call", ToolCallName: "search"},
		&events.ToolCallResult{MessageID: "result", ToolCallID: "call", Content: events.Text("42")},
	}))
	fmt.Println(errors.Is(err, verify.OutOfOrder))
	if violation, ok := errors.AsType[*verify.Violation](err); ok {
		fmt.Println(violation.EventType, violation.ID, violation.Index)
		fmt.Println(violation.Sentence)
		fmt.Println(violation.Remedy)
	}
	// Output:
	// true
	// TOOL_CALL_RESULT call 2
	// tool call "call" is still open (opened by event 1)
	// send TOOL_CALL_END before the result
}

func ExampleReport() {
	v := verify.New(verify.Core, verify.Report(func(violation *verify.Violation) {
		fmt.Println("let through:", violation.Rule.String(), violation.ID)
	}, verify.OpenAtFinish))
	_ = v.Observe(&events.RunStarted{ThreadID: "thread", RunID: "run"})
	_ = v.Observe(&events.StepStarted{StepName: "plan"})
	fmt.Println(v.Observe(&events.RunFinished{ThreadID: "thread", RunID: "run"}))
	// Output:
	// let through: OpenAtFinish run
	// <nil>
}

func ExampleVerifier_Seed() {
	// The run resumes after an interrupt: the call that it answers is in the request's messages.
	v := verify.New(verify.Strict)
	v.Seed([]events.Message{&events.AssistantMessage{
		MessageBase: events.MessageBase{ID: "message"},
		ToolCalls:   []events.ToolCall{{ID: "call", Function: events.FunctionCall{Name: "book"}}},
	}})
	_ = v.Observe(&events.RunStarted{ThreadID: "thread", RunID: "run"})
	fmt.Println(v.Observe(&events.ToolCallResult{MessageID: "result", ToolCallID: "call", Content: events.Text("booked")}))
	// Output:
	// <nil>
}

func ExampleVerifier_Continue() {
	v := verify.New(verify.Strict)
	untagged := events.Opt[string]{}
	_ = v.Observe(&events.RunStarted{ThreadID: "thread", RunID: "run"})
	_ = v.Observe(&events.TextMessageStart{MessageID: "message"})
	message := v.Entity(verify.KindTextMessage, "message", untagged)
	fmt.Println(v.Continue(message, untagged))
	_ = v.Observe(&events.TextMessageEnd{MessageID: "message"})
	fmt.Println(errors.Is(v.Continue(message, untagged), verify.NotOpen))
	// Output:
	// <nil>
	// true
}
