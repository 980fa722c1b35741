package events

import "reflect"

// Pointer returns ev in its pointer form: ev itself when it is a non-nil pointer, else a pointer to
// a copy of the value. It lets code switch over one form of each type. A nil event, or a nil pointer
// to one, is [ErrNil].
func Pointer(ev Event) (Event, error) { return pointer(ev, Event.pointer) }

// MessagePointer is [Pointer] for messages.
func MessagePointer(m Message) (Message, error) { return pointer(m, Message.messagePointer) }

// PartPointer is [Pointer] for parts.
func PartPointer(p Part) (Part, error) { return pointer(p, Part.partPointer) }

// SourcePointer is [Pointer] for sources.
func SourcePointer(s Source) (Source, error) { return pointer(s, Source.sourcePointer) }

// RunOutcomePointer is [Pointer] for run outcomes.
func RunOutcomePointer(o RunOutcome) (RunOutcome, error) {
	return pointer(o, RunOutcome.runOutcomePointer)
}

// SubagentOutcomePointer is [Pointer] for subagent outcomes.
func SubagentOutcomePointer(o SubagentOutcome) (SubagentOutcome, error) {
	return pointer(o, SubagentOutcome.subagentOutcomePointer)
}

func pointer[T any](v T, copied func(T) T) (T, error) {
	if isNil(v) {
		var none T
		return none, ErrNil
	}
	if reflect.ValueOf(v).Kind() == reflect.Pointer {
		return v, nil
	}
	return copied(v), nil
}

// isNil reports whether v is a nil interface or holds a nil pointer. It is the one guard before any
// method is called on a value that came in as an [Event], [Message], [Part], [Source] or outcome.
func isNil(v any) bool {
	if v == nil {
		return true
	}
	r := reflect.ValueOf(v)
	return r.Kind() == reflect.Pointer && r.IsNil()
}
