package emitter_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
)

// The program of the package's documentation.
func Example() {
	em := emitter.New(context.Background(), emitter.ToWriter(os.Stdout))
	defer em.Close(nil)
	em.RunStart("thread_1", "run_1")
	em.TextStart("msg_1")
	em.TextContent("msg_1", "Hello")
	em.TextEnd("msg_1")
	em.RunFinish(nil)
	// Output:
	// data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1","protocolVersion":"1.0"}
	//
	// data: {"type":"TEXT_MESSAGE_START","messageId":"msg_1"}
	//
	// data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"Hello"}
	//
	// data: {"type":"TEXT_MESSAGE_END","messageId":"msg_1"}
	//
	// data: {"type":"RUN_FINISHED","threadId":"thread_1","runId":"run_1"}
}

// started returns an emitter that prints to standard output, with a run that has been started.
func started() *emitter.Emitter {
	em := emitter.New(context.Background(), emitter.ToWriter(os.Stdout), emitter.WithIDs(ids.Sequence()), emitter.WithLogger(nil))
	em.RunStart("thread_1", "run_1")
	return em
}

// A handle is a writer: what io.Copy reads becomes deltas.
func ExampleEmitter_Text() {
	em := started()
	defer em.Close(nil)
	msg := em.Text()
	io.Copy(msg, strings.NewReader("Hello"))
	msg.Close()
	// Output:
	// data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1","protocolVersion":"1.0"}
	//
	// data: {"type":"TEXT_MESSAGE_START","messageId":"msg_1"}
	//
	// data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"Hello"}
	//
	// data: {"type":"TEXT_MESSAGE_END","messageId":"msg_1"}
}

func ExampleEmitter_ToolCall() {
	em := started()
	defer em.Close(nil)
	call := em.ToolCall("get_weather")
	call.WriteJSON(map[string]string{"city": "Paris"})
	call.Result("18 degrees")
	// Output:
	// data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1","protocolVersion":"1.0"}
	//
	// data: {"type":"TOOL_CALL_START","toolCallId":"call_1","toolCallName":"get_weather"}
	//
	// data: {"type":"TOOL_CALL_ARGS","toolCallId":"call_1","delta":"{\"city\":\"Paris\"}"}
	//
	// data: {"type":"TOOL_CALL_END","toolCallId":"call_1"}
	//
	// data: {"type":"TOOL_CALL_RESULT","messageId":"msg_1","toolCallId":"call_1","content":"18 degrees","role":"tool"}
}

func ExampleEmitter_Subagent() {
	em := started()
	defer em.Close(nil)
	sub := em.Subagent("sub_1", "researcher")
	sub.Custom("acme.note", "found it")
	sub.Finish(nil)
	// Output:
	// data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1","protocolVersion":"1.0"}
	//
	// data: {"type":"SUBAGENT_STARTED","subagentRunId":"sub_1","name":"researcher"}
	//
	// data: {"type":"CUSTOM","name":"acme.note","subagentRunId":"sub_1","value":"found it"}
	//
	// data: {"type":"SUBAGENT_FINISHED","subagentRunId":"sub_1"}
}

// Emit writes members that no call has an option for.
func ExampleEmitter_Emit() {
	em := started()
	defer em.Close(nil)
	em.Emit(events.Custom{Name: "acme.progress", Value: events.MustJSON(0.5)})
	// Output:
	// data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1","protocolVersion":"1.0"}
	//
	// data: {"type":"CUSTOM","name":"acme.progress","value":0.5}
}

// A function that fails ends the run's context, and Wait says why.
func ExampleEmitter_Go() {
	em := emitter.New(context.Background(), emitter.ToWriter(io.Discard), emitter.WithLogger(nil))
	defer em.Close(nil)
	em.RunStart("thread_1", "run_1")
	em.Go(func(ctx context.Context) error {
		<-ctx.Done() // work that can be stopped
		return ctx.Err()
	})
	em.Go(func(context.Context) error {
		var weather map[string]string
		weather["Paris"] = "rain"
		return nil
	})
	fmt.Println(em.Wait())
	// Output:
	// emitter: the agent panicked: assignment to entry in nil map
}

// Deltas wait for each other, and any other event takes them along.
func ExampleWithFlushWindow() {
	sink := emitter.ToWriter(printer{})
	em := emitter.New(context.Background(), sink, emitter.WithFlushWindow(time.Second, 0), emitter.WithIDs(ids.Sequence()))
	defer em.Close(nil)
	em.RunStart("thread_1", "run_1")
	msg := em.Text()
	msg.WriteString("Hel")
	msg.WriteString("lo")
	msg.Close()
	em.RunFinish(nil)
	// Output:
	// frames in one write: 1
	// frames in one write: 1
	// frames in one write: 3
	// frames in one write: 1
}

// printer prints how many frames come in one write.
type printer struct{}

func (printer) Write(p []byte) (int, error) {
	fmt.Println("frames in one write:", bytes.Count(p, []byte("\n\n")))
	return len(p), nil
}
