package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/stream"
)

// sizeLimit is the length of an event beyond which nothing is read. It is above the 10 MiB that the
// official client stops at, so that such an event can be judged and warned of.
const sizeLimit = 64 << 20

// judging is how streams are judged.
type judging struct {
	set    verify.Set
	allow  []verify.Rule
	multi  bool
	strict bool // flaws of the framing are failures
}

// flags adds the flags that say so.
func (j *judging) flags(flags *flag.FlagSet) {
	j.set = verify.Strict
	flags.Func("rules", "`set` of rules: strict, what the official client accepts, or core, the order alone (default strict)", func(s string) (err error) {
		j.set, err = verify.ParseSet(s)
		return err
	})
	flags.Func("allow", "`Rule,...` to let through", func(s string) error {
		for name := range strings.SplitSeq(s, ",") {
			rule, err := verify.ParseRule(strings.TrimSpace(name))
			if err != nil {
				return err
			}
			j.allow = append(j.allow, rule)
		}
		return nil
	})
	flags.BoolVar(&j.multi, "multi-run", false, "a RUN_STARTED after a terminal event begins another run")
}

// framingFlag adds the flag that says how the framing is judged.
func (j *judging) framingFlag(flags *flag.FlagSet) {
	flags.Func("framing", "`lenient` to warn of what the official client cannot read (CRLF, CR, [DONE], empty data, over 10 MiB), strict to fail (default lenient)", func(s string) error {
		switch s {
		case "lenient", "strict":
			j.strict = s == "strict"
			return nil
		}
		return fmt.Errorf("want lenient or strict")
	})
}

// checker returns the checker of a stream that answers the input, which may be nil.
func (j *judging) checker(in *events.RunAgentInput, more ...stream.CheckOption) *stream.Checker {
	opts := []stream.CheckOption{stream.WithRules(j.set, verify.Allow(j.allow...)), stream.WithLimit(sizeLimit)}
	if j.multi {
		opts = append(opts, stream.MultiRun())
	}
	if in != nil {
		opts = append(opts, stream.Seed(in.Messages...))
	}
	return stream.NewChecker(append(opts, more...)...)
}

// readInput reads a RunAgentInput from a file, "-" being the standard input, and returns its text too.
func readInput(name string, c console) (*events.RunAgentInput, []byte, error) {
	text, err := readFile(name, c)
	if err != nil {
		return nil, nil, err
	}
	in, err := events.DecodeInput(text)
	if err != nil {
		return nil, nil, fmt.Errorf("%s is no RunAgentInput: %w", name, err)
	}
	return in, text, nil
}

func readFile(name string, c console) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(c.in)
	}
	return os.ReadFile(name)
}
