package session_test

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/session"
	"github.com/agui-go/agui/verify/verifytest"
)

// response returns a response with body.
func response(body string) *http.Response {
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(body))}
}

// chunk and its like write events without their type's common parts.
func textChunk(members string) string      { return event("TEXT_MESSAGE_CHUNK", members) }
func toolChunk(members string) string      { return event("TOOL_CALL_CHUNK", members) }
func reasoningChunk(members string) string { return event("REASONING_MESSAGE_CHUNK", members) }

func event(name, members string) string {
	if members == "" {
		return `{"type":"` + name + `"}`
	}
	return `{"type":"` + name + `",` + members + `}`
}

// TestExpandedChunks has the rules of the official client, one a row: what it makes of the events between
// RUN_STARTED and RUN_FINISHED.
func TestExpandedChunks(t *testing.T) {
	text := func(id string) string {
		return event("TEXT_MESSAGE_START", `"messageId":"`+id+`","role":"assistant"`)
	}
	content := func(id, delta string) string {
		return event("TEXT_MESSAGE_CONTENT", `"messageId":"`+id+`","delta":"`+delta+`"`)
	}
	end := func(id string) string { return event("TEXT_MESSAGE_END", `"messageId":"`+id+`"`) }
	const s1, s2 = `,"subagentRunId":"s1"`, `,"subagentRunId":"s2"`
	custom := event("CUSTOM", `"name":"n","value":1`)
	raw := event("RAW", `"event":1`)
	snapshot := event("ACTIVITY_SNAPSHOT", `"messageId":"a","activityType":"t","content":{}`)

	for _, test := range []struct {
		name string
		in   []string
		want []string
	}{
		{"a message", []string{textChunk(`"messageId":"m","delta":"a"`), textChunk(`"delta":"b"`), textChunk(`"messageId":"m","delta":"c"`)},
			[]string{text("m"), content("m", "a"), content("m", "b"), content("m", "c"), end("m")}},
		{"an opener without a delta", []string{textChunk(`"messageId":"m"`)}, []string{text("m"), end("m")}},
		{"an empty delta", []string{textChunk(`"messageId":"m","delta":""`)}, []string{text("m"), content("m", ""), end("m")}},
		{"an empty id is an id", []string{textChunk(`"messageId":"","delta":"a"`), textChunk(`"delta":"b"`)},
			[]string{text(""), content("", "a"), content("", "b"), end("")}},
		{"role and name", []string{textChunk(`"messageId":"m","role":"user","name":"n","delta":"a"`), textChunk(`"role":"user","name":"n","delta":"b"`)},
			[]string{event("TEXT_MESSAGE_START", `"messageId":"m","role":"user","name":"n"`), content("m", "a"), content("m", "b"), end("m")}},
		{"the default role, repeated", []string{textChunk(`"messageId":"m"`), textChunk(`"role":"assistant","delta":"b"`)},
			[]string{text("m"), content("m", "b"), end("m")}},
		{"a continuation with nothing", []string{textChunk(`"messageId":"m"`), textChunk("")}, []string{text("m"), end("m")}},

		{"a tool call", []string{toolChunk(`"toolCallId":"c","toolCallName":"n","parentMessageId":"p","delta":"{"`), toolChunk(`"toolCallName":"n","parentMessageId":"p","delta":"}"`)},
			[]string{
				event("TOOL_CALL_START", `"toolCallId":"c","toolCallName":"n","parentMessageId":"p"`),
				event("TOOL_CALL_ARGS", `"toolCallId":"c","delta":"{"`), event("TOOL_CALL_ARGS", `"toolCallId":"c","delta":"}"`),
				event("TOOL_CALL_END", `"toolCallId":"c"`),
			}},
		{"reasoning", []string{reasoningChunk(`"messageId":"m","delta":"a"`), reasoningChunk(`"delta":"b"`)},
			[]string{
				event("REASONING_MESSAGE_START", `"messageId":"m","role":"reasoning"`),
				event("REASONING_MESSAGE_CONTENT", `"messageId":"m","delta":"a"`), event("REASONING_MESSAGE_CONTENT", `"messageId":"m","delta":"b"`),
				event("REASONING_MESSAGE_END", `"messageId":"m"`),
			}},

		{"metadata is on what the chunk makes and not on the end", []string{textChunk(`"messageId":"m","delta":"a","timestamp":1,"metadata":{"k":1}`)},
			[]string{
				event("TEXT_MESSAGE_START", `"messageId":"m","role":"assistant","metadata":{"k":1}`),
				event("TEXT_MESSAGE_CONTENT", `"messageId":"m","delta":"a","metadata":{"k":1}`), end("m"),
			}},
		{"metadata alone opens", []string{textChunk(`"messageId":"m","metadata":{"k":1}`)},
			[]string{event("TEXT_MESSAGE_START", `"messageId":"m","role":"assistant","metadata":{"k":1}`), end("m")}},
		{"metadata alone goes on", []string{textChunk(`"messageId":"m"`), textChunk(`"metadata":{"k":1}`)},
			[]string{text("m"), event("TEXT_MESSAGE_CONTENT", `"messageId":"m","delta":"","metadata":{"k":1}`), end("m")}},
		{"a raw event is on the content", []string{textChunk(`"messageId":"m","rawEvent":7`), textChunk(`"rawEvent":8`)},
			[]string{
				text("m"), event("TEXT_MESSAGE_CONTENT", `"messageId":"m","delta":"","rawEvent":7`),
				event("TEXT_MESSAGE_CONTENT", `"messageId":"m","delta":"","rawEvent":8`), end("m"),
			}},

		{"another id closes", []string{textChunk(`"messageId":"m","delta":"a"`), textChunk(`"messageId":"n","delta":"b"`)},
			[]string{text("m"), content("m", "a"), end("m"), text("n"), content("n", "b"), end("n")}},
		{"another kind closes", []string{textChunk(`"messageId":"m"`), toolChunk(`"toolCallId":"c","toolCallName":"n"`)},
			[]string{text("m"), end("m"), event("TOOL_CALL_START", `"toolCallId":"c","toolCallName":"n"`), event("TOOL_CALL_END", `"toolCallId":"c"`)}},
		{"CUSTOM closes", []string{textChunk(`"messageId":"m"`), custom}, []string{text("m"), end("m"), custom}},
		{"CUSTOM of another owner does not", []string{textChunk(`"messageId":"m"`), event("CUSTOM", `"name":"n","value":1`+s1), textChunk(`"delta":"a"`)},
			[]string{text("m"), event("CUSTOM", `"name":"n"`+s1+`,"value":1`), content("m", "a"), end("m")}},
		{"RAW and activities do not close", []string{textChunk(`"messageId":"m"`), raw, snapshot, textChunk(`"delta":"a"`)},
			[]string{text("m"), raw, snapshot, content("m", "a"), end("m")}},
		{"an unknown type does not close", []string{textChunk(`"messageId":"m"`), event("ACME", ""), textChunk(`"delta":"a"`)},
			[]string{text("m"), event("ACME", ""), content("m", "a"), end("m")}},
		{"a result closes its call", []string{toolChunk(`"toolCallId":"c","toolCallName":"n"`), event("TOOL_CALL_RESULT", `"messageId":"r","toolCallId":"c","content":""`)},
			[]string{event("TOOL_CALL_START", `"toolCallId":"c","toolCallName":"n"`), event("TOOL_CALL_END", `"toolCallId":"c"`),
				event("TOOL_CALL_RESULT", `"messageId":"r","toolCallId":"c","content":""`)}},
		{"a message may be opened again", []string{textChunk(`"messageId":"m","delta":"a"`), custom, textChunk(`"messageId":"m","delta":"b"`)},
			[]string{text("m"), content("m", "a"), end("m"), custom, text("m"), content("m", "b"), end("m")}},

		{"two owners", []string{
			textChunk(`"messageId":"m","delta":"a"` + s2), textChunk(`"messageId":"n","delta":"b"` + s1), textChunk(`"delta":"c"` + s2), textChunk(`"messageId":"n","delta":"d"`),
			event("MESSAGES_SNAPSHOT", `"messages":[]`),
		}, []string{
			event("TEXT_MESSAGE_START", `"messageId":"m","role":"assistant"`+s2), event("TEXT_MESSAGE_CONTENT", `"messageId":"m"`+s2+`,"delta":"a"`),
			event("TEXT_MESSAGE_START", `"messageId":"n","role":"assistant"`+s1), event("TEXT_MESSAGE_CONTENT", `"messageId":"n"`+s1+`,"delta":"b"`),
			event("TEXT_MESSAGE_CONTENT", `"messageId":"m"`+s2+`,"delta":"c"`), event("TEXT_MESSAGE_CONTENT", `"messageId":"n"`+s1+`,"delta":"d"`),
			event("TEXT_MESSAGE_END", `"messageId":"m"`+s2), event("TEXT_MESSAGE_END", `"messageId":"n"`+s1),
			event("MESSAGES_SNAPSHOT", `"messages":[]`),
		}},
		{"the only stream of its kind goes on", []string{textChunk(`"messageId":"m"` + s1), toolChunk(`"toolCallId":"c","toolCallName":"n"`), textChunk(`"delta":"a"`)},
			[]string{
				event("TEXT_MESSAGE_START", `"messageId":"m","role":"assistant"`+s1), event("TOOL_CALL_START", `"toolCallId":"c","toolCallName":"n"`),
				event("TEXT_MESSAGE_CONTENT", `"messageId":"m"`+s1+`,"delta":"a"`),
				event("TEXT_MESSAGE_END", `"messageId":"m"`+s1), event("TOOL_CALL_END", `"toolCallId":"c"`),
			}},
		{"a subagent's end closes its stream", []string{
			event("SUBAGENT_STARTED", `"subagentRunId":"s1","name":"n"`), textChunk(`"messageId":"p"`), textChunk(`"messageId":"m"` + s1),
			event("SUBAGENT_FINISHED", `"subagentRunId":"s1"`), textChunk(`"delta":"a"`),
		}, []string{
			event("SUBAGENT_STARTED", `"subagentRunId":"s1","name":"n"`), text("p"), event("TEXT_MESSAGE_START", `"messageId":"m","role":"assistant"`+s1),
			event("TEXT_MESSAGE_END", `"messageId":"m"`+s1), event("SUBAGENT_FINISHED", `"subagentRunId":"s1"`), content("p", "a"), end("p"),
		}},
	} {
		body := sse(slices.Concat([]string{started}, test.in, []string{finished})...)
		got, err := read(t, session.Read(response(body), nil, session.WithExpandedChunks()))
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		same(t, test.name, got, slices.Concat([]string{started}, test.want, []string{finished}))

		chunks, err := read(t, session.Read(response(body), nil))
		if err != nil {
			t.Errorf("%s, not expanded: %v", test.name, err)
		}
		if got, want := len(chunks), len(test.in)+2; got != want {
			t.Errorf("%s, not expanded: events\n got: %d\nwant: %d", test.name, got, want)
		}
	}
}

// TestChunksThatCannotBeExpanded are violations with and without verification.
func TestChunksThatCannotBeExpanded(t *testing.T) {
	const s1, s2 = `,"subagentRunId":"s1"`, `,"subagentRunId":"s2"`
	for _, test := range []struct {
		name string
		in   []string
		says string
	}{
		{"a first chunk without an id", []string{textChunk(`"delta":"a"`)}, "no messageId"},
		{"a first tool chunk without an id", []string{toolChunk(`"toolCallName":"n"`)}, "no toolCallId"},
		{"a first tool chunk without a name", []string{toolChunk(`"toolCallId":"c"`)}, "no toolCallName"},
		{"a continuation of what is closed", []string{textChunk(`"messageId":"m"`), event("STATE_SNAPSHOT", `"snapshot":1`), textChunk(`"delta":"a"`)}, "no messageId"},
		{"another role", []string{textChunk(`"messageId":"m"`), textChunk(`"role":"user"`)}, "role"},
		{"a name that comes late", []string{textChunk(`"messageId":"m"`), textChunk(`"name":"n"`)}, "name"},
		{"another tool", []string{toolChunk(`"toolCallId":"c","toolCallName":"n"`), toolChunk(`"toolCallName":"o"`)}, "toolCallName"},
		{"another parent", []string{toolChunk(`"toolCallId":"c","toolCallName":"n"`), toolChunk(`"parentMessageId":"o"`)}, "parentMessageId"},
		{"two that could go on", []string{textChunk(`"messageId":"m"` + s1), textChunk(`"messageId":"n"` + s2), textChunk(`"delta":"a"`)}, "2 streams"},
		{"another owner", []string{reasoningChunk(`"messageId":"m"` + s1), reasoningChunk(`"messageId":"m"` + s2)}, "another subagentRunId"},
	} {
		body := sse(slices.Concat([]string{started}, test.in, []string{finished})...)
		for name, opt := range map[string]session.Option{
			"allowed": session.WithAllow(verify.ChunkSequence, verify.OwnerMismatch), "unverified": session.WithVerify(false),
		} {
			_, err := read(t, session.Read(response(body), nil, session.WithExpandedChunks(), opt))
			violation, ok := errors.AsType[*verify.Violation](err)
			if !ok || violation.Rule != verify.ChunkSequence || violation.Index != len(test.in) || !strings.Contains(violation.Sentence, test.says) {
				t.Errorf("%s, %s\n got: %v\nwant: ChunkSequence at event %d, saying %s", test.name, name, err, len(test.in), test.says)
			}
		}
		if _, err := read(t, session.Read(response(body), nil, session.WithExpandedChunks())); !errors.Is(err, verify.ChunkSequence) && !errors.Is(err, verify.OwnerMismatch) {
			t.Errorf("%s, verified\n got: %v\nwant: %v", test.name, err, verify.ChunkSequence)
		}
	}
}

// TestExpansionKeepsTheRules expands the runs of the suite that keep the rules: what comes out has no chunks
// and keeps the rules too.
func TestExpansionKeepsTheRules(t *testing.T) {
	expanded := 0
	for c := range verifytest.Cases() {
		var lines []string
		for _, ev := range c.Events {
			lines = append(lines, string(ev))
		}
		if !c.Strict.OK || !strings.Contains(strings.Join(lines, ""), "_CHUNK") {
			continue
		}
		expanded++
		machine := verify.New(verify.Strict)
		for ev, err := range session.Read(response(sse(lines...)), nil, session.WithExpandedChunks(), session.WithAllow(verify.Unterminated)) {
			if failed := (*session.RunError)(nil); errors.As(err, &failed) && failed.Err == nil {
				break
			}
			if err != nil {
				t.Errorf("%s: %v", c.ID, err)
				break
			}
			switch ev.(type) {
			case *events.TextMessageChunk, *events.ToolCallChunk, *events.ReasoningMessageChunk:
				t.Errorf("%s: %s is left", c.ID, ev.EventType())
			}
			if err := machine.Observe(ev); err != nil {
				t.Errorf("%s: %v", c.ID, err)
			}
		}
	}
	if expanded < 10 {
		t.Errorf("only %d runs of the suite have chunks", expanded)
	}
}
