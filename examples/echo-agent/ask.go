package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
)

// ask needs the user's consent for a tool call, so the run ends here: as an interrupt, with the call
// made and not yet answered. The front end starts another run that carries the user's reply.
//
// A tool of the front end (one of in.Tools) needs no interrupt: close the call and return nil. The
// client runs the tool and puts its result into the messages of the next run.
func ask(_ context.Context, em *emitter.Emitter) error {
	call := em.ToolCall("send_mail")
	if err := call.WriteJSON(mail{To: "echo@example.com", Text: "Hello"}); err != nil {
		return err
	}
	if err := call.Close(); err != nil {
		return err
	}
	return em.RunInterrupt(events.Interrupt{
		// An interrupt may have any id that is unique in its run. This server remembers nothing, so
		// it takes the call's, and finds the call again.
		ID:             call.ID(),
		Reason:         "tool_call",
		Message:        events.Some("May I send this mail?"),
		ToolCallID:     events.Some(call.ID()),
		ResponseSchema: events.MustParseJSON(consentSchema),
	})
}

const consentSchema = `{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}`

type mail struct {
	To   string `json:"to"`
	Text string `json:"text"`
}

// resume answers the calls that waited for what in.Resume brings, under their own ids: they are not
// opened again. The emitter lets a result pass for a call of this run, or of the messages in the request:
// a client that resumes sends the whole thread.
func resume(in *events.RunAgentInput, em *emitter.Emitter) error {
	for _, entry := range in.Resume {
		call, ok := in.ToolCall(entry.InterruptID)
		if !ok {
			return fmt.Errorf("resume: the messages of the request hold no tool call %q", entry.InterruptID)
		}
		result, err := settle(call, entry)
		if err != nil {
			return fmt.Errorf("resume: %w", err)
		}
		if err := em.ToolResult(call.ID, result); err != nil {
			return err
		}
	}
	return nil
}

// settle sends the mail if the user agreed, and returns what the model is told. The arguments come back
// from the client: where that matters, keep them on the server.
func settle(call events.ToolCall, entry events.ResumeEntry) (string, error) {
	if entry.Status == events.ResumeCancelled {
		return "The user did not answer.", nil
	}
	// Refusing is an answer like any other: the entry is resolved, its payload says no.
	var consent struct{ Approved bool }
	if err := entry.Payload.Unmarshal(&consent); err != nil {
		return "", fmt.Errorf("payload: %w", err)
	}
	if !consent.Approved {
		return "The user said no.", nil
	}
	var m mail
	if err := json.Unmarshal([]byte(call.Function.Arguments), &m); err != nil {
		return "", fmt.Errorf("arguments of %q: %w", call.ID, err)
	}
	return "Sent to " + m.To + ".", nil
}
