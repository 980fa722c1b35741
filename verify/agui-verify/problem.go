package main

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/stream"
)

// level says how bad a problem is. The worst one of a stream decides the exit status.
type level uint8

const (
	warning  level = iota
	failure        // a rule is broken
	unusable       // something could not be read
)

func (l level) String() string { return [...]string{"warning", "error", "unusable"}[l] }

// problem is one thing that is wrong with a stream, in the terms of the output.
type problem struct {
	stream.Position
	level            level
	rule             string // of verify, of the framing, or Truncated or Unreadable
	sentence, remedy string
	violation        *verify.Violation // nil for what is no violation
	open             int               // how many things were open; the violation lists the first of them
	end              bool              // it is about the end of the stream
}

// truncated is a stream that breaks off in an event. Whether its run ended is another question.
var truncated = problem{
	rule:     "Truncated",
	sentence: "the stream ends in the middle of an event",
	remedy:   "write each event whole, and end the run before the stream",
}

// newProblem returns what a checker found as a problem. A strict framing makes its flaws failures.
func newProblem(f stream.Finding, err error, strict bool) problem {
	framing := warning
	if strict {
		framing = failure
	}
	var at *stream.Error
	switch {
	case errors.As(err, &at) && errors.Is(at.Err, io.ErrUnexpectedEOF):
		p := truncated
		p.Position, p.level = at.Position, framing
		if errors.Is(at.Err, stream.ErrUnclosedArray) {
			p.sentence, p.remedy, p.end = "the stream ends before the array does", "close the array with \"]\" after the last event", true
		}
		return p
	case errors.As(err, &at):
		return problem{Position: at.Position, level: unusable, rule: unreadable, sentence: sentenceOf(at.Err), remedy: remedyOf(at.Err)}
	case f.Violation != nil:
		return problem{Position: f.Position, level: failure, rule: f.Violation.Rule.String(), sentence: f.Violation.Sentence, remedy: f.Violation.Remedy,
			violation: f.Violation, open: f.OpenCount, end: f.Violation.EventType == ""}
	}
	return problem{Position: f.Position, level: framing, rule: f.Flaw.String(), sentence: f.Flaw.Sentence(), remedy: f.Flaw.Remedy()}
}

// unreadable is the rule of what could not be read.
const unreadable = "Unreadable"

// isUnknownCall reports whether the problem is the result of a call that was not introduced.
func (p problem) isUnknownCall() bool {
	return p.violation != nil && p.violation.Rule == verify.UnknownID && p.violation.EventType == events.TypeToolCallResult
}

// where names the event of a problem.
func (p problem) where() string {
	text := fmt.Sprintf("event %d", p.Index)
	switch v := p.violation; {
	case p.end:
		text = fmt.Sprintf("the end of the stream, after %s", count(p.Index, "event"))
	case v != nil:
		text += ", " + printable(string(v.EventType))
		if v.ID != "" {
			text += " " + strconv.Quote(v.ID)
		}
		if owner, tagged := v.Owner.Get(); tagged {
			text += " of subagent " + strconv.Quote(owner)
		}
	}
	return text + fmt.Sprintf(", byte %d", p.Offset)
}

// sentenceOf says what could not be read.
func sentenceOf(err error) string {
	sentence, _, _ := strings.Cut(strings.TrimPrefix(err.Error(), "events: "), ": send less")
	return sentence
}

// remedyOf says what to do about what could not be read, where that is known.
func remedyOf(err error) string {
	switch {
	case errors.As(err, new(*events.SyntaxError)):
		return `send each event as one JSON object with a "type", and nothing else`
	case errors.As(err, new(*stream.LimitError)):
		return stream.FlawOversize.Remedy()
	case errors.Is(err, stream.ErrNoStream):
		return "give a file of Server-Sent Events, JSON Lines or a JSON array"
	}
	return ""
}
