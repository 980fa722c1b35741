package events

import "errors"

// Event is one AG-UI event. The interface is sealed: its implementations are the types of this
// package, one for each event type of AG-UI 1.0, and [Unknown] for all others. Values and pointers
// both are Events. An Event is not changed by this package and may be read concurrently.
type Event interface {
	// EventType returns the event's "type" member.
	EventType() Type
	// AppendJSON appends the event to dst as one line of compact JSON and returns the extended
	// slice. On failure it returns dst unchanged and an error that says which member is at fault.
	AppendJSON(dst []byte) ([]byte, error)

	// pointer returns the event as a pointer to a copy of it.
	pointer() Event
	// check returns what the schema refuses in the event's values.
	check() *FieldError
}

// Base holds the members that every event may carry (AG-UI 1.0, common event members).
type Base struct {
	// Timestamp is an integer in the range that JavaScript holds exactly; by convention it counts
	// milliseconds since the Unix epoch.
	Timestamp Opt[int64]
	// RawEvent is the provider's own event, for debugging; consumers derive no behaviour from it.
	RawEvent JSON
	// Metadata is a JSON object.
	Metadata JSON
}

// common is what every event has besides its own members; it comes last on the wire.
func (o *object) common(b *Base, extra *JSON) {
	if o.mode == checking && !b.Timestamp.set && b.RawEvent.IsZero() && b.Metadata.IsZero() {
		return
	}
	o.integer("timestamp", &b.Timestamp, -maxSafe)
	o.some("rawEvent", &b.RawEvent)
	o.free("metadata", &b.Metadata)
	o.rest(extra)
}

// ErrNil is returned for a nil Event and for a nil pointer to one. A nil message, part, source or
// outcome inside an event is a *[FieldError] that wraps it.
var ErrNil = errors.New("events: nil event")

// Check returns a *[FieldError] when a member of ev holds a value that AG-UI 1.0 refuses, though its Go
// type allows it: a role outside the list, metadata that is no object, a timestamp that JavaScript cannot
// hold, a patch operation without its members, and so on down to messages and parts. Unknown members of
// a union are not judged, nor is an [Unknown] event, nor the number of interrupts in an outcome (see
// [RunOutcome]). A nil event, or a nil pointer to one, is [ErrNil]. On success Check allocates nothing.
func Check(ev Event) error {
	if isNil(ev) {
		return ErrNil
	}
	if err := ev.check(); err != nil {
		return err.as(ev.EventType())
	}
	return nil
}
