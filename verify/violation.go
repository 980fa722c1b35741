package verify

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/clip"
)

// Violation says that an event, or the end of the stream, breaks a rule. It unwraps to its [Rule], so
// that errors.Is(err, verify.NotOpen) holds, and for [InvalidField] also to the *[events.FieldError].
// The strings are safe to log: ids come from models and strangers, and are cut to 256 bytes.
type Violation struct {
	Rule Rule
	// EventType is the type of the offending event, empty at the end of the stream.
	EventType events.Type
	// ID is the id of what the event is about: a message, a call, a step's name, a subagent or a run.
	ID string
	// Owner is the event's subagentRunId.
	Owner events.Opt[string]
	// Index is the number of events that were observed before this one.
	Index int
	// Sentence says what is wrong here.
	Sentence string
	// Remedy says what to do about it.
	Remedy string
	// Open is what was open, and Caller the offending call as file:line. They are empty unless
	// whoever runs the Verifier fills them in.
	Open   []Open
	Caller string

	field error // the *events.FieldError of an InvalidField
}

// Error returns one line: the event, the rule, what is wrong and what to do.
func (v *Violation) Error() string {
	where := "end of stream"
	if v.Rule != Unterminated {
		where = typeInWords(v.EventType)
		if v.ID != "" {
			where += " " + strconv.Quote(v.ID)
		}
	}
	text := fmt.Sprintf("verify: %s (event %d): %s: %s; %s", where, v.Index, v.Rule.String(), v.Sentence, v.Remedy)
	if v.Caller != "" {
		text += " (called at " + v.Caller + ")"
	}
	return text
}

// typeInWords returns the type as it is, or quoted when a stranger has made it up.
func typeInWords(t events.Type) string {
	if t == "" || strings.Trim(string(t), "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
		return quoted(string(t))
	}
	return string(t)
}

// Unwrap returns the rule and, for [InvalidField], the field error.
func (v *Violation) Unwrap() []error {
	if v.field != nil {
		return []error{v.Rule, v.field}
	}
	return []error{v.Rule}
}

// ErrorType returns the rule's name, the low-cardinality error type that telemetry wants.
func (v *Violation) ErrorType() string { return v.Rule.String() }

// quoted returns s cut and quoted, for sentences.
func quoted(s string) string { return strconv.Quote(clip.Cut(s)) }
