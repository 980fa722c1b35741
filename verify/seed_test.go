package verify_test

import (
	"errors"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// TestSeedUnowned gives a writer the request's messages: calls and kinds are known, owners are not, as to
// the client, which has not verified the request.
func TestSeedUnowned(t *testing.T) {
	tag := events.Some("s2")
	history := []events.Message{events.AssistantMessage{
		MessageBase: events.MessageBase{ID: "m1", SubagentRunID: tag},
		ToolCalls:   []events.ToolCall{events.NewToolCall("c1", "x", "{}")},
	}}
	start := func(tag events.Opt[string]) events.Event {
		return events.TextMessageStart{MessageID: "m1", SubagentRunID: tag}
	}
	for name, tt := range map[string]struct {
		evs  []events.Event
		want error
	}{
		"a call may be answered":      {[]events.Event{events.NewToolCallResult("m2", "c1", "x")}, nil},
		"an id has its kind":          {[]events.Event{events.NewToolCallResult("m1", "c1", "x")}, verify.IDCollision},
		"the first opener owns":       {[]events.Event{start(events.Some("s3")), events.TextMessageEnd{MessageID: "m1", SubagentRunID: events.Some("s3")}}, nil},
		"not the owner in the thread": {[]events.Event{start(events.Opt[string]{}), events.TextMessageEnd{MessageID: "m1", SubagentRunID: tag}}, verify.OwnerMismatch},
		"nothing is inherited": {[]events.Event{
			events.ToolCallStart{ToolCallID: "c2", ToolCallName: "x", ParentMessageID: events.Some("m1")},
			events.ToolCallArgs{ToolCallID: "c2", SubagentRunID: tag},
		}, verify.OwnerMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			v := verify.New(verify.Strict)
			v.SeedUnowned(history)
			err := v.Observe(events.NewRunStarted("t", "r"))
			for _, ev := range tt.evs {
				if err == nil {
					err = v.Observe(ev)
				}
			}
			if !errors.Is(err, tt.want) {
				t.Errorf("got %v\nwant %v", err, tt.want)
			}
		})
	}
}
