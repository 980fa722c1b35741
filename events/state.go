package events

// StateSnapshot replaces the client's state (AG-UI 1.0, state events). Any JSON value is a state;
// an absent Snapshot is written as null.
type StateSnapshot struct {
	Base
	Snapshot      JSON
	SubagentRunID Opt[string]
	extra         JSON
}

// NewStateSnapshot returns the event that makes v the state; see [NewJSON] for its encoding and the error.
func NewStateSnapshot(v any) (*StateSnapshot, error) {
	snapshot, err := NewJSON(v)
	if err != nil {
		return nil, err
	}
	return &StateSnapshot{Snapshot: snapshot}, nil
}

// EventType returns [TypeStateSnapshot].
func (e StateSnapshot) EventType() Type { return TypeStateSnapshot }

// AppendJSON implements [Event].
func (e StateSnapshot) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeStateSnapshot)
}

// MarshalJSON implements [json.Marshaler].
func (e StateSnapshot) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *StateSnapshot) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeStateSnapshot, false)
}

func (e StateSnapshot) pointer() Event { return &e }

func (e StateSnapshot) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *StateSnapshot) members(o *object) {
	o.tag("type", string(TypeStateSnapshot))
	o.opt("subagentRunId", &e.SubagentRunID)
	o.value("snapshot", &e.Snapshot)
	o.common(&e.Base, &e.extra)
}

// StateDelta changes the client's state by a JSON Patch.
type StateDelta struct {
	Base
	Delta         Patch
	SubagentRunID Opt[string]
	extra         JSON
}

// NewStateDelta returns the event that changes the state by the operations, in order.
func NewStateDelta(ops ...PatchOp) *StateDelta { return &StateDelta{Delta: ops} }

// EventType returns [TypeStateDelta].
func (e StateDelta) EventType() Type { return TypeStateDelta }

// AppendJSON implements [Event].
func (e StateDelta) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeStateDelta)
}

// MarshalJSON implements [json.Marshaler].
func (e StateDelta) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *StateDelta) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeStateDelta, false)
}

func (e StateDelta) pointer() Event { return &e }

func (e StateDelta) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *StateDelta) members(o *object) {
	o.tag("type", string(TypeStateDelta))
	o.opt("subagentRunId", &e.SubagentRunID)
	o.patch("delta", &e.Delta)
	o.common(&e.Base, &e.extra)
}

// MessagesSnapshot restates the conversation's messages. It carries no subagentRunId of its own.
type MessagesSnapshot struct {
	Base
	Messages []Message
	extra    JSON
}

// NewMessagesSnapshot returns the event that restates the conversation.
func NewMessagesSnapshot(messages ...Message) *MessagesSnapshot {
	return &MessagesSnapshot{Messages: messages}
}

// EventType returns [TypeMessagesSnapshot].
func (e MessagesSnapshot) EventType() Type { return TypeMessagesSnapshot }

// AppendJSON implements [Event].
func (e MessagesSnapshot) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeMessagesSnapshot)
}

// MarshalJSON implements [json.Marshaler].
func (e MessagesSnapshot) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *MessagesSnapshot) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeMessagesSnapshot, false)
}

func (e MessagesSnapshot) pointer() Event { return &e }

func (e MessagesSnapshot) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *MessagesSnapshot) members(o *object) {
	o.tag("type", string(TypeMessagesSnapshot))
	o.messages("messages", &e.Messages)
	o.common(&e.Base, &e.extra)
}
