package main

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/agui-go/agui/verify/stream"
)

// reporter writes reports in one format.
type reporter interface {
	// report writes the report of one stream.
	report(*report) error
	// close writes what follows the last one.
	close() error
}

// textReporter writes for people: what is wrong comes first.
type textReporter struct{ w io.Writer }

func (t textReporter) report(r *report) error {
	var b strings.Builder
	for _, p := range r.problems {
		t.problem(&b, r.name, p)
	}
	for _, p := range r.warnings {
		t.problem(&b, r.name, p)
	}
	if r.checker != nil {
		fmt.Fprintf(&b, "%s: %s\n", r.name, r.summary())
	}
	_, err := io.WriteString(t.w, b.String())
	return err
}

func (textReporter) close() error { return nil }

// problem writes a problem: the first line says what is wrong and on which line, the second where that
// is, the third what to do.
func (textReporter) problem(b *strings.Builder, name string, p problem) {
	b.WriteString(name)
	if p.Line > 0 {
		fmt.Fprintf(b, ":%d", p.Line)
	}
	if p.level == warning {
		b.WriteString(": warning")
	}
	fmt.Fprintf(b, ": %s: %s\n", p.rule, printable(p.sentence))
	if p.Line > 0 {
		fmt.Fprintf(b, "  where: %s\n", p.where())
	}
	if p.remedy != "" {
		fmt.Fprintf(b, "  do:    %s\n", printable(p.remedy))
	}
	if p.violation == nil {
		return
	}
	for _, o := range p.violation.Open {
		fmt.Fprintf(b, "  open:  %s\n", printable(o.String()))
	}
	if more := p.open - len(p.violation.Open); more > 0 {
		fmt.Fprintf(b, "  open:  and %d more\n", more)
	}
}

// summary says in a line what became of a stream that was read.
func (r *report) summary() string {
	var said []string
	violations, others := r.more, 0
	for _, p := range r.problems {
		if p.level == unusable {
			others++
		} else {
			violations++
		}
	}
	if r.level == warning {
		said = append(said, "ok")
	}
	if violations > 0 {
		said = append(said, count(violations, "violation"))
	}
	if others > 0 {
		said = append(said, "not readable")
	}
	if len(r.warnings) > 0 {
		said = append(said, count(len(r.warnings), "warning"))
	}
	at := r.checker.Position()
	end := count(at.Index, "event") + " in " + count(r.checker.Runs(), "run")
	if r.stopped {
		end = fmt.Sprintf("stopped after %s; -all goes on", count(at.Index, "event"))
	}
	framing := ""
	if f := r.checker.Framing(); f != stream.Detect {
		framing = f.String() + ", "
	}
	return fmt.Sprintf("%s (%s%s rules, %s)", strings.Join(said, ", "), framing, r.judging.set, end)
}

// printable replaces what a terminal might take for a command.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, s)
}
