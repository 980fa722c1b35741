package events

// Raw passes a provider's event through (AG-UI 1.0, special events). An absent Event is written as
// null.
type Raw struct {
	Base
	Event         JSON
	Source        Opt[string]
	SubagentRunID Opt[string]
	extra         JSON
}

// EventType returns [TypeRaw].
func (e Raw) EventType() Type { return TypeRaw }

// AppendJSON implements [Event].
func (e Raw) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeRaw)
}

// MarshalJSON implements [json.Marshaler].
func (e Raw) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *Raw) UnmarshalJSON(data []byte) error { return unmarshal(data, e, TypeRaw, false) }

func (e Raw) pointer() Event { return &e }

func (e Raw) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *Raw) members(o *object) {
	o.tag("type", string(TypeRaw))
	o.opt("subagentRunId", &e.SubagentRunID)
	o.value("event", &e.Event)
	o.opt("source", &e.Source)
	o.common(&e.Base, &e.extra)
}

// Custom is an application's own event. Names carry a vendor or application prefix; those without
// one are reserved for the protocol. An absent Value is written as null.
type Custom struct {
	Base
	Name          string
	Value         JSON
	SubagentRunID Opt[string]
	extra         JSON
}

// NewCustom returns an application's event with the value v; see [NewJSON] for its encoding and the error.
func NewCustom(name string, v any) (*Custom, error) {
	value, err := NewJSON(v)
	if err != nil {
		return nil, err
	}
	return &Custom{Name: name, Value: value}, nil
}

// EventType returns [TypeCustom].
func (e Custom) EventType() Type { return TypeCustom }

// AppendJSON implements [Event].
func (e Custom) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeCustom)
}

// MarshalJSON implements [json.Marshaler].
func (e Custom) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *Custom) UnmarshalJSON(data []byte) error { return unmarshal(data, e, TypeCustom, false) }

func (e Custom) pointer() Event { return &e }

func (e Custom) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *Custom) members(o *object) {
	o.tag("type", string(TypeCustom))
	o.str("name", &e.Name)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.value("value", &e.Value)
	o.common(&e.Base, &e.extra)
}

// Unknown is an event whose type is none of AG-UI 1.0's, kept as it came: the retired THINKING_*
// family, and whatever a newer version adds.
type Unknown struct {
	// Name is the event's "type" member.
	Name Type
	// JSON is the whole event, an object whose "type" member is Name.
	JSON JSON
}

// EventType returns the event's type.
func (e Unknown) EventType() Type { return e.Name }

// AppendJSON implements [Event]: it writes the event as it came. An event whose type AG-UI 1.0 knows
// has its own struct and is refused here.
func (e Unknown) AppendJSON(dst []byte) ([]byte, error) {
	if newEvent(e.Name) != nil {
		return dst, &FieldError{Type: e.Name, Reason: "is a type of AG-UI " + ProtocolVersion + ": use its own struct instead of Unknown"}
	}
	out, err := appendOpaque(dst, e.JSON, "type", string(e.Name))
	if err != nil {
		return dst, nested(err).as(e.Name)
	}
	return out, nil
}

// MarshalJSON implements [json.Marshaler].
func (e Unknown) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler]: it takes any object.
func (e *Unknown) UnmarshalJSON(data []byte) error {
	name, j, err := readOpaque(data, "type")
	if err != nil {
		return err
	}
	*e = Unknown{Name: Type(name), JSON: j}
	return nil
}

func (e Unknown) pointer() Event     { return &e }
func (e Unknown) check() *FieldError { return nil }
