package main

import (
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"github.com/agui-go/agui/emitter/emittertest"
	"github.com/agui-go/agui/events"
)

// untraced is the tracer of tests that do not look at spans.
func untraced() trace.Tracer { return noop.NewTracerProvider().Tracer("") }

// saying returns the request of a thread in which the user says one thing.
func saying(text string) *events.RunAgentInput {
	return &events.RunAgentInput{
		ThreadID: "t",
		RunID:    "r",
		Messages: []events.Message{&events.UserMessage{
			MessageBase: events.MessageBase{ID: "u"},
			Content:     events.Text(text),
		}},
	}
}

// TestModes holds each mode to its bytes. The modes that write from several goroutines have tests of
// their own, and so has the one that breaks a rule.
func TestModes(t *testing.T) {
	tests := []struct {
		name string
		say  string
		want string
	}{
		{"a text is echoed in tokens", "Hello, echo!", `
			{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}
			{"type":"TEXT_MESSAGE_START","messageId":"msg_1"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"Hello, echo!"}
			{"type":"TEXT_MESSAGE_END","messageId":"msg_1"}
			{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`},
		{"silence is answered", " \n", `
			{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}
			{"type":"TEXT_MESSAGE_START","messageId":"msg_1"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"Say something, and I say it too."}
			{"type":"TEXT_MESSAGE_END","messageId":"msg_1"}
			{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`},
		{"think", " Think ", `
			{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}
			{"type":"REASONING_START","messageId":"reason_1"}
			{"type":"REASONING_MESSAGE_START","messageId":"reason_1","role":"reasoning"}
			{"type":"REASONING_MESSAGE_CONTENT","messageId":"reason_1","delta":"What comes back from a wall? An echo."}
			{"type":"REASONING_MESSAGE_END","messageId":"reason_1"}
			{"type":"REASONING_END","messageId":"reason_1"}
			{"type":"TEXT_MESSAGE_START","messageId":"msg_1"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"I have thought about it."}
			{"type":"TEXT_MESSAGE_END","messageId":"msg_1"}
			{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`},
		{"step", "step", `
			{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}
			{"type":"STEP_STARTED","stepName":"plan"}
			{"type":"TEXT_MESSAGE_START","messageId":"msg_1"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"First I plan."}
			{"type":"TEXT_MESSAGE_END","messageId":"msg_1"}
			{"type":"STEP_FINISHED","stepName":"plan"}
			{"type":"STEP_STARTED","stepName":"write"}
			{"type":"TEXT_MESSAGE_START","messageId":"msg_2"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_2","delta":"Then I write."}
			{"type":"TEXT_MESSAGE_END","messageId":"msg_2"}
			{"type":"STEP_FINISHED","stepName":"write"}
			{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`},
		{"state", "state", `
			{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}
			{"type":"STATE_SNAPSHOT","snapshot":{"log":[],"progress":0}}
			{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/progress","value":1},{"op":"add","path":"/log/-","value":"part 1"}]}
			{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/progress","value":2},{"op":"add","path":"/log/-","value":"part 2"}]}
			{"type":"STATE_DELTA","delta":[{"op":"replace","path":"/progress","value":3},{"op":"add","path":"/log/-","value":"part 3"}]}
			{"type":"TEXT_MESSAGE_START","messageId":"msg_1"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"The state is yours now."}
			{"type":"TEXT_MESSAGE_END","messageId":"msg_1"}
			{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`},
		{"ask", "ask", `
			{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}
			{"type":"TOOL_CALL_START","toolCallId":"call_1","toolCallName":"send_mail"}
			{"type":"TOOL_CALL_ARGS","toolCallId":"call_1","delta":"{\"to\":\"echo@example.com\",\"text\":\"Hello\"}"}
			{"type":"TOOL_CALL_END","toolCallId":"call_1"}
			{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"call_1","reason":"tool_call","message":"May I send this mail?","toolCallId":"call_1","responseSchema":{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}}]}}`},
		{"panic", "panic", `
			{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}
			{"type":"TEXT_MESSAGE_START","messageId":"msg_1"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"I do not feel so "}
			{"type":"RUN_ERROR","message":"The agent failed unexpectedly.","code":"panic"}`},
		{"fail", "fail", `
			{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}
			{"type":"TEXT_MESSAGE_START","messageId":"msg_1"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"I will try."}
			{"type":"TEXT_MESSAGE_END","messageId":"msg_1"}
			{"type":"RUN_ERROR","message":"The agent failed.","code":"agent_error"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			resp := emittertest.Post(t, newServer(untraced()), saying(tt.say), emittertest.WithPath("/agent"))
			resp.AssertValid()
			checkWire(t, resp.Bytes(), tt.want)
		})
	}
}

// TestTokens checks that an echo is a stream and not one piece.
func TestTokens(t *testing.T) {
	resp := emittertest.Post(t, newServer(untraced()), saying("one two three"), emittertest.WithPath("/agent"))
	var got []string
	for _, ev := range resp.Events() {
		if content, ok := ev.(*events.TextMessageContent); ok {
			got = append(got, content.Delta)
		}
	}
	want := []string{"one ", "two ", "three"}
	if !slices.Equal(got, want) {
		t.Errorf("deltas\n got: %q\nwant: %q", got, want)
	}
}

// record runs the agent by itself, in virtual time, and returns what it wrote.
func record(t *testing.T, in *events.RunAgentInput) (rec *emittertest.Recorder) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		rec = emittertest.New(t, emittertest.WithInput(in))
		if err := run(rec.Context(), in, rec.Emitter); err != nil {
			t.Errorf("run: %v", err)
		}
		if err := rec.RunFinish(nil); err != nil {
			t.Errorf("RunFinish: %v", err)
		}
	})
	rec.AssertValid(in.Messages...)
	return rec
}

func TestToolRunsTwoCallsAtOnce(t *testing.T) {
	var open, most int // calls without a result, and the most of them at a time
	parents := map[string]bool{}
	for _, ev := range record(t, saying("tool")).Events() {
		switch e := ev.(type) {
		case *events.ToolCallStart:
			open++
			most = max(most, open)
			parents[e.ParentMessageID.Or("")] = true
		case *events.ToolCallResult:
			open--
		}
	}
	if most != 2 {
		t.Errorf("calls at a time\n got: %d\nwant: 2", most)
	}
	if len(parents) != 1 || parents[""] {
		t.Errorf("parents of the calls\n got: %v\nwant: one message for all", parents)
	}
	if open != 0 {
		t.Errorf("calls without a result\n got: %d\nwant: 0", open)
	}
}

func TestToolResults(t *testing.T) {
	got := map[string]string{} // by city
	args := map[string]string{}
	for _, ev := range record(t, saying("tool")).Events() {
		switch e := ev.(type) {
		case *events.ToolCallArgs:
			args[e.ToolCallID] += e.Delta
		case *events.ToolCallResult:
			got[args[e.ToolCallID]] = e.Content.String()
		}
	}
	want := map[string]string{
		`{"city":"Paris"}`: `{"celsius":15,"city":"Paris"}`,
		`{"city":"Oslo"}`:  `{"celsius":12,"city":"Oslo"}`,
		`{"city":"Rome"}`:  `{"celsius":12,"city":"Rome"}`,
	}
	if !maps.Equal(got, want) {
		t.Errorf("results by arguments\n got: %q\nwant: %q", got, want)
	}
}

func TestSubagentsAnswerAtOnce(t *testing.T) {
	name := map[string]string{} // by id
	said := map[string]string{} // by name; the parent agent has none
	var finished []string
	var most int
	for _, ev := range record(t, saying("subagent")).Events() {
		switch e := ev.(type) {
		case *events.SubagentStarted:
			name[e.SubagentRunID] = e.Name
			most = max(most, len(name)-len(finished))
		case *events.TextMessageContent:
			said[name[e.SubagentRunID.Or("")]] += e.Delta
		case *events.SubagentFinished:
			finished = append(finished, name[e.SubagentRunID])
		}
	}
	want := map[string]string{
		"historian": "Echo was a nymph.",
		"physicist": "An echo is a wave.",
		"":          "Both have answered.",
	}
	if !maps.Equal(said, want) {
		t.Errorf("what each said\n got: %q\nwant: %q", said, want)
	}
	if most != 2 {
		t.Errorf("subagents at a time\n got: %d\nwant: 2", most)
	}
	slices.Sort(finished)
	if want := []string{"historian", "physicist"}; !slices.Equal(finished, want) {
		t.Errorf("finished\n got: %q\nwant: %q", finished, want)
	}
}

func TestSlowTakesAMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := time.Now()
		rec := emittertest.New(t)
		if err := run(rec.Context(), saying("slow"), rec.Emitter); err != nil {
			t.Fatal(err)
		}
		if got, want := time.Since(begin), time.Minute; got != want {
			t.Errorf("time\n got: %v\nwant: %v", got, want)
		}
		if got, want := strings.Count(string(rec.Bytes()), "TEXT_MESSAGE_CONTENT"), 600; got != want {
			t.Errorf("tokens\n got: %d\nwant: %d", got, want)
		}
	})
}

// TestSlowEndsWithItsClient leaves in the middle of a stream: the agent must not go on for a minute.
func TestSlowEndsWithItsClient(t *testing.T) {
	spans, tracer := recordSpans()
	server := httptest.NewServer(newServer(tracer))
	defer server.Close()
	ctx, leave := context.WithCancel(t.Context())
	defer leave()

	resp := post(ctx, t, server.URL+"/agent", saying("slow"))
	defer resp.Body.Close()
	if _, err := resp.Body.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if ended := len(spans.Ended()); ended != 0 {
		t.Fatalf("requests that ended before the client left\n got: %d\nwant: 0", ended)
	}
	left := time.Now()
	leave()
	for len(spans.Ended()) == 0 {
		if time.Since(left) > 5*time.Second {
			t.Fatal("the agent still runs 5 s after its client left")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// post sends a request and returns the response, whose body is the stream.
func post(ctx context.Context, t *testing.T, url string, in *events.RunAgentInput) *http.Response {
	t.Helper()
	body, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(string(body)))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("status\n got: %s\nwant: 200 OK", resp.Status)
	}
	return resp
}

func TestTextOf(t *testing.T) {
	image := &events.MediaPart{Type: events.Image, Source: &events.URLSource{Value: "https://example.com/a.png"}}
	oldImage := &events.BinaryPart{MimeType: "image/png", Data: events.Some("AAAA")}
	oldHandle := &events.BinaryPart{MimeType: "image/png", ID: events.Some("file-1")}
	tests := []struct {
		name    string
		content events.Content
		want    string
	}{
		{"a string", events.Text("hi"), "hi"},
		{"text parts", events.Parts(&events.TextPart{Text: "one"}, &events.TextPart{Text: "two"}), "one two"},
		{"an image", events.Parts(&events.TextPart{Text: "see"}, image), "see [image]"},
		{"an image of an old client", events.Parts(oldImage), "[image]"},
		{"a handle of an old client", events.Parts(oldHandle), "[binary]"},
		{"no parts", events.Parts(), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := textOf(tt.content); got != tt.want {
				t.Errorf("\n got: %q\nwant: %q", got, tt.want)
			}
		})
	}
}
