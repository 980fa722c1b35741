// Package session is the consumer's side of a run: it posts a RunAgentInput to an agent, reads the stream
// that comes back as typed events, and checks it against the ordering rules on the way.
//
//	package main
//
//	import (
//		"context"
//		"fmt"
//		"log"
//		"net/http"
//
//		"github.com/agui-go/agui/events"
//		"github.com/agui-go/agui/verify/session"
//	)
//
//	func main() {
//		in := &events.RunAgentInput{Messages: []events.Message{events.NewUserMessage("u1", "Hello")}}
//		for ev, err := range session.Run(context.Background(), http.DefaultClient, "http://127.0.0.1:8080/agent", in) {
//			if err != nil {
//				log.Fatal(err)
//			}
//			if content, ok := ev.(*events.TextMessageContent); ok {
//				fmt.Print(content.Delta)
//			}
//		}
//	}
//
// prints, with the echo-agent of this module listening, "Hello". A loop that ends without an error has seen
// the whole run, RUN_FINISHED included.
//
// # Errors
//
// An error is the last element of the sequence, with a nil event. What came before it stands.
//
//   - *[Refusal]: the agent answered with an HTTP error, and no run was started
//   - [ErrBinary]: the agent answered in the binary form of the protocol
//   - [ErrEncoded]: the agent's answer has a Content-Encoding that has not been undone
//   - *[RunError]: the run failed: RUN_ERROR, with the agent's own message
//   - *[verify.Violation]: an event broke a rule; it is not in the sequence
//   - *[TruncatedError]: the stream ended before the run did
//   - *[stream.Error]: what stands in an event's place is none, or is longer than the limit
//   - [context.Canceled] or [context.DeadlineExceeded], with the cause: the context ended first, or the
//     client's time was up
//   - anything else: the request could not be made or sent
//
// An event that breaks a rule, or is none, is often the first sign of a failure that the agent is about to
// tell. So before such an error the stream is read on, for at most a second and 64 KiB: when a RUN_ERROR is in
// that, the error is a *[RunError] with the agent's message, which wraps the violation.
//
// # Verification
//
// The rules are those of [verify.Strict], which the official client enforces. The verifier knows the messages
// of the input, so that a run which resumes may answer the calls of the run before. [WithAllow] puts up with
// single rules, for a producer whose quirks one has decided to live with, and [WithVerify] turns the rules
// off. Two things stay: a run that does not end is an error unless [verify.Unterminated] is allowed, and
// RUN_ERROR is one whatever is allowed.
//
// The framing is read as tolerantly as package stream reads it, whatever the Content-Type says, the binary one
// aside.
package session
