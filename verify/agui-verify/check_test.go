package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// output is what a command left behind.
type output struct {
	status   int
	out, err string
}

// command runs the command with the standard input in.
func command(t testing.TB, in io.Reader, args ...string) output {
	t.Helper()
	var out, err bytes.Buffer
	status := execute(t.Context(), args, console{in: in, out: &out, err: &err})
	return output{status, out.String(), err.String()}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s\n got: %s\nwant: %s", name, got, want)
	}
}

// TestOutput holds every format to its golden file: one stream with all there can be, one that is fine and
// one that is missing.
func TestOutput(t *testing.T) {
	t.Chdir("testdata")
	files := []string{"broken.sse", "crlf.sse", "fine.jsonl", "history.json", "missing.sse"}
	var outputs []output
	for _, format := range []string{"text", "json", "sarif"} {
		outputs = append(outputs, command(t, nil, append([]string{"-all", "-format", format}, files...)...))
	}
	t.Chdir("..")
	for i, name := range []string{"all.text", "all.json", "all.sarif"} {
		if got, want := outputs[i].status, exitUnusable; got != want {
			t.Errorf("%s: exit status\n got: %d\nwant: %d", name, got, want)
		}
		golden(t, name, outputs[i].out)
	}
}

// TestFirstThreeLines: a new user reads what is wrong, where, and what to do, and no more is needed.
func TestFirstThreeLines(t *testing.T) {
	got := command(t, nil, "testdata/broken.sse")
	want := "testdata/broken.sse:7: NotOpen: text message \"msg_1\" was never opened: \"msg-1\" is open; you wrote \"msg_1\"\n" +
		"  where: event 2, TEXT_MESSAGE_CONTENT \"msg_1\", byte 149\n" +
		"  do:    use the id that was opened, or send TEXT_MESSAGE_START first\n"
	if !strings.HasPrefix(got.out, want) {
		t.Errorf("\n got: %s\nwant: %s", got.out, want)
	}
	if got, want := got.status, exitBroken; got != want {
		t.Errorf("exit status\n got: %d\nwant: %d", got, want)
	}
}

const (
	startedFrame  = "data: {\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n"
	finishedFrame = "data: {\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}\n\n"
	strayFrame    = "data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"m\"}\n\n"
	resultFrame   = "data: {\"type\":\"TOOL_CALL_RESULT\",\"messageId\":\"res\",\"toolCallId\":\"c\",\"content\":\"\"}\n\n"
)

func TestFlags(t *testing.T) {
	fine := startedFrame + finishedFrame
	done := fine + "data: [DONE]\n\n"
	big := startedFrame + "data: {\"type\":\"RAW\",\"event\":\"" + strings.Repeat("x", 11<<20) + "\"}\n\n" + finishedFrame
	for _, test := range []struct {
		name   string
		args   string
		in     string
		status int
		out    string // part of the output
	}{
		{"fine", "", fine, exitFine, "stdin: ok (sse, strict rules, 2 events in 1 run)\n"},
		{"standard input by name", "-", fine, exitFine, "stdin: ok"},
		{"stray", "", startedFrame + strayFrame, exitBroken, "stdin:3: NotOpen: "},
		{"first alone", "", startedFrame + strayFrame + strayFrame, exitBroken, "stdin: 1 violation (sse, strict rules, stopped after 2 events; -all goes on)\n"},
		{"all", "-all", startedFrame + strayFrame + strayFrame + finishedFrame, exitBroken, "stdin: 2 violations (sse, strict rules, 4 events in 1 run)\n"},
		{"nothing", "", "", exitBroken, "stdin:1: Unterminated: "},
		{"unterminated", "", startedFrame, exitBroken, "  where: the end of the stream, after 1 event, byte 57\n"},
		{"core", "-rules core", "data: {\"type\":\"RAW\",\"event\":1}\n\n" + fine, exitFine, "ok (sse, core rules"},
		{"strict", "-rules strict", "data: {\"type\":\"RAW\",\"event\":1}\n\n" + fine, exitBroken, "stdin:1: Preamble: "},
		{"no rules", "-rules all", fine, exitUnusable, "use core or strict"},
		{"allow", "-allow NotOpen,Unterminated", startedFrame + strayFrame, exitFine, "ok"},
		{"allow nothing known", "-allow NotOpen,Open", fine, exitUnusable, "unknown rule \"Open\""},
		{"two runs", "", fine + fine, exitBroken, "stdin:5: RunEnded: "},
		{"two runs, known", "-multi-run", fine + fine, exitFine, "4 events in 2 runs"},
		{"resumed", "", startedFrame + resultFrame, exitBroken, "stdin:3: UnknownId: "},
		{"resumed, what to do", "", startedFrame + resultFrame, exitBroken, "for a call of an earlier run, give the request with -input\n"},
		{"resumed, known", "-input testdata/input.json", startedFrame + resultFrame + finishedFrame, exitFine, "ok"},
		{"bad input", "-input testdata/broken.sse", fine, exitUnusable, "testdata/broken.sse is no RunAgentInput"},
		{"missing input", "-input testdata/none", fine, exitUnusable, "testdata/none"},
		{"a flaw", "", done, exitFine, "stdin:5: warning: Done: "},
		{"a flaw, lenient", "-framing lenient", done, exitFine, "ok, 1 warning"},
		{"a flaw, strict", "-framing strict", done, exitBroken, "stdin:5: Done: "},
		{"framing", "-framing loose", done, exitUnusable, "want lenient or strict"},
		{"over 10 MiB", "", big, exitFine, "warning: Oversize: "},
		{"over 10 MiB, strict", "-framing strict", big, exitBroken, "stdin:3: Oversize: "},
		{"truncated after the end", "", fine + "data: {\"ty", exitFine, "warning: Truncated: "},
		{"truncated after the end, strict", "-framing strict", fine + "data: {\"ty", exitBroken, "stdin:5: Truncated: "},
		{"truncated", "", startedFrame + "data: {\"ty", exitBroken, "stdin:3: Unterminated: "},
		{"an array that is not closed", "-all", "[{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"},\r{\"type\":\"RUN_FINISHED\",\"threadId\":\"t\",\"runId\":\"r\"}", exitFine,
			"stdin:2: warning: Truncated: the stream ends before the array does\n  where: the end of the stream, after 2 events, byte 102\n  do:    close the array with \"]\" after the last event\n"},
		{"an array that ends in an event", "-all", "[{\"type\":\"RUN_STARTED\",\"threadId\":\"t\",\"runId\":\"r\"},\n{\"ty", exitBroken,
			"stdin:2: warning: Truncated: the stream ends in the middle of an event\n  where: event 1, byte 52\n"},
		{"no JSON", "", startedFrame + "data: hello\n\n", exitUnusable, "stdin:3: Unreadable: not JSON"},
		{"no JSON after a violation", "-all", startedFrame + strayFrame + "data: hello\n\n", exitUnusable, "stdin:5: Unreadable: not JSON"},
		{"no stream", "", "some words\n", exitUnusable, "Unreadable: no events here"},
		{"control characters", "-all", startedFrame + "data: {\"type\":\"TEXT_MESSAGE_END\",\"messageId\":\"\\u001b[2J\"}\n\n", exitBroken, `text message "\x1b[2J" was never opened`},
		{"format", "-format xml", fine, exitUnusable, "want text, json or sarif"},
		{"unknown flag", "-x", fine, exitUnusable, "usage: agui-verify"},
		{"help", "-h", "", exitFine, "usage: agui-verify"},
		{"cases with a file", "-cases x y", "", exitUnusable, "-cases takes no files"},
	} {
		got := command(t, strings.NewReader(test.in), strings.Fields(test.args)...)
		if got, want := got.status, test.status; got != want {
			t.Errorf("%s: exit status\n got: %d\nwant: %d", test.name, got, want)
		}
		if text := got.out + got.err; !strings.Contains(text, test.out) {
			t.Errorf("%s\n got: %s\nwant: %s", test.name, text, test.out)
		}
	}
}

// TestManyProblems: what is kept of a stream that is wrong everywhere has a bound.
func TestManyProblems(t *testing.T) {
	in := startedFrame + strings.Repeat(strayFrame, 2*maxProblems) + finishedFrame
	got := command(t, strings.NewReader(in), "-all")
	if got, want := strings.Count(got.out, ": NotOpen: "), maxProblems; got != want {
		t.Errorf("problems that are listed\n got: %d\nwant: %d", got, want)
	}
	if want := fmt.Sprintf("stdin: %d violations", 2*maxProblems); !strings.Contains(got.out, want) {
		t.Errorf("the last line\n got: %s\nwant: %s", got.out[len(got.out)-200:], want)
	}
}

type caseLine struct {
	ID     string            `json:"id"`
	Events []json.RawMessage `json:"events"`
	Core   *caseVerdict      `json:"core"`
	Strict *caseVerdict      `json:"strict"`
}

type caseVerdict struct {
	OK   bool   `json:"ok"`
	At   int    `json:"at"`
	Rule string `json:"rule"`
}

const caseFile = "../verifytest/sequences.jsonl"

func readCases(t testing.TB) []caseLine {
	t.Helper()
	text, err := os.ReadFile(caseFile)
	if err != nil {
		t.Fatal(err)
	}
	var list []caseLine
	for line := range bytes.Lines(text) {
		var c caseLine
		if err := json.Unmarshal(line, &c); err != nil {
			t.Fatal(err)
		}
		list = append(list, c)
	}
	if len(list) == 0 {
		t.Fatal("no cases")
	}
	return list
}

func TestCases(t *testing.T) {
	cases := readCases(t)
	for _, set := range []string{"strict", "core"} {
		got := command(t, nil, "-cases", caseFile, "-rules", set)
		if got.status != exitFine {
			t.Errorf("%s: exit status\n got: %d (%s)\nwant: %d", set, got.status, got.err, exitFine)
		}
		lines := strings.Split(strings.TrimSpace(got.out), "\n")
		if len(lines) != len(cases) {
			t.Fatalf("%s: lines\n got: %d\nwant: %d", set, len(lines), len(cases))
		}
		for i, c := range cases {
			want := c.Strict
			if set == "core" {
				want = c.Core
			}
			var got struct {
				ID string `json:"id"`
				caseVerdict
			}
			if err := json.Unmarshal([]byte(lines[i]), &got); err != nil {
				t.Fatal(err)
			}
			if got.ID != c.ID || want != nil && got.caseVerdict != *want {
				t.Errorf("%s, %s\n got: %s\nwant: %+v", c.ID, set, lines[i], want)
			}
		}
	}
}

func TestCasesThatCannotBeJudged(t *testing.T) {
	in := `{"id":1,"events":[]}
{"id":"no list"}

{"id":"no event","events":[7]}
{"events":[{"type":"RUN_STARTED","threadId":"t","runId":"r"},{"type":"RUN_ERROR","message":1}]}
nothing
`
	got := command(t, strings.NewReader(in), "-cases", "-")
	if got, want := got.status, exitUnusable; got != want {
		t.Errorf("exit status\n got: %d\nwant: %d", got, want)
	}
	golden(t, "cases.out", got.out)
	golden(t, "cases.err", got.err)
}

// TestRefusedCasesAsStreams writes each refused case as Server-Sent Events, which come a byte at a time, and
// holds the command to the same rule at the same index.
func TestRefusedCasesAsStreams(t *testing.T) {
	refused := 0
	for _, c := range readCases(t) {
		for _, set := range []string{"strict", "core"} {
			want := c.Strict
			if set == "core" {
				want = c.Core
			}
			if want == nil || want.OK {
				continue
			}
			refused++
			for name, end := range map[string]string{"LF": "\n", "CRLF": "\r\n"} {
				var text strings.Builder
				for _, event := range c.Events {
					fmt.Fprintf(&text, "data: %s%s%s", event, end, end)
				}
				out := command(t, iotest.OneByteReader(strings.NewReader(text.String())), "-format", "json", "-rules", set)
				if out.status != exitBroken {
					t.Errorf("%s, %s, %s: exit status\n got: %d\nwant: %d", c.ID, set, name, out.status, exitBroken)
				}
				var report struct {
					Problems []caseVerdict `json:"problems"`
				}
				if err := json.Unmarshal([]byte(out.out), &report); err != nil || len(report.Problems) == 0 {
					t.Errorf("%s, %s, %s: %v: %s", c.ID, set, name, err, out.out)
					continue
				}
				if got, want := report.Problems[0], *want; got != want {
					t.Errorf("%s, %s, %s\n got: %+v\nwant: %+v", c.ID, set, name, got, want)
				}
			}
		}
	}
	if refused < 100 {
		t.Errorf("refused cases\n got: %d\nwant: at least 100", refused)
	}
}

// openListed is how many open things are listed for a problem.
const openListed = 10

// TestManyOpen: of much that was open the first is listed, and all is counted.
func TestManyOpen(t *testing.T) {
	var in strings.Builder
	in.WriteString(startedFrame)
	for i := range 2*openListed + 1 {
		fmt.Fprintf(&in, "data: {\"type\":\"TEXT_MESSAGE_START\",\"messageId\":\"m%d\"}\n\n", i)
	}
	in.WriteString(finishedFrame)
	got := command(t, strings.NewReader(in.String()))
	if got, want := strings.Count(got.out, "  open:  text message"), openListed; got != want {
		t.Errorf("listed\n got: %d\nwant: %d", got, want)
	}
	if want := fmt.Sprintf("  open:  and %d more\n", openListed+1); !strings.Contains(got.out, want) {
		t.Errorf("\n got: %s\nwant: %s", got.out, want)
	}
	got = command(t, strings.NewReader(in.String()), "-format", "json")
	if want := fmt.Sprintf(`"openCount":%d`, 2*openListed+1); !strings.Contains(got.out, want) {
		t.Errorf("\n got: %s\nwant: %s", got.out, want)
	}
}
