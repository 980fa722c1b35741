package verify_test

import (
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

func TestChunkSequence(t *testing.T) {
	const no = verify.ChunkSequence
	moreCall := func(by ...string) events.Event {
		return &events.ToolCallChunk{Delta: events.Some("{}"), SubagentRunID: opt(by)}
	}
	nameless := func(id string, by ...string) events.Event {
		return &events.ToolCallChunk{ToolCallID: events.Some(id), Delta: events.Some("{}"), SubagentRunID: opt(by)}
	}
	moreThought := func(by ...string) events.Event {
		return &events.ReasoningMessageChunk{Delta: events.Some("x"), SubagentRunID: opt(by)}
	}

	t.Run("the first chunk names what it opens", func(t *testing.T) {
		ok(runStart()).
			no(no, moreText()).no(no, moreCall()).no(no, moreThought()).no(no, nameless("t1")).
			ok(textChunk("m1"), moreText(), callChunk("t1"), moreCall(), nameless("t1"), thinkChunk("z1"), moreThought(), runFinish()).
			strict(t)
	})
	t.Run("a lane holds one stream", func(t *testing.T) {
		ok(runStart(), textChunk("m1"), callChunk("t1")).
			no(no, moreText()).
			ok(moreCall(), textChunk("m1"), moreText(), textChunk("m2"), moreText()).
			no(no, moreCall()).
			ok(runFinish()).strict(t)
	})
	t.Run("a rejected chunk leaves the lane as it was", func(t *testing.T) {
		ok(runStart(), textChunk("m1")).no(no, nameless("t1")).no(no, moreCall()).ok(moreText(), runFinish()).strict(t)
	})
	t.Run("each tag has a lane, the empty one too", func(t *testing.T) {
		ok(runStart(), textChunk("m1"), textChunk("m2", "s1"), textChunk("m3", ""), moreText(), moreText("s1"), moreText(""), runFinish()).strict(t)
	})
	t.Run("neither id nor tag goes to the parent's lane, else to the only one", func(t *testing.T) {
		ok(runStart(), textChunk("m1", "s1"), moreText(), callChunk("t1"), moreText(), textChunk("m2", "s2")).
			no(no, moreText()).
			ok(textChunk("m3"), moreText(), moreText("s1"), runFinish()).strict(t)
	})
	t.Run("an id goes to the lane that holds it", func(t *testing.T) {
		ok(runStart(), textStart("m1", "s1"), textEnd("m1"), textChunk("m1")).
			no(no, textChunk("m1", "s1")). // the owner agrees, the lane does not
			ok(textChunk("m1"), runFinish()).strict(t)
		ok(runStart(), textChunk("m1", "s1"), textChunk("m1"), moreText("s1"), runFinish()).strict(t)
	})
	t.Run("its own lane", func(t *testing.T) {
		ok(runStart(), textChunk("m1", "s1"), textChunk("m1", "s1"), moreText("s1")).
			no(no, moreText("s2")). // though only one stream could be meant
			no(no, moreText("")).
			ok(runFinish()).strict(t)
	})
	t.Run("an id that is left out is not the empty id", func(t *testing.T) {
		ok(runStart(), textChunk("", "s1"), textChunk("m2", "s2"), moreText("s2"), runFinish()).strict(t)
		ok(runStart(), textChunk("m1", "s1"), moreText("s1"), textStart("", "s2"), textEnd("", "s2"), runFinish()).strict(t)
		ok(runStart(), textStart("", "s1"), textEnd(""), textChunk("m2", "s2"), moreText("s2"), runFinish()).strict(t)
		ok(runStart(), textChunk("m1"), moreText(), thinkStart(""), thinkEnd(""), textChunk("m1"), moreText(), runFinish()).strict(t)
	})
	t.Run("repeats", func(t *testing.T) {
		text := func(role events.Role, name tag) events.Event {
			return &events.TextMessageChunk{MessageID: events.Some("m1"), Role: role, Name: name}
		}
		call := func(name, parent tag) events.Event {
			return &events.ToolCallChunk{ToolCallID: events.Some("t1"), ToolCallName: name, ParentMessageID: parent}
		}
		f, p := events.Some("f"), events.Some("p")
		ok(runStart(), text("", tag{}), text(events.RoleAssistant, tag{})).
			no(no, text(events.RoleUser, tag{})).
			no(no, text("", events.Some("bo"))).
			no(no, text("", events.Some(""))).
			ok(call(f, tag{}), call(f, tag{}), call(tag{}, tag{})).
			no(no, call(events.Some("g"), tag{})).
			no(no, call(f, p)).
			ok(callChunk("t2"), call(f, p), call(tag{}, p)).
			no(no, call(tag{}, events.Some("p2"))).
			ok(runFinish()).strict(t)
		ok(runStart(), text(events.RoleUser, events.Some("bo")), text("", tag{})).
			no(no, text(events.RoleAssistant, tag{})).
			ok(text(events.RoleUser, events.Some("bo")), runFinish()).strict(t)
	})
	t.Run("an id that a START opened", func(t *testing.T) {
		ok(runStart(), textStart("m1"), callStart("t1"), thinkStart("z1"), spanStart("z2")).
			no(no, textChunk("m1")).no(no, callChunk("t1")).no(no, thinkChunk("z1")).
			ok(thinkChunk("z2"), textEnd("m1"), textChunk("m1"), callEnd("t1"), thinkEnd("z1"), spanEnd("z2"), runFinish()).
			strict(t)
	})
	t.Run("a START of an id that another lane assembles", func(t *testing.T) {
		ok(runStart(), textChunk("m1", "s1"), callChunk("t1", "s2"), thinkChunk("z1", "s3")).
			no(no, textStart("m1")).no(no, callStart("t1")).no(no, thinkStart("z1")).
			ok(spanStart("z1"), spanEnd("z1"), textStart("t1"), textEnd("t1")). // another kind
			ok(textStart("m1", "s1"), textEnd("m1"), textStart("m2"), textEnd("m2"), runFinish()).strict(t)
	})
}

func TestWhatClosesALane(t *testing.T) {
	const by = "s1"
	// Each event comes between two chunks of s1, of which the second has no id.
	tests := []struct {
		name   string
		opens  script // before the chunk
		event  events.Event
		closes bool
	}{
		{"TEXT_MESSAGE_START", nil, textStart("a", by), true},
		{"TEXT_MESSAGE_CONTENT", ok(textStart("a", by)), textContent("a", by), true},
		{"TEXT_MESSAGE_END", ok(textStart("a", by)), textEnd("a", by), true},
		{"TOOL_CALL_START", nil, callStart("a", by), true},
		{"TOOL_CALL_ARGS", ok(callStart("a", by)), callArgs("a", by), true},
		{"TOOL_CALL_END", ok(callStart("a", by)), callEnd("a", by), true},
		{"TOOL_CALL_RESULT", ok(callStart("a", by), callEnd("a")), result("x", "a", by), true},
		{"REASONING_START", nil, spanStart("a", by), true},
		{"REASONING_END", ok(spanStart("a", by)), spanEnd("a", by), true},
		{"REASONING_MESSAGE_START", nil, thinkStart("a", by), true},
		{"REASONING_MESSAGE_CONTENT", ok(thinkStart("a", by)), thinkContent("a", by), true},
		{"REASONING_MESSAGE_END", ok(thinkStart("a", by)), thinkEnd("a", by), true},
		{"STEP_STARTED", nil, stepStart("a", by), true},
		{"STEP_FINISHED", ok(stepStart("a", by)), stepFinish("a", by), true},
		{"STATE_SNAPSHOT", nil, &events.StateSnapshot{SubagentRunID: events.Some(by)}, true},
		{"STATE_DELTA", nil, &events.StateDelta{SubagentRunID: events.Some(by)}, true},
		{"CUSTOM", nil, custom(by), true},
		{"MESSAGES_SNAPSHOT", nil, snapshot(), true},
		{"SUBAGENT_FINISHED", ok(subStart(by)), subFinish(by), true},
		{"SUBAGENT_ERROR", ok(subStart(by)), subError(by), true},

		{"SUBAGENT_FINISHED of another", ok(subStart("s2")), subFinish("s2"), false},
		{"SUBAGENT_STARTED", nil, subStart(by), false},
		{"RAW", nil, &events.Raw{SubagentRunID: events.Some(by)}, false},
		{"ACTIVITY_SNAPSHOT", nil, activity("a", by), false},
		{"ACTIVITY_DELTA", nil, activityDelta("a", by), false},
		{"REASONING_ENCRYPTED_VALUE", nil, encrypted(events.EncryptedMessage, "m1", by), false},
		{"unknown", nil, unknown("NEWER"), false},
		{"CUSTOM of the parent agent", nil, custom(), false},
		{"TEXT_MESSAGE_START of another", nil, textStart("a", "s2"), false},
		{"STEP_STARTED of the empty tag", nil, stepStart("a", ""), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := append(ok(runStart()), tt.opens...).ok(textChunk("m1", by), tt.event)
			if tt.closes {
				s.no(verify.ChunkSequence, moreText(by)).ok(textChunk("m1", by)).play(t, verify.New(verify.Strict))
				return
			}
			s.ok(moreText(by)).play(t, verify.New(verify.Strict))
		})
	}
	t.Run("a rejected event closes nothing", func(t *testing.T) {
		ok(runStart(), textChunk("m1")).
			no(verify.NotOpen, textContent("m9")).
			no(verify.NotOpen, textEnd("m1")).
			no(verify.NotOpen, stepFinish("a")).
			no(verify.UnknownID, result("x", "t9")).
			no(verify.DuplicateRunStarted, runStart()).
			no(verify.RunMismatch, &events.RunFinished{ThreadID: "t", RunID: "r2"}).
			no(verify.InvalidField, &events.Custom{Base: events.Base{Metadata: events.MustJSON(1)}}).
			ok(moreText(), runFinish()).play(t, verify.New(verify.Strict))
	})
	t.Run("the run", func(t *testing.T) {
		lenient := verify.New(verify.Strict, verify.Allow(verify.RunNotStarted))
		ok(textChunk("m1"), runStart()).no(verify.ChunkSequence, moreText()).play(t, lenient)
		for _, end := range []events.Event{runFinish(), runError()} {
			lenient := verify.New(verify.Strict, verify.Allow(verify.RunEnded))
			ok(runStart(), textChunk("m1"), end).no(verify.ChunkSequence, moreText()).play(t, lenient)
		}
	})
	t.Run("content with an invalid field that is let through", func(t *testing.T) {
		bad, by := events.Base{Metadata: events.MustJSON(1)}, events.Some(by)
		for _, content := range []events.Event{
			&events.TextMessageContent{Base: bad, MessageID: "a", SubagentRunID: by},
			&events.ToolCallArgs{Base: bad, ToolCallID: "a", SubagentRunID: by},
			&events.ReasoningMessageContent{Base: bad, MessageID: "z", SubagentRunID: by},
		} {
			ok(runStart(), textStart("a", "s1"), callStart("a", "s1"), thinkStart("z", "s1"), textChunk("m1", "s1"), content).
				no(verify.ChunkSequence, moreText("s1")).
				play(t, verify.New(verify.Strict, verify.Allow(verify.InvalidField)))
		}
	})
	t.Run("a START that ends the stream of its own lane", func(t *testing.T) {
		ok(runStart(), textChunk("m1"), textStart("m1"), textContent("m1"), textEnd("m1"), textChunk("m1"), runFinish()).both(t)
	})
}
