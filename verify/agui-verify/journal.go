package main

import (
	"fmt"
	"iter"
	"log/slog"
	"time"

	"github.com/agui-go/agui/verify/stream"
)

// journal records what is found in one stream that passes through the proxy: in the log, once a rule, and in
// the span of the run.
type journal struct {
	log    *slog.Logger
	span   *runSpan
	strict bool
	begun  time.Time

	told  map[string]bool // the rules that the log has
	found int             // failures and worse
	why   string          // the stream ended early
}

// judge records findings.
func (j *journal) judge(found iter.Seq2[stream.Finding, error]) {
	for f, err := range found {
		j.add(newProblem(f, err, j.strict))
	}
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

// close records how the run ended.
func (j *journal) close(c *stream.Checker) {
	attrs := []any{
		"events", c.Position().Index, "runs", c.Runs(), "ended", c.Ended(), "violations", j.found, "took", time.Since(j.begun),
	}
	if j.why != "" {
		attrs = append(attrs, "early", j.why)
	}
	j.log.Info("run", attrs...)
	j.span.finish(c, j.found)
}
