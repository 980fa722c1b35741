package events

// textRoles are the roles that a streamed text message may have.
var textRoles = []Role{RoleDeveloper, RoleSystem, RoleAssistant, RoleUser}

// TextMessageStart opens a text message (AG-UI 1.0, text message events).
type TextMessageStart struct {
	Base
	MessageID string
	// Role is developer, system, assistant or user. Empty leaves it out, which means assistant.
	Role          Role
	Name          Opt[string]
	SubagentRunID Opt[string]
	extra         JSON
}

// NewTextMessageStart returns the event that opens an assistant message.
func NewTextMessageStart(messageID string) *TextMessageStart {
	return &TextMessageStart{MessageID: messageID}
}

// EventType returns [TypeTextMessageStart].
func (e TextMessageStart) EventType() Type { return TypeTextMessageStart }

// AppendJSON implements [Event].
func (e TextMessageStart) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeTextMessageStart)
}

// MarshalJSON implements [json.Marshaler].
func (e TextMessageStart) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *TextMessageStart) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeTextMessageStart, false)
}

func (e TextMessageStart) pointer() Event { return &e }

func (e TextMessageStart) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *TextMessageStart) members(o *object) {
	o.tag("type", string(TypeTextMessageStart))
	o.str("messageId", &e.MessageID)
	enum(o, "role", &e.Role, optional, textRoles)
	o.opt("name", &e.Name)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.common(&e.Base, &e.extra)
}

// TextMessageContent adds Delta to an open text message. An empty delta is legal.
type TextMessageContent struct {
	Base
	MessageID     string
	Delta         string
	SubagentRunID Opt[string]
	extra         JSON
}

// NewTextMessageContent returns the event that adds delta to an open message.
func NewTextMessageContent(messageID, delta string) *TextMessageContent {
	return &TextMessageContent{MessageID: messageID, Delta: delta}
}

// EventType returns [TypeTextMessageContent].
func (e TextMessageContent) EventType() Type { return TypeTextMessageContent }

// AppendJSON implements [Event].
func (e TextMessageContent) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeTextMessageContent)
}

// MarshalJSON implements [json.Marshaler].
func (e TextMessageContent) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *TextMessageContent) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeTextMessageContent, false)
}

func (e TextMessageContent) pointer() Event { return &e }

func (e TextMessageContent) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *TextMessageContent) members(o *object) {
	o.tag("type", string(TypeTextMessageContent))
	o.str("messageId", &e.MessageID)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.str("delta", &e.Delta)
	o.common(&e.Base, &e.extra)
}

// TextMessageEnd closes a text message.
type TextMessageEnd struct {
	Base
	MessageID     string
	SubagentRunID Opt[string]
	extra         JSON
}

// NewTextMessageEnd returns the event that closes a message.
func NewTextMessageEnd(messageID string) *TextMessageEnd {
	return &TextMessageEnd{MessageID: messageID}
}

// EventType returns [TypeTextMessageEnd].
func (e TextMessageEnd) EventType() Type { return TypeTextMessageEnd }

// AppendJSON implements [Event].
func (e TextMessageEnd) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeTextMessageEnd)
}

// MarshalJSON implements [json.Marshaler].
func (e TextMessageEnd) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *TextMessageEnd) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeTextMessageEnd, false)
}

func (e TextMessageEnd) pointer() Event { return &e }

func (e TextMessageEnd) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *TextMessageEnd) members(o *object) {
	o.tag("type", string(TypeTextMessageEnd))
	o.str("messageId", &e.MessageID)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.common(&e.Base, &e.extra)
}

// TextMessageChunk is the shorthand for START, CONTENT and END: the first chunk of a message names
// it, later ones may leave the id out, and the client closes it when something else follows.
type TextMessageChunk struct {
	Base
	MessageID Opt[string]
	// Role is as in [TextMessageStart].
	Role          Role
	Delta         Opt[string]
	Name          Opt[string]
	SubagentRunID Opt[string]
	extra         JSON
}

// EventType returns [TypeTextMessageChunk].
func (e TextMessageChunk) EventType() Type { return TypeTextMessageChunk }

// AppendJSON implements [Event].
func (e TextMessageChunk) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeTextMessageChunk)
}

// MarshalJSON implements [json.Marshaler].
func (e TextMessageChunk) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *TextMessageChunk) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeTextMessageChunk, false)
}

func (e TextMessageChunk) pointer() Event { return &e }

func (e TextMessageChunk) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *TextMessageChunk) members(o *object) {
	o.tag("type", string(TypeTextMessageChunk))
	o.opt("messageId", &e.MessageID)
	enum(o, "role", &e.Role, optional, textRoles)
	o.opt("name", &e.Name)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.opt("delta", &e.Delta)
	o.common(&e.Base, &e.extra)
}
