package events

// IdentityCapabilities says who the agent is; see [AgentCapabilities].
type IdentityCapabilities struct {
	Name             Opt[string]
	Type             Opt[string]
	Description      Opt[string]
	Version          Opt[string]
	Provider         Opt[string]
	DocumentationURL Opt[string]
	// Metadata is a JSON object.
	Metadata JSON
	extra    JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c IdentityCapabilities) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c IdentityCapabilities) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *IdentityCapabilities) UnmarshalJSON(data []byte) error { return unmarshal(data, c, "", false) }

func (c *IdentityCapabilities) members(o *object) {
	o.opt("name", &c.Name)
	o.opt("type", &c.Type)
	o.opt("description", &c.Description)
	o.opt("version", &c.Version)
	o.opt("provider", &c.Provider)
	o.opt("documentationUrl", &c.DocumentationURL)
	o.free("metadata", &c.Metadata)
	o.rest(&c.extra)
}

// TransportCapabilities says which transports the agent serves; see [AgentCapabilities].
type TransportCapabilities struct {
	Streaming         Opt[bool]
	WebSocket         Opt[bool]
	HTTPBinary        Opt[bool]
	PushNotifications Opt[bool]
	Resumable         Opt[bool]
	extra             JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c TransportCapabilities) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c TransportCapabilities) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *TransportCapabilities) UnmarshalJSON(data []byte) error {
	return unmarshal(data, c, "", false)
}

func (c *TransportCapabilities) members(o *object) {
	o.boolean("streaming", &c.Streaming)
	o.boolean("websocket", &c.WebSocket)
	o.boolean("httpBinary", &c.HTTPBinary)
	o.boolean("pushNotifications", &c.PushNotifications)
	o.boolean("resumable", &c.Resumable)
	o.rest(&c.extra)
}

// ToolsCapabilities says how the agent calls tools; see [AgentCapabilities].
type ToolsCapabilities struct {
	Supported Opt[bool]
	// Items are the tools that the agent brings; nil leaves the member out.
	Items          []Tool
	ParallelCalls  Opt[bool]
	ClientProvided Opt[bool]
	extra          JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c ToolsCapabilities) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c ToolsCapabilities) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *ToolsCapabilities) UnmarshalJSON(data []byte) error { return unmarshal(data, c, "", false) }

func (c *ToolsCapabilities) members(o *object) {
	o.boolean("supported", &c.Supported)
	o.tools("items", &c.Items)
	o.boolean("parallelCalls", &c.ParallelCalls)
	o.boolean("clientProvided", &c.ClientProvided)
	o.rest(&c.extra)
}

// OutputCapabilities says what the agent can put out; see [AgentCapabilities].
type OutputCapabilities struct {
	StructuredOutput Opt[bool]
	// SupportedMimeTypes nil leaves the member out.
	SupportedMimeTypes []string
	extra              JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c OutputCapabilities) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c OutputCapabilities) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *OutputCapabilities) UnmarshalJSON(data []byte) error { return unmarshal(data, c, "", false) }

func (c *OutputCapabilities) members(o *object) {
	o.boolean("structuredOutput", &c.StructuredOutput)
	o.names("supportedMimeTypes", &c.SupportedMimeTypes)
	o.rest(&c.extra)
}

// StateCapabilities says how the agent keeps state; see [AgentCapabilities].
type StateCapabilities struct {
	Snapshots       Opt[bool]
	Deltas          Opt[bool]
	Memory          Opt[bool]
	PersistentState Opt[bool]
	extra           JSON
}

// AppendJSON appends the value to dst as compact JSON; see [Event].
func (c StateCapabilities) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	c.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (c StateCapabilities) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (c *StateCapabilities) UnmarshalJSON(data []byte) error { return unmarshal(data, c, "", false) }

func (c *StateCapabilities) members(o *object) {
	o.boolean("snapshots", &c.Snapshots)
	o.boolean("deltas", &c.Deltas)
	o.boolean("memory", &c.Memory)
	o.boolean("persistentState", &c.PersistentState)
	o.rest(&c.extra)
}
