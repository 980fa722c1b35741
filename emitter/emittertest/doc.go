// Package emittertest helps to test agents: it records what they write and fails the test when they
// break a rule.
//
//	package agent
//
//	import (
//		"io"
//		"testing"
//
//		"github.com/agui-go/agui/emitter"
//		"github.com/agui-go/agui/emitter/emittertest"
//	)
//
//	func greet(em *emitter.Emitter, name string) {
//		msg := em.Text()
//		defer msg.Close()
//		io.WriteString(msg, "Hello, "+name)
//	}
//
//	func TestGreet(t *testing.T) {
//		rec := emittertest.New(t)
//		greet(rec.Emitter, "Ada")
//		rec.RunFinish(nil)
//		rec.AssertValid()
//		rec.Golden("testdata/greet.golden")
//	}
//
// [New] records an emitter; [Post] sends a request to a whole handler over a real connection. Both give
// the events, decoded, and the raw bytes. Ids are msg_1, msg_2 and so on in a recorder, so that golden
// files are stable; run the tests with -update to write them.
package emittertest
