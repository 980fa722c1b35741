//go:build !race

package emitter_test

const race = false
