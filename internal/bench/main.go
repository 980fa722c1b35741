// Bench measures this library beside what people use today, and checks that the goals are reached.
//
//	go run . [-run REGEXP] [-rounds N] [-short] [-list] [-readme] [-write FILE] [-bench FILE] [-record FILE]
//
// It prints tables in Markdown and the list of goals. It exits with 1 when a goal is missed by more than the
// noise, when a ratio is worse than the one on record (ratios.json) by more than a tenth and the noise, or when
// rows are in an order that cannot be; with 2 when it cannot measure.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/agui-go/agui/internal/bench/content"
	"github.com/agui-go/agui/internal/bench/encode"
	"github.com/agui-go/agui/internal/bench/idle"
	"github.com/agui-go/agui/internal/bench/instructions"
	"github.com/agui-go/agui/internal/bench/machine"
	"github.com/agui-go/agui/internal/bench/report"
	"github.com/agui-go/agui/internal/bench/retained"
	"github.com/agui-go/agui/internal/bench/startup"
	"github.com/agui-go/agui/internal/bench/wire"
)

// groups are all that there is to measure, in the order of the report.
func groups() []report.Group {
	return slices.Concat(
		content.Groups(),
		[]report.Group{encode.Group()},
		machine.Groups(),
		[]report.Group{retained.Group()},
		wire.Groups(),
		idle.Groups(),
		startup.Groups(),
		[]report.Group{instructions.Group(counted())},
	)
}

// counted are the tables whose instructions are counted.
func counted() []instructions.Table { return slices.Concat(content.Counted(), machine.Counted()) }

//go:embed ratios.json
var recorded []byte

// child does the work of a child when this process was started as one, and reports whether it was.
func child() bool {
	return wire.Child() || idle.Child() || retained.Child() || instructions.Child(counted())
}

func main() {
	if child() {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

type command struct {
	run    *regexp.Regexp
	list   bool
	readme bool
	write  string
	bench  string
	record string
	report.Options
}

func parse(args []string, stderr io.Writer) (command, error) {
	var c command
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	pattern := flags.String("run", "", "measure the groups whose key matches `REGEXP` alone; only those are judged")
	flags.IntVar(&c.Rounds, "rounds", report.DefaultRounds, "how often each row takes its turn")
	flags.BoolVar(&c.Short, "short", false, "measure everything once and small, which shows that it works, and judge nothing")
	flags.BoolVar(&c.list, "list", false, "list the groups")
	flags.BoolVar(&c.readme, "readme", false, "print the lines for the README in place of the report")
	flags.StringVar(&c.write, "write", "", "write the report to `FILE` too")
	flags.StringVar(&c.bench, "bench", "", "write the figure of each turn to `FILE`, for benchstat")
	flags.StringVar(&c.record, "record", "", "write the ratios to `FILE`, for later runs to compare with, in place of comparing")
	if err := flags.Parse(args); err != nil {
		return command{}, err
	}
	if flags.NArg() > 0 {
		return command{}, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if c.Rounds < 1 {
		return command{}, fmt.Errorf("-rounds is %d; it has to be 1 at least", c.Rounds)
	}
	var err error
	if c.run, err = regexp.Compile(*pattern); err != nil {
		return command{}, fmt.Errorf("-run: %w", err)
	}
	if c.Short && c.record != "" {
		return command{}, errors.New("-short measures nothing that is worth a -record")
	}
	return c, nil
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err == nil && c.list {
		for _, g := range groups() {
			fmt.Fprintf(stdout, "%-12s %s\n", g.Key, g.Title)
		}
		return 0
	}
	var failures []string
	if err == nil {
		failures, err = c.measure(ctx, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintln(stderr, "bench:", err)
		return 2
	}
	for _, f := range failures {
		fmt.Fprintln(stderr, "FAIL:", f)
	}
	if len(failures) > 0 {
		return 1
	}
	return 0
}

// measure runs the groups, prints the report, and returns what fails the check.
func (c command) measure(ctx context.Context, stdout, stderr io.Writer) (failures []string, err error) {
	record, err := report.ParseRecord(recorded)
	if err != nil {
		return nil, err
	}
	c.Progress = stderr
	if c.bench != "" {
		f, err := os.Create(c.bench)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		fmt.Fprintf(f, "goos: %s\ngoarch: %s\ncpu: %s\n", runtime.GOOS, runtime.GOARCH, processor())
		c.Bench = f
	}
	sections, err := c.sections(ctx, stderr)
	if err != nil {
		return nil, err
	}
	if c.record != "" {
		if c.run.String() == "" {
			record = report.Record{} // what is not measured any more goes
		}
		record = record.With(thisMachine(), sections)
		if err := record.Write(c.record); err != nil {
			return nil, err
		}
	}
	var text bytes.Buffer
	if c.readme {
		report.Readme(&text, sections)
	} else {
		c.document(&text, sections, record)
	}
	if _, err := stdout.Write(text.Bytes()); err != nil {
		return nil, err
	}
	if c.write != "" {
		if err := os.WriteFile(c.write, text.Bytes(), 0o644); err != nil {
			return nil, err
		}
	}
	if c.Short {
		return nil, nil
	}
	failures = report.Judge(sections, record)
	c.remarks(stderr, sections, record, len(failures))
	return failures, nil
}

// sections measures the groups that were asked for.
func (c command) sections(ctx context.Context, stderr io.Writer) ([]report.Section, error) {
	var sections []report.Section
	for _, g := range groups() {
		if !c.run.MatchString(g.Key) {
			continue
		}
		begin := time.Now()
		fmt.Fprintf(stderr, "%s ...\n", g.Key)
		result, err := g.Measure(ctx, c.Options)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.Key, err)
		}
		fmt.Fprintf(stderr, "%s: %.0f s\n", g.Key, time.Since(begin).Seconds())
		sections = append(sections, report.Section{Group: g, Result: result})
	}
	if len(sections) == 0 {
		return nil, fmt.Errorf("no group matches %q; -list shows them", c.run)
	}
	return sections, nil
}

// document writes the whole report.
func (c command) document(w io.Writer, sections []report.Section, record report.Record) {
	fmt.Fprint(w, "# Benchmarks\n\n<!-- Made by make bench. Do not edit. -->\n\n")
	fmt.Fprintf(w, "Measured on %s, %d rounds. The rows of a table take turns of a few milliseconds, in one process\n"+
		"where they can be. A ratio is the median of the ratios of the rounds: times differ from one minute to the next, ratios\n"+
		"hardly do.\n\n", thisMachine(), c.Rounds)
	fmt.Fprint(w, "## In short\n\n<!-- short -->\n")
	report.Readme(w, sections)
	fmt.Fprint(w, "<!-- end -->\n\n")
	for _, s := range sections {
		s.Markdown(w)
	}
	report.Goals(w, sections)
	report.Ratios(w, sections, record)
}

// remarks says what the figures are worth.
func (c command) remarks(w io.Writer, sections []report.Section, record report.Record, failures int) {
	if noise, tooMuch := report.Noise(sections); tooMuch {
		fmt.Fprintf(w, "The noise was up to %.0f %%: the machine had other work, and the run proves little. Try again on a quiet one.\n", 100*noise)
	}
	if failures > 0 && record.Machine != thisMachine() {
		fmt.Fprintf(w, "The ratios on record are from another machine (%s). -record FILE records those of this one.\n", record.Machine)
	}
}

// thisMachine names what the figures were measured on.
func thisMachine() string {
	return fmt.Sprintf("%s/%s, %d cores, %s, %s", runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), processor(), runtime.Version())
}

// processor names the processor where the system tells.
func processor() string {
	info, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return "unknown processor"
	}
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown processor"
}
