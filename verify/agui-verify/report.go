package main

import (
	"fmt"
	"io"

	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/stream"
)

// maxProblems is how many problems of a stream are kept; the rest are counted.
const maxProblems = 1000

// report is what is said of one stream.
type report struct {
	name    string // as the user gave it
	judging judging
	all     bool // goes on after the first failure
	seeded  bool // the request was given

	checker  *stream.Checker // nil when there is nothing to read
	problems []problem       // failures and worse, in order
	warnings []problem
	more     int // failures beyond maxProblems
	level    level
	stopped  bool // before the end, at the first failure
}

// read reads a stream and reports what is wrong with it.
func (r *report) read(src io.Reader) {
	for f, err := range r.checker.Read(src) {
		r.add(f, err)
		if r.level > warning && !r.all {
			r.stopped = f.Violation == nil || f.Violation.Rule != verify.Unterminated
			return
		}
	}
}

// add adds what a checker found.
func (r *report) add(f stream.Finding, err error) {
	p := newProblem(f, err, r.judging.strict)
	if !r.seeded && p.isUnknownCall() {
		p.remedy = "send its TOOL_CALL_START first; for a call of an earlier run, give the request with -input"
	}
	r.level = max(r.level, p.level)
	switch {
	case p.level == warning:
		r.warnings = append(r.warnings, p)
	case len(r.problems) == maxProblems:
		r.more++
	default:
		r.problems = append(r.problems, p)
	}
}

// unreadable adds that the stream, or its source, failed.
func (r *report) unreadable(err error) {
	r.level = unusable
	r.problems = append(r.problems, problem{level: unusable, rule: unreadable, sentence: err.Error()})
}

// status returns the exit status.
func (r *report) status() int {
	return [...]int{warning: exitFine, failure: exitBroken, unusable: exitUnusable}[r.level]
}

// count counts things in words.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
