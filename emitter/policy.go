package emitter

import (
	"fmt"

	"github.com/agui-go/agui/verify"
)

// Action is what an emitter does about a broken rule.
type Action uint8

const (
	// Reject writes nothing and returns the violation. It is the default.
	Reject Action = iota
	// Panic writes nothing and panics with the violation.
	Panic
	// Report records the violation and lets the event through.
	Report
	// Allow does not check the rule.
	Allow
)

// String returns the action's name.
func (a Action) String() string {
	switch a {
	case Reject:
		return "Reject"
	case Panic:
		return "Panic"
	case Report:
		return "Report"
	case Allow:
		return "Allow"
	}
	return fmt.Sprintf("Action(%d)", uint8(a))
}

// policy holds the action for each rule that was given one.
type policy map[verify.Rule]Action

// rules returns the rules that have the action a.
func (p policy) rules(a Action) []verify.Rule {
	var rules []verify.Rule
	for _, r := range verify.Rules() {
		if has, ok := p[r]; ok && has == a {
			rules = append(rules, r)
		}
	}
	return rules
}

// checkPolicy says why an emitter may not be given the action for the rule, or nil.
func checkPolicy(a Action, r verify.Rule) error {
	if _, err := verify.ParseRule(r.String()); err != nil {
		return fmt.Errorf("emitter: %s for a rule that there is not: %w", a, err)
	}
	switch a {
	case Reject, Panic:
		return nil
	case Allow:
		if r.Set() != verify.Strict {
			return fmt.Errorf("emitter: Allow does not apply to %s: on an emitter only rules of the Strict set may be allowed", r.String())
		}
		return nil
	case Report:
		switch r {
		case verify.RunEnded, verify.RunNotStarted, verify.DuplicateRunStarted, verify.InvalidField:
			return fmt.Errorf("emitter: Report does not apply to %s: such an event cannot be let through; use Reject or Panic", r.String())
		}
		return nil
	}
	return fmt.Errorf("emitter: %s is not an action", a)
}
