// Package verifytest holds implementations of the ordering rules to a suite of recorded runs with known
// verdicts, as testing/slogtest does for log handlers.
//
//	package machine
//
//	import (
//		"testing"
//
//		"github.com/agui-go/agui/verify"
//		"github.com/agui-go/agui/verify/verifytest"
//	)
//
//	func TestRules(t *testing.T) {
//		verifytest.Run(t, verify.Strict, func(*testing.T) verifytest.Machine {
//			return verify.New(verify.Strict) // or a machine of your own
//		})
//	}
//
// # The suite
//
// The suite is a file of JSON Lines, sequences.jsonl, which is part of this package: [File] returns it,
// [Cases] reads it. Each [Case] is the events of a run and three verdicts on them: that of the rule set
// Core, that of Strict, and that of the official AG-UI 1.0 client. docs/cases.md describes the format for
// readers in other languages.
//
// # What can be held to it
//
// [Run] takes a [Machine], which sees event values, as a [verify.Verifier] does. [RunJudge] takes a function,
// for what reads the events itself. [RunCommand] takes a command in any language that reads cases and prints
// verdicts, as agui-verify -cases does.
package verifytest
