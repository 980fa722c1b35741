//go:build !aguinoverify && !aguidebug

package emitter_test

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/verify"
)

// A broken rule is an error that says what is wrong and what to do. It unwraps to the rule.
func Example_violation() {
	em := emitter.New(context.Background(), emitter.ToWriter(io.Discard), emitter.WithLogger(nil), emitter.WithPolicy(emitter.Reject))
	defer em.Close(nil)
	em.RunStart("thread_1", "run_1")
	em.TextStart("msg-1")
	err := em.TextContent("msg_1", "Hello")
	if v, ok := errors.AsType[*verify.Violation](err); ok {
		fmt.Println(v.Rule.String(), v.Index)
	}
	fmt.Println(err)
	// Output:
	// NotOpen 2
	// verify: TEXT_MESSAGE_CONTENT "msg_1" (event 2): NotOpen: text message "msg_1" was never opened: "msg-1" is open; you wrote "msg_1"; use the id that was opened, or send TEXT_MESSAGE_START first
}
