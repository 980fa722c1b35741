package verify_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

// breach is a mistake and what a developer reads about it.
type breach struct {
	rule   verify.Rule
	before []events.Event
	event  events.Event // nil for the end of the stream
	want   string       // after "verify: "
}

func interrupted(ids ...string) events.Event {
	var list []events.Interrupt
	for _, id := range ids {
		list = append(list, events.Interrupt{ID: id, Reason: "confirmation"})
	}
	return finish(events.RunInterrupted{Interrupts: list})
}

func pendingCalls(ids ...string) events.Event {
	return finish(events.RunSuccess{PendingToolCallIDs: ids})
}

// callChunkIn is a chunk of the call t1 in the message parent.
func callChunkIn(parent, name string) events.Event {
	return &events.ToolCallChunk{ToolCallID: events.Some("t1"), ToolCallName: events.Some(name), ParentMessageID: events.Some(parent)}
}

func eventList(list ...events.Event) []events.Event { return list }

var breaches = []breach{
	{verify.RunNotStarted, nil, runError(), `RUN_ERROR (event 0): RunNotStarted: the run that fails has not been started; send RUN_STARTED, then RUN_ERROR`},
	{verify.RunNotStarted, nil, textStart("m1"), `TEXT_MESSAGE_START "m1" (event 0): RunNotStarted: RUN_STARTED has not been sent; send RUN_STARTED first`},
	{verify.RunEnded, eventList(runStart(), runFinish()), textStart("m1"), `TEXT_MESSAGE_START "m1" (event 2): RunEnded: the run ended with RUN_FINISHED (event 1); send nothing after the terminal event; a new run is a new stream`},
	{verify.RunEnded, eventList(runStart(), runError()), runStart(), `RUN_STARTED "r" (event 2): RunEnded: the run ended with RUN_ERROR (event 1); one run is one stream: start the next run on a new one`},
	{verify.RunEnded, eventList(runStart(), runFinish()), unknown("NEWER"), `NEWER (event 2): RunEnded: the run ended with RUN_FINISHED (event 1); send nothing after the terminal event; a new run is a new stream`},
	{verify.RunEnded, eventList(runStart(), runFinish()), unknown("new\ner"), `"new\ner" (event 2): RunEnded: the run ended with RUN_FINISHED (event 1); send nothing after the terminal event; a new run is a new stream`},
	{verify.RunEnded, eventList(runStart(), runFinish()), unknown(""), `"" (event 2): RunEnded: the run ended with RUN_FINISHED (event 1); send nothing after the terminal event; a new run is a new stream`},
	{verify.DuplicateRunStarted, eventList(runStart()), runStart(), `RUN_STARTED "r" (event 1): DuplicateRunStarted: run "r" of thread "t" is active (started by event 0); send RUN_STARTED once in a run`},

	{verify.DuplicateStart, eventList(runStart(), textStart("m1")), textStart("m1"), `TEXT_MESSAGE_START "m1" (event 2): DuplicateStart: text message "m1" is already open (opened by event 1); send TEXT_MESSAGE_END first, or open with a new id`},
	{verify.DuplicateStart, eventList(runStart(), subStart("s1")), subStart("s1"), `SUBAGENT_STARTED "s1" (event 2): DuplicateStart: subagent "s1" is already open (opened by event 1); start another invocation under a new id`},
	{verify.DuplicateStart, eventList(runStart(), subStart("s1"), subError("s1")), subStart("s1"), `SUBAGENT_STARTED "s1" (event 3): DuplicateStart: subagent "s1" ended at event 2, and an id is used once in a run; start another invocation under a new id`},

	{verify.NotOpen, eventList(runStart(), textStart("msg-1")), textContent("msg_1"), `TEXT_MESSAGE_CONTENT "msg_1" (event 2): NotOpen: text message "msg_1" was never opened: "msg-1" is open; you wrote "msg_1"; use the id that was opened, or send TEXT_MESSAGE_START first`},
	{verify.NotOpen, eventList(runStart()), textContent("m1"), `TEXT_MESSAGE_CONTENT "m1" (event 1): NotOpen: text message "m1" was never opened; send TEXT_MESSAGE_START first`},
	{verify.NotOpen, eventList(runStart(), textStart("m1"), textEnd("m1")), textContent("m1"), `TEXT_MESSAGE_CONTENT "m1" (event 3): NotOpen: text message "m1" was closed by event 2; send content before TEXT_MESSAGE_END, or open it again with TEXT_MESSAGE_START`},
	{verify.NotOpen, eventList(runStart(), callStart("t1"), callEnd("t1")), callEnd("t1"), `TOOL_CALL_END "t1" (event 3): NotOpen: tool call "t1" was closed by event 2; close it once`},
	{verify.NotOpen, eventList(runStart(), spanStart("z1"), spanEnd("z1")), spanEnd("z1"), `REASONING_END "z1" (event 3): NotOpen: reasoning span "z1" was closed by event 2; close it once`},
	{verify.NotOpen, eventList(runStart(), spanStart("z1")), thinkContent("z1"), `REASONING_MESSAGE_CONTENT "z1" (event 2): NotOpen: "z1" is open as a reasoning span, not as a reasoning message; send its start event first, and content before its end event`},
	{verify.NotOpen, eventList(runStart(), stepStart("plan", "s1")), stepFinish("plan"), `STEP_FINISHED "plan" (event 2): NotOpen: step "plan" is open under subagent "s1", and the event is of the parent agent; finish the step with the subagentRunId that started it`},
	{verify.NotOpen, eventList(runStart(), stepStart("plan"), stepFinish("plan"), stepStart("plan", "s1")), stepFinish("plan"), `STEP_FINISHED "plan" (event 4): NotOpen: step "plan" is open under subagent "s1", and the event is of the parent agent; finish the step with the subagentRunId that started it`},
	{verify.NotOpen, eventList(runStart(), stepStart("plan"), stepFinish("plan")), stepFinish("plan"), `STEP_FINISHED "plan" (event 3): NotOpen: step "plan" was closed by event 2; close it once`},
	{verify.NotOpen, eventList(runStart(), stepStart("plan"), stepFinish("plan")), stepFinish("plan", "s1"), `STEP_FINISHED "plan" (event 3): NotOpen: step "plan" was never opened; send STEP_STARTED first`},
	{verify.NotOpen, eventList(runStart(), stepStart("Search")), stepFinish("search"), `STEP_FINISHED "search" (event 2): NotOpen: step "search" was never opened: "Search" is open; you wrote "search"; use the id that was opened, or send STEP_STARTED first`},
	{verify.NotOpen, eventList(runStart(), subStart("s1"), subFinish("s1")), subError("s1"), `SUBAGENT_ERROR "s1" (event 3): NotOpen: subagent "s1" was closed by event 2; close it once`},
	{verify.NotOpen, eventList(runStart(), textChunk("m1")), textEnd("m1"), `TEXT_MESSAGE_END "m1" (event 2): NotOpen: text message "m1" was opened by a chunk, and the client closes what chunks opened by itself; go on with chunks and send no end, or open it with TEXT_MESSAGE_START`},
	{verify.NotOpen, eventList(runStart(), textChunk("m1"), custom(), textStart("m1"), textEnd("m1")), textContent("m1"), `TEXT_MESSAGE_CONTENT "m1" (event 5): NotOpen: text message "m1" was closed by event 4; send content before TEXT_MESSAGE_END, or open it again with TEXT_MESSAGE_START`},
	{verify.NotOpen, eventList(runStart(), textStart("m1"), textEnd("m1"), textChunk("m1"), custom()), textContent("m1"), `TEXT_MESSAGE_CONTENT "m1" (event 5): NotOpen: text message "m1" was closed by event 2; send content before TEXT_MESSAGE_END, or open it again with TEXT_MESSAGE_START`},

	{verify.UnknownID, eventList(runStart(), callStart("call_1"), callEnd("call_1")), result("x1", "call-1"), `TOOL_CALL_RESULT "call-1" (event 3): UnknownId: tool call "call-1" was never introduced: "call_1" was; you wrote "call-1"; answer with the id of the call's TOOL_CALL_START`},
	{verify.UnknownID, eventList(runStart()), result("x1", "t1"), `TOOL_CALL_RESULT "t1" (event 1): UnknownId: tool call "t1" was never introduced; send its TOOL_CALL_START first; a call of an earlier run must be in the messages of the request (Verifier.Seed, emitter.WithInput)`},
	{verify.UnknownID, eventList(runStart()), subStart("s2", "s1"), `SUBAGENT_STARTED "s2" (event 1): UnknownId: parentSubagentRunId "s1" was never started in this run; start the parent first, or leave parentSubagentRunId out`},
	{verify.UnknownID, eventList(runStart(), subStart("helper-1"), subFinish("helper-1")), subStart("s2", "helper_1"), `SUBAGENT_STARTED "s2" (event 3): UnknownId: parentSubagentRunId "helper_1" was never started in this run: "helper-1" was; you wrote "helper_1"; start the parent first, or leave parentSubagentRunId out`},
	{verify.NotOpen, eventList(runStart(), textStart("m1", "s1"), textEnd("m1")), textContent("m1"), `TEXT_MESSAGE_CONTENT "m1" (event 3): NotOpen: text message "m1" was closed by event 2; send content before TEXT_MESSAGE_END, or open it again with TEXT_MESSAGE_START`},
	{verify.NotOpen, eventList(runStart(), thinkChunk("z1")), spanEnd("z1"), `REASONING_END "z1" (event 2): NotOpen: reasoning span "z1" was never opened; send REASONING_START first`},
	{verify.NotOpen, eventList(runStart(), stepStart("plan")), textContent("plan"), `TEXT_MESSAGE_CONTENT "plan" (event 2): NotOpen: text message "plan" was never opened; send TEXT_MESSAGE_START first`},
	{verify.OutOfOrder, eventList(runStart(), callStart("t1")), result("x1", "t1"), `TOOL_CALL_RESULT "t1" (event 2): OutOfOrder: tool call "t1" is still open (opened by event 1); send TOOL_CALL_END before the result`},
	{verify.OpenAtFinish, eventList(runStart(), callStart("t1")), runFinish(), `RUN_FINISHED "r" (event 2): OpenAtFinish: tool call "t1" (opened by event 1) is open; close what is open first, or end with RUN_ERROR, which needs nothing closed`},
	{verify.OpenAtFinish, eventList(runStart(), textStart("m1"), stepStart("plan", "s1")), runFinish(), `RUN_FINISHED "r" (event 3): OpenAtFinish: text message "m1" (opened by event 1), step "plan" of subagent "s1" (opened by event 2) are open; close what is open first, or end with RUN_ERROR, which needs nothing closed`},
	{verify.OpenAtFinish, eventList(runStart(), stepStart("1"), stepStart("2"), stepStart("3"), stepStart("4"), stepStart("5"), stepStart("6"), stepStart("7")), runFinish(), `RUN_FINISHED "r" (event 8): OpenAtFinish: step "1" (opened by event 1), step "2" (opened by event 2), step "3" (opened by event 3), step "4" (opened by event 4), step "5" (opened by event 5), 2 more are open; close what is open first, or end with RUN_ERROR, which needs nothing closed`},

	{verify.OwnerMismatch, eventList(runStart(), textStart("m1", "s1")), textContent("m1", "s2"), `TEXT_MESSAGE_CONTENT "m1" (event 2): OwnerMismatch: "m1" is of subagent "s1", and the event of subagent "s2"; send the owner's subagentRunId or none, or use an id of its own`},
	{verify.OwnerMismatch, eventList(runStart(), textStart("m1")), textContent("m1", ""), `TEXT_MESSAGE_CONTENT "m1" (event 2): OwnerMismatch: "m1" is of the parent agent, and the event of subagent ""; send the owner's subagentRunId or none, or use an id of its own`},
	{verify.OwnerMismatch, eventList(runStart(), textStart("m1", "s1")), callIn("m1", "t1", "s2"), `TOOL_CALL_START "t1" (event 2): OwnerMismatch: the call is of subagent "s2", and its message "m1" of subagent "s1"; a call has its message's subagentRunId: send that, none, or another parentMessageId`},
	{verify.OwnerMismatch, eventList(runStart(), textStart("m1", "s1"), callStart("t1"), callEnd("t1")), callIn("m1", "t1"), `TOOL_CALL_START "t1" (event 4): OwnerMismatch: tool call "t1" is of the parent agent, and its message "m1" of subagent "s1"; a call has its message's owner: name the message that the call began in, or use a new call id`},
	{verify.OwnerMismatch, eventList(runStart(), textStart("m1", "s1"), callStart("t1", "s2"), callEnd("t1")), callIn("m1", "t1", "s1"), `TOOL_CALL_START "t1" (event 4): OwnerMismatch: "t1" is of subagent "s2", and the event of subagent "s1"; send the owner's subagentRunId or none, or use an id of its own`},
	{verify.InvalidOutcome, eventList(runStart()), interrupted(), `RUN_FINISHED "r" (event 1): InvalidOutcome: the interrupt outcome has no interrupts; name at least one interrupt, or finish with another outcome`},

	{verify.Preamble, nil, custom(), `CUSTOM (event 0): Preamble: RUN_STARTED has not been sent, and the official client fails a run that begins with anything else; send RUN_STARTED first`},
	{verify.ChunkSequence, eventList(runStart(), textChunk("m1"), custom()), moreText(), `TEXT_MESSAGE_CHUNK (event 3): ChunkSequence: the chunk has no id, and no text message is being assembled for it to go on with; send the id again: an event of another kind ends a chunk stream`},
	{verify.ChunkSequence, eventList(runStart()), &events.ToolCallChunk{ToolCallID: events.Some("t1")}, `TOOL_CALL_CHUNK "t1" (event 1): ChunkSequence: tool call "t1" is not being assembled, and its first chunk needs toolCallName; send the id (and the tool name) with the first chunk and after anything that ended the chunk stream, or use START, CONTENT and END`},
	{verify.ChunkSequence, eventList(runStart(), textChunk("m1", "s1"), textChunk("m2", "s2")), moreText(), `TEXT_MESSAGE_CHUNK (event 3): ChunkSequence: the chunk has neither an id nor a subagentRunId, and 2 chunk streams could go on; send the id or the subagentRunId with every chunk`},
	{verify.ChunkSequence, eventList(runStart(), textStart("m1", "s1"), textEnd("m1"), textChunk("m1")), textChunk("m1", "s1"), `TEXT_MESSAGE_CHUNK "m1" (event 4): ChunkSequence: the chunks of text message "m1" are of the parent agent, and this one of subagent "s1"; send all chunks of one stream with one subagentRunId`},
	{verify.ChunkSequence, eventList(runStart(), callChunk("t1")), &events.ToolCallChunk{ToolCallName: events.Some("g")}, `TOOL_CALL_CHUNK (event 2): ChunkSequence: the chunk gives tool call "t1" another toolCallName than its first chunk; repeat what the first chunk said, or leave it out`},
	{verify.ChunkSequence, eventList(runStart(), textChunk("m1")), &events.TextMessageChunk{Role: events.RoleUser}, `TEXT_MESSAGE_CHUNK (event 2): ChunkSequence: the chunk gives text message "m1" another role than its first chunk; repeat what the first chunk said, or leave it out`},
	{verify.ChunkSequence, eventList(runStart(), textChunk("m1")), &events.TextMessageChunk{Name: events.Some("bo")}, `TEXT_MESSAGE_CHUNK (event 2): ChunkSequence: the chunk gives text message "m1" another name than its first chunk; repeat what the first chunk said, or leave it out`},
	{verify.ChunkSequence, eventList(runStart(), callChunk("t1")), &events.ToolCallChunk{ParentMessageID: events.Some("m1")}, `TOOL_CALL_CHUNK (event 2): ChunkSequence: the chunk gives tool call "t1" another parentMessageId than its first chunk; repeat what the first chunk said, or leave it out`},
	{verify.ChunkSequence, eventList(runStart(), textChunk("m1")), &events.TextMessageChunk{Role: events.RoleAssistant, Name: events.Some("bo")}, `TEXT_MESSAGE_CHUNK (event 2): ChunkSequence: the chunk gives text message "m1" another name than its first chunk; repeat what the first chunk said, or leave it out`},
	{verify.ChunkSequence, eventList(runStart(), callChunkIn("m1", "f")), callChunkIn("m1", "g"), `TOOL_CALL_CHUNK "t1" (event 2): ChunkSequence: the chunk gives tool call "t1" another toolCallName than its first chunk; repeat what the first chunk said, or leave it out`},
	{verify.ChunkSequence, eventList(runStart(), callChunkIn("m1", "f")), &events.ToolCallChunk{ToolCallName: events.Some("g")}, `TOOL_CALL_CHUNK (event 2): ChunkSequence: the chunk gives tool call "t1" another toolCallName than its first chunk; repeat what the first chunk said, or leave it out`},
	{verify.ChunkSequence, eventList(runStart(), callChunkIn("m1", "f")), callChunkIn("m2", "f"), `TOOL_CALL_CHUNK "t1" (event 2): ChunkSequence: the chunk gives tool call "t1" another parentMessageId than its first chunk; repeat what the first chunk said, or leave it out`},
	{verify.ChunkSequence, eventList(runStart(), textStart("m1")), textChunk("m1"), `TEXT_MESSAGE_CHUNK "m1" (event 2): ChunkSequence: text message "m1" is open by its TEXT_MESSAGE_START, and a chunk would open it again; send TEXT_MESSAGE_CONTENT, or close it first`},
	{verify.ChunkSequence, eventList(runStart(), textChunk("m1", "s1")), textStart("m1"), `TEXT_MESSAGE_START "m1" (event 2): ChunkSequence: the client is assembling text message "m1" from chunks of subagent "s1"; go on with chunks, or start it with the same subagentRunId, which ends the chunk stream`},
	{verify.IDCollision, eventList(runStart(), thinkStart("m1"), thinkEnd("m1")), textStart("m1"), `TEXT_MESSAGE_START "m1" (event 3): IdCollision: message id "m1" already names a reasoning message, and this event makes it a text message; give each message an id of its own: clients keep text, tool, reasoning and activity messages in one list`},
	{verify.IDCollision, eventList(runStart(), callStart("t1"), callEnd("t1"), result("x1", "t1")), result("x1", "t1"), `TOOL_CALL_RESULT "t1" (event 4): IdCollision: message id "x1" already names a tool message, and this event makes it a tool message again; give each message an id of its own: clients keep text, tool, reasoning and activity messages in one list`},
	{verify.RunMismatch, eventList(runStart()), &events.RunFinished{ThreadID: "t", RunID: "r2"}, `RUN_FINISHED "r2" (event 1): RunMismatch: runId is "r2", and RUN_STARTED said "r"; finish with the ids of RUN_STARTED`},
	{verify.RunMismatch, eventList(runStart()), &events.RunFinished{ThreadID: "t2", RunID: "r"}, `RUN_FINISHED "r" (event 1): RunMismatch: threadId is "t2", and RUN_STARTED said "t"; finish with the ids of RUN_STARTED`},
	{verify.DuplicateInterrupt, eventList(runStart()), interrupted("i1", "i2", "i1"), `RUN_FINISHED "r" (event 1): DuplicateInterrupt: interrupts 0 and 2 both have the id "i1"; give each interrupt an id of its own`},
	{verify.PendingToolCalls, eventList(runStart(), callStart("t1"), callEnd("t1"), result("x1", "t1")), pendingCalls("t1"), `RUN_FINISHED "r" (event 4): PendingToolCalls: pendingToolCallIds names "t1", which has a result; list exactly those calls, or leave pendingToolCallIds out: the client derives it`},
	{verify.DuplicateInterrupt, eventList(runStart()), interrupted("i1", "i2", "i2"), `RUN_FINISHED "r" (event 1): DuplicateInterrupt: interrupts 1 and 2 both have the id "i2"; give each interrupt an id of its own`},
	{verify.PendingToolCalls, eventList(runStart(), callChunk("t1"), callChunk("t2"), result("x2", "t2")), pendingCalls("t1", "t2"), `RUN_FINISHED "r" (event 4): PendingToolCalls: pendingToolCallIds names "t2", which has a result; list exactly those calls, or leave pendingToolCallIds out: the client derives it`},
	{verify.PendingToolCalls, eventList(runStart(), callChunk("t1")), pendingCalls("t1", "t2"), `RUN_FINISHED "r" (event 2): PendingToolCalls: pendingToolCallIds names "t2", which is not a call of this run; list exactly those calls, or leave pendingToolCallIds out: the client derives it`},
	{verify.PendingToolCalls, eventList(runStart()), pendingCalls("t1"), `RUN_FINISHED "r" (event 1): PendingToolCalls: pendingToolCallIds names "t1", which is not a call of this run; list exactly those calls, or leave pendingToolCallIds out: the client derives it`},
	{verify.PendingToolCalls, eventList(runStart(), callChunk("t1"), callChunk("t2")), pendingCalls("t2", "t1"), `RUN_FINISHED "r" (event 3): PendingToolCalls: pendingToolCallIds names "t1", which was started before the call that is listed ahead of it; list exactly those calls, or leave pendingToolCallIds out: the client derives it`},
	{verify.PendingToolCalls, eventList(runStart(), callChunk("t1"), callChunk("t2")), pendingCalls("t2"), `RUN_FINISHED "r" (event 3): PendingToolCalls: pendingToolCallIds names 1 of the 2 calls without a result; list exactly those calls, or leave pendingToolCallIds out: the client derives it`},
	{verify.InvalidField, eventList(runStart()), &events.TextMessageStart{MessageID: "m1", Role: "wizard"}, `TEXT_MESSAGE_START "m1" (event 1): InvalidField: /role: want "developer", "system", "assistant" or "user", got "wizard"; send a value that the AG-UI 1.0 schema allows`},
	{verify.Unterminated, eventList(runStart(), textStart("m1")), nil, `end of stream (event 2): Unterminated: the stream ended in the middle of the run; end every run with RUN_FINISHED or RUN_ERROR`},
	{verify.Unterminated, nil, nil, `end of stream (event 0): Unterminated: the stream ended, and no run was started; end every run with RUN_FINISHED or RUN_ERROR`},
}

// break makes the mistake and returns what is said of it.
func (b breach) violation(t testing.TB) *verify.Violation {
	t.Helper()
	v := verify.New(verify.Strict)
	observe(t, v, b.before...)
	if b.event == nil {
		return violationOf(t, v.End())
	}
	return violationOf(t, v.Observe(b.event))
}

func TestViolationText(t *testing.T) {
	for _, b := range breaches {
		v := b.violation(t)
		if got, want := v.Error(), "verify: "+b.want; got != want || v.Rule != b.rule {
			t.Errorf("\n got: %s\nwant: %s", got, want)
		}
		if !errors.Is(v, b.rule) || v.ErrorType() != b.rule.String() {
			t.Errorf("%v is no %s: type %s", v, b.rule.String(), v.ErrorType())
		}
	}
}

func TestViolationWithCaller(t *testing.T) {
	v := &verify.Violation{Rule: verify.NotOpen, EventType: events.TypeTextMessageEnd, ID: "m1", Index: 3, Sentence: "why", Remedy: "what to do", Caller: "main.go:12"}
	if got, want := v.Error(), `verify: TEXT_MESSAGE_END "m1" (event 3): NotOpen: why; what to do (called at main.go:12)`; got != want {
		t.Errorf("Error\n got: %s\nwant: %s", got, want)
	}
}

// TestLongIDsAreCut keeps what strangers wrote out of logs and telemetry.
func TestLongIDsAreCut(t *testing.T) {
	long := strings.Repeat("é", 5000)
	v := verify.New(verify.Core)
	observe(t, v, runStart(), textStart(long, long), subStart(long))
	for _, ev := range []events.Event{
		textContent(long, long+"x"), textStart(long, long), textEnd("x" + long), stepFinish(long), result(long, long),
		subStart("s1", long+"y"), runFinish(), unknown(events.Type(long)),
		&events.RunStarted{ThreadID: long, RunID: long},
	} {
		if _, isUnknown := ev.(*events.Unknown); isUnknown {
			observe(t, v, runError())
		}
		err := v.Observe(ev)
		if err == nil {
			continue
		}
		got := violationOf(t, err)
		if n := len(got.Error()); n > 3000 {
			t.Errorf("%T: length of the error\n got: %d\nwant: at most 3000", ev, n)
		}
		for _, s := range []string{got.ID, got.Owner.Or(""), string(got.EventType)} {
			if len(s) > 256 || !utf8.ValidString(s) {
				t.Errorf("%T: %q\n got: %d bytes, valid %t\nwant: at most 256, valid", ev, s, len(s), utf8.ValidString(s))
			}
		}
	}
}

// TestCut has what is kept of an id: 256 bytes of valid UTF-8, cut at the beginning of a character.
func TestCut(t *testing.T) {
	tests := []struct{ id, want string }{
		{strings.Repeat("a", 255), strings.Repeat("a", 255)},
		{strings.Repeat("a", 256), strings.Repeat("a", 256)},
		{strings.Repeat("a", 257), strings.Repeat("a", 256)},
		{strings.Repeat("é", 200), strings.Repeat("é", 128)},
		{"a" + strings.Repeat("é", 200), "a" + strings.Repeat("é", 127)},
		{"a" + strings.Repeat("😀", 200), "a" + strings.Repeat("😀", 63)},
		{"a\xffb", "a\uFFFDb"},
		{strings.Repeat("\x80", 300), "\uFFFD"},
	}
	for _, tt := range tests {
		v := verify.New(verify.Core)
		observe(t, v, runStart())
		got := violationOf(t, v.Observe(textEnd(tt.id, tt.id)))
		if got.ID != tt.want || got.Owner != events.Some(tt.want) {
			t.Errorf("%.8q… of %d bytes\n got: %q of %v\nwant: %q", tt.id, len(tt.id), got.ID, got.Owner, tt.want)
		}
	}
}

func TestOwnerOfAViolation(t *testing.T) {
	for _, by := range []tag{{}, events.Some(""), events.Some("s1")} {
		for _, ev := range []events.Event{&events.Raw{SubagentRunID: by}, &events.TextMessageEnd{MessageID: "m1", SubagentRunID: by}} {
			got := violationOf(t, verify.New(verify.Strict).Observe(ev)).Owner
			if got != by {
				t.Errorf("%s\n got: %v\nwant: %v", ev.EventType(), got, by)
			}
		}
	}
}

// TestFaultOfTheWhole has a field error that names no member.
func TestFaultOfTheWhole(t *testing.T) {
	fault := &events.FieldError{Type: events.TypeRaw, Reason: "want an object, got null"}
	got := violationOf(t, verify.New(verify.Strict).Refuse(fault)).Sentence
	if want := "want an object, got null"; got != want {
		t.Errorf("sentence\n got: %s\nwant: %s", got, want)
	}
}

func TestRuleTable(t *testing.T) {
	rules := verify.Rules()
	if got, want := len(rules), 18; got != want {
		t.Errorf("rules\n got: %d\nwant: %d", got, want)
	}
	said := map[string]bool{}
	for _, r := range rules {
		parsed, err := verify.ParseRule(r.String())
		if err != nil || parsed != r {
			t.Errorf("ParseRule(%q)\n got: %d, %v\nwant: %d", r.String(), parsed, err, r)
		}
		if r.Sentence() == "" || r.Remedy() == "" || said[r.Sentence()] || said[r.String()] {
			t.Errorf("%s: no sentence or remedy of its own", r.String())
		}
		said[r.Sentence()], said[r.String()] = true, true
		if got, want := r.Error(), "agui rule "+r.String()+": "+r.Sentence(); got != want {
			t.Errorf("Error\n got: %s\nwant: %s", got, want)
		}
		if !errors.Is(fmt.Errorf("wrapped: %w", &verify.Violation{Rule: r}), r) {
			t.Errorf("a violation of %s is none", r.String())
		}
	}
	for _, r := range []verify.Rule{0, 99} {
		if r.String() == "" || r.Sentence() == "" || r.Set() != verify.Strict || r.Remedy() != "" {
			t.Errorf("rule %d passes for one", r)
		}
	}
	if _, err := verify.ParseRule("NoSuchRule"); err == nil || !strings.Contains(err.Error(), "OpenAtFinish") {
		t.Errorf("ParseRule of no rule\n got: %v\nwant: an error that lists the rules", err)
	}
}

func TestSet(t *testing.T) {
	for _, want := range []verify.Set{verify.Core, verify.Strict} {
		if got, err := verify.ParseSet(want.String()); err != nil || got != want {
			t.Errorf("ParseSet(%q)\n got: %v, %v\nwant: %v", want, got, err, want)
		}
	}
	if _, err := verify.ParseSet("lax"); err == nil {
		t.Error("ParseSet of no set succeeds")
	}
	if got, want := verify.Set(9).String(), "set(9)"; got != want {
		t.Errorf("String\n got: %s\nwant: %s", got, want)
	}
	for kind, want := range map[verify.Kind]string{
		0: "kind(0)", verify.KindTextMessage: "text message", verify.KindSubagent: "subagent", verify.KindSubagent + 1: "kind(7)", 99: "kind(99)",
	} {
		if got := kind.String(); got != want {
			t.Errorf("String\n got: %s\nwant: %s", got, want)
		}
	}
}
