package verifytest_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/verifytest"
)

var sets = []verify.Set{verify.Core, verify.Strict}

func TestVerifier(t *testing.T) {
	for _, set := range sets {
		t.Run(set.String(), func(t *testing.T) {
			verifytest.Run(t, set, func(*testing.T) verifytest.Machine { return verify.New(set) })
		})
	}
}

// TestCommand runs this test binary as a command that judges cases.
func TestCommand(t *testing.T) {
	for _, set := range sets {
		t.Run(set.String(), func(t *testing.T) {
			verifytest.RunCommand(t, set, func(file string) *exec.Cmd {
				return program(t, "judge", set.String(), file)
			})
		})
	}
}

// TestSuite holds the suite to its own documentation.
func TestSuite(t *testing.T) {
	id := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	refused := map[string]int{}
	cases := slices.Collect(verifytest.Cases())
	for _, c := range cases {
		if !id.MatchString(c.ID) || seen[c.ID] {
			t.Errorf("id %q: want one of its own, of lower case letters, digits and dashes", c.ID)
		}
		seen[c.ID] = true
		undecodable := slices.ContainsFunc(c.Events, func(data json.RawMessage) bool {
			_, err := events.Decode(data)
			return err != nil
		})
		if got, want := c.Core == nil, undecodable; got != want {
			t.Errorf("%s has no core verdict\n got: %t\nwant: %t, for a value that cannot be decoded", c.ID, got, want)
		}
		if c.Core != nil {
			checkVerdict(t, c, *c.Core, len(c.Events)-1)
		}
		checkVerdict(t, c, c.Strict, len(c.Events))
		if c.Client.Rule != "" || c.Client.OK && c.Client.At != 0 {
			t.Errorf("%s: verdict of the client: %s", c.ID, c.Client)
		}
		refused[c.Strict.Rule]++
	}
	for _, r := range verify.Rules() {
		if refused[r.String()] == 0 {
			t.Errorf("no case breaks %s", r.String())
		}
	}
	if refused[""] == 0 {
		t.Error("no case is accepted")
	}
}

func checkVerdict(t *testing.T, c verifytest.Case, v verifytest.Verdict, last int) {
	t.Helper()
	if v.OK {
		if (v != verifytest.Verdict{OK: true}) {
			t.Errorf("%s: an accepting verdict that says more: %+v", c.ID, v)
		}
		return
	}
	if _, err := verify.ParseRule(v.Rule); err != nil || v.At < 0 || v.At > last {
		t.Errorf("%s: %+v: want a rule and an index of at most %d", c.ID, v, last)
	}
	if end := v.Rule == verify.Unterminated.String(); end != (v.At == len(c.Events)) {
		t.Errorf("%s: %+v: Unterminated, and no other rule, is at the number of events, %d", c.ID, v, len(c.Events))
	}
}

func TestFileIsACopy(t *testing.T) {
	clear(verifytest.File())
	if got := len(slices.Collect(verifytest.Cases())); got < 250 {
		t.Errorf("cases after File was overwritten\n got: %d\nwant: as many as before", got)
	}
	if lines := bytes.Count(verifytest.File(), []byte{'\n'}); lines != len(slices.Collect(verifytest.Cases())) {
		t.Errorf("lines\n got: %d\nwant: one for each case", lines)
	}
	for range verifytest.Cases() {
		break // may be left early
	}
}

type otherError struct{ rule string }

func (e otherError) Error() string     { return "broken: " + e.rule }
func (e otherError) ErrorType() string { return e.rule }

func TestVerdictOf(t *testing.T) {
	violation := &verify.Violation{Rule: verify.UnknownID, Index: 7}
	tests := []struct {
		err  error
		want verifytest.Verdict
		text string
	}{
		{nil, verifytest.Verdict{OK: true}, "accepted"},
		{violation, verifytest.Verdict{At: 7, Rule: "UnknownId"}, "UnknownId at 7"},
		{fmt.Errorf("line 3: %w", violation), verifytest.Verdict{At: 7, Rule: "UnknownId"}, "UnknownId at 7"},
		{fmt.Errorf("line 3: %w", verify.NotOpen), verifytest.Verdict{At: 2, Rule: "NotOpen"}, "NotOpen at 2"},
		{fmt.Errorf("line 3: %w", otherError{"NotOpen"}), verifytest.Verdict{At: 2, Rule: "NotOpen"}, "NotOpen at 2"},
		{errors.New("lost"), verifytest.Verdict{At: 2, Rule: "lost"}, "lost at 2"},
	}
	for _, tt := range tests {
		got := verifytest.VerdictOf(tt.err, 2)
		if got != tt.want || got.String() != tt.text {
			t.Errorf("VerdictOf(%v)\n got: %+v, %q\nwant: %+v, %q", tt.err, got, got.String(), tt.want, tt.text)
		}
	}
	if got, want := (verifytest.Verdict{At: 4}).String(), "refused at 4"; got != want {
		t.Errorf("String\n got: %q\nwant: %q", got, want)
	}
}

// TestFaultsAreFound runs tests of faulty implementations, each in a process of its own, and looks for what
// they say.
func TestFaultsAreFound(t *testing.T) {
	tests := []struct{ fault, want string }{
		{"wrong rule", "got: RunEnded at 1\nwant: NotOpen at 1"},
		{"wrong index", "got: NotOpen at 2\nwant: NotOpen at 1"},
		{"lenient", "got: accepted\nwant: NotOpen at 1"},
		{"no end", "got: accepted\nwant: Unterminated at 1"},
		{"silent", "says nothing about the case"},
		{"fails", "exit status 3\nout of luck"},
		{"babbles", `a line that is no verdict: "hello"`},
		{"nameless", `a line that is no verdict: "{\"ok\":true}"`},
		{"twice", "the command judges bug-01 twice"},
		{"stranger", `a case that it was not given: "nobody"`},
	}
	for _, tt := range tests {
		t.Run(tt.fault, func(t *testing.T) {
			cmd := program(t, "test", tt.fault)
			out, err := cmd.CombinedOutput()
			text := regexp.MustCompile(`(?m)^ +`).ReplaceAllString(string(out), "")
			if err == nil || !strings.Contains(text, tt.want) {
				t.Errorf("the test of it says\n got: %v, %.600s\nwant: a failure, and %q", err, text, tt.want)
			}
		})
	}
}

// TestFaulty is what TestFaultsAreFound runs.
func TestFaulty(t *testing.T) {
	fault := os.Getenv("VERIFYTEST_FAULT")
	command := func(lines ...string) {
		verifytest.RunCommand(t, verify.Core, func(string) *exec.Cmd {
			return program(t, append([]string{"print"}, lines...)...)
		})
	}
	switch fault {
	case "wrong rule", "wrong index", "lenient", "no end":
		verifytest.Run(t, verify.Strict, func(*testing.T) verifytest.Machine {
			return &faulty{fault: fault, v: verify.New(verify.Strict)}
		})
	case "silent":
		command("")
	case "fails":
		verifytest.RunCommand(t, verify.Core, func(string) *exec.Cmd { return program(t, "fail") })
	case "babbles":
		command("hello")
	case "nameless":
		command(`{"ok":true}`)
	case "twice":
		command(`{"id":"bug-01","ok":true}`, "", `{"id":"bug-01","ok":true}`)
	case "stranger":
		command(`{"id":"nobody","ok":true}`)
	}
}

// faulty is a machine with a fault.
type faulty struct {
	fault string
	v     *verify.Verifier
}

func (f *faulty) Observe(ev events.Event) error { return f.twist(f.v.Observe(ev)) }

func (f *faulty) Refuse(err *events.FieldError) error { return f.twist(f.v.Refuse(err)) }

func (f *faulty) End() error {
	if f.fault == "no end" {
		return nil
	}
	return f.v.End()
}

func (f *faulty) twist(err error) error {
	violation, ok := errors.AsType[*verify.Violation](err)
	switch {
	case !ok || f.fault == "lenient":
		return nil
	case f.fault == "wrong rule":
		violation.Rule = verify.RunEnded
	case f.fault == "wrong index":
		violation.Index++
	}
	return violation
}

// program returns this test binary as another program: see TestMain.
func program(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if args[0] == "test" {
		cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestFaulty$")
		cmd.Env = append(os.Environ(), "VERIFYTEST_FAULT="+args[1])
		return cmd
	}
	cmd := exec.CommandContext(t.Context(), self, args[1:]...)
	cmd.Env = append(os.Environ(), "VERIFYTEST_PROGRAM="+args[0])
	return cmd
}

func TestMain(m *testing.M) {
	switch os.Getenv("VERIFYTEST_PROGRAM") {
	case "judge":
		os.Exit(judge(os.Args[1], os.Args[2]))
	case "print":
		for _, line := range os.Args[1:] {
			fmt.Println(line)
		}
	case "fail":
		fmt.Fprintln(os.Stderr, "out of luck")
		os.Exit(3)
	default:
		os.Exit(m.Run())
	}
}

// judge is a command as RunCommand wants it.
func judge(setName, file string) int {
	set, err := verify.ParseSet(setName)
	if err != nil {
		panic(err)
	}
	f, err := os.Open(file)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c map[string]json.RawMessage
		var list []json.RawMessage
		if json.Unmarshal(lines.Bytes(), &c) != nil || json.Unmarshal(c["events"], &list) != nil || len(c) != 2 {
			panic("not a case: " + lines.Text())
		}
		verdict := judgeEvents(set, list)
		fmt.Printf("{\"id\":%s,\"ok\":%t,\"at\":%d,\"rule\":%q,\"message\":\"…\"}\n\n", c["id"], verdict.OK, verdict.At, verdict.Rule)
	}
	return 0
}

func judgeEvents(set verify.Set, list []json.RawMessage) verifytest.Verdict {
	v := verify.New(set)
	for i, data := range list {
		ev, err := events.Decode(data)
		if err == nil {
			err = v.Observe(ev)
		} else if field, ok := errors.AsType[*events.FieldError](err); ok {
			err = v.Refuse(field)
		}
		if err != nil {
			return verifytest.VerdictOf(err, i)
		}
	}
	if set == verify.Core {
		return verifytest.Verdict{OK: true}
	}
	return verifytest.VerdictOf(v.End(), len(list))
}
