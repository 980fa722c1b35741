package events

import "testing"

func TestLastUserMessage(t *testing.T) {
	user := UserMessage{MessageBase: MessageBase{ID: "u1"}, Content: Text("one")}
	for name, tt := range map[string]struct {
		messages []Message
		want     string
	}{
		"none":           {nil, ""},
		"no user":        {[]Message{NewAssistantMessage("a1", "x"), nil, (*UserMessage)(nil)}, ""},
		"a value":        {[]Message{user}, "u1"},
		"a pointer":      {[]Message{&user}, "u1"},
		"the last":       {[]Message{user, NewUserMessage("u2", "two")}, "u2"},
		"others follow":  {[]Message{NewUserMessage("u2", "two"), NewAssistantMessage("a1", "x")}, "u2"},
		"unknown follow": {[]Message{user, UnknownMessage{Role: "x"}}, "u1"},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok := (&RunAgentInput{Messages: tt.messages}).LastUserMessage()
			if ok != (tt.want != "") || ok && got.ID != tt.want {
				t.Errorf("got %+v, %v\nwant %q", got, ok, tt.want)
			}
		})
	}
}

func TestInputToolCall(t *testing.T) {
	in := &RunAgentInput{Messages: []Message{
		AssistantMessage{ToolCalls: []ToolCall{NewToolCall("c1", "a", "{}"), NewToolCall("c2", "b", "{}")}},
		NewUserMessage("u1", "x"),
		&AssistantMessage{ToolCalls: []ToolCall{NewToolCall("c3", "c", "{}")}},
		nil,
	}}
	for id, want := range map[string]string{"c1": "a", "c2": "b", "c3": "c"} {
		if got, ok := in.ToolCall(id); !ok || got.Function.Name != want {
			t.Errorf("ToolCall(%q)\n got %+v, %v\nwant %s", id, got, ok, want)
		}
	}
	if got, ok := in.ToolCall("c4"); ok {
		t.Errorf("ToolCall of an unknown id\n got %+v", got)
	}
}
