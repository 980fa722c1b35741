package main

import (
	"encoding/json"
	"io"
)

// jsonReporter writes a JSON object a stream, one a line.
type jsonReporter struct{ w io.Writer }

type jsonReport struct {
	File     string        `json:"file"`
	OK       bool          `json:"ok"`
	Rules    string        `json:"rules"`
	Framing  string        `json:"framing,omitempty"`
	Events   int           `json:"events"`
	Runs     int           `json:"runs"`
	Bytes    int64         `json:"bytes"`
	Complete bool          `json:"complete"` // read to its end
	Problems []jsonProblem `json:"problems"`
	More     int           `json:"more,omitempty"` // problems that are not listed
}

type jsonProblem struct {
	Level     string     `json:"level"`
	Rule      string     `json:"rule"`
	At        int        `json:"at"`
	Line      int        `json:"line"`
	Offset    int64      `json:"offset"`
	EventType string     `json:"eventType,omitempty"`
	ID        string     `json:"id,omitempty"`
	Owner     *string    `json:"owner,omitempty"`
	Message   string     `json:"message"`
	Remedy    string     `json:"remedy,omitempty"`
	Open      []jsonOpen `json:"open,omitempty"`      // the first few
	OpenCount int        `json:"openCount,omitempty"` // of all
}

type jsonOpen struct {
	Kind  string  `json:"kind"`
	ID    string  `json:"id"`
	Owner *string `json:"owner,omitempty"`
	At    int     `json:"at"`
}

func (j jsonReporter) report(r *report) error {
	out := jsonReport{
		File: r.name, OK: r.level == warning, Rules: r.judging.set.String(), Complete: r.level != unusable && !r.stopped,
		Problems: []jsonProblem{}, More: r.more,
	}
	if c := r.checker; c != nil {
		at := c.Position()
		out.Framing, out.Events, out.Runs, out.Bytes = c.Framing().String(), at.Index, c.Runs(), at.Offset
	}
	for _, list := range [][]problem{r.problems, r.warnings} {
		for _, p := range list {
			out.Problems = append(out.Problems, newJSONProblem(p))
		}
	}
	return encodeLine(j.w, out)
}

func (jsonReporter) close() error { return nil }

func newJSONProblem(p problem) jsonProblem {
	out := jsonProblem{
		Level: p.level.String(), Rule: p.rule, At: p.Index, Line: p.Line, Offset: p.Offset,
		Message: p.sentence, Remedy: p.remedy,
	}
	v := p.violation
	if v == nil {
		return out
	}
	out.EventType, out.ID, out.OpenCount = string(v.EventType), v.ID, p.open
	if owner, tagged := v.Owner.Get(); tagged {
		out.Owner = &owner
	}
	for _, o := range v.Open {
		open := jsonOpen{Kind: o.Kind.String(), ID: o.ID, At: o.Index}
		if owner, tagged := o.Owner.Get(); tagged {
			open.Owner = &owner
		}
		out.Open = append(out.Open, open)
	}
	return out
}

// encodeLine writes v as a line of JSON.
func encodeLine(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
