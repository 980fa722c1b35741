package verifytest

import (
	"errors"
	"fmt"

	"github.com/agui-go/agui/verify"
)

// Verdict is what becomes of a run. Two verdicts are the same when they are equal.
type Verdict struct {
	// OK says that every event was accepted and, where the end is judged, the end too.
	OK bool `json:"ok"`
	// At is the index of the first event that was refused, counted from 0; the number of events when it
	// was the end. It is 0 when OK.
	At int `json:"at"`
	// Rule is the name of the rule that refused it, as [verify.Rule.String] spells it. It is empty when OK,
	// and in the verdicts of the official client.
	Rule string `json:"rule"`
}

// String returns the verdict in words, such as "NotOpen at 3".
func (v Verdict) String() string {
	switch {
	case v.OK:
		return "accepted"
	case v.Rule == "":
		return fmt.Sprintf("refused at %d", v.At)
	}
	return fmt.Sprintf("%s at %d", v.Rule, v.At)
}

// VerdictOf returns the verdict on a run of which err is what the first event to be refused met, at being
// its index, or the number of events for the end. A nil err accepts.
//
// The rule is the [verify.Rule] that err is or wraps, else what its method ErrorType or that of something that
// it wraps returns, else the text of err. The index of a [verify.Violation] comes before at.
func VerdictOf(err error, at int) Verdict {
	if err == nil {
		return Verdict{OK: true}
	}
	if violation, ok := errors.AsType[*verify.Violation](err); ok {
		return Verdict{At: violation.Index, Rule: violation.Rule.String()}
	}
	if rule, ok := errors.AsType[verify.Rule](err); ok {
		return Verdict{At: at, Rule: rule.String()}
	}
	type typed interface {
		error
		ErrorType() string
	}
	if named, ok := errors.AsType[typed](err); ok {
		return Verdict{At: at, Rule: named.ErrorType()}
	}
	return Verdict{At: at, Rule: err.Error()}
}
