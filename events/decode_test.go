package events

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
)

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, pointer, reason string }{
		{"required absent", `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m"}`, "/delta", "is required"},
		{"required null", `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":null}`, "/delta", "want a string, got null"},
		{"wrong case", `{"type":"TEXT_MESSAGE_END","messageID":"m"}`, "/messageId", "is required"},
		{"wrong type", `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":42}`, "/delta", "want a string, got a number"},
		{"optional null", `{"type":"TEXT_MESSAGE_END","messageId":"m","subagentRunId":null}`, "/subagentRunId", "want a string, got null: leave the member out"},
		{"null parent", `{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"t","parentMessageId":null}`, "/parentMessageId", "want a string, got null: leave the member out"},
		{"null raw event", `{"type":"TEXT_MESSAGE_END","messageId":"m","rawEvent":null}`, "/rawEvent", "may not be null: leave the member out"},
		{"null result", `{"type":"RUN_FINISHED","threadId":"t","runId":"r","result":null}`, "/result", "may not be null: leave the member out"},
		{"null outcome", `{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":null}`, "/outcome", "want an object, got null: leave the member out"},
		{"outcome array", `{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":[]}`, "/outcome", "want an object, got an array"},
		{"null interrupts", `{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":null}}`, "/outcome/interrupts", "want an array, got null"},
		{"interrupt without reason", `{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i"}]}}`, "/outcome/interrupts/0/reason", "is required"},
		{"boolean response schema", `{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[{"id":"i","reason":"r","responseSchema":true}]}}`, "/outcome/interrupts/0/responseSchema", "want an object, got a boolean"},
		{"pending ids", `{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"success","pendingToolCallIds":["a",1]}}`, "/outcome/pendingToolCallIds/1", "want a string, got a number"},
		{"text role", `{"type":"TEXT_MESSAGE_START","messageId":"m","role":"tool"}`, "/role", `want "developer", "system", "assistant" or "user", got "tool"`},
		{"empty role", `{"type":"TEXT_MESSAGE_START","messageId":"m","role":""}`, "/role", `want "developer", "system", "assistant" or "user", got ""`},
		{"reasoning role absent", `{"type":"REASONING_MESSAGE_START","messageId":"m"}`, "/role", "is required"},
		{"reasoning role", `{"type":"REASONING_MESSAGE_START","messageId":"m","role":"assistant"}`, "/role", `want "reasoning", got "assistant"`},
		{"result role", `{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"","role":"user"}`, "/role", `want "tool", got "user"`},
		{"subtype", `{"type":"REASONING_ENCRYPTED_VALUE","subtype":"span","entityId":"e","encryptedValue":"v"}`, "/subtype", `want "tool-call" or "message", got "span"`},
		{"metadata array", `{"type":"RUN_ERROR","message":"m","metadata":[]}`, "/metadata", "want an object, got an array"},
		{"metadata null", `{"type":"RUN_ERROR","message":"m","metadata":null}`, "/metadata", "want an object, got null: leave the member out"},
		{"fraction", `{"type":"RUN_ERROR","message":"m","timestamp":1.5}`, "/timestamp", "want an integer from -9007199254740991 to 9007199254740991, got 1.5"},
		{"unsafe integer", `{"type":"RUN_ERROR","message":"m","timestamp":9007199254740992}`, "/timestamp", "want an integer from -9007199254740991 to 9007199254740991, got 9007199254740992"},
		{"infinity", `{"type":"RUN_ERROR","message":"m","timestamp":1e999}`, "/timestamp", "want an integer from -9007199254740991 to 9007199254740991, got 1e999"},
		{"timestamp string", `{"type":"RUN_ERROR","message":"m","timestamp":"1"}`, "/timestamp", "want an integer, got a string"},
		{"negative count", `{"type":"RUN_ERROR","message":"m","usage":[{},{"inputTokens":-1}]}`, "/usage/1/inputTokens", "want an integer from 0 to 9007199254740991, got -1"},
		{"usage null", `{"type":"RUN_ERROR","message":"m","usage":null}`, "/usage", "want an array, got null: leave the member out"},
		{"usage element", `{"type":"RUN_ERROR","message":"m","usage":[null]}`, "/usage/0", "want an object, got null"},
		{"activity content absent", `{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"t"}`, "/content", "is required"},
		{"activity content array", `{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"t","content":[]}`, "/content", "want an object, got an array"},
		{"replace", `{"type":"ACTIVITY_SNAPSHOT","messageId":"m","activityType":"t","content":{},"replace":1}`, "/replace", "want a boolean, got a number"},
		{"snapshot absent", `{"type":"STATE_SNAPSHOT"}`, "/snapshot", "is required"},
		{"event absent", `{"type":"RAW"}`, "/event", "is required"},
		{"value absent", `{"type":"CUSTOM","name":"n"}`, "/value", "is required"},
		{"patch object", `{"type":"STATE_DELTA","delta":{}}`, "/delta", "want an array, got an object"},
		{"patch element", `{"type":"STATE_DELTA","delta":["add"]}`, "/delta/0", "want an object, got a string"},
		{"add without value", `{"type":"STATE_DELTA","delta":[{"op":"add","path":"/a"}]}`, "/delta/0/value", "is required"},
		{"move without from", `{"type":"STATE_DELTA","delta":[{"op":"move","path":"/a"}]}`, "/delta/0/from", "is required"},
		{"pointer without slash", `{"type":"STATE_DELTA","delta":[{"op":"remove","path":"a"}]}`, "/delta/0/path", `want a JSON Pointer, empty or beginning with a slash, got "a"`},
		{"tilde at the end", `{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a~"}]}`, "/delta/0/path", `want a JSON Pointer, in which ~ is written ~0 and / is written ~1, got "/a~"`},
		{"bad from", `{"type":"STATE_DELTA","delta":[{"op":"copy","path":"/a","from":"/~2"}]}`, "/delta/0/from", `want a JSON Pointer, in which ~ is written ~0 and / is written ~1, got "/~2"`},
		{"message without id", `{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"user","content":""}]}`, "/messages/0/id", "is required"},
		{"message element", `{"type":"MESSAGES_SNAPSHOT","messages":[[]]}`, "/messages/0", "want an object, got an array"},
		{"message tag null", `{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"user","id":"m","content":"","subagentRunId":null}]}`, "/messages/0/subagentRunId", "want a string, got null: leave the member out"},
		{"assistant content null", `{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"assistant","id":"m","content":null}]}`, "/messages/0/content", "want a string, got null: leave the member out"},
		{"call type", `{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"assistant","id":"m","toolCalls":[{"id":"c","type":"tool","function":{"name":"n","arguments":""}}]}]}`, "/messages/0/toolCalls/0/type", `want "function", got "tool"`},
		{"call arguments", `{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"assistant","id":"m","toolCalls":[{"id":"c","type":"function","function":{"name":"n","arguments":{}}}]}]}`, "/messages/0/toolCalls/0/function/arguments", "want a string, got an object"},
		{"user content", `{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"user","id":"m","content":{}}]}`, "/messages/0/content", "want a string or an array of parts, got an object"},
		{"part element", `{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":["x"]}`, "/content/0", "want an object, got a string"},
		{"part text", `{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"text"}]}`, "/content/0/text", "is required"},
		{"part source", `{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"image","source":"u"}]}`, "/content/0/source", "want an object, got a string"},
		{"part metadata", `{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"text","text":"","metadata":null}]}`, "/content/0/metadata", "may not be null: leave the member out"},
		{"data source type", `{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"image","source":{"type":"data","value":""}}]}`, "/content/0/source/mimeType", "is required"},
		{"input without messages", `{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r"}}`, "/input/messages", "is required"},
		{"input forwarded props null", `{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"forwardedProps":null}}`, "/input/forwardedProps", "may not be null: leave the member out"},
		{"input tools null", `{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"tools":null}}`, "/input/tools", "want an array, got null: leave the member out"},
		{"subagent name", `{"type":"SUBAGENT_STARTED","subagentRunId":"s"}`, "/name", "is required"},
		{"suspended ids", `{"type":"SUBAGENT_FINISHED","subagentRunId":"s","outcome":{"type":"suspended","interruptIds":"i"}}`, "/outcome/interruptIds", "want an array, got a string"},
		{"last duplicate counts", `{"type":"TEXT_MESSAGE_END","messageId":"m","messageId":1}`, "/messageId", "want a string, got a number"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Decode([]byte(c.text))
			var fe *FieldError
			if !errors.As(err, &fe) {
				t.Fatalf("got %v, want a *FieldError", err)
			}
			if fe.Pointer != c.pointer {
				t.Errorf("pointer\n got %s\nwant %s", fe.Pointer, c.pointer)
			}
			if fe.Reason != c.reason {
				t.Errorf("reason\n got %s\nwant %s", fe.Reason, c.reason)
			}
			var head struct{ Type Type }
			if json.Unmarshal([]byte(c.text), &head); fe.Type != head.Type {
				t.Errorf("type\n got %s\nwant %s", fe.Type, head.Type)
			}
			if want := "events: " + string(fe.Type) + ": " + c.pointer + ": " + c.reason; err.Error() != want {
				t.Errorf("text\n got %s\nwant %s", err, want)
			}
		})
	}
}

func TestDecodeAccepts(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       Event
	}{
		{"white space", " { \"type\" : \"TEXT_MESSAGE_END\" ,\n\t\"messageId\" : \"m\" } ", NewTextMessageEnd("m")},
		{"escaped names and values", `{"ty\u0070e":"TEXT_MESSAGE_CONTENT","messageId":"\u006d","delta":"\ud83d\ude00\"\\\/\b\f\n\r\t"}`, NewTextMessageContent("m", "😀\"\\/\b\f\n\r\t")},
		{"lone surrogates", `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"a\ud800b\udc00\ud800\u0041\ud800"}`, NewTextMessageContent("m", "a\ufffdb\ufffd\ufffdA\ufffd")},
		{"invalid UTF-8", "{\"type\":\"TEXT_MESSAGE_CONTENT\",\"messageId\":\"m\",\"delta\":\"a\xff\xe4\xb8b\"}", NewTextMessageContent("m", "a\ufffd\ufffd\ufffdb")},
		{"integral numbers", `{"type":"RUN_ERROR","message":"m","timestamp":-5.0,"usage":[{"inputTokens":1e3,"outputTokens":-0}]}`,
			&RunError{Base: Base{Timestamp: Some[int64](-5)}, Message: "m", Usage: []TokenUsage{{InputTokens: Some[int64](1000), OutputTokens: Some[int64](0)}}}},
		{"null in free members", `{"type":"CUSTOM","name":"n","value":null,"metadata":{"a":null}}`, &Custom{Base: Base{Metadata: MustJSON(map[string]any{"a": nil})}, Name: "n", Value: MustJSON(nil)}},
		{"big integers", `{"type":"STATE_SNAPSHOT","snapshot":[12345678901234567890, 1.0]}`, &StateSnapshot{Snapshot: JSON{text: `[12345678901234567890,1.0]`}}},
		{"last duplicate counts", `{"type":"TEXT_MESSAGE_END","messageId":1,"messageId":"m"}`, NewTextMessageEnd("m")},
		{"empty ids", `{"type":"TEXT_MESSAGE_END","messageId":"","subagentRunId":""}`, &TextMessageEnd{SubagentRunID: Some("")}},
		{"interrupt without interrupts", `{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt"}}`, &RunFinished{ThreadID: "t", RunID: "r", Outcome: &RunInterrupted{}}},
		{"interrupt with none", `{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"interrupt","interrupts":[]}}`, &RunFinished{ThreadID: "t", RunID: "r", Outcome: &RunInterrupted{Interrupts: []Interrupt{}}}},
		{"unknown outcome", `{"type":"RUN_FINISHED","threadId":"t","runId":"r","outcome":{"type":"paused","x":1}}`, &RunFinished{ThreadID: "t", RunID: "r", Outcome: &UnknownOutcome{Type: "paused", JSON: JSON{text: `{"type":"paused","x":1}`}}}},
		{"untyped outcome", `{"type":"SUBAGENT_FINISHED","subagentRunId":"s","outcome":{"type":5}}`, &SubagentFinished{SubagentRunID: "s", Outcome: &UnknownOutcome{JSON: JSON{text: `{"type":5}`}}}},
		{"unknown role", `{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"critic","id":"m","subagentRunId":"s","metadata":{},"content":5}]}`, NewMessagesSnapshot(&UnknownMessage{
			MessageBase: MessageBase{ID: "m", SubagentRunID: Some("s"), Metadata: JSON{text: "{}"}}, Role: "critic",
			JSON: JSON{text: `{"role":"critic","id":"m","subagentRunId":"s","metadata":{},"content":5}`},
		})},
		{"unknown role, bad members", `{"type":"MESSAGES_SNAPSHOT","messages":[{"id":5,"subagentRunId":null,"metadata":[]}]}`, NewMessagesSnapshot(&UnknownMessage{
			JSON: JSON{text: `{"id":5,"subagentRunId":null,"metadata":[]}`},
		})},
		{"unknown part", `{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"smell","id":5}]}`, &ToolCallResult{MessageID: "m", ToolCallID: "c", Content: Parts(&UnknownPart{Type: "smell", JSON: JSON{text: `{"type":"smell","id":5}`}})}},
		{"unknown source", `{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"image","source":{"type":"blob"}}]}`, &ToolCallResult{MessageID: "m", ToolCallID: "c", Content: Parts(&MediaPart{Type: Image, Source: &UnknownSource{Type: "blob", JSON: JSON{text: `{"type":"blob"}`}}})}},
		{"unknown source, bad members", `{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":[{"type":"image","id":5,"source":{"type":"blob"}}]}`, &ToolCallResult{MessageID: "m", ToolCallID: "c", Content: Parts(&UnknownPart{Type: "image", JSON: JSON{text: `{"type":"image","id":5,"source":{"type":"blob"}}`}})}},
		{"unknown op", `{"type":"STATE_DELTA","delta":[{"op":"merge","path":5},{}]}`, &StateDelta{Delta: Patch{{Op: "merge", opaque: JSON{text: `{"op":"merge","path":5}`}}, {opaque: JSON{text: "{}"}}}}},
		{"open op", `{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a","value":null,"from":5}]}`, &StateDelta{Delta: Patch{{Op: OpRemove, Path: "/a", Value: MustJSON(nil), extra: JSON{text: `{"from":5}`}}}}},
		{"input state null", `{"type":"RUN_STARTED","threadId":"t","runId":"r","input":{"threadId":"t","runId":"r","messages":[],"state":null}}`, &RunStarted{ThreadID: "t", RunID: "r", Input: &RunAgentInput{ThreadID: "t", RunID: "r", Messages: []Message{}}}},
		{"retired event", `{"type":"THINKING_START","title":"t"}`, &Unknown{Name: "THINKING_START", JSON: JSON{text: `{"type":"THINKING_START","title":"t"}`}}},
		{"case of types", `{"type":"run_error"}`, &Unknown{Name: "run_error", JSON: JSON{text: `{"type":"run_error"}`}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Decode([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("\n got %#v\nwant %#v", got, c.want)
			}
			if err := Check(got); err != nil {
				t.Errorf("Check disagrees: %v", err)
			}
			text := encode(t, got)
			again, err := Decode(text)
			if err != nil {
				t.Fatal(err)
			}
			if second := encode(t, again); string(second) != string(text) {
				t.Errorf("not stable\n got %s\nwant %s", second, text)
			}
		})
	}
}

func TestDecodeNoEvent(t *testing.T) {
	const noType = `want an event, an object whose "type" is a non-empty string`
	for _, c := range []struct {
		text   string
		offset bool // whether the error says where
		reason string
	}{
		{``, false, "not JSON"},
		{`{"type":"RUN_ERROR",}`, true, "not JSON"},
		{`[DONE]`, true, "not JSON"},
		{`{"type":"RUN_ERROR","message":"m"} {}`, true, "not JSON"},
		{strings.Repeat("[", 20000) + strings.Repeat("]", 20000), true, "not JSON"},
		{`[]`, false, "want an event, an object, got an array"},
		{`null`, false, "want an event, an object, got null"},
		{`{}`, false, noType},
		{`{"type":""}`, false, noType},
		{`{"type":5}`, false, noType},
		{`{"Type":"RUN_ERROR"}`, false, noType},
	} {
		_, err := Decode([]byte(c.text))
		var se *SyntaxError
		if !errors.As(err, &se) {
			t.Errorf("%.40s: got %v, want a *SyntaxError", c.text, err)
			continue
		}
		if got := se.Offset > 0; got != c.offset {
			t.Errorf("%.40s: says where\n got %t\nwant %t", c.text, got, c.offset)
		}
		if got := strings.Contains(err.Error(), "(at byte "); got != c.offset {
			t.Errorf("%.40s: got %v", c.text, err)
		}
		if !strings.HasPrefix(se.Reason, c.reason) {
			t.Errorf("%.40s: reason\n got %s\nwant %s…", c.text, se.Reason, c.reason)
		}
	}
}

// A request may hold what clients older than 1.0 send; the same text inside an event may not.
func TestDecodeInputOfOldClients(t *testing.T) {
	const text = `{"threadId":"t","runId":"r","state":null,"forwardedProps":null,
		"tools":[{"name":"n","description":"d","parameters":null}],"context":[],
		"resume":[{"interruptId":"i","status":"resolved","payload":null}],
		"messages":[{"id":"m","role":"user","parentMessageId":null,"content":[
			{"type":"text","text":"x","metadata":null},
			{"type":"image","metadata":null,"source":{"type":"url","value":"u"}},
			{"type":"binary","mimeType":"image/png","id":null,"url":null,"data":"aGk=","filename":"i.png"}]}]}`
	got, err := DecodeInput([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	want := &RunAgentInput{
		ThreadID: "t", RunID: "r", Tools: []Tool{{Name: "n", Description: "d"}}, Context: []Context{},
		Resume: []ResumeEntry{{InterruptID: "i", Status: ResumeResolved}},
		Messages: []Message{&UserMessage{
			MessageBase: MessageBase{ID: "m"},
			Content: Parts(
				&TextPart{Text: "x"},
				&MediaPart{Type: Image, Source: &URLSource{Value: "u"}},
				&BinaryPart{MimeType: "image/png", Data: Some("aGk="), Filename: Some("i.png")},
			),
			extra: JSON{text: `{"parentMessageId":null}`},
		}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %#v\nwant %#v", got, want)
	}
	if _, err := Decode([]byte(`{"type":"RUN_STARTED","threadId":"t","runId":"r","input":` + text + `}`)); err == nil {
		t.Error("an event with this input was accepted")
	}
}

func TestDecodeInputRefuses(t *testing.T) {
	for _, c := range []struct{ name, text, pointer string }{
		{"array", `[]`, ""},
		{"no messages", `{"threadId":"t","runId":"r"}`, "/messages"},
		{"null run id", `{"threadId":"t","runId":null,"messages":[]}`, "/runId"},
		{"null tools", `{"threadId":"t","runId":"r","messages":[],"tools":null}`, "/tools"},
		{"null metadata", `{"threadId":"t","runId":"r","messages":[],"tools":[{"name":"n","description":"d","metadata":null}]}`, "/tools/0/metadata"},
		{"resume status", `{"threadId":"t","runId":"r","messages":[],"resume":[{"interruptId":"i","status":"refused"}]}`, "/resume/0/status"},
		{"binary without type", `{"threadId":"t","runId":"r","messages":[{"id":"m","role":"user","content":[{"type":"binary"}]}]}`, "/messages/0/content/0/mimeType"},
	} {
		_, err := DecodeInput([]byte(c.text))
		if fe, ok := errors.AsType[*FieldError](err); !ok {
			t.Errorf("%s: got %v, want a *FieldError", c.name, err)
		} else if fe.Pointer != c.pointer {
			t.Errorf("%s: pointer\n got %s\nwant %s", c.name, fe.Pointer, c.pointer)
		}
	}
	var se *SyntaxError
	if _, err := DecodeInput([]byte(`{`)); !errors.As(err, &se) {
		t.Errorf("got %v, want a *SyntaxError", err)
	}
}

func TestDecodeMessages(t *testing.T) {
	text, err := json.Marshal(fullMessages())
	if err != nil {
		t.Fatal(err)
	}
	got, err := DecodeMessages(text)
	if err != nil {
		t.Fatal(err)
	}
	if want := fullMessages(); !reflect.DeepEqual(got, want) {
		t.Errorf("\n got %v\nwant %v", got, want)
	}
	one, err := DecodeMessage([]byte(` {"id":"m","role":"user","content":"hi"} `))
	if err != nil {
		t.Fatal(err)
	}
	if want := NewUserMessage("m", "hi"); !reflect.DeepEqual(one, Message(want)) {
		t.Errorf("\n got %v\nwant %v", one, want)
	}
	for _, bad := range []string{``, `{}`, `[5]`, `[{"role":"user"}]`} {
		if got, err := DecodeMessages([]byte(bad)); err == nil {
			t.Errorf("%q: got %v, want an error", bad, got)
		}
	}
	for _, bad := range []string{``, `[]`, `{"role":"user"}`} {
		if got, err := DecodeMessage([]byte(bad)); err == nil || got != nil {
			t.Errorf("%q: got %v, %v, want nil and an error", bad, got, err)
		}
	}
}

func TestUnmarshalIntoTheWrongType(t *testing.T) {
	var end TextMessageEnd
	err := json.Unmarshal([]byte(`{"type":"TEXT_MESSAGE_START","messageId":"m"}`), &end)
	if want := `events: TEXT_MESSAGE_END: /type: want "TEXT_MESSAGE_END", got "TEXT_MESSAGE_START"`; err == nil || err.Error() != want {
		t.Errorf("\n got %v\nwant %s", err, want)
	}
}

// Reading into a used value leaves nothing of it behind; a failed read leaves all of it.
func TestUnmarshalReplaces(t *testing.T) {
	e := TextMessageStart{MessageID: "old", Name: Some("old")}
	if err := json.Unmarshal([]byte(`{"type":"TEXT_MESSAGE_START","messageId":5}`), &e); err == nil {
		t.Fatal("got no error")
	}
	if want := (TextMessageStart{MessageID: "old", Name: Some("old")}); e != want {
		t.Errorf("after a failure\n got %v\nwant %v", e, want)
	}
	if err := json.Unmarshal([]byte(`{"type":"TEXT_MESSAGE_START","messageId":"new"}`), &e); err != nil {
		t.Fatal(err)
	}
	if want := (TextMessageStart{MessageID: "new"}); e != want {
		t.Errorf("\n got %v\nwant %v", e, want)
	}
}
