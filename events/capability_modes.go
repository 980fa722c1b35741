package events

// MultiAgentCapabilities says how the agent works with others; see [AgentCapabilities].
type MultiAgentCapabilities struct {
	Supported  Opt[bool]
	Delegation Opt[bool]
	Handoffs   Opt[bool]
	// Subagents nil leaves the member out.
	Subagents []SubagentInfo
	extra     JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c MultiAgentCapabilities) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c MultiAgentCapabilities) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *MultiAgentCapabilities) UnmarshalJSON(data []byte) error {
	return unmarshal(data, c, "", false)
}

func (c *MultiAgentCapabilities) members(o *object) {
	o.boolean("supported", &c.Supported)
	o.boolean("delegation", &c.Delegation)
	o.boolean("handoffs", &c.Handoffs)
	o.subagents("subagents", &c.Subagents)
	o.rest(&c.extra)
}

// SubagentInfo describes a subagent that the agent can invoke; see [AgentCapabilities].
type SubagentInfo struct {
	Name        string
	Description Opt[string]
	extra       JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c SubagentInfo) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c SubagentInfo) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *SubagentInfo) UnmarshalJSON(data []byte) error { return unmarshal(data, c, "", false) }

func (c *SubagentInfo) members(o *object) {
	o.str("name", &c.Name)
	o.opt("description", &c.Description)
	o.rest(&c.extra)
}

// ReasoningCapabilities says what of its reasoning the agent shows; see [AgentCapabilities].
type ReasoningCapabilities struct {
	Supported Opt[bool]
	Streaming Opt[bool]
	Encrypted Opt[bool]
	extra     JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c ReasoningCapabilities) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c ReasoningCapabilities) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *ReasoningCapabilities) UnmarshalJSON(data []byte) error {
	return unmarshal(data, c, "", false)
}

func (c *ReasoningCapabilities) members(o *object) {
	o.boolean("supported", &c.Supported)
	o.boolean("streaming", &c.Streaming)
	o.boolean("encrypted", &c.Encrypted)
	o.rest(&c.extra)
}

// MultimodalCapabilities says which media the agent takes and gives; see [AgentCapabilities].
type MultimodalCapabilities struct {
	Input  *MultimodalInputCapabilities
	Output *MultimodalOutputCapabilities
	extra  JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c MultimodalCapabilities) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c MultimodalCapabilities) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *MultimodalCapabilities) UnmarshalJSON(data []byte) error {
	return unmarshal(data, c, "", false)
}

func (c *MultimodalCapabilities) members(o *object) {
	group(o, "input", &c.Input)
	group(o, "output", &c.Output)
	o.rest(&c.extra)
}

// MultimodalInputCapabilities says which media the agent takes; see [AgentCapabilities].
type MultimodalInputCapabilities struct {
	Image Opt[bool]
	Audio Opt[bool]
	Video Opt[bool]
	PDF   Opt[bool]
	File  Opt[bool]
	extra JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c MultimodalInputCapabilities) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c MultimodalInputCapabilities) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *MultimodalInputCapabilities) UnmarshalJSON(data []byte) error {
	return unmarshal(data, c, "", false)
}

func (c *MultimodalInputCapabilities) members(o *object) {
	o.boolean("image", &c.Image)
	o.boolean("audio", &c.Audio)
	o.boolean("video", &c.Video)
	o.boolean("pdf", &c.PDF)
	o.boolean("file", &c.File)
	o.rest(&c.extra)
}

// MultimodalOutputCapabilities says which media the agent gives; see [AgentCapabilities].
type MultimodalOutputCapabilities struct {
	Image Opt[bool]
	Audio Opt[bool]
	extra JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c MultimodalOutputCapabilities) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c MultimodalOutputCapabilities) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *MultimodalOutputCapabilities) UnmarshalJSON(data []byte) error {
	return unmarshal(data, c, "", false)
}

func (c *MultimodalOutputCapabilities) members(o *object) {
	o.boolean("image", &c.Image)
	o.boolean("audio", &c.Audio)
	o.rest(&c.extra)
}

// ExecutionCapabilities says how the agent runs code, and its limits; see [AgentCapabilities].
type ExecutionCapabilities struct {
	CodeExecution Opt[bool]
	Sandboxed     Opt[bool]
	// MaxIterations is a number of steps in one run.
	MaxIterations Opt[int64]
	// MaxExecutionTime is in milliseconds.
	MaxExecutionTime Opt[int64]
	extra            JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c ExecutionCapabilities) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c ExecutionCapabilities) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *ExecutionCapabilities) UnmarshalJSON(data []byte) error {
	return unmarshal(data, c, "", false)
}

func (c *ExecutionCapabilities) members(o *object) {
	o.boolean("codeExecution", &c.CodeExecution)
	o.boolean("sandboxed", &c.Sandboxed)
	o.integer("maxIterations", &c.MaxIterations, 0)
	o.integer("maxExecutionTime", &c.MaxExecutionTime, 0)
	o.rest(&c.extra)
}

// HumanInTheLoopCapabilities says how people take part in a run; see [AgentCapabilities].
type HumanInTheLoopCapabilities struct {
	Supported        Opt[bool]
	Approvals        Opt[bool]
	Interventions    Opt[bool]
	Feedback         Opt[bool]
	Interrupts       Opt[bool]
	ApproveWithEdits Opt[bool]
	extra            JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c HumanInTheLoopCapabilities) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c HumanInTheLoopCapabilities) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *HumanInTheLoopCapabilities) UnmarshalJSON(data []byte) error {
	return unmarshal(data, c, "", false)
}

func (c *HumanInTheLoopCapabilities) members(o *object) {
	o.boolean("supported", &c.Supported)
	o.boolean("approvals", &c.Approvals)
	o.boolean("interventions", &c.Interventions)
	o.boolean("feedback", &c.Feedback)
	o.boolean("interrupts", &c.Interrupts)
	o.boolean("approveWithEdits", &c.ApproveWithEdits)
	o.rest(&c.extra)
}
