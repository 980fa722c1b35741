package events

import (
	"errors"
	"math"
	"reflect"
	"testing"
)

func TestCheckRefuses(t *testing.T) {
	list, null := MustJSON([]int{}), MustJSON(nil)
	message := func(m Message) Event { return NewMessagesSnapshot(NewUserMessage("m0", ""), m) }
	part := func(p Part) Event { return &ToolCallResult{Content: Parts(TextPart{}, p)} }
	input := func(in RunAgentInput) Event { return RunStarted{Input: &in} }
	interrupt := func(i Interrupt) Event { return RunFinished{Outcome: RunInterrupted{Interrupts: []Interrupt{i}}} }
	for _, c := range []struct {
		name    string
		ev      Event
		pointer string
	}{
		{"timestamp", TextMessageEnd{Base: Base{Timestamp: Some[int64](maxSafe + 1)}}, "/timestamp"},
		{"negative timestamp", TextMessageEnd{Base: Base{Timestamp: Some[int64](math.MinInt64)}}, "/timestamp"},
		{"metadata", TextMessageEnd{Base: Base{Metadata: list}}, "/metadata"},
		{"metadata null", TextMessageEnd{Base: Base{Metadata: null}}, "/metadata"},
		{"raw event null", TextMessageEnd{Base: Base{RawEvent: null}}, "/rawEvent"},
		{"result null", RunFinished{Result: null}, "/result"},
		{"subagent result null", SubagentFinished{Result: null}, "/result"},
		{"text role", TextMessageStart{Role: RoleTool}, "/role"},
		{"chunk role", &TextMessageChunk{Role: "Assistant"}, "/role"},
		{"reasoning role", ReasoningMessageStart{Role: RoleAssistant}, "/role"},
		{"result role", ToolCallResult{Role: RoleUser}, "/role"},
		{"subtype", ReasoningEncryptedValue{Subtype: "span"}, "/subtype"},
		{"no subtype", ReasoningEncryptedValue{}, "/subtype"},
		{"activity content", ActivitySnapshot{Content: list}, "/content"},
		{"no activity content", ActivitySnapshot{}, "/content"},
		{"count", RunError{Usage: []TokenUsage{{}, {TotalTokens: Some[int64](-1)}}}, "/usage/1/totalTokens"},
		{"big count", &RunFinished{Usage: []TokenUsage{{InputTokens: Some[int64](maxSafe + 1)}}}, "/usage/0/inputTokens"},
		{"op", StateDelta{Delta: Patch{{Op: "merge"}}}, "/delta/0/op"},
		{"no op", StateDelta{Delta: Patch{{}}}, "/delta/0/op"},
		{"path", StateDelta{Delta: Patch{Remove("/a"), Remove("a/b")}}, "/delta/1/path"},
		{"from", ActivityDelta{Patch: Patch{Move("/a~b", "/c")}}, "/patch/0/from"},
		{"no from", ActivityDelta{Patch: Patch{{Op: OpCopy, Path: "/c"}}}, "/patch/0/from"},
		{"value that has no JSON", StateDelta{Delta: Patch{Add("/a", make(chan int))}}, "/delta/0/value"},
		{"message metadata", message(SystemMessage{MessageBase: MessageBase{Metadata: list}}), "/messages/1/metadata"},
		{"activity message", message(&ActivityMessage{}), "/messages/1/content"},
		{"tool call type", message(AssistantMessage{ToolCalls: []ToolCall{{Type: "tool"}}}), "/messages/1/toolCalls/0/type"},
		{"tool call metadata", message(AssistantMessage{ToolCalls: []ToolCall{{Metadata: list}}}), "/messages/1/toolCalls/0/metadata"},
		{"part in a message", message(&UserMessage{Content: Parts(&MediaPart{Source: URLSource{}})}), "/messages/1/content/0/type"},
		{"part metadata", part(TextPart{Metadata: null}), "/content/1/metadata"},
		{"media metadata", part(MediaPart{Type: Image, Source: URLSource{}, Metadata: null}), "/content/1/metadata"},
		{"media type", part(MediaPart{Type: "smell", Source: URLSource{}}), "/content/1/type"},
		{"no source", part(MediaPart{Type: Image}), "/content/1/source"},
		{"response schema", interrupt(Interrupt{ResponseSchema: MustJSON(true)}), "/outcome/interrupts/0/responseSchema"},
		{"interrupt metadata", interrupt(Interrupt{Metadata: list}), "/outcome/interrupts/0/metadata"},
		{"input message", input(RunAgentInput{Messages: []Message{ActivityMessage{Content: list}}}), "/input/messages/0/content"},
		{"forwarded props", input(RunAgentInput{ForwardedProps: null}), "/input/forwardedProps"},
		{"tool parameters", input(RunAgentInput{Tools: []Tool{{Parameters: null}}}), "/input/tools/0/parameters"},
		{"resume status", input(RunAgentInput{Resume: []ResumeEntry{{}}}), "/input/resume/0/status"},
		{"resume payload", input(RunAgentInput{Resume: []ResumeEntry{{Status: ResumeCancelled, Payload: null}}}), "/input/resume/0/payload"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := Check(c.ev)
			var fe *FieldError
			if !errors.As(err, &fe) {
				t.Fatalf("got %v, want a *FieldError", err)
			}
			if fe.Pointer != c.pointer {
				t.Errorf("pointer\n got %s\nwant %s", fe.Pointer, c.pointer)
			}
			if fe.Type != c.ev.EventType() {
				t.Errorf("type\n got %s\nwant %s", fe.Type, c.ev.EventType())
			}
		})
	}
}

func TestCheckAccepts(t *testing.T) {
	for _, ev := range []Event{
		RunFinished{Outcome: RunInterrupted{}},
		RunFinished{Outcome: UnknownOutcome{Type: "paused"}},
		RunStarted{Input: &RunAgentInput{State: MustJSON(nil)}},
		ReasoningMessageStart{},
		StateSnapshot{}, Raw{}, Custom{Value: MustJSON(nil)},
		StateDelta{Delta: Patch{Add("", nil), Test("/a~0~1", nil)}},
		ToolCallResult{Content: Parts(UnknownPart{Type: "smell"}, BinaryPart{}, MediaPart{Type: Image, Source: UnknownSource{}})},
		NewMessagesSnapshot(UnknownMessage{Role: "critic"}, AssistantMessage{ToolCalls: []ToolCall{{}}}),
		Unknown{Name: "THINKING_START"}, &Unknown{},
	} {
		if err := Check(ev); err != nil {
			t.Errorf("%T: %v", ev, err)
		}
	}
}

// Whatever interface a nil pointer stands in, the answer is ErrNil and never a panic.
func TestNilPointers(t *testing.T) {
	for _, c := range []struct {
		name    string
		ev      Event
		pointer string
	}{
		{"message", NewMessagesSnapshot(NewUserMessage("m", ""), (*UserMessage)(nil)), "/messages/1"},
		{"no message", NewMessagesSnapshot(nil), "/messages/0"},
		{"part", ToolCallResult{Content: Parts((*TextPart)(nil))}, "/content/0"},
		{"no part", ToolCallResult{Content: Parts(nil)}, "/content/0"},
		{"source", ToolCallResult{Content: Parts(MediaPart{Type: Image, Source: (*DataSource)(nil)})}, "/content/0/source"},
		{"no source", ToolCallResult{Content: Parts(MediaPart{Type: Image})}, "/content/0/source"},
		{"outcome", RunFinished{Outcome: (*RunCancelled)(nil)}, "/outcome"},
		{"subagent outcome", SubagentFinished{Outcome: (*UnknownOutcome)(nil)}, "/outcome"},
		{"input message", RunStarted{Input: &RunAgentInput{Messages: []Message{(*ToolMessage)(nil)}}}, "/input/messages/0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dst := []byte("data: ")
			out, encErr := c.ev.AppendJSON(dst)
			if string(out) != "data: " {
				t.Errorf("dst\n got %s\nwant it unchanged", out)
			}
			for _, err := range []error{encErr, Check(c.ev)} {
				var fe *FieldError
				if !errors.As(err, &fe) || !errors.Is(err, ErrNil) {
					t.Fatalf("got %v, want a *FieldError that is ErrNil", err)
				}
				if fe.Pointer != c.pointer || fe.Type != c.ev.EventType() {
					t.Errorf("\n got %s %s\nwant %s %s", fe.Type, fe.Pointer, c.ev.EventType(), c.pointer)
				}
			}
		})
	}
	for _, ev := range []Event{nil, (*RunError)(nil), (*Unknown)(nil)} {
		if err := Check(ev); !errors.Is(err, ErrNil) {
			t.Errorf("Check(%T): got %v, want ErrNil", ev, err)
		}
		if got, err := Pointer(ev); !errors.Is(err, ErrNil) || got != nil {
			t.Errorf("Pointer(%T): got %v, %v, want nil and ErrNil", ev, got, err)
		}
	}
	if s := Parts((*TextPart)(nil), TextPart{Text: "x"}).String(); s != "x" {
		t.Errorf("got %q, want %q", s, "x")
	}
}

func TestEncodeRefuses(t *testing.T) {
	cause := errors.New("no")
	for _, c := range []struct {
		name string
		ev   Event
		want string
	}{
		{"activity without content", ActivitySnapshot{}, "events: ACTIVITY_SNAPSHOT: /content: is required: set it to a JSON object"},
		{"activity message without content", NewMessagesSnapshot(ActivityMessage{}), "events: MESSAGES_SNAPSHOT: /messages/0/content: is required: set it to a JSON object"},
		{"move without from", StateDelta{Delta: Patch{{Op: OpMove}}}, "events: STATE_DELTA: /delta/0/from: is required"},
		{"patch value", StateDelta{Delta: Patch{Add("/a", failing{cause})}}, "events: STATE_DELTA: /delta/0/value: events: cannot encode events.failing as JSON: json: error calling MarshalJSON for type events.failing: no"},
		{"unknown without text", Unknown{Name: "X"}, "events: X: want the whole value as a JSON object"},
		{"unknown of another type", Unknown{Name: "X", JSON: MustJSON(map[string]string{"type": "Y"})}, `events: X: /type: want "X", got "Y"`},
		{"unknown that is known", Unknown{Name: TypeRunError, JSON: MustJSON(map[string]string{"type": "RUN_ERROR"})}, "events: RUN_ERROR: is a type of AG-UI 1.0: use its own struct instead of Unknown"},
		{"unknown part", ToolCallResult{Content: Parts(UnknownPart{Type: "x"})}, "events: TOOL_CALL_RESULT: /content/0: want the whole value as a JSON object"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := c.ev.AppendJSON([]byte("data: "))
			if err == nil || err.Error() != c.want {
				t.Errorf("\n got %v\nwant %s", err, c.want)
			}
			if string(out) != "data: " {
				t.Errorf("dst\n got %s\nwant it unchanged", out)
			}
		})
	}
	if _, err := (StateDelta{Delta: Patch{Add("/a", failing{cause})}}).AppendJSON(nil); !errors.Is(err, cause) {
		t.Errorf("%v does not wrap its cause", err)
	}
	for _, c := range []struct {
		value   wireValue
		pointer string
	}{
		{Patch{Remove(""), Add("", failing{cause})}, "/1/value"},
		{Parts(TextPart{}, nil), "/1"},
		{UserMessage{Content: Parts(nil)}, "/content/0"},
		{RunAgentInput{Messages: []Message{nil}}, "/messages/0"},
	} {
		var fe *FieldError
		if out, err := c.value.AppendJSON([]byte("x")); !errors.As(err, &fe) || fe.Pointer != c.pointer || string(out) != "x" {
			t.Errorf("%T: got %s, %v, want x and an error at %s", c.value, out, err, c.pointer)
		}
	}
}

type failing struct{ err error }

func (f failing) MarshalJSON() ([]byte, error) { return nil, f.err }

// A value becomes a pointer of its type, a pointer stays itself, nil is refused.
func TestPointer(t *testing.T) {
	testPointer[Event](t, Pointer, StepStarted{}, &StepStarted{}, (*StepStarted)(nil))
	testPointer[Message](t, MessagePointer, UserMessage{}, &UserMessage{}, (*UserMessage)(nil))
	testPointer[Part](t, PartPointer, TextPart{}, &TextPart{}, (*TextPart)(nil))
	testPointer[Source](t, SourcePointer, URLSource{}, &URLSource{}, (*URLSource)(nil))
	testPointer[RunOutcome](t, RunOutcomePointer, UnknownOutcome{}, &UnknownOutcome{}, (*UnknownOutcome)(nil))
	testPointer[SubagentOutcome](t, SubagentOutcomePointer, SubagentSuccess{}, &SubagentSuccess{}, (*SubagentSuccess)(nil))
}

func testPointer[T comparable](t *testing.T, pointer func(T) (T, error), value, ptr, null T) {
	t.Helper()
	got, err := pointer(value)
	if err != nil || reflect.TypeOf(got) != reflect.TypeOf(ptr) {
		t.Errorf("%T: got %T, %v, want %T", value, got, err, ptr)
	}
	if got, err := pointer(ptr); err != nil || got != ptr {
		t.Errorf("%T: got %v, %v, want itself", ptr, got, err)
	}
	var none T
	for _, v := range []T{null, none} {
		if got, err := pointer(v); !errors.Is(err, ErrNil) || got != none {
			t.Errorf("nil %T: got %v, %v, want nil and ErrNil", v, got, err)
		}
	}
}
