// Command agui-verify says whether AG-UI streams keep the protocol's rules: recorded ones, the stream of a
// live agent, or all streams that pass through a proxy in front of an agent in any language.
//
//	agui-verify [flags] [FILE...]            check files, or the standard input
//	agui-verify -cases FILE.jsonl [flags]    judge sequences of events, one a line
//	agui-verify run -url URL [flags]         run a live agent, show its stream, and check it
//	agui-verify proxy -target URL [flags]    check every stream of an agent from in front of it
//
// A file holds Server-Sent Events, JSON Lines or a JSON array; which one is detected. For what breaks a rule
// it prints
//
//	broken.sse:7: NotOpen: text message "msg_1" was never opened: "msg-1" is open; you wrote "msg_1"
//	  where: event 2, TEXT_MESSAGE_CONTENT "msg_1", byte 149
//	  do:    use the id that was opened, or send TEXT_MESSAGE_START first
//	  open:  text message "msg-1" (opened by event 1)
//
// and stops there, as the official client does; -all goes on. The exit status is 0 when all is well, 1 when
// a rule is broken, 2 when the input cannot be used. Each subcommand prints its flags with -h.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	// The first signal ends a run and drains the proxy; a second one ends the process at once.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	os.Exit(execute(ctx, os.Args[1:], console{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
}
