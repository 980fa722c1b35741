package stream

import (
	"fmt"
	"strings"

	"github.com/agui-go/agui/verify"
)

// Finding is one thing that is wrong with a stream, and where: a broken rule, or a flaw of the framing. It
// is an error; errors.As finds the *[verify.Violation] in it, errors.Is the [verify.Rule] or the [Flaw].
type Finding struct {
	// Position is where the event begins. That of [verify.Unterminated] is the end of the stream.
	Position
	// Violation says which rule is broken and how, with the first ten things that were open at that place, in
	// order of opening. It is nil for a flaw.
	Violation *verify.Violation
	// OpenCount is how many things were open at the place of a violation.
	OpenCount int
	// Flaw is zero for a violation.
	Flaw Flaw
}

// Error returns one line: where, what is wrong, and what to do.
func (f Finding) Error() string {
	if f.Violation != nil {
		return fmt.Sprintf("stream: line %d (byte %d): %s", f.Line, f.Offset, strings.TrimPrefix(f.Violation.Error(), "verify: "))
	}
	return fmt.Sprintf("stream: %s: %s; %s", f.Position, f.Flaw.Sentence(), f.Flaw.Remedy())
}

// Unwrap returns the violation or the flaw.
func (f Finding) Unwrap() error {
	if f.Violation != nil {
		return f.Violation
	}
	return f.Flaw
}
