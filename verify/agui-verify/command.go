package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
)

// The exit statuses.
const (
	exitFine     = 0
	exitBroken   = 1 // a rule is broken
	exitUnusable = 2 // the input or the command line cannot be used
)

// console is what a command reads and writes.
type console struct {
	in       io.Reader
	out, err io.Writer
}

// complain prints what makes the input unusable.
func (c console) complain(err error) int {
	fmt.Fprintln(c.err, "agui-verify:", err)
	return exitUnusable
}

// execute runs the command with its arguments and returns the exit status.
func execute(ctx context.Context, args []string, c console) int {
	if len(args) > 0 {
		switch args[0] {
		case "run":
			return runAgent(ctx, args[1:], c)
		case "proxy":
			return runProxy(ctx, args[1:], c)
		}
	}
	return checkFiles(args, c)
}

// newFlags returns a set of flags whose -h prints usage and the flags.
func newFlags(c console, usage string) *flag.FlagSet {
	flags := flag.NewFlagSet("agui-verify", flag.ContinueOnError)
	flags.SetOutput(c.err)
	flags.Usage = func() {
		fmt.Fprint(c.err, usage, "\nflags:\n")
		flags.PrintDefaults()
	}
	return flags
}

// parse parses the arguments. When it reports false, the command ends with the status.
func parse(flags *flag.FlagSet, args []string) (status int, ok bool) {
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return exitFine, false
	case err != nil: // flags has said it
		return exitUnusable, false
	}
	return 0, true
}
