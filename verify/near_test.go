package verify_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/agui-go/agui/verify"
)

func TestNearMiss(t *testing.T) {
	tests := []struct {
		open, written string
		near          bool
	}{
		{"msg-1", "msg_1", true},
		{"msg-1", "MSG1", true},
		{"msgId", "msg_id", true},
		{"message-1", "mesage-1", true},
		{"message-1", "messgae-1", true},
		{"message-1", "message-12", true},
		{"message-1", "essage-1", true},
		{"message-1", "mssgae-1", true},
		{"m1", "m2", false}, // too short to be a slip
		{"m-1", "m1", true},
		{"msg-1", "msg-2", true},
		{"message-1", "mssg-1", false},
		{"0199f0c2-7d5e-7c3a-9b1e-aaaaaaaaaaaa", "0199f0c2-7d5e-7c3a-9b1e-bbbbbbbbbbbb", false},
		{"", "m", false},
		{"--", "", false},
		{"résumé-1", "re\u0301sume\u0301-1", false},
		{"\xff\xfe-1", "\xff\xfe_1", true},

		// One edit, which is all that five letters allow: swap, insert, delete, replace.
		{"abcde", "abced", true},
		{"abcde", "bacde", true},
		{"abcde", "badce", false},
		{"abcde", "abdxe", false},
		{"abcde", "abxce", false},
		{"abcde", "abxye", false},
		{"abcde", "abxde", true},
		{"abcd", "abcde", true},
		{"abcde", "abcd", true},
		{"abde", "abcde", true},
		{"abcde", "abde", true},
		{"abce", "abcxyze", false},
		{"abcxyze", "abce", false},
		{"abc", "abxc", true},
		{"abxc", "abc", true},
		{"abc", "abd", true},
		// Two edits, from six letters on.
		{"abcdef", "badcef", true},
		{"abcdef", "badcfe", false},
		{"abcdef", "abxyef", true},
		{"abcdef", "abxyzf", false},
	}
	for _, tt := range tests {
		v := verify.New(verify.Core)
		observe(t, v, runStart(), textStart(tt.open))
		got := violationOf(t, v.Observe(textEnd(tt.written))).Sentence
		hint := fmt.Sprintf("%q is open; you wrote %q", tt.open, tt.written)
		if strings.Contains(got, hint) != tt.near {
			t.Errorf("%q for %q: near miss %t\n got: %s", tt.written, tt.open, tt.near, got)
		}
	}
}

// TestNearest has several near misses: the one with the fewest edits is named, of two the first by name.
func TestNearest(t *testing.T) {
	tests := []struct {
		open    []string
		written string
		want    string
	}{
		{[]string{"message-1", "message-22", "zmessage-2"}, "message-2", "message-1"},
		{[]string{"message-1", "a_message_2", "Message-2", "message-3"}, "message-2", "Message-2"},
		{[]string{"zessage-1", "messxgx-1", "axxsage-1"}, "message-1", "zessage-1"},
		{[]string{"msg-1", "MSG-1", "Msg_1"}, "msg_1", "MSG-1"},
		{[]string{"message-9", "message-3", "message-7"}, "message-1", "message-3"},
	}
	for _, tt := range tests {
		for range 20 { // the search is in no order
			v, steps := verify.New(verify.Core), verify.New(verify.Core)
			observe(t, v, runStart())
			observe(t, steps, runStart())
			for i := range 30 {
				observe(t, v, textStart(fmt.Sprint("other", i)))
				observe(t, steps, stepStart(fmt.Sprint("other", i)))
			}
			for _, id := range tt.open {
				observe(t, v, textStart(id))
				observe(t, steps, stepStart(id))
			}
			hint := fmt.Sprintf("%q is open; you wrote %q", tt.want, tt.written)
			for _, err := range []error{v.Observe(textEnd(tt.written)), steps.Observe(stepFinish(tt.written))} {
				if got := violationOf(t, err).Sentence; !strings.Contains(got, hint) {
					t.Fatalf("of %q\n got: %s\nwant: %s", tt.open, got, hint)
				}
			}
		}
	}
}

// TestNearestCall looks among the calls that may be answered, and only those.
func TestNearestCall(t *testing.T) {
	for range 5 { // the search is in no order
		reported := ""
		v := verify.New(verify.Core, verify.Report(func(got *verify.Violation) { reported = got.Sentence }, verify.UnknownID))
		observe(t, v, runStart(), result("x0", "unlike"), callChunk("first"), result("x1", "call-1"), result("x2", "call_1"))
		if want := `tool call "call_1" was never introduced`; reported != want {
			t.Fatalf("sentence\n got: %s\nwant: %s", reported, want)
		}
		for i := range 30 {
			observe(t, v, callChunk(fmt.Sprint("other", i)))
		}
		observe(t, v, callChunk("call-1"), result("x3", "call_1"))
		if want := `tool call "call_1" was never introduced: "call-1" was; you wrote "call_1"`; reported != want {
			t.Fatalf("sentence\n got: %s\nwant: %s", reported, want)
		}
	}
}

// TestNearestParent looks among the subagents of this run, and only those.
func TestNearestParent(t *testing.T) {
	v := verify.New(verify.Core)
	observe(t, v, runStart(), subStart("helper-1"), subFinish("helper-1"), runFinish())
	v.NextRun()
	observe(t, v, runStart())
	got := violationOf(t, v.Observe(subStart("s2", "helper_1"))).Sentence
	if want := `parentSubagentRunId "helper_1" was never started in this run`; got != want {
		t.Errorf("sentence\n got: %s\nwant: %s", got, want)
	}
}

// TestStepOfManyOwners names the owner that started the step first.
func TestStepOfManyOwners(t *testing.T) {
	for range 5 { // the search is in no order
		v := verify.New(verify.Core)
		observe(t, v, runStart(), stepStart("other"))
		for _, by := range []string{"s8", "s1", "s7", "s2", "s6", "s3", "s5", "s4"} {
			observe(t, v, stepStart("plan", by), stepStart("other", by))
		}
		got := violationOf(t, v.Observe(stepFinish("plan"))).Sentence
		if want := `step "plan" is open under subagent "s8", and the event is of the parent agent`; got != want {
			t.Fatalf("sentence\n got: %s\nwant: %s", got, want)
		}
	}
}

// TestNearestOfMany has about as many open messages as the search looks at.
func TestNearestOfMany(t *testing.T) {
	v, _ := begun(t, verify.Core, 250)
	observe(t, v, textStart("the-one"))
	got := violationOf(t, v.Observe(textEnd("the_one"))).Sentence
	if want := `text message "the_one" was never opened: "the-one" is open; you wrote "the_one"`; got != want {
		t.Errorf("sentence\n got: %s\nwant: %s", got, want)
	}
}

// TestNearestOfLongIDs has calls with ids that are too long to be shown. They are compared by their beginnings,
// and what is behind those costs nothing.
func TestNearestOfLongIDs(t *testing.T) {
	const most = 1 << 20
	v := verify.New(verify.Core)
	observe(t, v, runStart())
	beginning := strings.Repeat("b", 256)
	observe(t, v, callStart(beginning+"ehind"))
	for i := range 255 {
		observe(t, v, callStart(fmt.Sprintf("%03d", i)+strings.Repeat("x", 1<<16)))
	}
	for written, near := range map[string]bool{"y": false, beginning: true, beginning[1:]: true, beginning + "ehold": true} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := v.Would(result("m", written))
		runtime.ReadMemStats(&after)
		if got := violationOf(t, err).Sentence; strings.Contains(got, fmt.Sprintf("%q was", beginning)) != near {
			t.Errorf("%.10q of %d bytes: near miss %t\n got: %s", written, len(written), near, got)
		}
		if got := after.TotalAlloc - before.TotalAlloc; got > most {
			t.Errorf("%.10q of %d bytes: allocated bytes\n got: %d\nwant: at most %d", written, len(written), got, most)
		}
	}
}
