package events_test

import (
	"errors"
	"fmt"

	"github.com/agui-go/agui/events"
)

func Example() {
	ev := events.NewTextMessageContent("msg-1", "Hello, <world>\n")
	line, err := ev.AppendJSON([]byte("data: "))
	fmt.Println(string(line), err)
	// Output:
	// data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg-1","delta":"Hello, <world>\n"} <nil>
}

func ExampleDecode() {
	ev, err := events.Decode([]byte(`{"type":"TOOL_CALL_START","toolCallId":"c1","toolCallName":"search"}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	switch e := ev.(type) {
	case *events.ToolCallStart:
		fmt.Println(e.ToolCallName, e.ParentMessageID.Or("(no parent)"))
	}
	// Output:
	// search (no parent)
}

func ExampleFieldError() {
	_, err := events.Decode([]byte(`{"type":"STATE_DELTA","delta":[{"op":"replace","path":"count"}]}`))
	if fe, ok := errors.AsType[*events.FieldError](err); ok {
		fmt.Println(fe.Type, fe.Pointer)
		fmt.Println(err)
	}
	// Output:
	// STATE_DELTA /delta/0/path
	// events: STATE_DELTA: /delta/0/path: want a JSON Pointer, empty or beginning with a slash, got "count"
}

func ExampleNewStateDelta() {
	ev := events.NewStateDelta(
		events.Replace("/step", 2),
		events.Add("/todo/-", map[string]string{"text": "buy milk"}),
		events.Remove("/draft"),
	)
	line, err := ev.AppendJSON(nil)
	fmt.Println(string(line), err)
	// Output:
	// {"type":"STATE_DELTA","delta":[{"op":"replace","path":"/step","value":2},{"op":"add","path":"/todo/-","value":{"text":"buy milk"}},{"op":"remove","path":"/draft"}]} <nil>
}

func ExampleParts() {
	m := events.NewUserMessage("m1", "")
	m.Content = events.Parts(
		events.TextPart{Text: "What is this?"},
		events.MediaPart{Type: events.Image, Source: events.URLSource{Value: "https://example.org/cat.png"}},
	)
	line, err := m.AppendJSON(nil)
	fmt.Println(string(line), err)
	fmt.Println(m.Content)
	// Output:
	// {"id":"m1","role":"user","content":[{"type":"text","text":"What is this?"},{"type":"image","source":{"type":"url","value":"https://example.org/cat.png"}}]} <nil>
	// What is this?
}
