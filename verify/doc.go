// Package verify checks the order of AG-UI 1.0 events: what may come when, and from whom.
//
//	package main
//
//	import (
//		"fmt"
//
//		"github.com/agui-go/agui/events"
//		"github.com/agui-go/agui/verify"
//	)
//
//	func main() {
//		v := verify.New(verify.Strict)
//		fmt.Println(v.Observe(&events.RunStarted{ThreadID: "thread", RunID: "run"}))
//		fmt.Println(v.Observe(&events.TextMessageStart{MessageID: "msg-1"}))
//		fmt.Println(v.Observe(&events.TextMessageContent{MessageID: "msg_1", Delta: "Hi"}))
//		fmt.Println(v.Open())
//	}
//
// It prints:
//
//	<nil>
//	<nil>
//	verify: TEXT_MESSAGE_CONTENT "msg_1" (event 2): NotOpen: text message "msg_1" was never opened: "msg-1" is open; you wrote "msg_1"; use the id that was opened, or send TEXT_MESSAGE_START first
//	[text message "msg-1" (opened by event 1)]
//
// # Rules and sets
//
// A [Verifier] takes the events of one run, one after the other, and rejects those that break a [Rule]. [Core]
// holds the rules of the ordering itself; [Strict] adds what the official AG-UI 1.0 client and specification
// refuse besides. A stream that passes Strict is one that the official client accepts, the retired THINKING_*
// events aside, which are not tracked. docs/rules.md explains every rule with an example.
//
// A rejected event leaves the state as it was, so the caller can drop it and go on. [Verifier.Would] asks first
// and changes nothing. [Allow] and [Report] let events through that break a rule.
//
// # Errors
//
// The error is a *[Violation]: the rule, the event's type, id, owner and index, one sentence and one remedy.
//
//	if violation, ok := errors.AsType[*verify.Violation](err); ok { … }   // where and why
//	if errors.Is(err, verify.NotOpen) { … }                                // which rule
//
// # Whole streams
//
// [All] checks a whole run in one call, its end included: a stream that stops without RUN_FINISHED or RUN_ERROR
// is [Unterminated]. A reader of encoded events gives what [events.Decode] refuses to [Verifier.Refuse], so that
// the count stays right.
//
// # Writers
//
// A writer checks before it writes, and check and write must be one atomic step: a Verifier has no lock.
// [Verifier.Content] and [Verifier.Continue] are the fast path for the content events that make up most of a
// run; they allocate nothing, and Observe takes the same path for a content event in pointer form.
package verify

//go:generate go test -count=1 -run Docs . -update
