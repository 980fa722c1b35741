// Package watch lets a test that posts to a server hear of the mistakes of the server's agent: the stream
// itself, which stays valid, does not show them.
package watch

import (
	"context"

	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/verify"
)

// Test is what a test wants of every emitter that is made under its context. The functions are called
// concurrently.
type Test struct {
	// Violation is called for each broken rule.
	Violation func(*verify.Violation)
	// Fault is called for each event that was not written for another reason than a broken rule or a
	// client that is gone.
	Fault func(error)
	// IDs makes the ids of emitters that were given no source of their own.
	IDs ids.Source
}

type key struct{}

// With returns a context under which emitters do what the test wants.
func With(ctx context.Context, t Test) context.Context { return context.WithValue(ctx, key{}, t) }

// From returns what the test that ctx belongs to wants, and whether there is one.
func From(ctx context.Context) (Test, bool) {
	t, ok := ctx.Value(key{}).(Test)
	return t, ok
}
