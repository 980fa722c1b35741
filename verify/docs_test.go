package verify_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
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

func TestDocsRulesPage(t *testing.T) {
	const page = "../docs/rules.md"
	var table strings.Builder
	table.WriteString("\n| Rule | Set | Rejects | Remedy |\n|---|---|---|---|\n")
	for _, r := range verify.Rules() {
		fmt.Fprintf(&table, "| [`%s`](#%s) | %s | %s | %s |\n", r.String(), strings.ToLower(r.String()), setName(r), r.Sentence(), r.Remedy())
	}
	table.WriteString("\n")
	text := between(t, read(t, page), "<!-- table: generated -->", "<!-- end -->", table.String())

	var examples strings.Builder
	for _, r := range verify.Rules() {
		examples.WriteString("\n" + example(t, r))
	}
	examples.WriteString("\n")
	golden(t, page, between(t, text, "<!-- examples: generated -->", "<!-- end of examples -->", examples.String()))
}

// example returns the section of one rule: the smallest stream that breaks it, and the message.
func example(t *testing.T, r verify.Rule) string {
	t.Helper()
	for _, b := range breaches {
		if b.rule != r {
			continue
		}
		var s strings.Builder
		fmt.Fprintf(&s, "### %s\n\n```\n", r.String())
		for _, ev := range b.before {
			fmt.Fprintf(&s, "%s %s\n", mark(false), wire(t, ev))
		}
		if b.event != nil {
			fmt.Fprintf(&s, "%s %s\n", mark(true), wire(t, b.event))
		} else {
			s.WriteString("> (end of stream)\n")
		}
		fmt.Fprintf(&s, "```\n\n    %s\n", b.violation(t).Error())
		return s.String()
	}
	t.Fatalf("no example of %s", r.String())
	return ""
}

func wire(t *testing.T, ev events.Event) []byte {
	t.Helper()
	line, err := ev.AppendJSON(nil)
	if err != nil {
		// The invalid example shows what a decoder would have read.
		start := ev.(*events.TextMessageStart)
		return fmt.Appendf(nil, `{"type":"TEXT_MESSAGE_START","messageId":%q,"role":%q}`, start.MessageID, start.Role)
	}
	return line
}

func TestDocsReportsPage(t *testing.T) {
	said := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(read(t, "testdata/reports.tsv")), "\n") {
		id, text, found := strings.Cut(line, "\t")
		if !found || said[id] != "" {
			t.Fatalf("reports.tsv: %q", line)
		}
		said[id] = text
	}
	var caught, strictOnly, legal bytes.Buffer
	for _, s := range readSequences(t) {
		if s.Source == "" {
			continue
		}
		text := said[s.ID]
		delete(said, s.ID)
		if text == "" {
			t.Errorf("reports.tsv says nothing about %s", s.ID)
		}
		v, err := run(t, verify.Strict, s)
		if err == nil {
			err = v.End()
		}
		switch {
		case err == nil:
			report(t, &legal, s, text, nil)
		case violationOf(t, err).Rule.Set() == verify.Strict:
			report(t, &strictOnly, s, text, violationOf(t, err))
		default:
			report(t, &caught, s, text, violationOf(t, err))
		}
	}
	for id := range said {
		t.Errorf("reports.tsv describes %s, which is no sequence with a source", id)
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
` + "`verify/testdata` by `go test ./verify -run Docs -update`" + `.
`

// report writes one entry; v is nil for a stream that is in order.
func report(t *testing.T, to *bytes.Buffer, s sequence, text string, v *verify.Violation) {
	t.Helper()
	repo, number, found := strings.Cut(strings.TrimPrefix(s.Source, "https://github.com/"), "/issues/")
	if !found {
		repo, number, found = strings.Cut(repo, "/pull/")
	}
	if !found {
		t.Fatalf("%s: source %q is neither an issue nor a pull request", s.ID, s.Source)
	}
	fmt.Fprintf(to, "\n### %s\n\n[%s #%s](%s): %s\n\n```\n", s.ID, repo, number, s.Source, text)
	for i, data := range s.Events {
		ev, err := events.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(to, "%s %s\n", mark(v != nil && i == v.Index), wire(t, ev))
	}
	if v != nil && v.Index == len(s.Events) {
		to.WriteString("> (end of stream)\n")
	}
	to.WriteString("```\n")
	if v != nil {
		fmt.Fprintf(to, "\n    %s\n", v.Error())
	}
}

func mark(rejected bool) string {
	if rejected {
		return ">"
	}
	return " "
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
