package events

import "testing"

func TestConstructors(t *testing.T) {
	snapshot, err := NewStateSnapshot(map[string]int{"n": 1})
	if err != nil {
		t.Fatal(err)
	}
	custom, err := NewCustom("acme.tick", 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		value wireValue
		want  string
	}{
		{NewRunStarted("t", "r"), `{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}`},
		{NewRunFinished("t", "r"), `{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`},
		{NewRunError("m"), `{"type":"RUN_ERROR","message":"m"}`},
		{NewStepStarted("s"), `{"type":"STEP_STARTED","stepName":"s"}`},
		{NewStepFinished("s"), `{"type":"STEP_FINISHED","stepName":"s"}`},
		{NewTextMessageStart("m"), `{"type":"TEXT_MESSAGE_START","messageId":"m"}`},
		{NewTextMessageContent("m", "d"), `{"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"d"}`},
		{NewTextMessageEnd("m"), `{"type":"TEXT_MESSAGE_END","messageId":"m"}`},
		{NewToolCallStart("c", "n"), `{"type":"TOOL_CALL_START","toolCallId":"c","toolCallName":"n"}`},
		{NewToolCallArgs("c", "d"), `{"type":"TOOL_CALL_ARGS","toolCallId":"c","delta":"d"}`},
		{NewToolCallEnd("c"), `{"type":"TOOL_CALL_END","toolCallId":"c"}`},
		{NewToolCallResult("m", "c", "x"), `{"type":"TOOL_CALL_RESULT","messageId":"m","toolCallId":"c","content":"x"}`},
		{NewReasoningStart("g"), `{"type":"REASONING_START","messageId":"g"}`},
		{NewReasoningMessageStart("g"), `{"type":"REASONING_MESSAGE_START","messageId":"g","role":"reasoning"}`},
		{NewReasoningMessageContent("g", "d"), `{"type":"REASONING_MESSAGE_CONTENT","messageId":"g","delta":"d"}`},
		{NewReasoningMessageEnd("g"), `{"type":"REASONING_MESSAGE_END","messageId":"g"}`},
		{NewReasoningEnd("g"), `{"type":"REASONING_END","messageId":"g"}`},
		{snapshot, `{"type":"STATE_SNAPSHOT","snapshot":{"n":1}}`},
		{NewStateDelta(Remove("/a")), `{"type":"STATE_DELTA","delta":[{"op":"remove","path":"/a"}]}`},
		{custom, `{"type":"CUSTOM","name":"acme.tick","value":1}`},
		{
			NewMessagesSnapshot(
				NewDeveloperMessage("1", "d"), NewSystemMessage("2", "s"), NewUserMessage("3", "u"),
				NewAssistantMessage("4", "a"), NewToolMessage("5", "c", "t"), NewReasoningMessage("6", "r"),
			),
			`{"type":"MESSAGES_SNAPSHOT","messages":[{"id":"1","role":"developer","content":"d"},{"id":"2","role":"system","content":"s"},` +
				`{"id":"3","role":"user","content":"u"},{"id":"4","role":"assistant","content":"a"},` +
				`{"id":"5","role":"tool","toolCallId":"c","content":"t"},{"id":"6","role":"reasoning","content":"r"}]}`,
		},
		{NewToolCall("c", "n", "{}"), `{"id":"c","type":"function","function":{"name":"n","arguments":"{}"}}`},
	} {
		if got := string(encode(t, c.value)); got != c.want {
			t.Errorf("%T\n got %s\nwant %s", c.value, got, c.want)
		}
	}
	if ev, err := NewStateSnapshot(make(chan int)); err == nil {
		t.Errorf("got %v, want an error", ev)
	}
	if ev, err := NewCustom("n", make(chan int)); err == nil {
		t.Errorf("got %v, want an error", ev)
	}
}
