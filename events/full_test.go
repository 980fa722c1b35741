package events

import "encoding/json"

// wireValue is any type of this package that has a form on the wire.
type wireValue interface {
	AppendJSON(dst []byte) ([]byte, error)
	json.Marshaler
}

var (
	fullBase = Base{
		Timestamp: Some[int64](1767225600000),
		RawEvent:  MustJSON(map[string]any{"id": "chatcmpl-1", "n": nil}),
		Metadata:  MustJSON(map[string]any{"trace": "t-1"}),
	}
	fullMessage = MessageBase{ID: "m1", SubagentRunID: Some("s1"), Metadata: MustJSON(map[string]any{"k": 1})}
	fullParts   = []Part{
		&TextPart{Text: "look:", ID: Some("p1"), Metadata: MustJSON([]int{1})},
		&MediaPart{Type: Image, Source: &DataSource{Value: "aGk=", MimeType: "image/png"}, ID: Some("p2"), Metadata: MustJSON(true)},
		&MediaPart{Type: Audio, Source: &URLSource{Value: "https://example.org/a.mp3", MimeType: Some("audio/mpeg")}},
		&MediaPart{Type: Video, Source: &FileSource{Value: "file-1", Provider: Some("openai"), MimeType: Some("video/mp4")}},
		&MediaPart{Type: Document, Source: &URLSource{Value: "https://example.org/d.pdf"}},
	}
	fullCall = ToolCall{
		ID: "c1", Type: "function", Function: FunctionCall{Name: "search", Arguments: `{"q":"go"}`},
		EncryptedValue: Some("enc"), Metadata: MustJSON(map[string]any{"k": 1}),
	}
	fullTool = Tool{
		Name: "search", Description: "searches", Parameters: MustJSON(map[string]any{"type": "object"}),
		Metadata: MustJSON(map[string]any{"k": 1}),
	}
	fullContext = Context{Description: "user", Value: "Ada"}
	fullResume  = ResumeEntry{
		InterruptID: "i1", Status: ResumeResolved, Payload: MustJSON(map[string]any{"approved": true}),
		Metadata: MustJSON(map[string]any{"k": 1}),
	}
	fullInterrupt = Interrupt{
		ID: "i1", Reason: "tool_call", Message: Some("may I?"), ToolCallID: Some("c1"),
		ResponseSchema: MustJSON(map[string]any{"type": "object"}), ExpiresAt: Some("2026-01-01T00:00:00Z"),
		Metadata: MustJSON(map[string]any{"k": 1}), SubagentRunID: Some("s1"),
	}
	fullUsage = TokenUsage{
		Provider: Some("openai"), Model: Some("gpt"), InputTokens: Some[int64](10), OutputTokens: Some[int64](5),
		TotalTokens: Some[int64](15), ReasoningTokens: Some[int64](0), CachedInputTokens: Some[int64](4),
		CacheWriteInputTokens: Some[int64](9007199254740991),
	}
	fullPatch = Patch{
		Add("/a~1b", 1), Remove("/c"), Replace("", nil), Move("/x", "/y"), Copy("/x", "/z"), Test("/q", "r"),
	}
	fullInput = RunAgentInput{
		ThreadID: "t1", RunID: "r1", ProtocolVersion: Some("1.0"), ParentRunID: Some("r0"),
		State: MustJSON(map[string]any{"n": 1}), Messages: []Message{NewUserMessage("m1", "hi")},
		Tools: []Tool{fullTool}, Context: []Context{fullContext}, ForwardedProps: MustJSON(map[string]any{"x": 1}),
		Resume: []ResumeEntry{fullResume},
	}
	yes              = Some(true)
	fullCapabilities = AgentCapabilities{
		Identity: &IdentityCapabilities{
			Name: Some("echo"), Type: Some("demo"), Description: Some("echoes"), Version: Some("1.2.3"), Provider: Some("acme"),
			DocumentationURL: Some("https://example.org"), Metadata: MustJSON(map[string]any{"k": 1}),
		},
		Transport: &TransportCapabilities{Streaming: yes, WebSocket: yes, HTTPBinary: yes, PushNotifications: yes, Resumable: yes},
		Tools:     &ToolsCapabilities{Supported: yes, Items: []Tool{fullTool}, ParallelCalls: yes, ClientProvided: yes},
		Output:    &OutputCapabilities{StructuredOutput: yes, SupportedMimeTypes: []string{"text/plain"}},
		State:     &StateCapabilities{Snapshots: yes, Deltas: yes, Memory: yes, PersistentState: Some(false)},
		MultiAgent: &MultiAgentCapabilities{
			Supported: yes, Delegation: yes, Handoffs: yes, Subagents: []SubagentInfo{{Name: "researcher", Description: Some("finds")}},
		},
		Reasoning: &ReasoningCapabilities{Supported: yes, Streaming: yes, Encrypted: yes},
		Multimodal: &MultimodalCapabilities{
			Input:  &MultimodalInputCapabilities{Image: yes, Audio: yes, Video: yes, PDF: yes, File: yes},
			Output: &MultimodalOutputCapabilities{Image: yes, Audio: yes},
		},
		Execution: &ExecutionCapabilities{CodeExecution: yes, Sandboxed: yes, MaxIterations: Some[int64](8), MaxExecutionTime: Some[int64](60000)},
		HumanInTheLoop: &HumanInTheLoopCapabilities{
			Supported: yes, Approvals: yes, Interventions: yes, Feedback: yes, Interrupts: yes, ApproveWithEdits: yes,
		},
		Custom: MustJSON(map[string]any{"acme": true}),
	}
)

// fullEvents has one event of each type, with every member present.
func fullEvents() []Event {
	tag := Some("s1")
	return []Event{
		&TextMessageStart{Base: fullBase, MessageID: "m1", Role: RoleDeveloper, Name: Some("Ada"), SubagentRunID: tag},
		&TextMessageContent{Base: fullBase, MessageID: "m1", Delta: "Hello, \"wörld\"\n", SubagentRunID: tag},
		&TextMessageEnd{Base: fullBase, MessageID: "m1", SubagentRunID: tag},
		&TextMessageChunk{Base: fullBase, MessageID: Some("m1"), Role: RoleUser, Delta: Some(""), Name: Some(""), SubagentRunID: Some("")},
		&ToolCallStart{Base: fullBase, ToolCallID: "c1", ToolCallName: "search", ParentMessageID: Some("m1"), SubagentRunID: tag},
		&ToolCallArgs{Base: fullBase, ToolCallID: "c1", Delta: `{"q":`, SubagentRunID: tag},
		&ToolCallEnd{Base: fullBase, ToolCallID: "c1", SubagentRunID: tag},
		&ToolCallChunk{Base: fullBase, ToolCallID: Some("c1"), ToolCallName: Some("search"), ParentMessageID: Some("m1"), Delta: Some("{}"), SubagentRunID: tag},
		&ToolCallResult{Base: fullBase, MessageID: "m2", ToolCallID: "c1", Content: Parts(fullParts...), Role: RoleTool, SubagentRunID: tag},
		&StateSnapshot{Base: fullBase, Snapshot: MustJSON(json.RawMessage(`{"big":12345678901234567890}`)), SubagentRunID: tag},
		&StateDelta{Base: fullBase, Delta: fullPatch, SubagentRunID: tag},
		&MessagesSnapshot{Base: fullBase, Messages: fullMessages()},
		&ActivitySnapshot{Base: fullBase, MessageID: "a1", ActivityType: "plan", Content: MustJSON(map[string]any{"n": 0}), Replace: Some(false), SubagentRunID: tag},
		&ActivityDelta{Base: fullBase, MessageID: "a1", ActivityType: "plan", Patch: fullPatch, SubagentRunID: tag},
		&Raw{Base: fullBase, Event: MustJSON([]any{1, nil}), Source: Some("openai"), SubagentRunID: tag},
		&Custom{Base: fullBase, Name: "acme.tick", Value: MustJSON(nil), SubagentRunID: tag},
		&RunStarted{Base: fullBase, ThreadID: "t1", RunID: "r1", ProtocolVersion: Some(ProtocolVersion), ParentRunID: Some("r0"), Input: &fullInput},
		&RunFinished{Base: fullBase, ThreadID: "t1", RunID: "r1", Result: MustJSON("done"), Outcome: &RunSuccess{PendingToolCallIDs: []string{"c1", "c2"}}, Usage: []TokenUsage{fullUsage}},
		&RunError{Base: fullBase, Message: "it broke", Code: Some("agent_error"), Usage: []TokenUsage{fullUsage}},
		&StepStarted{Base: fullBase, StepName: "plan", SubagentRunID: tag},
		&StepFinished{Base: fullBase, StepName: "plan", SubagentRunID: tag},
		&ReasoningStart{Base: fullBase, MessageID: "g1", SubagentRunID: tag},
		&ReasoningMessageStart{Base: fullBase, MessageID: "g1", Role: RoleReasoning, SubagentRunID: tag},
		&ReasoningMessageContent{Base: fullBase, MessageID: "g1", Delta: "hm", SubagentRunID: tag},
		&ReasoningMessageEnd{Base: fullBase, MessageID: "g1", SubagentRunID: tag},
		&ReasoningMessageChunk{Base: fullBase, MessageID: Some("g1"), Delta: Some("hm"), SubagentRunID: tag},
		&ReasoningEnd{Base: fullBase, MessageID: "g1", SubagentRunID: tag},
		&ReasoningEncryptedValue{Base: fullBase, Subtype: EncryptedToolCall, EntityID: "c1", EncryptedValue: "enc", SubagentRunID: tag},
		&SubagentStarted{Base: fullBase, SubagentRunID: "s2", Name: "researcher", Description: Some("finds"), ParentSubagentRunID: tag, ParentToolCallID: Some("c1"), ParentMessageID: Some("m1")},
		&SubagentFinished{Base: fullBase, SubagentRunID: "s2", Result: MustJSON(1.5), Outcome: &SubagentSuspended{InterruptIDs: []string{"i1"}}},
		&SubagentError{Base: fullBase, SubagentRunID: "s2", Message: "it broke", Code: Some("timeout")},
	}
}

// fullMessages has one message of each role, with every member present.
func fullMessages() []Message {
	return []Message{
		&DeveloperMessage{MessageBase: fullMessage, Content: "be kind", Name: Some("dev"), EncryptedValue: Some("enc")},
		&SystemMessage{MessageBase: fullMessage, Content: "be brief", Name: Some("sys"), EncryptedValue: Some("enc")},
		&AssistantMessage{MessageBase: fullMessage, Content: Some("hello"), Name: Some("bot"), ToolCalls: []ToolCall{fullCall}, EncryptedValue: Some("enc")},
		&UserMessage{MessageBase: fullMessage, Content: Parts(fullParts...), Name: Some("Ada"), EncryptedValue: Some("enc")},
		&ToolMessage{MessageBase: fullMessage, Content: Text("42"), ToolCallID: "c1", Error: Some("half of it"), EncryptedValue: Some("enc")},
		&ActivityMessage{MessageBase: fullMessage, ActivityType: "plan", Content: MustJSON(map[string]any{"n": 0})},
		&ReasoningMessage{MessageBase: fullMessage, Content: "hm", EncryptedValue: Some("enc")},
	}
}

// fullInner has the values that stand inside events, each with every member present.
func fullInner() []wireValue {
	return []wireValue{
		&TextPart{Text: "look:", ID: Some("p1"), Metadata: MustJSON([]int{1})},
		&MediaPart{Type: Image, Source: &DataSource{Value: "aGk=", MimeType: "image/png"}, ID: Some("p2"), Metadata: MustJSON(true)},
		&BinaryPart{MimeType: "image/png", ID: Some("b1"), URL: Some("https://example.org/i.png"), Data: Some("aGk="), Filename: Some("i.png")},
		&DataSource{Value: "aGk=", MimeType: "image/png"},
		&URLSource{Value: "https://example.org/i.png", MimeType: Some("image/png")},
		&FileSource{Value: "file-1", Provider: Some("openai"), MimeType: Some("image/png")},
		&fullCall, &fullCall.Function, &fullTool, &fullContext, &fullResume, &fullInterrupt, &fullUsage, &fullInput,
		&fullPatch[0], &fullPatch[1], &fullPatch[2], &fullPatch[3], &fullPatch[4], &fullPatch[5],
		&RunSuccess{PendingToolCallIDs: []string{"c1"}},
		&RunInterrupted{Interrupts: []Interrupt{fullInterrupt, {ID: "i2", Reason: "confirmation"}}},
		&RunCancelled{},
		&SubagentSuccess{},
		&SubagentSuspended{InterruptIDs: []string{}},
		&fullCapabilities, fullCapabilities.Identity, fullCapabilities.Transport, fullCapabilities.Tools,
		fullCapabilities.Output, fullCapabilities.State, fullCapabilities.MultiAgent, &fullCapabilities.MultiAgent.Subagents[0],
		fullCapabilities.Reasoning, fullCapabilities.Multimodal, fullCapabilities.Multimodal.Input,
		fullCapabilities.Multimodal.Output, fullCapabilities.Execution, fullCapabilities.HumanInTheLoop,
	}
}

// fullValues has one value of each type that has a form on the wire, with every member present.
func fullValues() []wireValue {
	var all []wireValue
	for _, ev := range fullEvents() {
		all = append(all, ev.(wireValue))
	}
	for _, m := range fullMessages() {
		all = append(all, m.(wireValue))
	}
	return append(all, fullInner()...)
}
