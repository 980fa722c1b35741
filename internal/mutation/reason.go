package main

import (
	"fmt"
	"os"
	"strings"
)

// reason says why mutants survive.
type reason struct {
	keys []string
	text string
}

// readReasons reads survivors.txt: the keys of mutants, one a line, and below them, indented by a tab, why they
// survive. A line that begins with # is a comment.
func readReasons(name string) ([]reason, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var reasons []reason
	seen := make(map[string]bool)
	var open reason
	for i, line := range strings.Split(string(data), "\n") {
		text, indented := strings.CutPrefix(line, "\t")
		switch {
		case strings.TrimSpace(line) == "", strings.HasPrefix(line, "#"):
			continue
		case indented && len(open.keys) == 0:
			return nil, fmt.Errorf("%s:%d: a reason for no mutant", name, i+1)
		case indented:
			open.text = strings.TrimSpace(open.text + " " + text)
			continue
		case seen[line]:
			return nil, fmt.Errorf("%s:%d: a mutant is listed twice: %s", name, i+1, line)
		case open.text != "":
			reasons = append(reasons, open)
			open = reason{}
		}
		seen[line] = true
		open.keys = append(open.keys, line)
	}
	if len(open.keys) > 0 && open.text == "" {
		return nil, fmt.Errorf("%s: the last mutants have no reason", name)
	}
	if len(open.keys) > 0 {
		reasons = append(reasons, open)
	}
	return reasons, nil
}
