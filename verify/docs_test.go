package verify_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/verifytest"
)

var update = flag.Bool("update", false, "write the generated documentation anew")

// golden compares a file with what it should be, or writes it.
func golden(t *testing.T, name, want string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil && !*update {
		t.Fatal(err)
	}
	if string(got) == want {
		return
	}
	if !*update {
		t.Fatalf("%s is stale: run go test ./verify -run Docs -update", name)
	}
	if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// between returns text with what stands between the lines begin and end replaced.
func between(t *testing.T, text, begin, end, with string) string {
	t.Helper()
	head, rest, found := strings.Cut(text, begin+"\n")
	_, tail, ends := strings.Cut(rest, end+"\n")
	if !found || !ends {
		t.Fatalf("no lines %q and %q", begin, end)
	}
	return head + begin + "\n" + with + end + "\n" + tail
}

func read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// setName names the set of a rule as the tables do.
func setName(r verify.Rule) string {
	if r == verify.Unterminated {
		return "end"
	}
	return r.Set().String()
}

func TestDocsOfRule(t *testing.T) {
	var table strings.Builder
	fmt.Fprintf(&table, "//\t%-20s %-7s %s\n", "Rule", "Set", "Rejects")
	for _, r := range verify.Rules() {
		fmt.Fprintf(&table, "//\t%-20s %-7s %s\n", r.String(), setName(r), r.Sentence())
	}
	golden(t, "rule.go", between(t, read(t, "rule.go"),
		"// The rules, in the order of the table (docs/rules.md says more):\n//", "//\n// Unterminated is judged at the end of the stream, in both sets.", table.String()))
}

// marked returns events a line each, the one that v rejects marked; v is nil when none is.
func marked(t *testing.T, list []json.RawMessage, v *verify.Violation) string {
	t.Helper()
	var s bytes.Buffer
	for i, data := range list {
		s.WriteString(mark(v != nil && i == v.Index) + " ")
		if err := json.Compact(&s, data); err != nil {
			t.Fatal(err)
		}
		s.WriteByte('\n')
	}
	if v != nil && v.Index == len(list) {
		s.WriteString("> (end of stream)\n")
	}
	return s.String()
}

func mark(rejected bool) string {
	if rejected {
		return ">"
	}
	return " "
}

// TestDocsCasesPage holds the page about the case file to the file.
func TestDocsCasesPage(t *testing.T) {
	const page, shown = "../docs/cases.md", "bug-65"
	var line string
	for text := range strings.Lines(string(verifytest.File())) {
		if strings.HasPrefix(text, `{"id": "`+shown+`"`) {
			line = text
		}
	}
	text := between(t, read(t, page), "<!-- case: generated -->", "<!-- end -->", "```json\n"+line+"```\n")

	var counts strings.Builder
	refused := map[string][2]int{} // by rule: under Strict, and under Core
	var total [2]int
	client := 0
	for c := range verifytest.Cases() {
		for i, set := range []verify.Set{verify.Strict, verify.Core} {
			want, ok := c.Want(set)
			if !ok {
				continue
			}
			n := refused[want.Rule]
			n[i]++
			refused[want.Rule] = n
			total[i]++
		}
		if !c.Client.OK {
			client++
		}
	}
	counts.WriteString("\n| Verdict | Strict | Core |\n|---|--:|--:|\n")
	fmt.Fprintf(&counts, "| accepted | %d | %d |\n", refused[""][0], refused[""][1])
	for _, r := range verify.Rules() {
		fmt.Fprintf(&counts, "| [`%s`](rules.md#%s) | %d | %d |\n", r.String(), strings.ToLower(r.String()), refused[r.String()][0], refused[r.String()][1])
	}
	fmt.Fprintf(&counts, "| all | %d | %d |\n\nThe official client refuses %d of them.\n\n", total[0], total[1], client)
	golden(t, page, between(t, text, "<!-- counts: generated -->", "<!-- end -->", counts.String()))
}

func TestDocsReportsPage(t *testing.T) {
	said := map[string]string{}
	for line := range strings.SplitSeq(strings.TrimSpace(read(t, "testdata/reports.tsv")), "\n") {
		id, text, found := strings.Cut(line, "\t")
		if !found || said[id] != "" {
			t.Fatalf("reports.tsv: %q", line)
		}
		said[id] = text
	}
	var caught, strictOnly, legal bytes.Buffer
	for c := range verifytest.Cases() {
		if c.Source == "" {
			continue
		}
		text := said[c.ID]
		delete(said, c.ID)
		if text == "" {
			t.Errorf("reports.tsv says nothing about %s", c.ID)
		}
		violation := strictly(t, c)
		switch {
		case violation == nil:
			report(t, &legal, c, text, nil)
		case violation.Rule.Set() == verify.Strict:
			report(t, &strictOnly, c, text, violation)
		default:
			report(t, &caught, c, text, violation)
		}
	}
	for id := range said {
		t.Errorf("reports.tsv describes %s, which is no case with a source", id)
	}
	golden(t, "../docs/reports.md", reportsHead+
		"\n## Caught by both sets\n"+caught.String()+
		"\n## Caught by the strict set\n"+strictOnly.String()+
		"\n## No ordering fault\n"+legal.String())
}

const reportsHead = `# What this library says about public bug reports

The streams below come from public issues and pull requests about AG-UI producers, clients and the protocol itself. Each entry gives the
report, what the stream does, its events, and what a developer sees who sends it through this library: the rule, the event, a sentence and a
remedy. The line marked ` + "`>`" + ` is the one that is rejected. The streams of the last part are in order, and each entry says why.

The events are a short stream that shows the order in question, not a copy of the reported one. This page is generated from
` + "`verify/verifytest/sequences.jsonl` by `go test ./verify -run Docs -update`" + `.
`

// report writes one entry; v is nil for a stream that is in order.
func report(t *testing.T, to *bytes.Buffer, c verifytest.Case, text string, v *verify.Violation) {
	t.Helper()
	repo, number, found := strings.Cut(strings.TrimPrefix(c.Source, "https://github.com/"), "/issues/")
	if !found {
		repo, number, found = strings.Cut(repo, "/pull/")
	}
	if !found {
		t.Fatalf("%s: source %q is neither an issue nor a pull request", c.ID, c.Source)
	}
	fmt.Fprintf(to, "\n### %s\n\n[%s #%s](%s): %s\n\n```\n%s```\n", c.ID, repo, number, c.Source, text, marked(t, c.Events, v))
	if v != nil {
		fmt.Fprintf(to, "\n    %s\n", v.Error())
	}
}

// TestDocsProgram holds the program in the package's documentation to the Example of the package.
func TestDocsProgram(t *testing.T) {
	source := read(t, "example_test.go")
	_, rest, _ := strings.Cut(source, "func Example() {\n")
	body, _, _ := strings.Cut(rest, "\n}\n")
	code, output, found := strings.Cut(body, "\n\t// Output:\n")
	if !found {
		t.Fatal("example_test.go: no Example with an Output")
	}
	doc := read(t, "doc.go")
	for line := range strings.Lines(code + "\n") {
		if !strings.Contains(doc, "//\t"+line) {
			t.Errorf("doc.go does not have the line %q", line)
		}
	}
	for line := range strings.Lines(output + "\n") {
		if want := "//\t" + strings.TrimPrefix(line, "\t// "); !strings.Contains(doc, want) {
			t.Errorf("doc.go does not have the output %q", want)
		}
	}
}
