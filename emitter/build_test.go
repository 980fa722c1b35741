package emitter_test

import (
	"errors"
	"testing"

	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/verify"
)

// wantViolation runs a call that breaks the rule, and checks what this build does about it: the call
// returns the violation, or panics with it, or, where nothing is verified, succeeds. It returns the
// violation, or nil where nothing is verified.
func wantViolation(t *testing.T, rule verify.Rule, call func() error) *verify.Violation {
	t.Helper()
	recovered, err := attempt(call)
	if build.NoVerify {
		if err != nil || recovered != nil {
			t.Errorf("without verification\n got error %v, panic %v\nwant neither", err, recovered)
		}
		return nil
	}
	if build.Debug {
		v, ok := recovered.(*verify.Violation)
		if !ok || v.Rule != rule {
			t.Fatalf("in a debug build\n got error %v, panic %v\nwant a panic with a violation of %v", err, recovered, rule)
		}
		return v
	}
	return violationOf(t, err, recovered, rule)
}

func violationOf(t *testing.T, err error, recovered any, rule verify.Rule) *verify.Violation {
	t.Helper()
	var v *verify.Violation
	if recovered != nil || !errors.As(err, &v) || !errors.Is(err, rule) {
		t.Fatalf("got error %v, panic %v\nwant a violation of %v", err, recovered, rule)
	}
	return v
}

// attempt returns what the call panicked with, and its error.
func attempt(call func() error) (recovered any, err error) {
	defer func() { recovered = recover() }()
	return nil, call()
}
