package aguiotel

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
)

var update = flag.Bool("update", false, "write the generated blocks of docs/observability.md")

const (
	page      = "../docs/observability.md"
	dashboard = "../docs/grafana/agui.json"
)

// blocks are the generated parts of the page, by name.
var blocks = map[string]func() string{
	"spans":      spansTable,
	"attributes": attributesTable,
	"outcomes":   outcomesTable,
	"errortypes": errorTypesTable,
	"metrics":    metricsTable,
	"buckets":    bucketsList,
}

var block = regexp.MustCompile(`(?s)(<!-- generated: (\w+) -->\n)(.*?)(<!-- end -->)`)

// TestDocs checks that the page lists what the code records.
func TestDocs(t *testing.T) {
	old := read(t, page)
	seen := make(map[string]bool)
	fresh := block.ReplaceAllStringFunc(old, func(whole string) string {
		m := block.FindStringSubmatch(whole)
		generate, ok := blocks[m[2]]
		if !ok {
			t.Fatalf("%s has a block %q that nothing generates", page, m[2])
		}
		seen[m[2]] = true
		return m[1] + "\n" + generate() + "\n" + m[4]
	})
	for name := range blocks {
		if !seen[name] {
			t.Errorf("%s has no block %q", page, name)
		}
	}
	if *update {
		if err := os.WriteFile(page, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if old != fresh {
		t.Errorf("%s is out of date: run go generate ./otel", page)
	}
}

// TestDocsNameEveryOption checks that no option is left out of the page.
func TestDocsNameEveryOption(t *testing.T) {
	text := read(t, page)
	for _, m := range regexp.MustCompile(`(?m)^func (With\w+)\(`).FindAllStringSubmatch(read(t, "option.go"), -1) {
		if !strings.Contains(text, "`"+m[1]) {
			t.Errorf("%s does not name %s", page, m[1])
		}
	}
}

// TestAttributesAreDescribed checks that the tables agree: no attribute is used and not described, or
// described and not used.
func TestAttributesAreDescribed(t *testing.T) {
	used := make(map[attribute.Key]bool)
	for _, s := range spans {
		for _, key := range s.attrs {
			used[key] = true
		}
	}
	for _, m := range metrics {
		for _, key := range m.attrs {
			used[key] = true
		}
	}
	for _, a := range attrs {
		if !used[a.key] {
			t.Errorf("%s is described and in no table", a.key)
		}
		delete(used, a.key)
	}
	for key := range used {
		t.Errorf("%s is in a table and not described", key)
	}
}

var (
	promQL  = regexp.MustCompile(`\b(?:agui|gen_ai)_\w+|\berror_type\b`)
	traceQL = regexp.MustCompile(`\b(?:span|event)\.([\w.]+)`)
	named   = regexp.MustCompile(`"(agui\.[\w.]+)"`)
)

// TestQueriesUseNamesThatExist checks the queries of the page and of the dashboard.
func TestQueriesUseNamesThatExist(t *testing.T) {
	known := make(map[string]instrument) // by its names there
	for _, m := range metrics {
		for _, name := range prometheus(m) {
			known[name] = m
		}
	}
	_, questions, _ := strings.Cut(read(t, page), "\n## Questions\n")
	queries := dashboardQueries(t)
	inPage := regexp.MustCompile("(?m)^\\| .* \\| `(.*)` \\|$").FindAllStringSubmatch(questions, -1)
	if len(inPage) < 20 || len(queries) < 10 {
		t.Fatalf("queries: %d on the page and %d on the dashboard", len(inPage), len(queries))
	}
	for _, m := range inPage {
		queries = append(queries, m[1])
	}
	asked := make(map[string]bool)
	for _, query := range queries {
		if strings.HasPrefix(query, "{") {
			checkTraceQL(t, query)
			continue
		}
		var of []instrument
		var labels []string
		for _, name := range promQL.FindAllString(query, -1) {
			asked[name] = true
			if m, ok := known[name]; ok {
				of = append(of, m)
				continue
			}
			labels = append(labels, name)
		}
		for _, name := range labels {
			if len(of) == 0 || !slices.ContainsFunc(of[0].attrs, func(key attribute.Key) bool { return label(key) == name }) {
				t.Errorf("%s is the name of no metric, and no attribute of the query's\nquery: %s", name, query)
			}
		}
		for _, m := range of[min(1, len(of)):] {
			if len(labels) > 0 && m.name != of[0].name {
				t.Errorf("the attributes of a query with two metrics cannot be checked\nquery: %s", query)
			}
		}
	}
	for _, m := range metrics {
		if !slices.ContainsFunc(prometheus(m), func(name string) bool { return asked[name] }) {
			t.Errorf("no query asks for %s", m.name)
		}
	}
}

func checkTraceQL(t *testing.T, query string) {
	t.Helper()
	names := named.FindAllStringSubmatch(query, -1)
	for _, m := range traceQL.FindAllStringSubmatch(query, -1) {
		if !slices.ContainsFunc(attrs, func(a attr) bool { return string(a.key) == m[1] }) {
			t.Errorf("%s is no attribute\nquery: %s", m[1], query)
		}
	}
	for _, m := range names {
		if !slices.ContainsFunc(spans, func(s signal) bool { return s.name == m[1] }) {
			t.Errorf("%s is no span and no event\nquery: %s", m[1], query)
		}
	}
}

// dashboardQueries returns what the dashboard asks, each panel and the list of agents.
func dashboardQueries(t *testing.T) []string {
	t.Helper()
	var board struct {
		Title  string
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
		Templating struct {
			List []struct{ Query string }
		}
	}
	if err := json.Unmarshal([]byte(read(t, dashboard)), &board); err != nil {
		t.Fatal(err)
	}
	var queries []string
	for _, panel := range board.Panels {
		if len(panel.Targets) == 0 {
			t.Errorf("%s: the panel %q asks nothing", dashboard, panel.Title)
		}
		for _, target := range panel.Targets {
			queries = append(queries, target.Expr)
		}
	}
	for _, variable := range board.Templating.List {
		queries = append(queries, variable.Query)
	}
	return queries
}

// prometheus returns the names that a metric has there.
func prometheus(m instrument) []string {
	name := strings.ReplaceAll(m.name, ".", "_")
	if suffix := map[string]string{"s": "seconds", "By": "bytes"}[m.unit]; suffix != "" && !strings.HasSuffix(name, "_"+suffix) {
		name += "_" + suffix
	}
	switch m.kind {
	case "histogram":
		return []string{name + "_bucket", name + "_count", name + "_sum"}
	case "counter":
		return []string{name + "_total"}
	}
	return []string{name}
}

func label(key attribute.Key) string { return strings.ReplaceAll(string(key), ".", "_") }

func spansTable() string {
	var b strings.Builder
	b.WriteString("| Span or span event | When | Attributes |\n|---|---|---|\n")
	for _, s := range spans {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.name, s.text, keys(s.attrs))
	}
	return b.String()
}

func attributesTable() string {
	var b strings.Builder
	b.WriteString("| Attribute | Type | What it says |\n|---|---|---|\n")
	for _, a := range attrs {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", a.key, a.kind, a.text)
	}
	return b.String()
}

func outcomesTable() string {
	var b strings.Builder
	b.WriteString("| `agui.run.outcome` | How the run ended | Status |\n|---|---|---|\n")
	for _, o := range outcomes {
		status := "Unset"
		if o.failed {
			status = "Error"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", o.outcome, o.text, status)
	}
	return b.String()
}

func errorTypesTable() string {
	var b strings.Builder
	b.WriteString("| `error.type` | Why it failed |\n|---|---|\n| the name of a [rule](rules.md) | the run was ended for it |\n")
	for _, e := range errorTypes {
		fmt.Fprintf(&b, "| `%s` | %s |\n", e.name, e.text)
	}
	return b.String()
}

func metricsTable() string {
	var b strings.Builder
	b.WriteString("| Metric | Kind | Unit | What it measures | Attributes | In Prometheus |\n|---|---|---|---|---|---|\n")
	for _, m := range metrics {
		fmt.Fprintf(&b, "| `%s` | %s | `%s` | %s | %s | `%s` |\n", m.name, m.kind, m.unit, m.text, keys(m.attrs), prometheus(m)[0])
	}
	return b.String()
}

func bucketsList() string {
	var b strings.Builder
	for _, m := range metrics {
		if m.buckets != nil {
			fmt.Fprintf(&b, "* `%s`: %s\n", m.name, strings.Trim(fmt.Sprint(m.buckets), "[]"))
		}
	}
	return b.String()
}

func keys(list []attribute.Key) string {
	if len(list) == 0 {
		return "none"
	}
	var quoted []string
	for _, key := range list {
		quoted = append(quoted, "`"+string(key)+"`")
	}
	return strings.Join(quoted, ", ")
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
