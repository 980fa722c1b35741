package events

// ReasoningStart opens a reasoning span (AG-UI 1.0, reasoning events).
type ReasoningStart struct {
	Base
	MessageID     string
	SubagentRunID Opt[string]
	extra         JSON
}

// NewReasoningStart returns the event that opens a reasoning span.
func NewReasoningStart(messageID string) *ReasoningStart {
	return &ReasoningStart{MessageID: messageID}
}

// EventType returns [TypeReasoningStart].
func (e ReasoningStart) EventType() Type { return TypeReasoningStart }

// AppendJSON implements [Event].
func (e ReasoningStart) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeReasoningStart)
}

// MarshalJSON implements [json.Marshaler].
func (e ReasoningStart) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ReasoningStart) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeReasoningStart, false)
}

func (e ReasoningStart) pointer() Event { return &e }

func (e ReasoningStart) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ReasoningStart) members(o *object) {
	o.tag("type", string(TypeReasoningStart))
	o.str("messageId", &e.MessageID)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.common(&e.Base, &e.extra)
}

// ReasoningMessageStart opens a reasoning message; a span around it is not required.
type ReasoningMessageStart struct {
	Base
	MessageID string
	// Role is reasoning. The member is required on the wire: empty is written as "reasoning".
	Role          Role
	SubagentRunID Opt[string]
	extra         JSON
}

// NewReasoningMessageStart returns the event that opens a reasoning message.
func NewReasoningMessageStart(messageID string) *ReasoningMessageStart {
	return &ReasoningMessageStart{MessageID: messageID}
}

// EventType returns [TypeReasoningMessageStart].
func (e ReasoningMessageStart) EventType() Type { return TypeReasoningMessageStart }

// AppendJSON implements [Event].
func (e ReasoningMessageStart) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeReasoningMessageStart)
}

// MarshalJSON implements [json.Marshaler].
func (e ReasoningMessageStart) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ReasoningMessageStart) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeReasoningMessageStart, false)
}

func (e ReasoningMessageStart) pointer() Event { return &e }

func (e ReasoningMessageStart) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ReasoningMessageStart) members(o *object) {
	o.tag("type", string(TypeReasoningMessageStart))
	o.str("messageId", &e.MessageID)
	constant(o, "role", &e.Role, RoleReasoning)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.common(&e.Base, &e.extra)
}

// ReasoningMessageContent adds Delta to an open reasoning message.
type ReasoningMessageContent struct {
	Base
	MessageID     string
	Delta         string
	SubagentRunID Opt[string]
	extra         JSON
}

// NewReasoningMessageContent returns the event that adds delta to an open reasoning message.
func NewReasoningMessageContent(messageID, delta string) *ReasoningMessageContent {
	return &ReasoningMessageContent{MessageID: messageID, Delta: delta}
}

// EventType returns [TypeReasoningMessageContent].
func (e ReasoningMessageContent) EventType() Type { return TypeReasoningMessageContent }

// AppendJSON implements [Event].
func (e ReasoningMessageContent) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeReasoningMessageContent)
}

// MarshalJSON implements [json.Marshaler].
func (e ReasoningMessageContent) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ReasoningMessageContent) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeReasoningMessageContent, false)
}

func (e ReasoningMessageContent) pointer() Event { return &e }

func (e ReasoningMessageContent) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ReasoningMessageContent) members(o *object) {
	o.tag("type", string(TypeReasoningMessageContent))
	o.str("messageId", &e.MessageID)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.str("delta", &e.Delta)
	o.common(&e.Base, &e.extra)
}

// ReasoningMessageEnd closes a reasoning message.
type ReasoningMessageEnd struct {
	Base
	MessageID     string
	SubagentRunID Opt[string]
	extra         JSON
}

// NewReasoningMessageEnd returns the event that closes a reasoning message.
func NewReasoningMessageEnd(messageID string) *ReasoningMessageEnd {
	return &ReasoningMessageEnd{MessageID: messageID}
}

// EventType returns [TypeReasoningMessageEnd].
func (e ReasoningMessageEnd) EventType() Type { return TypeReasoningMessageEnd }

// AppendJSON implements [Event].
func (e ReasoningMessageEnd) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeReasoningMessageEnd)
}

// MarshalJSON implements [json.Marshaler].
func (e ReasoningMessageEnd) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ReasoningMessageEnd) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeReasoningMessageEnd, false)
}

func (e ReasoningMessageEnd) pointer() Event { return &e }

func (e ReasoningMessageEnd) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ReasoningMessageEnd) members(o *object) {
	o.tag("type", string(TypeReasoningMessageEnd))
	o.str("messageId", &e.MessageID)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.common(&e.Base, &e.extra)
}

// ReasoningMessageChunk is the shorthand for a reasoning message's START, CONTENT and END.
type ReasoningMessageChunk struct {
	Base
	MessageID     Opt[string]
	Delta         Opt[string]
	SubagentRunID Opt[string]
	extra         JSON
}

// EventType returns [TypeReasoningMessageChunk].
func (e ReasoningMessageChunk) EventType() Type { return TypeReasoningMessageChunk }

// AppendJSON implements [Event].
func (e ReasoningMessageChunk) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeReasoningMessageChunk)
}

// MarshalJSON implements [json.Marshaler].
func (e ReasoningMessageChunk) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ReasoningMessageChunk) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeReasoningMessageChunk, false)
}

func (e ReasoningMessageChunk) pointer() Event { return &e }

func (e ReasoningMessageChunk) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ReasoningMessageChunk) members(o *object) {
	o.tag("type", string(TypeReasoningMessageChunk))
	o.opt("messageId", &e.MessageID)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.opt("delta", &e.Delta)
	o.common(&e.Base, &e.extra)
}

// ReasoningEnd closes a reasoning span.
type ReasoningEnd struct {
	Base
	MessageID     string
	SubagentRunID Opt[string]
	extra         JSON
}

// NewReasoningEnd returns the event that closes a reasoning span.
func NewReasoningEnd(messageID string) *ReasoningEnd {
	return &ReasoningEnd{MessageID: messageID}
}

// EventType returns [TypeReasoningEnd].
func (e ReasoningEnd) EventType() Type { return TypeReasoningEnd }

// AppendJSON implements [Event].
func (e ReasoningEnd) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeReasoningEnd)
}

// MarshalJSON implements [json.Marshaler].
func (e ReasoningEnd) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ReasoningEnd) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeReasoningEnd, false)
}

func (e ReasoningEnd) pointer() Event { return &e }

func (e ReasoningEnd) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ReasoningEnd) members(o *object) {
	o.tag("type", string(TypeReasoningEnd))
	o.str("messageId", &e.MessageID)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.common(&e.Base, &e.extra)
}

// EncryptedValueSubtype says what a [ReasoningEncryptedValue] belongs to.
type EncryptedValueSubtype string

// The subtypes of AG-UI 1.0.
const (
	EncryptedToolCall EncryptedValueSubtype = "tool-call"
	EncryptedMessage  EncryptedValueSubtype = "message"
)

var encryptedSubtypes = []EncryptedValueSubtype{EncryptedToolCall, EncryptedMessage}

// ReasoningEncryptedValue attaches an opaque reasoning value to a tool call or a message.
type ReasoningEncryptedValue struct {
	Base
	Subtype        EncryptedValueSubtype
	EntityID       string
	EncryptedValue string
	SubagentRunID  Opt[string]
	extra          JSON
}

// EventType returns [TypeReasoningEncryptedValue].
func (e ReasoningEncryptedValue) EventType() Type { return TypeReasoningEncryptedValue }

// AppendJSON implements [Event].
func (e ReasoningEncryptedValue) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeReasoningEncryptedValue)
}

// MarshalJSON implements [json.Marshaler].
func (e ReasoningEncryptedValue) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ReasoningEncryptedValue) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeReasoningEncryptedValue, false)
}

func (e ReasoningEncryptedValue) pointer() Event { return &e }

func (e ReasoningEncryptedValue) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ReasoningEncryptedValue) members(o *object) {
	o.tag("type", string(TypeReasoningEncryptedValue))
	enum(o, "subtype", &e.Subtype, required, encryptedSubtypes)
	o.str("entityId", &e.EntityID)
	o.str("encryptedValue", &e.EncryptedValue)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.common(&e.Base, &e.extra)
}
