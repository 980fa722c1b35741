package events

// Role is the role of a message.
type Role string

// The seven message roles of AG-UI 1.0.
const (
	RoleDeveloper Role = "developer"
	RoleSystem    Role = "system"
	RoleAssistant Role = "assistant"
	RoleUser      Role = "user"
	RoleTool      Role = "tool"
	RoleActivity  Role = "activity"
	RoleReasoning Role = "reasoning"
)

// Message is one message of a conversation (AG-UI 1.0, messages). The interface is sealed: its
// implementations are one type for each role, and [UnknownMessage] for all others. Values and
// pointers both are Messages.
type Message interface {
	MessageID() string
	MessageRole() Role
	// AppendJSON appends the message to dst; see [Event].
	AppendJSON(dst []byte) ([]byte, error)

	// messagePointer returns the message as a pointer to a copy of it.
	messagePointer() Message
	check() *FieldError
}

// MessageBase holds the members that every message has.
type MessageBase struct {
	ID            string
	SubagentRunID Opt[string]
	// Metadata is a JSON object.
	Metadata JSON
}

// MessageID returns the message's id.
func (b MessageBase) MessageID() string { return b.ID }

// messageCommon is what every message has besides its own members.
func (o *object) messageCommon(b *MessageBase, extra *JSON) {
	o.opt("subagentRunId", &b.SubagentRunID)
	o.free("metadata", &b.Metadata)
	o.rest(extra)
}

// UnknownMessage is a message whose role is none of AG-UI 1.0's, kept as it came.
type UnknownMessage struct {
	MessageBase
	Role Role
	// JSON is the whole message. Only it is written; the members above are read from it.
	JSON JSON
}

// MessageRole returns the message's role.
func (m UnknownMessage) MessageRole() Role { return m.Role }

// AppendJSON implements [Message]: it writes the message as it came. A message whose role AG-UI 1.0 knows
// has its own struct and is refused here.
func (m UnknownMessage) AppendJSON(dst []byte) ([]byte, error) {
	if err := m.check(); err != nil {
		return dst, err
	}
	return appendOpaque(dst, m.JSON, "role", string(m.Role))
}

// MarshalJSON implements [json.Marshaler].
func (m UnknownMessage) MarshalJSON() ([]byte, error) { return m.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler]: it takes any object.
func (m *UnknownMessage) UnmarshalJSON(data []byte) error {
	role, j, err := readOpaque(data, "role")
	if err != nil {
		return err
	}
	*m = *newUnknownMessage(Role(role), j, members([]byte(j.text)))
	return nil
}

func (m UnknownMessage) messagePointer() Message { return &m }

func (m UnknownMessage) check() *FieldError {
	if newMessage(m.Role) != nil {
		return disguised("role", string(m.Role))
	}
	return nil
}

// messages is a required list of messages.
func (o *object) messages(name string, p *[]Message) {
	if o.mode != reading {
		putMember(o, name, *p)
		return
	}
	if text := o.typed(name, required, "an array", '['); text != nil {
		list, err := readAll(text, o.legacy, readMessage)
		*p = list
		o.nest(name, err)
	}
}

// readMessage reads one message. A message whose role is unknown is kept opaque.
func readMessage(text []byte, legacy bool) (Message, *FieldError) {
	if text[0] != '{' {
		return nil, wantObject(text)
	}
	in := members(text)
	role := Role(lastString(in, "role"))
	m := newMessage(role)
	if m == nil {
		return newUnknownMessage(role, compact(text), in), nil
	}
	return m, readMembers(in, m, legacy)
}

type describedMessage interface {
	Message
	described
}

// newMessage returns an empty message of the role, nil for an unknown one.
func newMessage(role Role) describedMessage {
	switch role {
	case RoleDeveloper:
		return new(DeveloperMessage)
	case RoleSystem:
		return new(SystemMessage)
	case RoleAssistant:
		return new(AssistantMessage)
	case RoleUser:
		return new(UserMessage)
	case RoleTool:
		return new(ToolMessage)
	case RoleActivity:
		return new(ActivityMessage)
	case RoleReasoning:
		return new(ReasoningMessage)
	}
	return nil
}

// newUnknownMessage returns the message j, whose members are in.
func newUnknownMessage(role Role, j JSON, in []member) *UnknownMessage {
	m := &UnknownMessage{Role: role, JSON: j}
	m.ID = lastString(in, "id")
	if tag := last(in, "subagentRunId"); tag != nil && tag[0] == '"' {
		m.SubagentRunID = Some(unquote(tag))
	}
	if metadata := last(in, "metadata"); metadata != nil && metadata[0] == '{' {
		m.Metadata = compact(metadata)
	}
	return m
}
