package middleware_test

import (
	"context"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// TestHeartbeat has an agent that is silent after each of its events, for as long as it takes to be
// heard of. E is a heartbeat as an event, c one as a comment.
func TestHeartbeat(t *testing.T) {
	text := &events.TextMessageChunk{MessageID: events.Some("m1"), Delta: events.Some("a")}
	more := &events.TextMessageChunk{Delta: events.Some("b")}
	sub := events.Some("s1")
	of := func(evs ...events.Event) []events.Event { return evs }
	tests := []struct {
		name string
		evs  []events.Event
		want string // what comes after RUN_STARTED and after each event
	}{
		{"nothing else", nil, "E"},
		{"in a message", of(&events.TextMessageStart{MessageID: "m1"}, &events.TextMessageContent{MessageID: "m1", Delta: "x"}, &events.TextMessageEnd{MessageID: "m1"}), "E E E E"},
		{"in chunks", of(text, more, more), "E c c c"},
		{"behind chunks", of(text, &events.StepStarted{StepName: "s"}, &events.StepFinished{StepName: "s"}), "E c E E"},
		{"behind chunks that a custom event has ended", of(text, &events.Custom{Name: "x:n"}), "E c E"},
		{"where raw events end nothing", of(text, &events.Raw{Event: raw(`{"type":"TEXT_MESSAGE_END"}`)}, more), "E c c c"},
		{"where a subagent ends nothing of its parent's", of(&events.SubagentStarted{SubagentRunID: "s1", Name: "a"}, text,
			&events.StepStarted{StepName: "s", SubagentRunID: sub}, &events.StepFinished{StepName: "s", SubagentRunID: sub},
			&events.SubagentFinished{SubagentRunID: "s1"}, more), "E E c c c c c"},
		{"in chunks of calls", of(&events.ToolCallChunk{ToolCallID: events.Some("c1"), ToolCallName: events.Some("f")}, &events.ToolCallChunk{Delta: events.Some("{}")}), "E c c"},
		{"in chunks of reasoning", of(&events.ReasoningMessageChunk{MessageID: events.Some("m1"), Delta: events.Some("a")}, &events.ReasoningMessageChunk{Delta: events.Some("b")}), "E c c"},
		{"behind a snapshot that follows chunks", of(text, &events.MessagesSnapshot{}), "E c E"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				agent := func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
					time.Sleep(20 * time.Second)
					for _, ev := range tt.evs {
						if err := em.Emit(ev); err != nil {
							return err
						}
						time.Sleep(20 * time.Second)
					}
					return nil
				}
				w := httptest.NewRecorder()
				middleware.Handler(agent, middleware.WithLogger(nil), middleware.WithHeartbeat("acme:alive")).ServeHTTP(w, newRequest(t.Context()))
				got := answer{body: w.Body.String()}
				got.assertValid(t)
				var beats []string
				for frame := range strings.SplitSeq(got.body, "\n\n") {
					switch frame {
					case `data: {"type":"CUSTOM","name":"acme:alive","value":null}`:
						beats = append(beats, "E")
					case ": keep-alive":
						beats = append(beats, "c")
					}
				}
				if b := strings.Join(beats, " "); b != tt.want {
					t.Errorf("heartbeats:\n got %s\nwant %s\n%s", b, tt.want, got.body)
				}
			})
		})
	}
}

func raw(text string) events.JSON {
	j, err := events.ParseJSON([]byte(text))
	if err != nil {
		panic(err)
	}
	return j
}
