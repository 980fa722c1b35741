package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/stream"
)

// sequence is one line of a case file. Other members are not read.
type sequence struct {
	ID     json.RawMessage `json:"id"`
	Events json.RawMessage `json:"events"`
}

// verdict is the answer to one line.
type verdict struct {
	ID      json.RawMessage `json:"id"`
	OK      bool            `json:"ok"`
	At      *int            `json:"at,omitempty"`
	Rule    string          `json:"rule,omitempty"`
	Message string          `json:"message,omitempty"`
	Error   string          `json:"error,omitempty"` // why the line was not judged
}

// judgeCases judges each line of a file. The core verdict leaves the end of the stream out.
func judgeCases(name string, j judging, in *events.RunAgentInput, c console) int {
	text, err := readFile(name, c)
	if err != nil {
		return c.complain(err)
	}
	if j.set == verify.Core {
		j.allow = append(j.allow, verify.Unterminated)
	}
	out := bufio.NewWriter(c.out)
	status, number := exitFine, 0
	for line := range bytes.Lines(text) {
		number++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		v, err := judgeCase(line, j, in)
		if err != nil {
			v.Error = err.Error()
			status = c.complain(fmt.Errorf("%s:%d: %w", name, number, err))
		}
		if err := encodeLine(out, v); err != nil {
			return c.complain(err)
		}
	}
	if err := out.Flush(); err != nil {
		return c.complain(err)
	}
	return status
}

// judgeCase judges one line. It returns an error when the line holds no sequence of events.
func judgeCase(line []byte, j judging, in *events.RunAgentInput) (verdict, error) {
	var s sequence
	v := verdict{ID: json.RawMessage("null")}
	if err := json.Unmarshal(line, &s); err != nil {
		return v, fmt.Errorf("no JSON object: %w", err)
	}
	if s.ID != nil {
		v.ID = s.ID
	}
	if !bytes.HasPrefix(s.Events, []byte{'['}) {
		return v, errors.New("\"events\" is no array")
	}
	for f, err := range j.checker(in, stream.WithFraming(stream.JSONArray)).Read(bytes.NewReader(s.Events)) {
		if err != nil {
			return v, err
		}
		v.At, v.Rule, v.Message = &f.Violation.Index, f.Violation.Rule.String(), f.Violation.Sentence
		return v, nil
	}
	v.OK = true
	return v, nil
}
