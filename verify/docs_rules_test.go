package verify_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/verifytest"
)

func TestDocsRulesPage(t *testing.T) {
	const page = "../docs/rules.md"
	var table strings.Builder
	table.WriteString("\n| Rule | Set | Rejects | Remedy |\n|---|---|---|---|\n")
	for _, r := range verify.Rules() {
		fmt.Fprintf(&table, "| [`%s`](#%s) | %s | %s | %s |\n", r.String(), strings.ToLower(r.String()), setName(r), r.Sentence(), r.Remedy())
	}
	table.WriteString("\n")
	text := between(t, read(t, page), "<!-- table: generated -->", "<!-- end -->", table.String())

	var sections strings.Builder
	for _, r := range verify.Rules() {
		sections.WriteString("\n" + section(t, r))
	}
	sections.WriteString("\n")
	golden(t, page, between(t, text, "<!-- sections: generated -->", "<!-- end of sections -->", sections.String()))
}

// examples are the cases that show a rule on its page: small ones, cut after the event that is rejected.
var examples = map[verify.Rule]string{
	verify.RunNotStarted:       "conf-x-finish-first",
	verify.RunEnded:            "conf-x-finish-twice",
	verify.DuplicateRunStarted: "bug-45",
	verify.DuplicateStart:      "conf-x-tool-start-twice",
	verify.NotOpen:             "conf-content-without-start-fatal",
	verify.UnknownID:           "conf-x-tool-result-unknown",
	verify.OutOfOrder:          "conf-x-tool-result-before-end",
	verify.OpenAtFinish:        "conf-x-tool-open-at-cancelled",
	verify.OwnerMismatch:       "conf-x-reasoning-span-end-other-owner",
	verify.InvalidOutcome:      "conf-x-interrupt-empty",
	verify.Preamble:            "conf-x-raw-first",
	verify.ChunkSequence:       "conf-first-chunk-missing-id-fatal",
	verify.IDCollision:         "bug-76",
	verify.RunMismatch:         "conf-run-finished-wrong-thread-id-fatal",
	verify.DuplicateInterrupt:  "conf-duplicate-interrupt-id-fatal",
	verify.PendingToolCalls:    "conf-x-pending-echoed-call",
	verify.InvalidField:        "conf-x-timestamp-fraction",
	verify.Unterminated:        "bug-49",
}

// section returns the section of one rule: the smallest stream that breaks it, the message, the remedy, and
// what the official client makes of the stream and of others like it.
func section(t *testing.T, r verify.Rule) string {
	t.Helper()
	c := caseOf(t, r)
	violation := strictly(t, c)
	if violation == nil || violation.Rule != r {
		t.Fatalf("%s is no example of %s: %v", c.ID, r.String(), violation)
	}
	smallest(t, c, violation)
	var s strings.Builder
	fmt.Fprintf(&s, "### %s\n\n**%s.** Rejects %s.\n\n", r.String(), setInWords(r), r.Sentence())
	s.WriteString("```\n" + marked(t, c.Events[:min(violation.Index+1, len(c.Events))], violation) + "```\n\n")
	fmt.Fprintf(&s, "    %s\n\n", violation.Error())
	fmt.Fprintf(&s, "Remedy: %s.\n\n%s\n", r.Remedy(), clientOn(c))
	if total := ofCases(r); total != "" {
		s.WriteString(total + "\n")
	}
	return s.String()
}

func caseOf(t *testing.T, r verify.Rule) verifytest.Case {
	t.Helper()
	for c := range verifytest.Cases() {
		if c.ID == examples[r] {
			return c
		}
	}
	t.Fatalf("no example of %s", r.String())
	return verifytest.Case{}
}

// smallest fails when the case breaks the rule also without one of the events after the first.
func smallest(t *testing.T, c verifytest.Case, violation *verify.Violation) {
	t.Helper()
	for i := 1; i < violation.Index; i++ {
		less := c
		less.Events = slices.Delete(slices.Clone(c.Events[:violation.Index+1]), i, i+1)
		if v := strictly(t, less); v != nil && v.Rule == violation.Rule && v.Index == violation.Index-1 {
			t.Errorf("%s is no smallest example of %s: it does not need event %d", c.ID, v.Rule.String(), i)
		}
	}
}

func setInWords(r verify.Rule) string {
	switch setName(r) {
	case "core":
		return "Core and Strict"
	case "strict":
		return "Strict"
	}
	return "The end of the stream, both sets"
}

// clientOn says what the official client makes of an example.
func clientOn(c verifytest.Case) string {
	switch {
	case c.Client.OK:
		return "The official client accepts this stream."
	case c.Client.At == c.Strict.At:
		return "The official client refuses this stream at the same event."
	}
	return fmt.Sprintf("The official client refuses this stream at event %d.", c.Client.At)
}

// ofCases says what the official client makes of all cases that break r, and "" when there is but one.
func ofCases(r verify.Rule) string {
	var same, other, accepted int
	for c := range verifytest.Cases() {
		switch {
		case c.Strict.Rule != r.String():
		case c.Client.OK:
			accepted++
		case c.Client.At == c.Strict.At:
			same++
		default:
			other++
		}
	}
	total := same + other + accepted
	if total == 1 {
		return ""
	}
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{{same, "refuses %s at the same event"}, {other, "refuses %s at another event"}, {accepted, "accepts %s"}} {
		switch part.n {
		case 0:
		case total:
			parts = append(parts, fmt.Sprintf(part.what, "all"))
		default:
			parts = append(parts, fmt.Sprintf(part.what, fmt.Sprint(part.n)))
		}
	}
	return fmt.Sprintf("Of the %d streams of the [case file](cases.md) that break the rule it %s.", total, inOneSentence(parts))
}

func inOneSentence(parts []string) string {
	last := len(parts) - 1
	if last == 0 {
		return parts[0]
	}
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}
