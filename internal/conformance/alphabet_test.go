//go:build conformance

package conformance

import (
	"slices"
	"strings"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// The exhaustive search knows two ids, a and b, for everything that has one, and two owners, x and y, beside
// the parent agent. Small letters stand for them alone, in events and in the texts of states; what else an
// event holds has capitals. The alphabets stay the same when a and b, or x and y, change places.
var (
	searchIDs  = []string{"a", "b"}
	searchSubs = []string{"x", "y"}
	searchTags = []tag{{}, events.Some("x"), events.Some("y")}
	searchOpts = []tag{{}, events.Some("a"), events.Some("b")}
)

// letter is an event of the search.
type letter = events.Event

// startLetters are the events that a search starts its runs with.
func startLetters() []letter {
	list := []letter{events.NewRunStarted("T", "R")}
	for _, id := range searchIDs {
		for _, by := range searchTags {
			for _, message := range messagesOf(id, by) {
				ev := events.NewRunStarted("T", "R")
				ev.Input = &events.RunAgentInput{ThreadID: "T", RunID: "R", Messages: []events.Message{message}}
				list = append(list, ev)
			}
		}
	}
	return list
}

// messagesOf returns a message of each kind, and assistant messages that hold a call.
func messagesOf(id string, by tag) []events.Message {
	base := events.MessageBase{ID: id, SubagentRunID: by}
	list := []events.Message{
		&events.UserMessage{MessageBase: base},
		&events.ToolMessage{MessageBase: base, ToolCallID: "a"},
		&events.ToolMessage{MessageBase: base, ToolCallID: "b"},
		&events.ReasoningMessage{MessageBase: base},
		&events.ActivityMessage{MessageBase: base, ActivityType: "P", Content: events.MustJSON(struct{}{})},
	}
	for _, call := range searchIDs {
		list = append(list, &events.AssistantMessage{MessageBase: base, ToolCalls: []events.ToolCall{events.NewToolCall(call, "F", "")}})
	}
	return list
}

// letters returns all events of the search: every type, with every id, tag and reference, and with each of
// the values that a rule looks at.
func letters() []letter {
	var list []letter
	add := func(more ...letter) { list = append(list, more...) }
	for _, by := range searchTags {
		for _, id := range searchIDs {
			add(
				&events.TextMessageStart{MessageID: id, SubagentRunID: by},
				&events.TextMessageContent{MessageID: id, SubagentRunID: by},
				&events.TextMessageEnd{MessageID: id, SubagentRunID: by},
				&events.ToolCallArgs{ToolCallID: id, SubagentRunID: by},
				&events.ToolCallEnd{ToolCallID: id, SubagentRunID: by},
				&events.ReasoningStart{MessageID: id, SubagentRunID: by},
				&events.ReasoningEnd{MessageID: id, SubagentRunID: by},
				&events.ReasoningMessageStart{MessageID: id, SubagentRunID: by},
				&events.ReasoningMessageContent{MessageID: id, SubagentRunID: by},
				&events.ReasoningMessageEnd{MessageID: id, SubagentRunID: by},
				&events.ReasoningEncryptedValue{Subtype: events.EncryptedMessage, EntityID: id, SubagentRunID: by},
				&events.ReasoningEncryptedValue{Subtype: events.EncryptedToolCall, EntityID: id, SubagentRunID: by},
				&events.StepStarted{StepName: id, SubagentRunID: by},
				&events.StepFinished{StepName: id, SubagentRunID: by},
				&events.ActivitySnapshot{MessageID: id, Content: events.MustJSON(struct{}{}), SubagentRunID: by},
				&events.ActivitySnapshot{MessageID: id, Content: events.MustJSON(struct{}{}), Replace: events.Some(false), SubagentRunID: by},
				&events.ActivityDelta{MessageID: id, SubagentRunID: by},
			)
			for _, parent := range searchOpts {
				add(&events.ToolCallStart{ToolCallID: id, ToolCallName: "F", ParentMessageID: parent, SubagentRunID: by})
			}
			for _, message := range searchIDs {
				add(&events.ToolCallResult{ToolCallID: id, MessageID: message, SubagentRunID: by})
			}
			for _, message := range messagesOf(id, by) {
				add(&events.MessagesSnapshot{Messages: []events.Message{message}})
			}
		}
		add(
			&events.StateSnapshot{SubagentRunID: by},
			&events.StateDelta{SubagentRunID: by},
			&events.Raw{SubagentRunID: by},
			&events.Custom{Name: "C", SubagentRunID: by},
		)
		for _, sub := range searchSubs {
			add(&events.SubagentStarted{SubagentRunID: sub, Name: "N", ParentSubagentRunID: by})
		}
		add(chunkLetters(by)...)
	}
	for _, sub := range searchSubs {
		add(
			&events.SubagentFinished{SubagentRunID: sub},
			&events.SubagentFinished{SubagentRunID: sub, Outcome: events.SubagentSuspended{}},
			&events.SubagentError{SubagentRunID: sub, Message: "E"},
		)
	}
	add(runLetters()...)
	return append(list,
		&events.MessagesSnapshot{},
		&events.TextMessageStart{MessageID: "a", Role: events.RoleTool}, // no role of a text message
		&events.TextMessageStart{MessageID: "b", Role: events.RoleTool},
		unknown("NEWER"))
}

// chunkLetters returns chunks with and without an id, what else they may repeat, and a delta.
func chunkLetters(by tag) []letter {
	var list []letter
	for _, id := range searchOpts {
		for _, delta := range []tag{{}, events.Some("D")} {
			list = append(list, &events.ReasoningMessageChunk{MessageID: id, Delta: delta, SubagentRunID: by})
			for _, role := range []events.Role{"", events.RoleUser} {
				list = append(list, &events.TextMessageChunk{MessageID: id, Role: role, Delta: delta, SubagentRunID: by})
			}
			for _, name := range []tag{{}, events.Some("F")} {
				list = append(list, &events.ToolCallChunk{ToolCallID: id, ToolCallName: name, Delta: delta, SubagentRunID: by})
			}
		}
		list = append(list,
			&events.TextMessageChunk{MessageID: id, Name: events.Some("N"), SubagentRunID: by},
			&events.ToolCallChunk{ToolCallID: id, ToolCallName: events.Some("G"), SubagentRunID: by})
		for _, parent := range searchIDs {
			for _, name := range []tag{{}, events.Some("F")} {
				list = append(list, &events.ToolCallChunk{ToolCallID: id, ToolCallName: name, ParentMessageID: events.Some(parent), SubagentRunID: by})
			}
		}
	}
	return list
}

// runLetters returns the run events that may come after the start.
func runLetters() []letter {
	finished := func(outcome events.RunOutcome) letter {
		ev := events.NewRunFinished("T", "R")
		ev.Outcome = outcome
		return ev
	}
	interrupted := func(ids ...string) letter {
		interrupts := []events.Interrupt{}
		for _, id := range ids {
			interrupts = append(interrupts, events.Interrupt{ID: id, Reason: "I"})
		}
		return finished(events.RunInterrupted{Interrupts: interrupts})
	}
	pending := func(ids ...string) letter { return finished(events.RunSuccess{PendingToolCallIDs: ids}) }
	return []letter{
		events.NewRunStarted("T", "R"), events.NewRunError("E"),
		finished(nil), finished(events.RunCancelled{}), events.NewRunFinished("T", "Q"), events.NewRunFinished("Q", "R"),
		interrupted(), interrupted("I"), interrupted("I", "I"),
		pending(), pending("a"), pending("b"), pending("a", "b"), pending("b", "a"),
	}
}

// family is a part of the alphabet that is searched by itself, since the whole has too many states to go
// deep: what belongs together, with the run events.
type family struct {
	name  string
	holds func(letter) bool
}

// types returns what holds events of some types, and all run events.
func types(list ...events.Type) func(letter) bool {
	list = append(list, events.TypeRunStarted, events.TypeRunFinished, events.TypeRunError)
	return func(ev letter) bool { return slices.Contains(list, ev.EventType()) }
}

// snapshots narrows the messages that snapshots and starts bring to those of some roles.
func snapshots(holds func(letter) bool, roles ...events.Role) func(letter) bool {
	return func(ev letter) bool {
		switch ev := ev.(type) {
		case *events.MessagesSnapshot:
			return within(ev.Messages, roles)
		case *events.RunStarted:
			return ev.Input == nil || within(ev.Input.Messages, roles)
		}
		return holds(ev)
	}
}

func within(messages []events.Message, roles []events.Role) bool {
	return !slices.ContainsFunc(messages, func(m events.Message) bool { return !slices.Contains(roles, m.MessageRole()) })
}

// plainChunks keeps chunks that say no more than their kind needs.
func plainChunks(holds func(letter) bool) func(letter) bool {
	return func(ev letter) bool {
		switch ev := ev.(type) {
		case *events.TextMessageChunk:
			return holds(ev) && ev.Role == "" && !ev.Name.IsSet()
		case *events.ToolCallChunk:
			return holds(ev) && ev.ToolCallName.Or("F") == "F" && !ev.ParentMessageID.IsSet()
		}
		return holds(ev)
	}
}

// familiesOf returns the families of a set, those that the flag asks for.
func familiesOf(set verify.Set) []family {
	list := []family{
		{"steps and subagents", snapshots(types(events.TypeStepStarted, events.TypeStepFinished,
			events.TypeSubagentStarted, events.TypeSubagentFinished, events.TypeSubagentError))},
		{"reasoning", snapshots(types(events.TypeReasoningStart, events.TypeReasoningEnd, events.TypeReasoningMessageStart,
			events.TypeReasoningMessageContent, events.TypeReasoningMessageEnd, events.TypeReasoningEncryptedValue,
			events.TypeReasoningMessageChunk), events.RoleReasoning)},
		{"text messages", snapshots(types(events.TypeTextMessageStart, events.TypeTextMessageContent, events.TypeTextMessageEnd,
			events.TypeTextMessageChunk, events.TypeCustom), events.RoleUser)},
		{"activities and kinds", snapshots(types(events.TypeActivitySnapshot, events.TypeActivityDelta,
			events.TypeTextMessageStart, events.TypeTextMessageEnd, events.TypeReasoningMessageStart, events.TypeReasoningMessageEnd),
			events.RoleUser, events.RoleReasoning, events.RoleActivity)},
		{"tool calls and their messages", snapshots(types(events.TypeToolCallStart, events.TypeToolCallArgs, events.TypeToolCallEnd,
			events.TypeToolCallResult, events.TypeTextMessageStart, events.TypeTextMessageEnd, events.TypeReasoningEncryptedValue))},
	}
	if set == verify.Strict {
		list = append(list,
			family{"chunks of all kinds", plainChunks(snapshots(types(events.TypeTextMessageChunk, events.TypeToolCallChunk,
				events.TypeReasoningMessageChunk, events.TypeStateDelta, events.TypeRaw, events.TypeSubagentStarted, events.TypeSubagentError)))},
			family{"tool chunks", snapshots(types(events.TypeToolCallChunk, events.TypeToolCallStart, events.TypeToolCallEnd,
				events.TypeToolCallResult))})
	}
	list = append(list, family{"everything", func(letter) bool { return true }})
	return slices.DeleteFunc(list, func(f family) bool { return !strings.Contains(f.name, *families) })
}
