package events

// AgentCapabilities says what an agent can do (AG-UI 1.0, capabilities). It is informative and travels
// outside the event stream; 1.0 defines no endpoint for it. Everything is optional: what is left out is
// undeclared, which is not the same as unsupported.
type AgentCapabilities struct {
	Identity       *IdentityCapabilities
	Transport      *TransportCapabilities
	Tools          *ToolsCapabilities
	Output         *OutputCapabilities
	State          *StateCapabilities
	MultiAgent     *MultiAgentCapabilities
	Reasoning      *ReasoningCapabilities
	Multimodal     *MultimodalCapabilities
	Execution      *ExecutionCapabilities
	HumanInTheLoop *HumanInTheLoopCapabilities
	// Custom is a JSON object.
	Custom JSON
	extra  JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c AgentCapabilities) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c AgentCapabilities) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *AgentCapabilities) UnmarshalJSON(data []byte) error { return unmarshal(data, c, "", false) }

func (c *AgentCapabilities) members(o *object) {
	group(o, "identity", &c.Identity)
	group(o, "transport", &c.Transport)
	group(o, "tools", &c.Tools)
	group(o, "output", &c.Output)
	group(o, "state", &c.State)
	group(o, "multiAgent", &c.MultiAgent)
	group(o, "reasoning", &c.Reasoning)
	group(o, "multimodal", &c.Multimodal)
	group(o, "execution", &c.Execution)
	group(o, "humanInTheLoop", &c.HumanInTheLoop)
	o.free("custom", &c.Custom)
	o.rest(&c.extra)
}

// group is an optional object member.
func group[T any, P interface {
	*T
	described
}](o *object, name string, p **T) {
	if o.mode == reading && o.find(name, optional) != nil {
		*p = new(T)
	}
	if *p == nil {
		return
	}
	if c, ok := o.open(name, optional); ok {
		P(*p).members(o)
		c.close(o)
	}
}

func (o *object) subagents(name string, p *[]SubagentInfo) {
	for l := list(o, name, p, optional); l.next(o); {
		(*p)[l.i].members(o)
	}
}
