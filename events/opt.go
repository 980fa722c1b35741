package events

import "encoding/json"

// Opt is an optional member: a value, or nothing. The zero Opt is absent and is left out of the
// JSON; Some("") is present and empty, and is written. An Opt of a comparable type is comparable.
type Opt[T any] struct {
	value T
	set   bool
}

// Some returns a present value.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, set: true} }

// Get returns the value and whether there is one.
func (o Opt[T]) Get() (T, bool) { return o.value, o.set }

// IsSet reports whether there is a value.
func (o Opt[T]) IsSet() bool { return o.set }

// IsZero reports whether there is no value, so that the tag omitzero leaves it out.
func (o Opt[T]) IsZero() bool { return !o.set }

// Or returns the value, or def when there is none.
func (o Opt[T]) Or(def T) T {
	if !o.set {
		return def
	}
	return o.value
}

// MarshalJSON implements [json.Marshaler] for an Opt in a struct of one's own: nothing is null.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if !o.set {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON implements [json.Unmarshaler] for an Opt in a struct of one's own: null is nothing.
func (o *Opt[T]) UnmarshalJSON(data []byte) error {
	if string(data) == "null" {
		*o = Opt[T]{}
		return nil
	}
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	*o = Some(v)
	return nil
}
