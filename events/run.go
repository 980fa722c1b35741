package events

// RunStarted opens a run (AG-UI 1.0, lifecycle events).
type RunStarted struct {
	Base
	ThreadID        string
	RunID           string
	ProtocolVersion Opt[string]
	ParentRunID     Opt[string]
	// Input echoes the request; nil leaves it out.
	Input *RunAgentInput
	extra JSON
}

// NewRunStarted returns the event that opens a run and announces [ProtocolVersion].
func NewRunStarted(threadID, runID string) *RunStarted {
	return &RunStarted{ThreadID: threadID, RunID: runID, ProtocolVersion: Some(ProtocolVersion)}
}

// EventType returns [TypeRunStarted].
func (e RunStarted) EventType() Type { return TypeRunStarted }

// AppendJSON implements [Event].
func (e RunStarted) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeRunStarted)
}

// MarshalJSON implements [json.Marshaler].
func (e RunStarted) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *RunStarted) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeRunStarted, false)
}

func (e RunStarted) pointer() Event { return &e }

func (e RunStarted) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *RunStarted) members(o *object) {
	o.tag("type", string(TypeRunStarted))
	o.str("threadId", &e.ThreadID)
	o.str("runId", &e.RunID)
	o.opt("protocolVersion", &e.ProtocolVersion)
	o.opt("parentRunId", &e.ParentRunID)
	o.input("input", &e.Input)
	o.common(&e.Base, &e.extra)
}

// RunFinished ends a run. Its ids are those of its RUN_STARTED.
type RunFinished struct {
	Base
	ThreadID string
	RunID    string
	Result   JSON
	// Outcome nil leaves the member out, which means success.
	Outcome RunOutcome
	Usage   []TokenUsage
	extra   JSON
}

// NewRunFinished returns the event that ends a run with success.
func NewRunFinished(threadID, runID string) *RunFinished {
	return &RunFinished{ThreadID: threadID, RunID: runID}
}

// EventType returns [TypeRunFinished].
func (e RunFinished) EventType() Type { return TypeRunFinished }

// AppendJSON implements [Event].
func (e RunFinished) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeRunFinished)
}

// MarshalJSON implements [json.Marshaler].
func (e RunFinished) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *RunFinished) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeRunFinished, false)
}

func (e RunFinished) pointer() Event { return &e }

func (e RunFinished) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *RunFinished) members(o *object) {
	o.tag("type", string(TypeRunFinished))
	o.str("threadId", &e.ThreadID)
	o.str("runId", &e.RunID)
	o.some("result", &e.Result)
	o.runOutcome("outcome", &e.Outcome)
	o.usage("usage", &e.Usage)
	o.common(&e.Base, &e.extra)
}

// RunError ends a run that failed.
type RunError struct {
	Base
	Message string
	Code    Opt[string]
	Usage   []TokenUsage
	extra   JSON
}

// NewRunError returns the event that ends a failed run.
func NewRunError(message string) *RunError {
	return &RunError{Message: message}
}

// EventType returns [TypeRunError].
func (e RunError) EventType() Type { return TypeRunError }

// AppendJSON implements [Event].
func (e RunError) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeRunError)
}

// MarshalJSON implements [json.Marshaler].
func (e RunError) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *RunError) UnmarshalJSON(data []byte) error { return unmarshal(data, e, TypeRunError, false) }

func (e RunError) pointer() Event { return &e }

func (e RunError) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *RunError) members(o *object) {
	o.tag("type", string(TypeRunError))
	o.str("message", &e.Message)
	o.opt("code", &e.Code)
	o.usage("usage", &e.Usage)
	o.common(&e.Base, &e.extra)
}

// StepStarted opens a step. A step is identified by its SubagentRunID and its name.
type StepStarted struct {
	Base
	StepName      string
	SubagentRunID Opt[string]
	extra         JSON
}

// NewStepStarted returns the event that opens a step.
func NewStepStarted(stepName string) *StepStarted {
	return &StepStarted{StepName: stepName}
}

// EventType returns [TypeStepStarted].
func (e StepStarted) EventType() Type { return TypeStepStarted }

// AppendJSON implements [Event].
func (e StepStarted) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeStepStarted)
}

// MarshalJSON implements [json.Marshaler].
func (e StepStarted) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *StepStarted) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeStepStarted, false)
}

func (e StepStarted) pointer() Event { return &e }

func (e StepStarted) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *StepStarted) members(o *object) {
	o.tag("type", string(TypeStepStarted))
	o.str("stepName", &e.StepName)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.common(&e.Base, &e.extra)
}

// StepFinished closes a step. It carries exactly the SubagentRunID of its STEP_STARTED.
type StepFinished struct {
	Base
	StepName      string
	SubagentRunID Opt[string]
	extra         JSON
}

// NewStepFinished returns the event that closes a step.
func NewStepFinished(stepName string) *StepFinished {
	return &StepFinished{StepName: stepName}
}

// EventType returns [TypeStepFinished].
func (e StepFinished) EventType() Type { return TypeStepFinished }

// AppendJSON implements [Event].
func (e StepFinished) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	e.members(&o)
	return o.end(dst, TypeStepFinished)
}

// MarshalJSON implements [json.Marshaler].
func (e StepFinished) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (e *StepFinished) UnmarshalJSON(data []byte) error {
	return unmarshal(data, e, TypeStepFinished, false)
}

func (e StepFinished) pointer() Event { return &e }

func (e StepFinished) check() *FieldError {
	var o object
	e.members(&o)
	return o.err
}

func (e *StepFinished) members(o *object) {
	o.tag("type", string(TypeStepFinished))
	o.str("stepName", &e.StepName)
	o.opt("subagentRunId", &e.SubagentRunID)
	o.common(&e.Base, &e.extra)
}
