package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestMutants has each operator on a small piece of source.
func TestMutants(t *testing.T) {
	tests := []struct {
		src  string
		want []string // the changes, each with its place
	}{
		{"func f(a bool) { if a { return } }", []string{"condition flipped: a", "condition removed: a"}},
		{"func f(a bool) { for a { } }", []string{"condition flipped: a"}},
		{"func f(a, b int) bool { return a < b }", []string{"condition flipped: a < b", "operator exchanged: a < b"}},
		{"func f(a, b bool) { _ = a || b }", []string{
			"statement removed: _ = a || b", "operator exchanged: a || b", "operand removed: a", "operand removed: b",
		}},
		{"func f(a, b, c bool) { g(a && b && c) }", []string{
			"statement removed: g(a && b && c)", "operator exchanged: a && b && c", "operator exchanged: a && b",
			"operand removed: a", "operand removed: b", "operand removed: c",
		}},
		{"func f(a int, b bool) { x := b && a == 1; g(x) }", []string{
			"operator exchanged: b && a == 1", "operand removed: b", "condition flipped: a == 1", "operand removed: a == 1",
			"statement removed: g(x)",
		}},
		{"func f(a int) { switch a { case x, y: g() } }", []string{"case removed: x", "case removed: y", "statement removed: g()"}},
		{"func f(a bool) { switch { case a: g() } }", []string{"condition flipped: a", "condition removed: a", "statement removed: g()"}},
		{"func f() { n++; m = 1; for { break } }", []string{
			"statement removed: n++", "operator exchanged: n++", "statement removed: m = 1", "statement removed: break",
		}},
		{"func f() (int, string) { return none, some }", []string{"zero value: some"}},
		{"func f() (int, string) { return g() }", nil},
		{"func f() error { return nil }", nil},
		{"func f() T { return T{A: b, C: false} }", []string{"zero value: T{A: b, C: false}", "zero value: A: b"}},
		{"func f() { _ = map[K]int{a: b}; _ = []int{1} }", []string{"statement removed: _ = map[K]int{a: b}", "statement removed: _ = []int{1}"}},
		{"func f(a any) { switch a.(type) { case *T, U: g() } }", []string{"statement removed: g()"}},
		{"func f(i int) { g(i+1, true) }", []string{"statement removed: g(i+1, true)", "without the one: i+1", "true for false: true"}},
		{"func (t *T) f(s string) { t.s = strings.Clone(s) }", []string{"statement removed: t.s = strings.Clone(s)", "not copied: strings.Clone(s)"}},
		{"func f() { x := func(a bool) bool { return a }; g(x) }", []string{"condition flipped: a", "statement removed: g(x)"}},
	}
	for _, tt := range tests {
		p, err := newPlan("p.go", "package p\n\n"+tt.src+"\n", map[string]bool{"none": true})
		if err != nil {
			t.Fatal(err)
		}
		mutants := p.mutants()
		number(mutants)
		var got []string
		for _, m := range mutants {
			_, change, _ := strings.Cut(m.key(), ": ")
			got = append(got, change)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s\n got: %q\nwant: %q", tt.src, got, tt.want)
		}
		if _, err := parser.ParseFile(token.NewFileSet(), "", p.woven(), 0); err != nil {
			t.Errorf("%s\nbecomes %s\nwhich does not parse: %v", tt.src, p.woven(), err)
		}
	}
}

func TestKeys(t *testing.T) {
	p, err := newPlan("p.go", "package p\n\nfunc (t *T) f(a any) { switch a.(type) { case *T, U: g() }; h() }\n", nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"p.go T.f *T U: statement removed: g()", "p.go T.f: statement removed: h()"} {
		if got := p.mutants()[i].key(); got != want {
			t.Errorf("key\n got: %q\nwant: %q", got, want)
		}
	}
	list := []*mutant{
		{file: "a.go", fn: "T.f", op: opDropped, place: "g()"},
		{file: "a.go", fn: "T.f", op: opDropped, place: "g()"},
		{file: "a.go", fn: "T.f", op: opFlag, place: "g()"},
	}
	number(list)
	for i, want := range []string{
		"a.go T.f: statement removed: g()", "a.go T.f: statement removed: g() #2", "a.go T.f: true for false: g()",
	} {
		if got := list[i].key(); got != want || list[i].n != i+1 {
			t.Errorf("mutant %d\n got: %d, %q\nwant: %d, %q", i, list[i].n, got, i+1, want)
		}
	}
	if got, want := onOneLine("a\n\t  b"+strings.Repeat("é", 200)), "a b"+strings.Repeat("é", 97)+"…"; got != want {
		t.Errorf("onOneLine\n got: %q\nwant: %q", got, want)
	}
}

const toySource = `package toy

type kind int

const (
	none kind = iota
	big
)

var seen int

// size is judged by the case file, twice by the table tests, and both by random runs.
func size(n int) kind {
	if n > 9 {
		return big
	}
	return none
}

func twice(n int) int {
	seen = n
	return n + n
}

func loop(n int) int {
	for n > 0 {
		n--
	}
	return n
}
`

const toyTests = `package toy

import "testing"

func TestSequences(t *testing.T) {
	if size(10) != big || size(8) != none {
		t.Error("size")
	}
}

func TestTwice(t *testing.T) {
	if twice(2) != 4 || loop(3) != 0 {
		t.Error("twice")
	}
}

func TestRandom(t *testing.T) {
	if size(9) != none {
		t.Error("9")
	}
}
`

// TestToy judges the mutants of a small package of its own.
func TestToy(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.org/toy\n\ngo 1.26\n", "toy/toy.go": toySource, "toy/toy_test.go": toyTests,
	} {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	j := &judge{root: root, dir: "toy", files: []string{"toy.go"}, temp: t.TempDir(), patience: time.Second}
	mutants, err := j.weave(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := j.sound(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := map[string]int{
		"toy.go size: condition flipped: n > 9":     byCases,
		"toy.go size: condition removed: n > 9":     byCases,
		"toy.go size: operator exchanged: n > 9":    byRandom,
		"toy.go size: zero value: big":              byCases,
		"toy.go twice: statement removed: seen = n": survives,
		"toy.go twice: zero value: n + n":           byTables,
		"toy.go loop: condition flipped: n > 0":     byTables,
		"toy.go loop: statement removed: n--":       byTables, // it never ends
		"toy.go loop: operator exchanged: n--":      byTables,
		"toy.go loop: operator exchanged: n > 0":    byTables,
		"toy.go loop: zero value: n":                survives,
	}
	for _, m := range mutants {
		if got := j.verdict(t.Context(), m); got != want[m.key()] {
			t.Errorf("%s\n got: %d\nwant: %d", m.key(), got, want[m.key()])
		}
		delete(want, m.key())
	}
	for key := range want {
		t.Errorf("no mutant: %s", key)
	}
}

func TestReasons(t *testing.T) {
	name := filepath.Join(t.TempDir(), "survivors.txt")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("# comment\na.go f: zero value: `x`\na.go f: zero value: y\n\tNothing\n\treads it.\n\na.go g: zero value: z\n\tNor this.\n")
	reasons, err := readReasons(name)
	if err != nil {
		t.Fatal(err)
	}
	results := []result{
		{&mutant{file: "a.go", fn: "f", op: opZero, place: "`x`"}, survives},
		{&mutant{file: "a.go", fn: "f", op: opZero, place: "y"}, byRandom},
		{&mutant{file: "a.go", fn: "h", op: opZero, place: "y"}, byTables},
	}
	err = reasonFault(results, reasons)
	if want := "survivors.txt has a reason for no mutant: a.go g: zero value: z"; err == nil || err.Error() != want {
		t.Errorf("fault\n got: %v\nwant: %s", err, want)
	}
	results = append(results, result{&mutant{file: "a.go", line: 7, fn: "g", op: opZero, place: "z"}, byCases})
	if err, want := reasonFault(results, reasons), "a.go:7: is killed and has a reason"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("fault\n got: %v\nwant: %s", err, want)
	}
	results[3].by = survives
	if err := reasonFault(results, reasons); err != nil {
		t.Errorf("fault\n got: %v\nwant: none", err)
	}
	if err := reasonFault(results, reasons[:1]); err == nil || !strings.Contains(err.Error(), "a.go:7: survives without a reason") {
		t.Errorf("fault\n got: %v\nwant: a survivor without a reason", err)
	}
	if err := shareFault(results); err == nil || !strings.Contains(err.Error(), "kill 1 of 4 mutants") {
		t.Errorf("share\n got: %v\nwant: a fault", err)
	}
	if got := pageOf([]string{"a.go"}, results, reasons); !strings.Contains(got, "Nothing reads it.\n\n* `` a.go f: zero value: `x` ``\n") || !strings.Contains(got, "\nKilled: 1 of 4, which is 25.0 of 100.\n") {
		t.Errorf("page\n got: %s", got)
	}
	for text, want := range map[string]string{
		"\treason\n":             ":1: a reason for no mutant",
		"a\na\n\treason\n":       ":2: a mutant is listed twice",
		"a\n\treason\nb\n":       "no reason",
		"a\n\treason\na\n\tno\n": ":3: a mutant is listed twice",
	} {
		write(text)
		if _, err := readReasons(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q\n got: %v\nwant: %s", text, err, want)
		}
	}
}
