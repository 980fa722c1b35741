package main

import (
	"fmt"
	"strings"
)

// mutant is one small change to one place of a source file.
type mutant struct {
	n     int // its number, from 1
	file  string
	line  int
	fn    string // the function that it is in
	op    string // what the change is
	place string // what it is done to
	again int    // 0 for the first of several with the same text
}

// key names the mutant in survivors.txt. It has no line number, so that it lasts as long as its place.
func (m mutant) key() string {
	key := fmt.Sprintf("%s %s: %s: %s", m.file, m.fn, m.op, m.place)
	if m.again > 0 {
		key += fmt.Sprintf(" #%d", m.again+1)
	}
	return key
}

// number gives the mutants their numbers and tells those with the same text apart.
func number(mutants []*mutant) {
	seen := make(map[string]int)
	for i, m := range mutants {
		m.n = i + 1
		key := m.key()
		m.again = seen[key]
		seen[key]++
	}
}

// onOneLine returns source text with its white space made single spaces, cut to a readable length.
func onOneLine(text string) string {
	const most = 100
	text = strings.Join(strings.Fields(text), " ")
	if runes := []rune(text); len(runes) > most {
		text = string(runes[:most]) + "…"
	}
	return text
}
