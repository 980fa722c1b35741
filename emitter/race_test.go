//go:build race

package emitter_test

// race: the race detector makes pools forget what they hold, at random.
const race = true
