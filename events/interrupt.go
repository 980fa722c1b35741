package events

// Interrupt asks the front end for something before the agent can go on.
type Interrupt struct {
	ID         string
	Reason     string
	Message    Opt[string]
	ToolCallID Opt[string]
	// ResponseSchema is a JSON object: the JSON Schema of the answer.
	ResponseSchema JSON
	// ExpiresAt is, by convention, an ISO 8601 date and time.
	ExpiresAt Opt[string]
	// Metadata is a JSON object.
	Metadata      JSON
	SubagentRunID Opt[string]
	extra         JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (i Interrupt) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	i.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (i Interrupt) MarshalJSON() ([]byte, error) { return i.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (i *Interrupt) UnmarshalJSON(data []byte) error { return unmarshal(data, i, "", false) }

func (i *Interrupt) members(o *object) {
	o.str("id", &i.ID)
	o.str("reason", &i.Reason)
	o.opt("message", &i.Message)
	o.opt("toolCallId", &i.ToolCallID)
	o.free("responseSchema", &i.ResponseSchema)
	o.opt("expiresAt", &i.ExpiresAt)
	o.opt("subagentRunId", &i.SubagentRunID)
	o.free("metadata", &i.Metadata)
	o.rest(&i.extra)
}

// interrupts is the list of interrupts. It may be absent when read: an outcome without interrupts is
// refused as an outcome, not as a field.
func (o *object) interrupts(name string, p *[]Interrupt) {
	for l := list(o, name, p, emptied); l.next(o); {
		(*p)[l.i].members(o)
	}
}
