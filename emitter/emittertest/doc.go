// Package emittertest helps to test agents: it records what they write and fails the test when they
// break a rule.
//
//	package agent
//
//	import (
//		"context"
//		"io"
//		"testing"
//
//		"github.com/agui-go/agui/emitter"
//		"github.com/agui-go/agui/emitter/emittertest"
//		"github.com/agui-go/agui/events"
//	)
//
//	func greet(ctx context.Context, in *events.RunAgentInput, em *emitter.Emitter) error {
//		msg := em.Text()
//		defer msg.Close()
//		_, err := io.WriteString(msg, "Hello")
//		return err
//	}
//
//	func TestGreet(t *testing.T) {
//		rec := emittertest.Run(t, greet, &events.RunAgentInput{ThreadID: "t", RunID: "r"})
//		rec.AssertValid()
//		rec.Golden("testdata/greet.golden")
//	}
//
// [Run] runs an agent; [New] records an emitter, for a part of one; [Post] sends a request to a whole handler over a real connection. Both give
// the events, decoded, and the raw bytes. Ids are msg_1, msg_2 and so on, so that golden
// files are stable; run the tests with -update to write them.
package emittertest
