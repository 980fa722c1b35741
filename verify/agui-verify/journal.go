package main

import (
	"errors"
	"fmt"
	"iter"
	"log/slog"
	"time"

	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/stream"
)

// journal records what is found in one stream that passes through the proxy: in the log, once a rule, and in
// the span of the run.
type journal struct {
	log    *slog.Logger
	span   *runSpan
	strict bool
	begun  time.Time
	// stream is whether the answer must be a stream of events, because it says so or because a run was asked
	// for, or has shown that it is one.
	stream  bool
	media   string // of the answer
	unknown error  // why it is not known what the client sent

	told  map[string]bool // the rules that the log has
	found int             // failures and worse
	why   string          // the stream ended early
}

// judge records what a checker has found.
func (j *journal) judge(c *stream.Checker, found iter.Seq2[stream.Finding, error]) {
	for f, err := range found {
		if !j.overlooks(c, f, err) {
			j.add(newProblem(f, err, j.strict))
		}
	}
}

// overlooks reports whether a finding says no more than that an answer is no stream of events, which it need
// not be.
func (j *journal) overlooks(c *stream.Checker, f stream.Finding, err error) bool {
	eventless := err == nil && c.Position().Index == 0 && (f.Flaw == stream.FlawOversize || errors.Is(f, verify.Unterminated))
	j.stream = j.stream || !eventless
	return !j.stream
}

// add records a problem.
func (j *journal) add(p problem) {
	if p.level > warning {
		j.found++
	}
	j.span.problem(p)
	if j.told[p.rule] {
		return
	}
	if j.told == nil {
		j.told = make(map[string]bool)
	}
	j.told[p.rule] = true
	attrs := []any{"rule", p.rule, "event", p.Index, "sentence", p.sentence, "remedy", p.remedy}
	if v := p.violation; v != nil {
		attrs = append(attrs, "type", string(v.EventType), "id", v.ID, "open", fmt.Sprint(v.Open))
	}
	j.log.Warn("the agent's stream breaks a rule", attrs...)
}

// early records why the stream ended before its time.
func (j *journal) early(why string) { j.why = why }

// notChecked is what the log says of an answer that is passed on as it is.
const notChecked = "an answer is not checked"

// close records how the run ended.
func (j *journal) close(c *stream.Checker) {
	if !j.stream && c.Position().Index == 0 {
		j.log.Info(notChecked, "why", fmt.Sprintf("its Content-Type is %q, and no event is in it", j.media))
		j.span.end()
		return
	}
	if j.unknown != nil {
		j.log.Warn("what the client sent is not known: UnknownId is not checked", "why", j.unknown)
	}
	attrs := []any{
		"events", c.Position().Index, "runs", c.Runs(), "ended", c.Ended(), "violations", j.found, "took", time.Since(j.begun),
	}
	if j.why != "" {
		attrs = append(attrs, "early", j.why)
	}
	j.log.Info("run", attrs...)
	j.span.finish(c, j.found)
}
