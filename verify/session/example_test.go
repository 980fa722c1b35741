package session_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/session"
)

// The echo-agent of this module asks for consent to a tool call: its first run ends with an interrupt, and
// the second, which brings the answer, goes on where the first stopped.
func Example_resume() {
	url, stop := startEchoAgent()
	defer stop()
	ctx := context.Background()
	in := &events.RunAgentInput{ThreadID: "thread", Messages: []events.Message{events.NewUserMessage("u1", "ask")}}

	call := events.ToolCall{}
	for ev, err := range session.Run(ctx, http.DefaultClient, url, in) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch ev := ev.(type) {
		case *events.ToolCallStart:
			call.ID, call.Function.Name = ev.ToolCallID, ev.ToolCallName
		case *events.ToolCallArgs:
			call.Function.Arguments += ev.Delta
		case *events.RunFinished:
			outcome, _ := ev.Outcome.(*events.RunInterrupted)
			for _, interrupt := range outcome.Interrupts {
				fmt.Println("agent:", interrupt.Message.Or(""))
				in.Resume = append(in.Resume, events.ResumeEntry{
					InterruptID: interrupt.ID,
					Status:      events.ResumeResolved,
					Payload:     events.MustJSON(map[string]bool{"approved": true}),
				})
			}
		}
	}
	fmt.Println("call:", call.Function.Name, call.Function.Arguments)

	// The messages of the second run hold the call that it answers: the agent finds it there, and so does
	// the verifier.
	in.Messages = append(in.Messages, &events.AssistantMessage{
		MessageBase: events.MessageBase{ID: call.ID},
		ToolCalls:   []events.ToolCall{call},
	})
	for ev, err := range session.Run(ctx, http.DefaultClient, url, in) {
		if err != nil {
			fmt.Println(err)
			return
		}
		switch ev := ev.(type) {
		case *events.ToolCallResult:
			fmt.Println("result:", ev.Content)
		case *events.TextMessageContent:
			fmt.Print(ev.Delta)
		}
	}
	// Output:
	// agent: May I send this mail?
	// call: send_mail {"to":"echo@example.com","text":"Hello"}
	// result: Sent to echo@example.com.
	// Thank you for the answer.
}

// startEchoAgent builds and starts the echo-agent on a free port.
func startEchoAgent() (url string, stop func()) {
	dir, err := os.MkdirTemp("", "echo-agent")
	if err != nil {
		panic(err)
	}
	bin := filepath.Join(dir, "echo-agent")
	if text, err := exec.Command("go", "build", "-o", bin, "../../examples/echo-agent").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("%v: %s", err, text))
	}
	agent := exec.Command(bin, "-addr", "127.0.0.1:0")
	out, err := agent.StdoutPipe()
	if err != nil {
		panic(err)
	}
	if err := agent.Start(); err != nil {
		panic(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		panic(err)
	}
	return regexp.MustCompile(`http://\S+`).FindString(line) + "/agent", func() {
		http.DefaultClient.CloseIdleConnections()
		_ = agent.Process.Kill()
		_ = agent.Wait()
		_ = os.RemoveAll(dir)
	}
}

// An agent that dies in the middle of a run leaves a stream without an end.
func ExampleTruncatedError() {
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}

data: {"type":"TEXT_MESSAGE_START","messageId":"m1"}

data: {"type":"TEXT_MESSAGE_CONT`)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	defer agent.Close()

	for ev, err := range session.Run(context.Background(), agent.Client(), agent.URL, &events.RunAgentInput{}) {
		if err == nil {
			fmt.Println(ev.EventType())
			continue
		}
		fmt.Println(err)
		fmt.Println(errors.Is(err, verify.Unterminated), errors.Is(err, io.ErrUnexpectedEOF))
	}
	// Output:
	// RUN_STARTED
	// TEXT_MESSAGE_START
	// session: the stream ended in the middle of the run, after 2 events, with text message "m1" (opened by event 1) open: unexpected EOF
	// true true
}

// What the agent says of a failure is in the error.
func ExampleRunError() {
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, "data: {\"type\":\"RUN_ERROR\",\"message\":\"no model is free\",\"code\":\"model_busy\"}\n\n")
	}))
	defer agent.Close()

	for _, err := range session.Run(context.Background(), agent.Client(), agent.URL, &events.RunAgentInput{}) {
		if failed, ok := errors.AsType[*session.RunError](err); ok {
			fmt.Println(failed.Event.Message)
			fmt.Println(failed.Event.Code.Or(""))
			fmt.Println(errors.Is(err, verify.RunNotStarted))
		}
	}
	// Output:
	// no model is free
	// model_busy
	// true
}

// Whoever has the response already, from a request of one's own, reads it with the input that was sent.
func ExampleRead() {
	agent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, `data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}

data: {"type":"TEXT_MESSAGE_CHUNK","messageId":"m1","delta":"Hello"}

data: {"type":"RUN_FINISHED","threadId":"t","runId":"r"}

`)
	}))
	defer agent.Close()
	in := &events.RunAgentInput{ThreadID: "t", RunID: "r"}
	res, err := agent.Client().Post(agent.URL, "application/json", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for ev, err := range session.Read(res, in, session.WithExpandedChunks()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(ev.EventType())
	}
	// Output:
	// RUN_STARTED
	// TEXT_MESSAGE_START
	// TEXT_MESSAGE_CONTENT
	// TEXT_MESSAGE_END
	// RUN_FINISHED
}
