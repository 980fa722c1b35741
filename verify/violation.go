package verify

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/agui-go/agui/events"
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
	if v.EventType != "" {
		where = string(v.EventType)
		if v.ID != "" {
			where += " " + strconv.Quote(v.ID)
		}
	}
	text := fmt.Sprintf("verify: %s (event %d): %s: %s; %s", where, v.Index, v.Rule.String(), v.Sentence, v.Remedy)
	if v.Caller != "" {
		text += " at " + v.Caller
	}
	return text
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

// maxID is the number of bytes to which ids are cut in errors.
const maxID = 256

// cut returns s, cut to maxID bytes at a rune boundary.
func cut(s string) string {
	if len(s) <= maxID {
		return s
	}
	end := maxID
	for end > maxID-utf8.UTFMax && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end]
}

// quoted returns s cut and quoted, for sentences.
func quoted(s string) string { return strconv.Quote(cut(s)) }
