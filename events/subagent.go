package events

// SubagentStarted opens a subagent invocation (AG-UI 1.0, subagent events). SubagentRunID is its
// identity, required, and used once in a run.
type SubagentStarted struct {
	Base
	SubagentRunID       string
	Name                string
	Description         Opt[string]
	ParentSubagentRunID Opt[string]
	ParentToolCallID    Opt[string]
	ParentMessageID     Opt[string]
	extra               JSON
}

// EventType returns [TypeSubagentStarted].
func (e SubagentStarted) EventType() Type { return TypeSubagentStarted }

// AppendJSON implements [Event].
func (e SubagentStarted) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeSubagentStarted)
}

// MarshalJSON implements [json.Marshaler].
func (e SubagentStarted) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *SubagentStarted) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeSubagentStarted, false)
}

func (e SubagentStarted) pointer() Event { return &e }

func (e SubagentStarted) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *SubagentStarted) members(o *object) {
	o.tag("type", string(TypeSubagentStarted))
	o.str("subagentRunId", &e.SubagentRunID)
	o.str("name", &e.Name)
	o.opt("description", &e.Description)
	o.opt("parentSubagentRunId", &e.ParentSubagentRunID)
	o.opt("parentToolCallId", &e.ParentToolCallID)
	o.opt("parentMessageId", &e.ParentMessageID)
	o.common(&e.Base, &e.extra)
}

// SubagentFinished ends a subagent invocation.
type SubagentFinished struct {
	Base
	SubagentRunID string
	Result        JSON
	// Outcome nil leaves the member out, which means success.
	Outcome SubagentOutcome
	extra   JSON
}

// EventType returns [TypeSubagentFinished].
func (e SubagentFinished) EventType() Type { return TypeSubagentFinished }

// AppendJSON implements [Event].
func (e SubagentFinished) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeSubagentFinished)
}

// MarshalJSON implements [json.Marshaler].
func (e SubagentFinished) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *SubagentFinished) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeSubagentFinished, false)
}

func (e SubagentFinished) pointer() Event { return &e }

func (e SubagentFinished) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *SubagentFinished) members(o *object) {
	o.tag("type", string(TypeSubagentFinished))
	o.str("subagentRunId", &e.SubagentRunID)
	o.some("result", &e.Result)
	o.subagentOutcome("outcome", &e.Outcome)
	o.common(&e.Base, &e.extra)
}

// SubagentError ends a subagent invocation that failed. The run goes on.
type SubagentError struct {
	Base
	SubagentRunID string
	Message       string
	Code          Opt[string]
	extra         JSON
}

// EventType returns [TypeSubagentError].
func (e SubagentError) EventType() Type { return TypeSubagentError }

// AppendJSON implements [Event].
func (e SubagentError) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeSubagentError)
}

// MarshalJSON implements [json.Marshaler].
func (e SubagentError) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *SubagentError) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeSubagentError, false)
}

func (e SubagentError) pointer() Event { return &e }

func (e SubagentError) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *SubagentError) members(o *object) {
	o.tag("type", string(TypeSubagentError))
	o.str("subagentRunId", &e.SubagentRunID)
	o.str("message", &e.Message)
	o.opt("code", &e.Code)
	o.common(&e.Base, &e.extra)
}
