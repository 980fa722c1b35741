// Package ended says how a run was ended from outside, between the packages that end runs and the one that
// records it. It is internal so that an error of somebody else's, a model's time-out say, cannot be taken for
// the end of the run by its type.
package ended

// Kind is how a run was ended.
type Kind uint8

// The kinds.
const (
	_ Kind = iota
	ClientDisconnected
	ServerShutdown
	Timeout
)

// Error is the cause of such an end.
type Error interface {
	error
	RunEnding() Kind
}
