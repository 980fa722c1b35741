package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// wire returns the lines of a stream, an event each, without what differs from run to run: ids are
// numbered in the order of first appearance, and the deltas of a message that follow one another are
// one.
func wire(stream []byte) []string {
	var lines []string
	last := "" // the line before up to its delta, when it is content
	for frame := range strings.SplitSeq(numberIDs(string(stream)), "\n\n") {
		line, ok := strings.CutPrefix(frame, "data: ")
		if !ok {
			continue
		}
		head, delta, _ := strings.Cut(line, `"delta":"`)
		switch {
		case !strings.Contains(head, "_CONTENT"):
			last = ""
		case head == last:
			so := &lines[len(lines)-1]
			*so = strings.TrimSuffix(*so, `"}`) + delta
			continue
		default:
			last = head
		}
		lines = append(lines, line)
	}
	return lines
}

var randomID = regexp.MustCompile(`\b(msg|call|reason|sub)_[0-9a-f]{32}\b`)

// numberIDs writes msg_1, msg_2, call_1 and so on for the ids that the library made.
func numberIDs(s string) string {
	names, count := map[string]string{}, map[string]int{}
	return randomID.ReplaceAllStringFunc(s, func(id string) string {
		if names[id] == "" {
			kind, _, _ := strings.Cut(id, "_")
			count[kind]++
			names[id] = fmt.Sprintf("%s_%d", kind, count[kind])
		}
		return names[id]
	})
}

// checkWire compares the lines of a stream with those of want, in which lines are indented.
func checkWire(t *testing.T, stream []byte, want string) {
	t.Helper()
	got := strings.Join(wire(stream), "\n")
	var lines []string
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	if want := strings.Join(lines, "\n"); got != want {
		t.Errorf("stream\n got:\n%s\nwant:\n%s", got, want)
	}
}
