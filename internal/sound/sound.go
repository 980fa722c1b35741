// Package sound makes sure that an error of somebody else's can be looked at: that to ask for its text, its
// type or what it wraps does not panic, as it does for most nil pointers that have become errors.
package sound

import (
	"errors"
	"fmt"
)

// errProbe is in no chain of errors, so that looking for it goes through the whole of one.
var errProbe = errors.New("sound: probe")

// Error returns err, or, where its methods panic, an error that says so in its place. It returns nil for nil.
func Error(err error) (safe error) {
	if err == nil {
		return nil
	}
	defer func() {
		if v := recover(); v != nil {
			safe = fmt.Errorf("an error of type %T whose own methods panic: %v", err, v)
		}
	}()
	_ = errors.Is(err, errProbe)
	var typed interface{ ErrorType() string }
	if errors.As(err, &typed) {
		_ = typed.ErrorType()
	}
	_ = err.Error()
	return err
}
