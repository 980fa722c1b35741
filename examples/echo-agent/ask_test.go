package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/agui-go/agui/emitter/emittertest"
	"github.com/agui-go/agui/events"
)

// asked returns the request of a thread that waits for consent to the call call_a, and the answer.
func asked(entry events.ResumeEntry, arguments string) *events.RunAgentInput {
	in := saying("ask")
	in.Messages = append(in.Messages, &events.AssistantMessage{
		MessageBase: events.MessageBase{ID: "call_a"},
		ToolCalls: []events.ToolCall{{
			ID:       "call_a",
			Function: events.FunctionCall{Name: "send_mail", Arguments: arguments},
		}},
	})
	in.Resume = []events.ResumeEntry{entry}
	return in
}

const sendMail = `{"to":"echo@example.com","text":"Hello"}`

func TestResumeAnswersTheEarlierCall(t *testing.T) {
	reply := func(payload string) events.ResumeEntry {
		return events.ResumeEntry{
			InterruptID: "call_a",
			Status:      events.ResumeResolved,
			Payload:     events.MustJSON(json.RawMessage(payload)),
		}
	}
	tests := []struct {
		name  string
		entry events.ResumeEntry
		want  string // the call's result
	}{
		{"consent", reply(`{"approved":true}`), "Sent to echo@example.com."},
		{"refusal", reply(`{"approved":false}`), "The user said no."},
		{"cancelled", events.ResumeEntry{InterruptID: "call_a", Status: events.ResumeCancelled}, "The user did not answer."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := asked(tt.entry, sendMail)
			resp := emittertest.Post(t, newServer(untraced()), in, emittertest.WithPath("/agent"))
			resp.AssertValid(in.Messages...)
			checkWire(t, resp.Bytes(), `
				{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}
				{"type":"TOOL_CALL_RESULT","messageId":"msg_1","toolCallId":"call_a","content":"`+tt.want+`","role":"tool"}
				{"type":"TEXT_MESSAGE_START","messageId":"msg_2"}
				{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_2","delta":"Thank you for the answer."}
				{"type":"TEXT_MESSAGE_END","messageId":"msg_2"}
				{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`)
		})
	}
}

// TestResumeHearsNewWords abandons the call by saying something else, which is what the run is about.
func TestResumeHearsNewWords(t *testing.T) {
	in := asked(events.ResumeEntry{InterruptID: "call_a", Status: events.ResumeCancelled}, sendMail)
	in.Messages = append(in.Messages, &events.UserMessage{
		MessageBase: events.MessageBase{ID: "u2"},
		Content:     events.Text("never mind"),
	})
	resp := emittertest.Post(t, newServer(untraced()), in, emittertest.WithPath("/agent"))
	resp.AssertValid(in.Messages...)
	checkWire(t, resp.Bytes(), `
		{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}
		{"type":"TOOL_CALL_RESULT","messageId":"msg_1","toolCallId":"call_a","content":"The user did not answer.","role":"tool"}
		{"type":"TEXT_MESSAGE_START","messageId":"msg_2"}
		{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_2","delta":"never mind"}
		{"type":"TEXT_MESSAGE_END","messageId":"msg_2"}
		{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`)
}

// TestResumeRefuses checks that what cannot be answered fails the run and is not answered.
func TestResumeRefuses(t *testing.T) {
	consent := events.ResumeEntry{
		InterruptID: "call_a",
		Status:      events.ResumeResolved,
		Payload:     events.MustJSON(map[string]bool{"approved": true}),
	}
	withoutPayload := events.ResumeEntry{InterruptID: "call_a", Status: events.ResumeResolved}
	otherCall := events.ResumeEntry{InterruptID: "call_b", Status: events.ResumeCancelled}
	tests := []struct {
		name string
		in   *events.RunAgentInput
		want string // in the error
	}{
		{"a call that no message holds", asked(otherCall, sendMail), `no tool call "call_b"`},
		{"no payload", asked(withoutPayload, sendMail), "payload"},
		{"arguments that are no JSON", asked(consent, `{"to":`), `arguments of "call_a"`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			resp := emittertest.Post(t, newServer(untraced()), tt.in, emittertest.WithPath("/agent"))
			checkWire(t, resp.Bytes(), `
				{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}
				{"type":"RUN_ERROR","message":"The agent failed.","code":"agent_error"}`)
			rec := emittertest.New(t, emittertest.WithInput(tt.in))
			err := run(rec.Context(), tt.in, rec.Emitter)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error\n got: %v\nwant it to say: %s", err, tt.want)
			}
		})
	}
}
