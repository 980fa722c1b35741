package main

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"slices"

	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/stream"
)

// sarifReporter writes one SARIF 2.1.0 log of all streams, for editors and code review.
type sarifReporter struct {
	w       io.Writer
	results []sarifResult
	notes   []sarifNote
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	} `json:"driver"`
}

type sarifRule struct {
	ID      string       `json:"id"`
	Short   sarifMessage `json:"shortDescription"`
	Help    sarifMessage `json:"help"`
	Default struct {
		Level string `json:"level"`
	} `json:"defaultConfiguration"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	Successful bool        `json:"executionSuccessful"`
	Notes      []sarifNote `json:"toolExecutionNotifications,omitempty"`
}

type sarifNote struct {
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

type sarifResult struct {
	RuleID     string          `json:"ruleId"`
	RuleIndex  int             `json:"ruleIndex"`
	Level      string          `json:"level"`
	Message    sarifMessage    `json:"message"`
	Locations  []sarifLocation `json:"locations"`
	Properties jsonProblem     `json:"properties"`
}

type sarifLocation struct {
	Physical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region *sarifRegion `json:"region,omitempty"`
	} `json:"physicalLocation"`
}

type sarifRegion struct {
	StartLine  int   `json:"startLine"`
	ByteOffset int64 `json:"byteOffset"`
}

func (s *sarifReporter) report(r *report) error {
	rules := sarifRules()
	for _, list := range [][]problem{r.problems, r.warnings} {
		for _, p := range list {
			message := sarifMessage{Text: p.sentence}
			if p.remedy != "" {
				message.Text += ". Remedy: " + p.remedy
			}
			locations := []sarifLocation{location(r.name, p)}
			if p.level == unusable {
				s.notes = append(s.notes, sarifNote{Level: "error", Message: message, Locations: locations})
				continue
			}
			s.results = append(s.results, sarifResult{
				RuleID: p.rule, Level: p.level.String(), Message: message, Locations: locations, Properties: newJSONProblem(p),
				RuleIndex: slices.IndexFunc(rules, func(r sarifRule) bool { return r.ID == p.rule }),
			})
		}
	}
	return nil
}

func (s *sarifReporter) close() error {
	run := sarifRun{
		Invocations: []sarifInvocation{{Successful: len(s.notes) == 0, Notes: s.notes}},
		Results:     append([]sarifResult{}, s.results...),
	}
	run.Tool.Driver.Name = "agui-verify"
	run.Tool.Driver.Rules = sarifRules()
	enc := json.NewEncoder(s.w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

// sarifRules returns the rules of verify, the flaws of the framing, and Truncated.
func sarifRules() []sarifRule {
	var list []sarifRule
	add := func(id, sentence, remedy, level string) {
		rule := sarifRule{ID: id, Short: sarifMessage{sentence}, Help: sarifMessage{remedy}}
		rule.Default.Level = level
		list = append(list, rule)
	}
	for _, r := range verify.Rules() {
		add(r.String(), r.Sentence(), r.Remedy(), failure.String())
	}
	for _, f := range stream.Flaws() {
		add(f.String(), f.Sentence(), f.Remedy(), warning.String())
	}
	add(truncated.rule, truncated.sentence, truncated.remedy, warning.String())
	return list
}

// location returns the place of a problem in a file.
func location(name string, p problem) sarifLocation {
	var l sarifLocation
	l.Physical.Artifact.URI = uri(name)
	if p.Line > 0 {
		l.Physical.Region = &sarifRegion{StartLine: p.Line, ByteOffset: p.Offset}
	}
	return l
}

// uri returns the URI of a file: a relative one for a relative path.
func uri(name string) string {
	path := filepath.ToSlash(name)
	if filepath.IsAbs(name) {
		return (&url.URL{Scheme: "file", Path: path}).String()
	}
	return (&url.URL{Path: path}).String()
}
