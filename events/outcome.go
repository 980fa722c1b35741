package events

import (
	"errors"
	"fmt"
	"slices"
)

// RunOutcome says how a run ended (AG-UI 1.0, run outcomes). The interface is sealed: [RunSuccess],
// [RunInterrupted], [RunCancelled] and [UnknownOutcome]. Values and pointers both are RunOutcomes.
type RunOutcome interface {
	// OutcomeType returns the outcome's "type" member.
	OutcomeType() string
	AppendJSON(dst []byte) ([]byte, error)
	// Validate returns an error when the protocol refuses the outcome whatever came before it: an
	// interrupt outcome without interrupts, or with two of one id.
	Validate() error

	runOutcomePointer() RunOutcome
	check() *FieldError
}

// RunSuccess is the outcome of a run that did what was asked.
type RunSuccess struct {
	// PendingToolCallIDs are the calls of this run left without a result, in call order. Nil leaves
	// the member out, and the client derives them.
	PendingToolCallIDs []string
	extra              JSON
}

// OutcomeType returns "success".
func (r RunSuccess) OutcomeType() string { return "success" }

// AppendJSON implements [RunOutcome].
func (r RunSuccess) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	r.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (r RunSuccess) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (r *RunSuccess) UnmarshalJSON(data []byte) error { return unmarshal(data, r, "", false) }

func (r RunSuccess) runOutcomePointer() RunOutcome { return &r }

func (r RunSuccess) check() *FieldError {
	var o object
	r.members(&o)
	return o.err
}

func (r *RunSuccess) members(o *object) {
	o.tag("type", "success")
	o.names("pendingToolCallIds", &r.PendingToolCallIDs)
	o.rest(&r.extra)
}

// RunInterrupted is the outcome of a run that waits for answers. It has at least one interrupt.
type RunInterrupted struct {
	Interrupts []Interrupt
	extra      JSON
}

// OutcomeType returns "interrupt".
func (r RunInterrupted) OutcomeType() string { return "interrupt" }

// AppendJSON implements [RunOutcome].
func (r RunInterrupted) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	r.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (r RunInterrupted) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (r *RunInterrupted) UnmarshalJSON(data []byte) error { return unmarshal(data, r, "", false) }

func (r RunInterrupted) runOutcomePointer() RunOutcome { return &r }

func (r RunInterrupted) check() *FieldError {
	var o object
	r.members(&o)
	return o.err
}

func (r *RunInterrupted) members(o *object) {
	o.tag("type", "interrupt")
	o.interrupts("interrupts", &r.Interrupts)
	o.rest(&r.extra)
}

// RunCancelled is the outcome of a run that was stopped on purpose.
type RunCancelled struct {
	extra JSON
}

// OutcomeType returns "cancelled".
func (r RunCancelled) OutcomeType() string { return "cancelled" }

// AppendJSON implements [RunOutcome].
func (r RunCancelled) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	r.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (r RunCancelled) MarshalJSON() ([]byte, error) { return r.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (r *RunCancelled) UnmarshalJSON(data []byte) error { return unmarshal(data, r, "", false) }

func (r RunCancelled) runOutcomePointer() RunOutcome { return &r }

func (r RunCancelled) check() *FieldError {
	var o object
	r.members(&o)
	return o.err
}

func (r *RunCancelled) members(o *object) {
	o.tag("type", "cancelled")
	o.rest(&r.extra)
}

// SubagentOutcome says how a subagent invocation ended. The interface is sealed: [SubagentSuccess],
// [SubagentSuspended] and [UnknownOutcome]. Values and pointers both are SubagentOutcomes.
type SubagentOutcome interface {
	// OutcomeType returns the outcome's "type" member.
	OutcomeType() string
	AppendJSON(dst []byte) ([]byte, error)

	subagentOutcomePointer() SubagentOutcome
	check() *FieldError
}

// SubagentSuccess is the outcome of an invocation that did what was asked.
type SubagentSuccess struct {
	extra JSON
}

// OutcomeType returns "success".
func (s SubagentSuccess) OutcomeType() string { return "success" }

// AppendJSON implements [SubagentOutcome].
func (s SubagentSuccess) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	s.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (s SubagentSuccess) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (s *SubagentSuccess) UnmarshalJSON(data []byte) error { return unmarshal(data, s, "", false) }

func (s SubagentSuccess) subagentOutcomePointer() SubagentOutcome { return &s }

func (s SubagentSuccess) check() *FieldError {
	var o object
	s.members(&o)
	return o.err
}

func (s *SubagentSuccess) members(o *object) {
	o.tag("type", "success")
	o.rest(&s.extra)
}

// SubagentSuspended is the outcome of an invocation that waits for an interrupt.
type SubagentSuspended struct {
	// InterruptIDs nil leaves the member out.
	InterruptIDs []string
	extra        JSON
}

// OutcomeType returns "suspended".
func (s SubagentSuspended) OutcomeType() string { return "suspended" }

// AppendJSON implements [SubagentOutcome].
func (s SubagentSuspended) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	s.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (s SubagentSuspended) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (s *SubagentSuspended) UnmarshalJSON(data []byte) error { return unmarshal(data, s, "", false) }

func (s SubagentSuspended) subagentOutcomePointer() SubagentOutcome { return &s }

func (s SubagentSuspended) check() *FieldError {
	var o object
	s.members(&o)
	return o.err
}

func (s *SubagentSuspended) members(o *object) {
	o.tag("type", "suspended")
	o.names("interruptIds", &s.InterruptIDs)
	o.rest(&s.extra)
}

// UnknownOutcome is an outcome whose type is none of AG-UI 1.0's, kept as it came.
type UnknownOutcome struct {
	Type string
	JSON JSON
}

// OutcomeType returns the outcome's type.
func (u UnknownOutcome) OutcomeType() string { return u.Type }

// AppendJSON implements [RunOutcome] and [SubagentOutcome]: it writes the outcome as it came.
func (u UnknownOutcome) AppendJSON(dst []byte) ([]byte, error) {
	return appendOpaque(dst, u.JSON, "type", u.Type)
}

// MarshalJSON implements [json.Marshaler].
func (u UnknownOutcome) MarshalJSON() ([]byte, error) { return u.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler]: it takes any object.
func (u *UnknownOutcome) UnmarshalJSON(data []byte) error {
	typ, j, err := readOpaque(data, "type")
	if err != nil {
		return err
	}
	*u = UnknownOutcome{Type: typ, JSON: j}
	return nil
}

func (u UnknownOutcome) runOutcomePointer() RunOutcome           { return &u }
func (u UnknownOutcome) subagentOutcomePointer() SubagentOutcome { return &u }
func (u UnknownOutcome) check() *FieldError                      { return nil }

// Validate returns nil: every success outcome is legal in itself.
func (r RunSuccess) Validate() error { return nil }

// Validate returns an error when there is no interrupt, or when two have one id.
func (r RunInterrupted) Validate() error {
	if len(r.Interrupts) == 0 {
		return errors.New("events: an interrupt outcome needs at least one interrupt: add one, or finish with another outcome")
	}
	seen := make(map[string]int, len(r.Interrupts))
	for i, interrupt := range r.Interrupts {
		if first, ok := seen[interrupt.ID]; ok {
			return fmt.Errorf("events: interrupts %d and %d have the same id %s: give each its own", first, i, excerpt(interrupt.ID))
		}
		seen[interrupt.ID] = i
	}
	return nil
}

// Validate returns nil: a cancelled outcome has nothing to be wrong.
func (r RunCancelled) Validate() error { return nil }

// Validate returns nil: an unknown outcome is not judged.
func (u UnknownOutcome) Validate() error { return nil }

// runOutcome is an optional run outcome.
func (o *object) runOutcome(name string, p *RunOutcome) {
	if o.mode != reading {
		if *p != nil {
			o.nest(name, refuseDisguised(*p, "success", "interrupt", "cancelled"))
			o.put(name, *p)
		}
		return
	}
	if text := o.typed(name, optional, "an object", '{'); text != nil {
		outcome, err := readRunOutcome(text)
		*p = outcome
		o.nest(name, err)
	}
}

// refuseDisguised refuses an [UnknownOutcome] whose type is one of those that are known in its place.
func refuseDisguised(outcome any, known ...string) *FieldError {
	var typ string
	switch u := outcome.(type) {
	case UnknownOutcome:
		typ = u.Type
	case *UnknownOutcome:
		if u == nil {
			return nil // put says so
		}
		typ = u.Type
	}
	if slices.Contains(known, typ) {
		return disguised("type", typ)
	}
	return nil
}

func readRunOutcome(text []byte) (RunOutcome, *FieldError) {
	in := members(text)
	switch typ := lastString(in, "type"); typ {
	case "success":
		r := new(RunSuccess)
		return r, readMembers(in, r, false)
	case "interrupt":
		r := new(RunInterrupted)
		return r, readMembers(in, r, false)
	case "cancelled":
		r := new(RunCancelled)
		return r, readMembers(in, r, false)
	default:
		return &UnknownOutcome{Type: typ, JSON: compact(text)}, nil
	}
}

// subagentOutcome is an optional subagent outcome.
func (o *object) subagentOutcome(name string, p *SubagentOutcome) {
	if o.mode != reading {
		if *p != nil {
			o.nest(name, refuseDisguised(*p, "success", "suspended"))
			o.put(name, *p)
		}
		return
	}
	if text := o.typed(name, optional, "an object", '{'); text != nil {
		outcome, err := readSubagentOutcome(text)
		*p = outcome
		o.nest(name, err)
	}
}

func readSubagentOutcome(text []byte) (SubagentOutcome, *FieldError) {
	in := members(text)
	switch typ := lastString(in, "type"); typ {
	case "success":
		s := new(SubagentSuccess)
		return s, readMembers(in, s, false)
	case "suspended":
		s := new(SubagentSuspended)
		return s, readMembers(in, s, false)
	default:
		return &UnknownOutcome{Type: typ, JSON: compact(text)}, nil
	}
}
