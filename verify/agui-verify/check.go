package main

import (
	"fmt"
	"io"
	"os"

	"github.com/agui-go/agui/events"
)

const checkUsage = `usage: agui-verify [flags] [FILE...]
       agui-verify -cases FILE.jsonl [flags]
       agui-verify run -url URL [flags]
       agui-verify proxy -target URL [flags]

Checks AG-UI streams: files of Server-Sent Events, JSON Lines or a JSON array, or the standard input.
Exit status: 0 fine, 1 a rule is broken, 2 the input or the command line cannot be used.
`

// checkFiles is the command without a subcommand.
func checkFiles(args []string, c console) int {
	var j judging
	flags := newFlags(c, checkUsage)
	j.flags(flags)
	j.framingFlag(flags)
	cases := flags.String("cases", "", "judge the sequences of events in a `FILE`: {\"id\":…,\"events\":[…]} a line")
	input := flags.String("input", "", "`FILE` of the RunAgentInput that the stream answers, whose messages are known")
	format := flags.String("format", "text", "`format` of what is printed: text, json (an object a file) or sarif")
	all := flags.Bool("all", false, "go on after the first violation of a stream")
	if status, ok := parse(flags, args); !ok {
		return status
	}
	out, err := newReporter(*format, c.out)
	if err != nil {
		return c.complain(err)
	}
	var in *events.RunAgentInput
	if *input != "" {
		if in, _, err = readInput(*input, c); err != nil {
			return c.complain(err)
		}
	}
	if *cases != "" {
		if flags.NArg() > 0 || *format != "text" {
			return c.complain(fmt.Errorf("-cases takes no files and has a format of its own"))
		}
		return judgeCases(*cases, j, in, c)
	}
	names := flags.Args()
	if len(names) == 0 {
		names = []string{"-"}
	}
	status := exitFine
	for _, name := range names {
		r := &report{name: name, judging: j, all: *all, seeded: in != nil}
		checkFile(r, in, c)
		if err := out.report(r); err != nil {
			return c.complain(err)
		}
		status = max(status, r.status())
	}
	if err := out.close(); err != nil {
		return c.complain(err)
	}
	return status
}

// checkFile reads the file of a report, "-" being the standard input.
func checkFile(r *report, in *events.RunAgentInput, c console) {
	src := io.NopCloser(c.in)
	if r.name == "-" {
		r.name = "stdin"
	} else {
		f, err := os.Open(r.name)
		if err != nil {
			r.unreadable(err)
			return
		}
		src = f
	}
	defer src.Close()
	r.checker = r.judging.checker(in)
	r.read(src)
}

func newReporter(format string, w io.Writer) (reporter, error) {
	switch format {
	case "text":
		return textReporter{w}, nil
	case "json":
		return jsonReporter{w}, nil
	case "sarif":
		return &sarifReporter{w: w}, nil
	}
	return nil, fmt.Errorf("-format %q: want text, json or sarif", format)
}
