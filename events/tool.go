package events

// resultRoles is the role that a tool call result may name.
var resultRoles = []Role{RoleTool}

// ToolCallStart opens a tool call (AG-UI 1.0, tool call events).
type ToolCallStart struct {
	Base
	ToolCallID   string
	ToolCallName string
	// ParentMessageID names the assistant message that holds the call.
	ParentMessageID Opt[string]
	SubagentRunID   Opt[string]
	extra           JSON
}

// NewToolCallStart returns the event that opens a tool call.
func NewToolCallStart(toolCallID, toolCallName string) *ToolCallStart {
	return &ToolCallStart{ToolCallID: toolCallID, ToolCallName: toolCallName}
}

// EventType returns [TypeToolCallStart].
func (e ToolCallStart) EventType() Type { return TypeToolCallStart }

// AppendJSON implements [Event].
func (e ToolCallStart) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeToolCallStart)
}

// MarshalJSON implements [json.Marshaler].
func (e ToolCallStart) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ToolCallStart) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeToolCallStart, false)
}

func (e ToolCallStart) pointer() Event { return &e }

func (e ToolCallStart) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ToolCallStart) members(o *object) {
	o.tag("type", string(TypeToolCallStart))
	o.str("toolCallId", &e.ToolCallID)
	o.str("toolCallName", &e.ToolCallName)
	o.opt("parentMessageId", &e.ParentMessageID)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.common(&e.Base, &e.extra)
}

// ToolCallArgs adds Delta, a fragment of JSON text, to the arguments of an open tool call.
type ToolCallArgs struct {
	Base
	ToolCallID    string
	Delta         string
	SubagentRunID Opt[string]
	extra         JSON
}

// NewToolCallArgs returns the event that adds delta to the arguments of an open call.
func NewToolCallArgs(toolCallID, delta string) *ToolCallArgs {
	return &ToolCallArgs{ToolCallID: toolCallID, Delta: delta}
}

// EventType returns [TypeToolCallArgs].
func (e ToolCallArgs) EventType() Type { return TypeToolCallArgs }

// AppendJSON implements [Event].
func (e ToolCallArgs) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeToolCallArgs)
}

// MarshalJSON implements [json.Marshaler].
func (e ToolCallArgs) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ToolCallArgs) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeToolCallArgs, false)
}

func (e ToolCallArgs) pointer() Event { return &e }

func (e ToolCallArgs) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ToolCallArgs) members(o *object) {
	o.tag("type", string(TypeToolCallArgs))
	o.str("toolCallId", &e.ToolCallID)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.str("delta", &e.Delta)
	o.common(&e.Base, &e.extra)
}

// ToolCallEnd says that the arguments of a tool call are complete.
type ToolCallEnd struct {
	Base
	ToolCallID    string
	SubagentRunID Opt[string]
	extra         JSON
}

// NewToolCallEnd returns the event that closes a call.
func NewToolCallEnd(toolCallID string) *ToolCallEnd {
	return &ToolCallEnd{ToolCallID: toolCallID}
}

// EventType returns [TypeToolCallEnd].
func (e ToolCallEnd) EventType() Type { return TypeToolCallEnd }

// AppendJSON implements [Event].
func (e ToolCallEnd) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeToolCallEnd)
}

// MarshalJSON implements [json.Marshaler].
func (e ToolCallEnd) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ToolCallEnd) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeToolCallEnd, false)
}

func (e ToolCallEnd) pointer() Event { return &e }

func (e ToolCallEnd) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ToolCallEnd) members(o *object) {
	o.tag("type", string(TypeToolCallEnd))
	o.str("toolCallId", &e.ToolCallID)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.common(&e.Base, &e.extra)
}

// ToolCallChunk is the shorthand for START, ARGS and END; the first chunk of a call names its id
// and the tool.
type ToolCallChunk struct {
	Base
	ToolCallID      Opt[string]
	ToolCallName    Opt[string]
	ParentMessageID Opt[string]
	Delta           Opt[string]
	SubagentRunID   Opt[string]
	extra           JSON
}

// EventType returns [TypeToolCallChunk].
func (e ToolCallChunk) EventType() Type { return TypeToolCallChunk }

// AppendJSON implements [Event].
func (e ToolCallChunk) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeToolCallChunk)
}

// MarshalJSON implements [json.Marshaler].
func (e ToolCallChunk) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ToolCallChunk) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeToolCallChunk, false)
}

func (e ToolCallChunk) pointer() Event { return &e }

func (e ToolCallChunk) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ToolCallChunk) members(o *object) {
	o.tag("type", string(TypeToolCallChunk))
	o.opt("toolCallId", &e.ToolCallID)
	o.opt("toolCallName", &e.ToolCallName)
	o.opt("parentMessageId", &e.ParentMessageID)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.opt("delta", &e.Delta)
	o.common(&e.Base, &e.extra)
}

// ToolCallResult answers a tool call. It creates the tool message that MessageID names.
type ToolCallResult struct {
	Base
	MessageID  string
	ToolCallID string
	Content    Content
	// Role is tool, or empty, which leaves it out.
	Role          Role
	SubagentRunID Opt[string]
	extra         JSON
}

// NewToolCallResult returns the event that answers a call with a text.
func NewToolCallResult(messageID, toolCallID, content string) *ToolCallResult {
	return &ToolCallResult{MessageID: messageID, ToolCallID: toolCallID, Content: Text(content)}
}

// EventType returns [TypeToolCallResult].
func (e ToolCallResult) EventType() Type { return TypeToolCallResult }

// AppendJSON implements [Event].
func (e ToolCallResult) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeToolCallResult)
}

// MarshalJSON implements [json.Marshaler].
func (e ToolCallResult) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ToolCallResult) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeToolCallResult, false)
}

func (e ToolCallResult) pointer() Event { return &e }

func (e ToolCallResult) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ToolCallResult) members(o *object) {
	o.tag("type", string(TypeToolCallResult))
	o.str("messageId", &e.MessageID)
	o.str("toolCallId", &e.ToolCallID)
	o.content("content", &e.Content)
	enum(o, "role", &e.Role, optional, resultRoles)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.common(&e.Base, &e.extra)
}
