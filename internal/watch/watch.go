// Package watch lets a test that posts to a server hear of the rules that the server's agent breaks:
// the stream itself, which stays valid, does not show them.
package watch

import (
	"context"

	"github.com/agui-go/agui/verify"
)

type key struct{}

// WithViolations returns a context under which every emitter calls fn for each broken rule. fn is
// called concurrently.
func WithViolations(ctx context.Context, fn func(*verify.Violation)) context.Context {
	return context.WithValue(ctx, key{}, fn)
}

// Violations returns the function that ctx carries, or nil.
func Violations(ctx context.Context) func(*verify.Violation) {
	fn, _ := ctx.Value(key{}).(func(*verify.Violation))
	return fn
}
