package events

// DeveloperMessage is a message with the role developer.
type DeveloperMessage struct {
	MessageBase
	Content        string
	Name           Opt[string]
	EncryptedValue Opt[string]
	extra          JSON
}

// NewDeveloperMessage returns a developer message.
func NewDeveloperMessage(id, text string) *DeveloperMessage {
	return &DeveloperMessage{MessageBase: MessageBase{ID: id}, Content: text}
}

// MessageRole returns [RoleDeveloper].
func (m DeveloperMessage) MessageRole() Role { return RoleDeveloper }

// AppendJSON implements [Message].
func (m DeveloperMessage) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	m.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (m DeveloperMessage) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [DecodeMessage].
func (m *DeveloperMessage) UnmarshalJSON(data []byte) error { return unmarshal(data, m, "", false) }

func (m DeveloperMessage) messagePointer() Message { return &m }

func (m DeveloperMessage) check() *FieldError {
	var o object
	m.members(&o)
	return o.err
}

func (m *DeveloperMessage) members(o *object) {
	o.str("id", &m.ID)
	o.tag("role", string(RoleDeveloper))
	o.str("content", &m.Content)
	o.opt("name", &m.Name)
	o.opt("encryptedValue", &m.EncryptedValue)
	o.messageCommon(&m.MessageBase, &m.extra)
}

// SystemMessage is a message with the role system.
type SystemMessage struct {
	MessageBase
	Content        string
	Name           Opt[string]
	EncryptedValue Opt[string]
	extra          JSON
}

// NewSystemMessage returns a system message.
func NewSystemMessage(id, text string) *SystemMessage {
	return &SystemMessage{MessageBase: MessageBase{ID: id}, Content: text}
}

// MessageRole returns [RoleSystem].
func (m SystemMessage) MessageRole() Role { return RoleSystem }

// AppendJSON implements [Message].
func (m SystemMessage) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	m.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (m SystemMessage) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [DecodeMessage].
func (m *SystemMessage) UnmarshalJSON(data []byte) error { return unmarshal(data, m, "", false) }

func (m SystemMessage) messagePointer() Message { return &m }

func (m SystemMessage) check() *FieldError {
	var o object
	m.members(&o)
	return o.err
}

func (m *SystemMessage) members(o *object) {
	o.str("id", &m.ID)
	o.tag("role", string(RoleSystem))
	o.str("content", &m.Content)
	o.opt("name", &m.Name)
	o.opt("encryptedValue", &m.EncryptedValue)
	o.messageCommon(&m.MessageBase, &m.extra)
}

// AssistantMessage is a message with the role assistant. Content is absent when the turn is only
// tool calls.
type AssistantMessage struct {
	MessageBase
	Content        Opt[string]
	Name           Opt[string]
	ToolCalls      []ToolCall
	EncryptedValue Opt[string]
	extra          JSON
}

// NewAssistantMessage returns an assistant message with a text; leave Content absent for one that is only tool calls.
func NewAssistantMessage(id, text string) *AssistantMessage {
	return &AssistantMessage{MessageBase: MessageBase{ID: id}, Content: Some(text)}
}

// MessageRole returns [RoleAssistant].
func (m AssistantMessage) MessageRole() Role { return RoleAssistant }

// AppendJSON implements [Message].
func (m AssistantMessage) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	m.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (m AssistantMessage) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [DecodeMessage].
func (m *AssistantMessage) UnmarshalJSON(data []byte) error { return unmarshal(data, m, "", false) }

func (m AssistantMessage) messagePointer() Message { return &m }

func (m AssistantMessage) check() *FieldError {
	var o object
	m.members(&o)
	return o.err
}

func (m *AssistantMessage) members(o *object) {
	o.str("id", &m.ID)
	o.tag("role", string(RoleAssistant))
	o.opt("content", &m.Content)
	o.opt("name", &m.Name)
	o.toolCalls("toolCalls", &m.ToolCalls)
	o.opt("encryptedValue", &m.EncryptedValue)
	o.messageCommon(&m.MessageBase, &m.extra)
}

// UserMessage is a message with the role user.
type UserMessage struct {
	MessageBase
	Content        Content
	Name           Opt[string]
	EncryptedValue Opt[string]
	extra          JSON
}

// NewUserMessage returns a user message with a text; see [Parts] for other media.
func NewUserMessage(id, text string) *UserMessage {
	return &UserMessage{MessageBase: MessageBase{ID: id}, Content: Text(text)}
}

// MessageRole returns [RoleUser].
func (m UserMessage) MessageRole() Role { return RoleUser }

// AppendJSON implements [Message].
func (m UserMessage) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	m.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (m UserMessage) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [DecodeMessage].
func (m *UserMessage) UnmarshalJSON(data []byte) error { return unmarshal(data, m, "", false) }

func (m UserMessage) messagePointer() Message { return &m }

func (m UserMessage) check() *FieldError {
	var o object
	m.members(&o)
	return o.err
}

func (m *UserMessage) members(o *object) {
	o.str("id", &m.ID)
	o.tag("role", string(RoleUser))
	o.content("content", &m.Content)
	o.opt("name", &m.Name)
	o.opt("encryptedValue", &m.EncryptedValue)
	o.messageCommon(&m.MessageBase, &m.extra)
}

// ToolMessage is a message with the role tool: the answer to a tool call.
type ToolMessage struct {
	MessageBase
	Content        Content
	ToolCallID     string
	Error          Opt[string]
	EncryptedValue Opt[string]
	extra          JSON
}

// NewToolMessage returns a message that answers a tool call with a text.
func NewToolMessage(id, toolCallID, text string) *ToolMessage {
	return &ToolMessage{MessageBase: MessageBase{ID: id}, ToolCallID: toolCallID, Content: Text(text)}
}

// MessageRole returns [RoleTool].
func (m ToolMessage) MessageRole() Role { return RoleTool }

// AppendJSON implements [Message].
func (m ToolMessage) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	m.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (m ToolMessage) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [DecodeMessage].
func (m *ToolMessage) UnmarshalJSON(data []byte) error { return unmarshal(data, m, "", false) }

func (m ToolMessage) messagePointer() Message { return &m }

func (m ToolMessage) check() *FieldError {
	var o object
	m.members(&o)
	return o.err
}

func (m *ToolMessage) members(o *object) {
	o.str("id", &m.ID)
	o.tag("role", string(RoleTool))
	o.str("toolCallId", &m.ToolCallID)
	o.content("content", &m.Content)
	o.opt("error", &m.Error)
	o.opt("encryptedValue", &m.EncryptedValue)
	o.messageCommon(&m.MessageBase, &m.extra)
}

// ActivityMessage is a message with the role activity. Content is a JSON object.
type ActivityMessage struct {
	MessageBase
	ActivityType string
	Content      JSON
	extra        JSON
}

// MessageRole returns [RoleActivity].
func (m ActivityMessage) MessageRole() Role { return RoleActivity }

// AppendJSON implements [Message].
func (m ActivityMessage) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	m.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (m ActivityMessage) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [DecodeMessage].
func (m *ActivityMessage) UnmarshalJSON(data []byte) error { return unmarshal(data, m, "", false) }

func (m ActivityMessage) messagePointer() Message { return &m }

func (m ActivityMessage) check() *FieldError {
	var o object
	m.members(&o)
	return o.err
}

func (m *ActivityMessage) members(o *object) {
	o.str("id", &m.ID)
	o.tag("role", string(RoleActivity))
	o.str("activityType", &m.ActivityType)
	o.freeRequired("content", &m.Content)
	o.messageCommon(&m.MessageBase, &m.extra)
}

// ReasoningMessage is a message with the role reasoning.
type ReasoningMessage struct {
	MessageBase
	Content        string
	EncryptedValue Opt[string]
	extra          JSON
}

// NewReasoningMessage returns a reasoning message.
func NewReasoningMessage(id, text string) *ReasoningMessage {
	return &ReasoningMessage{MessageBase: MessageBase{ID: id}, Content: text}
}

// MessageRole returns [RoleReasoning].
func (m ReasoningMessage) MessageRole() Role { return RoleReasoning }

// AppendJSON implements [Message].
func (m ReasoningMessage) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	m.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (m ReasoningMessage) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [DecodeMessage].
func (m *ReasoningMessage) UnmarshalJSON(data []byte) error { return unmarshal(data, m, "", false) }

func (m ReasoningMessage) messagePointer() Message { return &m }

func (m ReasoningMessage) check() *FieldError {
	var o object
	m.members(&o)
	return o.err
}

func (m *ReasoningMessage) members(o *object) {
	o.str("id", &m.ID)
	o.tag("role", string(RoleReasoning))
	o.str("content", &m.Content)
	o.opt("encryptedValue", &m.EncryptedValue)
	o.messageCommon(&m.MessageBase, &m.extra)
}
