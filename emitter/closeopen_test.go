package emitter_test

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/agui-go/agui/emitter/emittertest"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
)

func TestCloseOpen(t *testing.T) {
	if build.NoVerify {
		rec := emittertest.New(t)
		must(t, rec.TextStart("m1"))
		must(t, rec.CloseOpen())
		if got := len(rec.Events()); got != 2 {
			t.Errorf("events\n got %d\nwant 2: nothing is tracked in this build", got)
		}
		return
	}
	rec := emittertest.New(t)
	must(t, rec.StepStart("plan"))
	sub := rec.Subagent("s1", "one")
	must(t, rec.TextStart("m1"))
	must(t, sub.StepStart("inner"))
	must(t, sub.ToolStart("c1", "x"))
	rec.Reasoning()
	msg := rec.Text()
	io.WriteString(msg, "\xf0\x9f")
	must(t, rec.CloseOpen())
	if open := rec.Open(); len(open) != 0 {
		t.Errorf("still open: %v", open)
	}
	must(t, rec.RunFinish(nil))
	rec.AssertValid()
	evs := rec.Events()
	var got []string
	for _, ev := range evs[len(evs)-10:] {
		got = append(got, string(ev.EventType())+" "+events.SubagentRunID(ev).Or("-"))
	}
	want := []string{
		"TEXT_MESSAGE_CONTENT -", "TEXT_MESSAGE_END -", "REASONING_MESSAGE_END -", "REASONING_END -", "TOOL_CALL_END s1", "STEP_FINISHED s1",
		"TEXT_MESSAGE_END -", "STEP_FINISHED -", "SUBAGENT_FINISHED s1", "RUN_FINISHED -",
	}
	if !slices.Equal(got, want) {
		t.Errorf("closing\n got %q\nwant %q", got, want)
	}
}

func TestIncomplete(t *testing.T) {
	for name, tt := range map[string]struct {
		args string
		want int
	}{
		"no arguments": {"", 1},
		"half":         {`{"a":`, 1},
		"whole":        {`{"a":1}`, 0},
		"broken":       {`{"a":}`, 1},
	} {
		t.Run(name, func(t *testing.T) {
			rec := emittertest.New(t)
			must(t, rec.ToolStart("c1", "x"))
			must(t, rec.TextStart("m1"))
			for _, piece := range strings.SplitAfter(tt.args, ":") {
				if piece != "" {
					must(t, rec.ToolArgs("c1", piece))
				}
			}
			want := tt.want
			if build.NoVerify {
				want = 0
			}
			if got := len(rec.Incomplete()); got != want {
				t.Errorf("incomplete\n got %d\nwant %d", got, want)
			}
		})
	}
}

func TestIncompleteByEveryWayOfWriting(t *testing.T) {
	rec := emittertest.New(t)
	must(t, rec.ToolStart("c1", "x"))
	must(t, rec.ToolArgs("c1", `{"a":`))
	must(t, rec.Emit(events.ToolCallArgs{ToolCallID: "c1", Delta: `[1,`}))
	must(t, rec.Emit(&events.ToolCallArgs{ToolCallID: "c1", Delta: `2]}`}))
	call := rec.ToolCall("y")
	must(t, call.WriteJSON([]string{"é"}))
	sub := rec.Subagent("s1", "one")
	want := 1
	if build.NoVerify {
		want = 0
	}
	if got := rec.Incomplete(); len(got) != want {
		t.Errorf("incomplete\n got %v\nwant the subagent alone", got)
	}
	must(t, sub.Finish(nil))
	if got := rec.Incomplete(); len(got) != 0 {
		t.Errorf("incomplete\n got %v\nwant none", got)
	}
}

// TestRequestOwnsNothing opens a message of the thread again, in the name of another than its owner there:
// what closes it is what the client, which holds no request to owners, accepts.
func TestRequestOwnsNothing(t *testing.T) {
	if build.NoVerify {
		t.Log("nothing is tracked in this build, and CloseOpen does nothing: see TestCloseOpen")
		return
	}
	input := &events.RunAgentInput{ThreadID: "t", RunID: "r", Messages: []events.Message{
		&events.AssistantMessage{MessageBase: events.MessageBase{ID: "m1", SubagentRunID: events.Some("s2")}},
	}}
	rec := emittertest.New(t, emittertest.WithInput(input))
	must(t, rec.TextStart("m1"))
	must(t, rec.CloseOpen())
	must(t, rec.RunFinish(nil))
	rec.AssertValid() // without the request, as the client sees it
}
