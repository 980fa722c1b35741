package events

// ToolCall is a tool call that an assistant message holds.
type ToolCall struct {
	ID string
	// Type is function. The member is required on the wire: empty is written as "function".
	Type           string
	Function       FunctionCall
	EncryptedValue Opt[string]
	// Metadata is a JSON object.
	Metadata JSON
	extra    JSON
}

// NewToolCall returns the call of a function with arguments, JSON text.
func NewToolCall(id, name, arguments string) ToolCall {
	return ToolCall{ID: id, Type: "function", Function: FunctionCall{Name: name, Arguments: arguments}}
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c ToolCall) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c ToolCall) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *ToolCall) UnmarshalJSON(data []byte) error { return unmarshal(data, c, "", false) }

func (c *ToolCall) members(o *object) {
	o.str("id", &c.ID)
	constant(o, "type", &c.Type, "function")
	o.function("function", &c.Function)
	o.opt("encryptedValue", &c.EncryptedValue)
	o.free("metadata", &c.Metadata)
	o.rest(&c.extra)
}

// FunctionCall names a function and its arguments.
type FunctionCall struct {
	Name string
	// Arguments is JSON text as the model wrote it; it need not be valid and may be empty.
	Arguments string
	extra     JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (f FunctionCall) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	f.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (f FunctionCall) MarshalJSON() ([]byte, error) { return f.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (f *FunctionCall) UnmarshalJSON(data []byte) error { return unmarshal(data, f, "", false) }

func (f *FunctionCall) members(o *object) {
	o.str("name", &f.Name)
	o.str("arguments", &f.Arguments)
	o.rest(&f.extra)
}

// toolCalls is an optional list of tool calls.
func (o *object) toolCalls(name string, p *[]ToolCall) {
	for l := list(o, name, p, optional); l.next(o); {
		(*p)[l.i].members(o)
	}
}

// function is a required function call.
func (o *object) function(name string, p *FunctionCall) {
	if c, ok := o.open(name, required); ok {
		p.members(o)
		c.close(o)
	}
}
