package events

import "slices"

// RunAgentInput is the body of a run request (AG-UI 1.0, run input).
type RunAgentInput struct {
	ThreadID        string
	RunID           string
	ProtocolVersion Opt[string]
	ParentRunID     Opt[string]
	// State is any JSON value; absent means an empty object.
	State    JSON
	Messages []Message
	// Tools and Context nil are left out; absent means none.
	Tools          []Tool
	Context        []Context
	ForwardedProps JSON
	// Resume nil is left out; absent means that this run resumes nothing.
	Resume []ResumeEntry
	extra  JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (in RunAgentInput) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	in.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (in RunAgentInput) MarshalJSON() ([]byte, error) { return in.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [DecodeInput].
func (in *RunAgentInput) UnmarshalJSON(data []byte) error { return unmarshal(data, in, "", true) }

func (in *RunAgentInput) members(o *object) {
	o.str("threadId", &in.ThreadID)
	o.str("runId", &in.RunID)
	o.opt("protocolVersion", &in.ProtocolVersion)
	o.opt("parentRunId", &in.ParentRunID)
	o.nullable("state", &in.State)
	o.messages("messages", &in.Messages)
	o.tools("tools", &in.Tools)
	o.contexts("context", &in.Context)
	o.some("forwardedProps", &in.ForwardedProps)
	o.resume("resume", &in.Resume)
	o.rest(&in.extra)
}

// Tool is a tool that the front end offers.
type Tool struct {
	Name        string
	Description string
	// Parameters is a JSON Schema.
	Parameters JSON
	// Metadata is a JSON object.
	Metadata JSON
	extra    JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (t Tool) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	t.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (t Tool) MarshalJSON() ([]byte, error) { return t.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (t *Tool) UnmarshalJSON(data []byte) error { return unmarshal(data, t, "", false) }

func (t *Tool) members(o *object) {
	o.str("name", &t.Name)
	o.str("description", &t.Description)
	o.some("parameters", &t.Parameters)
	o.free("metadata", &t.Metadata)
	o.rest(&t.extra)
}

// Context is a piece of context that the front end gives to the agent.
type Context struct {
	Description string
	Value       string
	extra       JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c Context) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c Context) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *Context) UnmarshalJSON(data []byte) error { return unmarshal(data, c, "", false) }

func (c *Context) members(o *object) {
	o.str("description", &c.Description)
	o.str("value", &c.Value)
	o.rest(&c.extra)
}

// ResumeStatus says what became of an interrupt.
type ResumeStatus string

// The resume statuses of AG-UI 1.0. A refusal is resolved, with a payload that says no; cancelled
// means abandoned.
const (
	ResumeResolved  ResumeStatus = "resolved"
	ResumeCancelled ResumeStatus = "cancelled"
)

var resumeStatuses = []ResumeStatus{ResumeResolved, ResumeCancelled}

// ResumeEntry answers one interrupt of an earlier run.
type ResumeEntry struct {
	InterruptID string
	Status      ResumeStatus
	Payload     JSON
	// Metadata is a JSON object.
	Metadata JSON
	extra    JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (r ResumeEntry) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	r.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (r ResumeEntry) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (r *ResumeEntry) UnmarshalJSON(data []byte) error { return unmarshal(data, r, "", false) }

func (r *ResumeEntry) members(o *object) {
	o.str("interruptId", &r.InterruptID)
	enum(o, "status", &r.Status, required, resumeStatuses)
	o.some("payload", &r.Payload)
	o.free("metadata", &r.Metadata)
	o.rest(&r.extra)
}

// input is an optional run input.
func (o *object) input(name string, p **RunAgentInput) {
	if o.mode == reading && o.find(name, optional) != nil {
		*p = new(RunAgentInput)
	}
	if *p == nil {
		return
	}
	if c, ok := o.open(name, optional); ok {
		(*p).members(o)
		c.close(o)
	}
}

func (o *object) tools(name string, p *[]Tool) {
	for l := list(o, name, p, optional); l.next(o); {
		(*p)[l.i].members(o)
	}
}

func (o *object) contexts(name string, p *[]Context) {
	for l := list(o, name, p, optional); l.next(o); {
		(*p)[l.i].members(o)
	}
}

func (o *object) resume(name string, p *[]ResumeEntry) {
	for l := list(o, name, p, optional); l.next(o); {
		(*p)[l.i].members(o)
	}
}

// LastUserMessage returns the last message of the user, and whether there is one. It need not be the
// last message: a request holds the whole thread.
func (in *RunAgentInput) LastUserMessage() (*UserMessage, bool) {
	for _, m := range slices.Backward(in.Messages) {
		if p, err := MessagePointer(m); err == nil {
			if user, ok := p.(*UserMessage); ok {
				return user, true
			}
		}
	}
	return nil, false
}

// ToolCall returns the tool call with the id from the thread's messages, and whether there is one. A
// run that resumes answers the calls of an earlier one.
func (in *RunAgentInput) ToolCall(id string) (ToolCall, bool) {
	for _, m := range slices.Backward(in.Messages) {
		p, err := MessagePointer(m)
		if err != nil {
			continue
		}
		assistant, ok := p.(*AssistantMessage)
		if !ok {
			continue
		}
		for _, call := range assistant.ToolCalls {
			if call.ID == id {
				return call, true
			}
		}
	}
	return ToolCall{}, false
}
