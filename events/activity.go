package events

// ActivitySnapshot creates or replaces an activity message (AG-UI 1.0, activity events).
type ActivitySnapshot struct {
	Base
	MessageID    string
	ActivityType string
	// Content is a JSON object.
	Content JSON
	// Replace false keeps an existing activity as it is; absent means true.
	Replace       Opt[bool]
	SubagentRunID Opt[string]
	extra         JSON
}

// EventType returns [TypeActivitySnapshot].
func (e ActivitySnapshot) EventType() Type { return TypeActivitySnapshot }

// AppendJSON implements [Event].
func (e ActivitySnapshot) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeActivitySnapshot)
}

// MarshalJSON implements [json.Marshaler].
func (e ActivitySnapshot) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ActivitySnapshot) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeActivitySnapshot, false)
}

func (e ActivitySnapshot) pointer() Event { return &e }

func (e ActivitySnapshot) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ActivitySnapshot) members(o *object) {
	o.tag("type", string(TypeActivitySnapshot))
	o.str("messageId", &e.MessageID)
	o.str("activityType", &e.ActivityType)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.freeRequired("content", &e.Content)
	o.boolean("replace", &e.Replace)
	o.common(&e.Base, &e.extra)
}

// ActivityDelta changes an activity's content by a JSON Patch.
type ActivityDelta struct {
	Base
	MessageID     string
	ActivityType  string
	Patch         Patch
	SubagentRunID Opt[string]
	extra         JSON
}

// EventType returns [TypeActivityDelta].
func (e ActivityDelta) EventType() Type { return TypeActivityDelta }

// AppendJSON implements [Event].
func (e ActivityDelta) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeActivityDelta)
}

// MarshalJSON implements [json.Marshaler].
func (e ActivityDelta) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *ActivityDelta) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeActivityDelta, false)
}

func (e ActivityDelta) pointer() Event { return &e }

func (e ActivityDelta) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *ActivityDelta) members(o *object) {
	o.tag("type", string(TypeActivityDelta))
	o.str("messageId", &e.MessageID)
	o.str("activityType", &e.ActivityType)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.patch("patch", &e.Patch)
	o.common(&e.Base, &e.extra)
}
