// Package emitter writes the events of one AG-UI run. Every event is checked by the ordering machine of
// package verify before it is serialised, so a mistake is an error at the call that made it and never
// reaches the client.
//
//	package main
//
//	import (
//		"context"
//		"os"
//
//		"github.com/agui-go/agui/emitter"
//	)
//
//	func main() {
//		em := emitter.New(context.Background(), emitter.ToWriter(os.Stdout))
//		defer em.Close(nil)
//		em.RunStart("thread_1", "run_1")
//		em.TextStart("msg_1")
//		em.TextContent("msg_1", "Hello")
//		em.TextEnd("msg_1")
//		em.RunFinish(nil)
//	}
//
// writes
//
//	data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1","protocolVersion":"1.0"}
//
//	data: {"type":"TEXT_MESSAGE_START","messageId":"msg_1"}
//
//	data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"Hello"}
//
//	data: {"type":"TEXT_MESSAGE_END","messageId":"msg_1"}
//
//	data: {"type":"RUN_FINISHED","threadId":"thread_1","runId":"run_1"}
//
// In a server, package middleware makes the emitter and ends the run on every path.
//
// # Flat calls and handles
//
// Flat calls such as [Emitter.TextContent] name what they write to by its id. Handles such as
// [Emitter.Text] make the id, open, are an [io.Writer], and close; they are the faster way.
//
//	msg := em.Text()
//	defer msg.Close()
//	fmt.Fprintf(msg, "%d results", n)
//
// # Errors
//
// Every call returns an error, of one of these kinds:
//
//   - [*verify.Violation]: the call broke a rule. Nothing was written, and the run goes on. It unwraps to
//     its rule: errors.Is(err, verify.NotOpen).
//   - [*EncodeError]: a value cannot be written as JSON. Nothing was written, and the run goes on.
//   - [*LimitError]: the event is too large, or one id too many. Nothing was written, and the run goes on.
//   - Is [ErrDisconnected]: the client is gone. Every later call fails alike, and the run's context is
//     cancelled.
//   - Is [ErrClosed]: the run, or the handle, is over.
//
// A violation that nobody looks at is not lost: it is a span event on the span in the context, one line
// of log/slog for each rule and run, and what [Emitter.Err] returns.
//
// # Goroutines
//
// All methods may be called from many goroutines. One that [Emitter.Go] starts belongs to the run: when it
// panics or returns an error, the run has failed, and the process has not.
//
//	for _, query := range queries {
//		em.Go(func(ctx context.Context) error { return search(ctx, em, query) })
//	}
//	err := em.Wait()
//
// A goroutine that outlives the run may go on calling: once the agent has returned, the client has left or the
// run was ended from outside, its calls return an error that Is [ErrClosed], and nothing is written. Between the
// agent's own terminal event and its return, they break the rule RunEnded instead: that is a mistake of the
// agent's, and treated as any other.
//
// # Flushes
//
// Each event is written and flushed by the call that makes it. With [WithFlushWindow] deltas that come
// within a few milliseconds share a write and a flush.
//
// # Fail fast
//
// With the build tag aguidebug, or the option [FailFast], a violation panics at the call that made it,
// after it was recorded. With aguidebug, or [WithCallers], it names the file and line of that call and
// of the calls that opened what is still open. With the build tag aguinoverify the ordering machine is
// left out of the emitter: nothing is checked but that the run ends once.
package emitter
