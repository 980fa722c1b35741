package stream_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/stream"
)

// sse writes events, given as the members after their types, one frame each.
func sse(list ...string) string {
	var b strings.Builder
	for _, event := range list {
		typ, members, _ := strings.Cut(event, " ")
		if members != "" {
			members = "," + members
		}
		fmt.Fprintf(&b, "data: {\"type\":%q%s}\n\n", typ, members)
	}
	return b.String()
}

const (
	started  = `RUN_STARTED "threadId":"t","runId":"r"`
	finished = `RUN_FINISHED "threadId":"t","runId":"r"`
	failed   = `RUN_ERROR "message":"m"`
	textM    = `TEXT_MESSAGE_START "messageId":"m"`
	contentM = `TEXT_MESSAGE_CONTENT "messageId":"m","delta":"x"`
	endM     = `TEXT_MESSAGE_END "messageId":"m"`
	callC    = `TOOL_CALL_START "toolCallId":"c","toolCallName":"n"`
	endC     = `TOOL_CALL_END "toolCallId":"c"`
	resultC  = `TOOL_CALL_RESULT "messageId":"res","toolCallId":"c","content":""`
)

// rules lists what is wrong with a stream: 3:NotOpen for a violation, 3:CRLF for a flaw, 3:error.
func rules(text string, opts ...stream.CheckOption) string {
	var list []string
	for f, err := range stream.NewChecker(opts...).Read(strings.NewReader(text)) {
		var at *stream.Error
		switch {
		case errors.As(err, &at):
			list = append(list, fmt.Sprintf("%d:error", at.Index))
		case f.Violation != nil:
			list = append(list, fmt.Sprintf("%d:%s", f.Violation.Index, f.Violation.Rule.String()))
		default:
			list = append(list, fmt.Sprintf("%d:%s", f.Index, f.Flaw.String()))
		}
	}
	return strings.Join(list, " ")
}

func TestChecker(t *testing.T) {
	core := stream.WithRules(verify.Core)
	call := &events.AssistantMessage{
		MessageBase: events.MessageBase{ID: "a"},
		ToolCalls:   []events.ToolCall{{ID: "c"}},
	}
	for _, test := range []struct {
		name, text string
		opts       []stream.CheckOption
		want       string
	}{
		{"fine", sse(started, textM, contentM, endM, finished), nil, ""},
		{"nothing", "", nil, "0:Unterminated"},
		{"nil option", "", []stream.CheckOption{nil}, "0:Unterminated"},
		{"all violations", sse(started, contentM, textM, textM, endM, endM, finished, contentM), nil, "1:NotOpen 3:DuplicateStart 5:NotOpen 7:RunEnded"},
		{"truncated", sse(started, textM) + "data: {\"ty", nil, "2:error 2:Unterminated"},
		{"truncated after the end", sse(started, finished) + "data: {\"ty", nil, "2:error"},
		{"no event in between", sse(started) + "data: x\n\n" + sse(endM, finished), nil, "1:error 1:NotOpen"},
		{"a bad value", sse(started, `RUN_ERROR "message":1`, failed), nil, "1:InvalidField"},
		{"a bad value, core", sse(started, `RUN_ERROR "message":1`, endM, failed), []stream.CheckOption{core}, "2:NotOpen"},
		{"a flaw and a violation", sse(started) + "data: [DONE]\n\n" + sse(endM, finished), nil, "1:Done 1:NotOpen"},
		{"not a stream", "some words\n", nil, "0:error"},

		{"allowed", sse(started, endM, finished), []stream.CheckOption{stream.WithRules(verify.Strict, verify.Allow(verify.NotOpen))}, ""},
		{"core", sse(`RAW "event":1`, started, finished), []stream.CheckOption{core}, ""},
		{"strict", sse(`RAW "event":1`, started, finished), nil, "0:Preamble"},

		{"unknown call", sse(started, resultC, finished), nil, "1:UnknownId"},
		{"seeded call", sse(started, resultC, finished), []stream.CheckOption{stream.Seed(call)}, ""},
		{"seeded twice", sse(started, resultC, finished), []stream.CheckOption{stream.Seed(call), stream.Seed()}, ""},

		{"two runs, as one", sse(started, finished, started, finished), nil, "2:RunEnded 3:RunEnded"},
		{"two runs", sse(started, finished, started, finished), []stream.CheckOption{stream.MultiRun()}, ""},
		{"after a failed run", sse(started, textM, failed, started, textM, endM, finished), []stream.CheckOption{stream.MultiRun()}, ""},
		{"a run in a run", sse(started, started, finished), []stream.CheckOption{stream.MultiRun()}, "1:DuplicateRunStarted"},
		{"an event between runs", sse(started, finished, contentM, started, finished), []stream.CheckOption{stream.MultiRun()}, "2:RunEnded"},
		{"second run not ended", sse(started, finished, started), []stream.CheckOption{stream.MultiRun()}, "3:Unterminated"},
		{"a call of the run before", sse(started, callC, endC, finished, started, resultC, finished), []stream.CheckOption{stream.MultiRun()}, ""},
		{"an id of the run before", sse(started, textM, endM, finished, started, `REASONING_MESSAGE_START "messageId":"m","role":"reasoning"`, failed),
			[]stream.CheckOption{stream.MultiRun()}, "5:IdCollision"},
	} {
		if got := rules(test.text, test.opts...); got != test.want {
			t.Errorf("%s\n got: %s\nwant: %s", test.name, got, test.want)
		}
	}
}

func TestFindingSaysWhatWasOpen(t *testing.T) {
	text := sse(started, textM, callC, endM, finished)
	err := stream.Check(strings.NewReader(text))
	var f stream.Finding
	if !errors.As(err, &f) {
		t.Fatalf("\n got: %v\nwant: a Finding", err)
	}
	want := stream.Position{Index: 4, Offset: int64(strings.Index(text, `{"type":"RUN_FINISHED"`)), Line: 9}
	if f.Position != want {
		t.Errorf("position\n got: %s\nwant: %s", f.Position, want)
	}
	if got, want := fmt.Sprint(f.Violation.Open), `[tool call "c" (opened by event 2)]`; got != want {
		t.Errorf("open\n got: %s\nwant: %s", got, want)
	}
	if !errors.Is(err, verify.OpenAtFinish) {
		t.Errorf("\n got: %v\nwant: an error that is %v", err, verify.OpenAtFinish)
	}
}

func TestFlawIsAnError(t *testing.T) {
	for f := range stream.NewChecker().Read(strings.NewReader("data: [DONE]\n\n")) {
		if f.Violation != nil {
			continue
		}
		if !errors.Is(f, stream.FlawDone) || errors.Is(f, stream.FlawCR) {
			t.Errorf("\n got: %v\nwant: an error that is %v alone", f, stream.FlawDone)
		}
		return
	}
	t.Error("no flaw was found")
}

func TestEndOfStreamHasAPosition(t *testing.T) {
	text := sse(started)
	for f := range stream.NewChecker().Read(strings.NewReader(text)) {
		if got, want := f.Position, (stream.Position{Index: 1, Offset: int64(len(text)), Line: 3}); got != want {
			t.Errorf("\n got: %s\nwant: %s", got, want)
		}
	}
}

// TestCheckerTellsOfItself: what a checker says of the stream after it.
func TestCheckerTellsOfItself(t *testing.T) {
	var seen []string
	c := stream.NewChecker(stream.MultiRun(), stream.OnEvent(func(ev events.Event, at stream.Position) {
		seen = append(seen, fmt.Sprintf("%d:%s", at.Index, ev.EventType()))
	}))
	for _, test := range []struct {
		text  string
		runs  int
		ended bool
	}{
		{"", 0, false},
		{sse(started), 1, false},
		{sse(finished), 1, true},
		{sse(started), 2, false},
		{sse(contentM, failed), 2, true},
	} {
		for range c.Feed([]byte(test.text)) {
		}
		if got, want := fmt.Sprint(c.Runs(), c.Ended()), fmt.Sprint(test.runs, test.ended); got != want {
			t.Errorf("runs, ended after %q\n got: %s\nwant: %s", test.text, got, want)
		}
	}
	if got, want := strings.Join(seen, " "), "0:RUN_STARTED 1:RUN_FINISHED 2:RUN_STARTED 3:TEXT_MESSAGE_CONTENT 4:RUN_ERROR"; got != want {
		t.Errorf("events\n got: %s\nwant: %s", got, want)
	}
	if got, want := c.Framing(), stream.SSE; got != want {
		t.Errorf("framing\n got: %s\nwant: %s", got, want)
	}
}

// TestSettled: the bytes that may be let go are whole events and comments, and never a bad event.
func TestSettled(t *testing.T) {
	good, bad := sse(started), sse(contentM)
	for _, test := range []struct {
		name, text, settled string
	}{
		{"an event", good, good},
		{"half an event", good + "data: {", good},
		{"an event without its blank line", good + "data: {}\n", good},
		{"a comment", good + ": ping\n", good + ": ping\n"},
		{"a comment and half an event", good + ": ping\n\n: ping\ndata: ", good + ": ping\n\n: ping\n"},
		{"a comment in an event", good + "id: 1\n: ping\n", good},
		{"half a comment", good + ": pi", good},
		{"a line that is nothing", good + "{\n", good + "{\n"},
		{"a long line that is nothing", good + strings.Repeat("x", 100<<10), good + strings.Repeat("x", 100<<10)},
		{"a long line of an event", good + "event: " + strings.Repeat("x", 100<<10), good},
		{"CRLF", "data: " + rawA + "\r\n\r\n: c\r\n", "data: " + rawA + "\r\n\r\n: c\r\n"},
	} {
		c := stream.NewChecker(stream.WithFraming(stream.SSE))
		for range c.Feed([]byte(test.text)) {
		}
		if got, want := test.text[:c.Settled()], test.settled; got != want {
			t.Errorf("%s\n got: %q\nwant: %q", test.name, got, want)
		}
	}
	for _, before := range []string{"", good, good + ": ping\n", "event: x\n"} {
		text := before + bad + good
		c := stream.NewChecker(stream.WithFraming(stream.SSE))
		found := false
		for f := range c.Feed([]byte(text)) {
			found = f.Violation != nil
			want := strings.TrimSuffix(before, "event: x\n")
			if got := text[:c.Settled()]; got != want {
				t.Errorf("at the violation\n got: %q\nwant: %q", got, want)
			}
			break
		}
		if !found {
			t.Errorf("%q: no violation was found", text)
		}
	}
}

// TestSettledFlaw: a flaw that stands in an event's place is not settled while it is told.
func TestSettledFlaw(t *testing.T) {
	good := sse(started)
	c := stream.NewChecker()
	for f := range c.Feed([]byte(good + "data: [DONE]\n\n" + good)) {
		if f.Flaw == stream.FlawDone {
			if got, want := c.Settled(), int64(len(good)); got != want {
				t.Errorf("\n got: %d\nwant: %d", got, want)
			}
			return
		}
	}
	t.Error("no flaw was found")
}

// TestCheckerGoesOn: a loop over findings that is left goes on where it was.
func TestCheckerGoesOn(t *testing.T) {
	text := sse(started) + "data: [DONE]\n\n" + sse(contentM, endM) + "data: x\n\n" + sse(textM, finished)
	var whole []string
	for f, err := range stream.NewChecker().Read(strings.NewReader(text)) {
		whole = append(whole, fmt.Sprint(f, err))
	}
	var got []string
	c := stream.NewChecker()
	src := iotest.OneByteReader(strings.NewReader(text))
	for range len(whole) + 2 {
		for f, err := range c.Read(src) {
			got = append(got, fmt.Sprint(f, err))
			break
		}
	}
	if got, want := strings.Join(got, "\n"), strings.Join(whole, "\n"); got != want || len(whole) < 5 {
		t.Errorf("\n got: %s\nwant: %s", got, want)
	}
}

// TestClosedCheckerTakesNothing: after the end, or what ended the reading, nothing is judged.
func TestClosedCheckerTakesNothing(t *testing.T) {
	for name, end := range map[string]func(*stream.Checker){
		"the end": func(c *stream.Checker) {
			for range c.End() {
			}
		},
		"a failure": func(c *stream.Checker) {
			for range c.Read(failing{io.ErrClosedPipe}) {
			}
		},
		"a limit": func(c *stream.Checker) {
			for range c.Feed([]byte("data: " + rawOf(200) + "\n\n")) {
			}
		},
	} {
		c := stream.NewChecker(stream.WithLimit(100))
		end(c)
		for f, err := range c.Feed([]byte(sse(contentM))) {
			t.Errorf("after %s\n got: %v, %v\nwant: nothing", name, f, err)
		}
		for f, err := range c.End() {
			t.Errorf("after %s, at the end\n got: %v, %v\nwant: nothing", name, f, err)
		}
	}
}
