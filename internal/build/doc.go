// Package build turns the module's build tags into constants, so that code written for another build
// is dropped by the compiler:
//
//	if build.Debug {
//		panic(violation) // not in the binary without -tags aguidebug
//	}
//
// The tags are:
//
//	aguidebug      a violation panics at the call that made it
//	aguinoverify   the emitter writes events without checking them
//
// They exclude each other: a panic at a violation needs the check that finds it. A build with both
// fails to compile, with the reason as the name of an undefined identifier.
//
// Only this package reads the tags for behaviour that differs by a condition. A file of another
// package may carry a tag when a whole type differs by build.
package build
