//go:build conformance

package conformance

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const (
	textTypes = "TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT TEXT_MESSAGE_END"
	callTypes = "TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_END"
)

// TestEchoAgent runs the echo-agent in each mode, and holds what the official client makes of it against
// what the agent meant.
func TestEchoAgent(t *testing.T) {
	t.Parallel()
	client, url := startDriver(t), startAgent(t, "")
	tests := []struct {
		name     string
		say      any
		types    string // not for modes that write from several goroutines
		messages string // after the user's
		state    string
		last     string // of the last event, what is the agent's to say
	}{
		{
			name:     "echo",
			say:      "Hello, <b>echo</b> & \"friends\" \u2028 🙂",
			types:    "RUN_STARTED " + textTypes + " RUN_FINISHED",
			messages: `[{"id":"msg_1","role":"assistant","content":"Hello, <b>echo</b> & \"friends\" \u2028 🙂"}]`,
		},
		{
			name: "parts",
			say: []any{
				map[string]any{"type": "text", "text": "Look:"},
				map[string]any{"type": "image", "source": map[string]any{"type": "url", "value": "https://example.com/a.png"}},
			},
			types:    "RUN_STARTED " + textTypes + " RUN_FINISHED",
			messages: `[{"id":"msg_1","role":"assistant","content":"Look: [image]"}]`,
		},
		{
			name:  "think",
			say:   "think",
			types: "RUN_STARTED REASONING_START REASONING_MESSAGE_START REASONING_MESSAGE_CONTENT REASONING_MESSAGE_END REASONING_END " + textTypes + " RUN_FINISHED",
			messages: `[
				{"id":"reason_1","role":"reasoning","content":"What comes back from a wall? An echo."},
				{"id":"msg_1","role":"assistant","content":"I have thought about it."}]`,
		},
		{
			name: "tool",
			say:  "tool",
			messages: `[
				{"id":"msg_1","role":"assistant","content":"I look at Paris, then at Oslo and Rome together.","toolCalls":[
					{"id":"call_1","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Oslo\"}"}},
					{"id":"call_2","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}},
					{"id":"call_3","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Rome\"}"}}]},
				{"id":"msg_2","role":"tool","toolCallId":"call_1","content":"{\"celsius\":12,\"city\":\"Oslo\"}"},
				{"id":"msg_3","role":"tool","toolCallId":"call_3","content":"{\"celsius\":12,\"city\":\"Rome\"}"},
				{"id":"msg_4","role":"tool","toolCallId":"call_2","content":"{\"celsius\":15,\"city\":\"Paris\"}"},
				{"id":"msg_5","role":"assistant","content":"That was the weather."}]`,
		},
		{
			name:  "step",
			say:   "step",
			types: "RUN_STARTED STEP_STARTED " + textTypes + " STEP_FINISHED STEP_STARTED " + textTypes + " STEP_FINISHED RUN_FINISHED",
			messages: `[
				{"id":"msg_1","role":"assistant","content":"First I plan."},
				{"id":"msg_2","role":"assistant","content":"Then I write."}]`,
		},
		{
			name:     "state",
			say:      "state",
			types:    "RUN_STARTED STATE_SNAPSHOT STATE_DELTA " + textTypes + " RUN_FINISHED",
			messages: `[{"id":"msg_1","role":"assistant","content":"The state is yours now."}]`,
			state:    `{"progress":3,"log":["part 1","part 2","part 3"]}`,
		},
		{
			name: "subagent",
			say:  "subagent",
			messages: `[
				{"id":"msg_1","role":"assistant","subagentRunId":"sub_1","content":"An echo is a wave."},
				{"id":"msg_2","role":"assistant","subagentRunId":"sub_2","content":"Echo was a nymph."},
				{"id":"msg_3","role":"assistant","content":"Both have answered."}]`,
		},
		{
			name:     "break",
			say:      "break",
			types:    "RUN_STARTED " + textTypes + " RUN_FINISHED",
			messages: `[{"id":"msg_1","role":"assistant","content":"I made a mistake, and you did not see it."}]`,
		},
		{
			name:     "panic",
			say:      "panic",
			types:    "RUN_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT RUN_ERROR",
			messages: `[{"id":"msg_1","role":"assistant","content":"I do not feel so "}]`,
			last:     `{"type":"RUN_ERROR","message":"The agent failed unexpectedly.","code":"panic"}`,
		},
		{
			name:     "fail",
			say:      "fail",
			types:    "RUN_STARTED " + textTypes + " RUN_ERROR",
			messages: `[{"id":"msg_1","role":"assistant","content":"I will try."}]`,
			last:     `{"type":"RUN_ERROR","message":"The agent failed.","code":"agent_error"}`,
		},
		{
			name:     "slow",
			say:      "slow",
			types:    "RUN_STARTED " + textTypes + " RUN_FINISHED",
			messages: `[{"id":"msg_1","role":"assistant","content":"` + countTo(600) + `"}]`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel() // the slow one takes a minute
			th := &thread{driver: client, url: url}
			r := th.say(t, tt.say)
			r.checkClean(t)
			checkJSON(t, "messages", r.Messages[1:], tt.messages)
			if got := r.types(); tt.types != "" && got != tt.types {
				t.Errorf("events\n got: %s\nwant: %s", got, tt.types)
			}
			checkJSON(t, "state", r.State, or(tt.state, `{}`))
			checkJSON(t, "interrupts", r.Interrupts, `[]`)
			if len(r.Pending) != 0 {
				t.Errorf("calls left to the front end\n got: %q\nwant: none", r.Pending)
			}
			last := r.last()
			delete(last, "runId") // the client's own
			checkJSON(t, "last event", last, or(tt.last, `{"type":"RUN_FINISHED","threadId":"thread-1"}`))
		})
	}
}

// TestSubagentsLive checks what no message shows: the names of the subagents and their results.
func TestSubagentsLive(t *testing.T) {
	t.Parallel()
	th := &thread{driver: startDriver(t), url: startAgent(t, "")}
	r := th.say(t, "subagent")
	r.checkClean(t)
	started, finished := map[any]any{}, 0
	for _, ev := range r.Events {
		switch ev["type"] {
		case "SUBAGENT_STARTED":
			started[ev["name"]] = ev["subagentRunId"]
		case "SUBAGENT_FINISHED":
			finished++
			checkJSON(t, "result of a subagent", ev["result"], `{"words":4}`)
		}
	}
	if started["historian"] == nil || started["physicist"] == nil || len(started) != 2 || finished != 2 {
		t.Errorf("subagents\n got: %v started, %d finished\nwant: historian and physicist, both finished", started, finished)
	}
}

// TestAsk follows the interrupt into the run that answers it.
func TestAsk(t *testing.T) {
	t.Parallel()
	client, url := startDriver(t), startAgent(t, "")
	tests := []struct {
		name   string
		status string
		reply  any
		result string
	}{
		{"consent", "resolved", map[string]any{"approved": true}, "Sent to echo@example.com."},
		{"refusal", "resolved", map[string]any{"approved": false}, "The user said no."},
		{"cancelled", "cancelled", nil, "The user did not answer."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			th := &thread{driver: client, url: url}
			asked := th.say(t, "ask")
			asked.checkClean(t)
			const call = `{"id":"call_1","role":"assistant","toolCalls":[
				{"id":"call_1","type":"function","function":{"name":"send_mail","arguments":"{\"to\":\"echo@example.com\",\"text\":\"Hello\"}"}}]}`
			checkJSON(t, "messages", asked.Messages[1:], `[`+call+`]`)
			checkJSON(t, "interrupts", asked.Interrupts, `[{"id":"call_1","reason":"tool_call","message":"May I send this mail?",
				"toolCallId":"call_1","responseSchema":{"type":"object","properties":{"approved":{"type":"boolean"}},"required":["approved"]}}]`)
			if got, want := asked.types(), "RUN_STARTED "+callTypes+" RUN_FINISHED"; got != want {
				t.Errorf("events\n got: %s\nwant: %s", got, want)
			}
			if asked.Pending != nil {
				t.Errorf("calls left to the front end\n got: %q\nwant: none, the run was interrupted", asked.Pending)
			}
			if t.Failed() {
				return
			}

			entry := map[string]any{"interruptId": asked.Interrupts[0].(map[string]any)["id"], "status": tt.status}
			if tt.reply != nil {
				entry["payload"] = tt.reply
			}
			resumed := th.run(t, map[string]any{"resume": []any{entry}})
			resumed.checkClean(t)
			checkJSON(t, "messages", resumed.Messages[1:], `[`+call+`,
				{"id":"msg_1","role":"tool","toolCallId":"call_1","content":"`+tt.result+`"},
				{"id":"msg_2","role":"assistant","content":"Thank you for the answer."}]`)
			checkJSON(t, "interrupts", resumed.Interrupts, `[]`)
			if got, want := resumed.types(), "RUN_STARTED TOOL_CALL_RESULT "+textTypes+" RUN_FINISHED"; got != want {
				t.Errorf("events\n got: %s\nwant: %s", got, want)
			}
			if len(resumed.Pending) != 0 {
				t.Errorf("calls left to the front end\n got: %q\nwant: none", resumed.Pending)
			}
		})
	}
}

// TestThreadGoesOn sends the whole thread again: what one run made must be fit for the next request.
func TestThreadGoesOn(t *testing.T) {
	t.Parallel()
	th := &thread{driver: startDriver(t), url: startAgent(t, "")}
	for _, word := range []string{"think", "tool", "subagent", "state", "done"} {
		th.say(t, word).checkClean(t)
	}
	last := th.messages[len(th.messages)-1]
	checkJSON(t, "last message", last, `{"id":"msg_1","role":"assistant","content":"done"}`)
	checkJSON(t, "state", th.state, `{"progress":3,"log":["part 1","part 2","part 3"]}`)
}

// TestClientLeaves aborts in the middle of a stream, which the client does not take for a failure.
func TestClientLeaves(t *testing.T) {
	t.Parallel()
	th := &thread{driver: startDriver(t), url: startAgent(t, "")}
	th.messages = []any{map[string]any{"id": "user-0", "role": "user", "content": "slow"}}
	begin := time.Now()
	r := th.run(t, map[string]any{"abortAfter": 4})
	r.checkClean(t)
	if took := time.Since(begin); took > 10*time.Second {
		t.Errorf("the client was let go after %v", took)
	}
	if got, want := r.types(), "RUN_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_CONTENT RUN_ERROR"; got != want {
		t.Errorf("events\n got: %s\nwant: %s", got, want)
	}
	if got := r.last()["code"]; got != "abort" {
		t.Errorf("code of the last event\n got: %v\nwant: abort, by the client itself", got)
	}
}

// TestBreakInOtherBuilds shows what the build tags make of a mistake at the other end of the wire.
func TestBreakInOtherBuilds(t *testing.T) {
	t.Parallel()
	client := startDriver(t)
	t.Run("aguidebug", func(t *testing.T) {
		th := &thread{driver: client, url: startAgent(t, "aguidebug")}
		r := th.say(t, "break")
		r.checkClean(t)
		if got, want := r.types(), "RUN_STARTED RUN_ERROR"; got != want || len(r.Events) != 2 {
			t.Errorf("events\n got: %d of %s\nwant: 2 of %s", len(r.Events), got, want)
		}
		checkJSON(t, "last event", r.last(),
			`{"type":"RUN_ERROR","message":"text message \"msg_never_opened\" was never opened","code":"protocol_violation"}`)
	})
	t.Run("aguinoverify", func(t *testing.T) {
		th := &thread{driver: client, url: startAgent(t, "aguinoverify")}
		r := th.say(t, "break")
		if r.Error == nil || !strings.Contains(*r.Error, "msg_never_opened") {
			t.Errorf("the client's failure\n got: %v\nwant it to name the message", r.Error)
		}
	})
}

// countTo returns what the mode slow says.
func countTo(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d ", i+1)
	}
	return b.String()
}

func or(s, def string) string {
	if s == "" {
		return def
	}
	return s
}
