package ids

// Kind says what an id is for. It is the readable prefix of the id, without the underscore. The
// constants are those that the protocol needs; an application may add its own: ids.Kind("order").
// The empty Kind gives an id without a prefix.
type Kind string

// The kinds of id that AG-UI names.
const (
	Thread    Kind = "thread"    // threadId
	Run       Kind = "run"       // runId
	Message   Kind = "msg"       // messageId of a text, activity or tool result message
	ToolCall  Kind = "call"      // toolCallId
	Reasoning Kind = "reason"    // messageId of a reasoning span or reasoning message
	Subagent  Kind = "sub"       // subagentRunId
	Interrupt Kind = "interrupt" // id of an interrupt
)

// Source makes ids.
type Source interface {
	// NewID returns a new id of the kind: one that the source has not returned before. It cannot
	// fail, does not panic, and is safe for concurrent use.
	NewID(kind Kind) string
}

// Func lets a function be a [Source]. The function keeps the promises of NewID.
type Func func(kind Kind) string

// NewID calls f(kind).
func (f Func) NewID(kind Kind) string { return f(kind) }

// New returns a new id of the kind, from [Random].
func New(kind Kind) string { return Random().NewID(kind) }

// Or returns the id that a model provider gave, unchanged, or a new one from source when the provider
// gave none: some leave the ids of tool calls empty. A nil source is [Random].
//
//	em.ToolStart(ids.Or(chunk.ID, nil, ids.ToolCall), chunk.Name)
func Or(provided string, source Source, kind Kind) string {
	if provided != "" {
		return provided
	}
	if source == nil {
		return New(kind)
	}
	return source.NewID(kind)
}

// appendPrefix appends the kind and its underscore to buf.
func appendPrefix(buf []byte, kind Kind) []byte {
	if kind == "" {
		return buf
	}
	return append(append(buf, kind...), '_')
}
