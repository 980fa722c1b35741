package emitter_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/verifytest"
)

// atLimit returns an emitter whose run has brought in as many ids as it may, and can name m1, c1, r1, a1,
// s1 and the chunks of m2.
func atLimit(t *testing.T, buf *bytes.Buffer) *emitter.Emitter {
	t.Helper()
	em := newEmitter(t, buf, emitter.WithMaxIDs(20), emitter.WithInput(&events.RunAgentInput{
		Messages: []events.Message{events.NewUserMessage("u1", "hi"), events.NewUserMessage("u2", "ho")},
	}))
	for _, err := range []error{
		em.TextStart("m1"), em.ToolStart("c1", "x"), em.ReasoningStart("r1"), em.ReasoningMessageStart("r1"), em.StepStart("p1"),
		em.ActivitySnapshot("a1", "plan", map[string]int{}), em.Subagent("s1", "one").Err(), em.TextChunk("m2", "x"),
	} {
		must(t, err)
	}
	for i := 0; ; i++ {
		id := fmt.Sprint("fill", i)
		err := em.TextStart(id)
		var limit *emitter.LimitError
		if errors.As(err, &limit) || build.NoVerify && i == 20 {
			break
		}
		must(t, err)
		must(t, em.TextEnd(id))
	}
	must(t, em.TextChunk("m2", "x"))
	return em
}

func TestMaxIDs(t *testing.T) {
	for name, call := range map[string]func(em *emitter.Emitter) error{
		"text":             func(em *emitter.Emitter) error { return em.TextStart("new") },
		"handle":           func(em *emitter.Emitter) error { return em.Text().Err() },
		"text chunk":       func(em *emitter.Emitter) error { return em.TextChunk("new", "x") },
		"tool call":        func(em *emitter.Emitter) error { return em.ToolStart("new", "x") },
		"tool chunk":       func(em *emitter.Emitter) error { return em.ToolChunk("new", "x", "x") },
		"result":           func(em *emitter.Emitter) error { return em.ToolResult("c1", "x") },
		"reasoning":        func(em *emitter.Emitter) error { return em.ReasoningStart("new") },
		"reasoning handle": func(em *emitter.Emitter) error { return em.Reasoning().Err() },
		"step":             func(em *emitter.Emitter) error { return em.StepStart("new") },
		"subagent":         func(em *emitter.Emitter) error { return em.Subagent("new", "x").Err() },
		"activity":         func(em *emitter.Emitter) error { return em.ActivitySnapshot("new", "plan", map[string]int{}) },
		"messages": func(em *emitter.Emitter) error {
			return em.MessagesSnapshot([]events.Message{events.NewUserMessage("u1", "hi"), events.NewUserMessage("new", "hi")})
		},
		"calls of a message": func(em *emitter.Emitter) error {
			return em.MessagesSnapshot([]events.Message{events.AssistantMessage{
				MessageBase: events.MessageBase{ID: "m1"},
				ToolCalls:   []events.ToolCall{{ID: "new", Function: events.FunctionCall{Name: "x"}}},
			}})
		},
	} {
		var buf bytes.Buffer
		em := atLimit(t, &buf)
		before := buf.Len()
		err := call(em)
		if build.NoVerify {
			must(t, err)
			continue
		}
		var limit *emitter.LimitError
		if !errors.As(err, &limit) {
			t.Errorf("%s\n got %v\nwant a LimitError", name, err)
			continue
		}
		if limit.What != emitter.RunIDs || limit.Max != 20 || limit.Size < 21 || limit.Size > 23 || !strings.Contains(err.Error(), "WithMaxIDs") {
			t.Errorf("%s\n got %+v: %v\nwant RunIDs, 21 to 23 of 20, and the remedy", name, *limit, err)
		}
		if buf.Len() != before {
			t.Errorf("%s was written: %s", name, buf.String()[before:])
		}
	}
}

// TestWhatPassesAtMaxIDs makes the calls that a run at its limit needs to be ended well.
func TestWhatPassesAtMaxIDs(t *testing.T) {
	var buf bytes.Buffer
	em := atLimit(t, &buf)
	for _, err := range []error{
		em.TextChunk("", "x"), em.TextChunk("m2", "x"),
		em.TextContent("m1", "x"), em.TextContent("m1", "x", emitter.Metadata(map[string]int{})), em.ToolArgs("c1", "{}"), em.ReasoningContent("r1", "x"),
		em.StateSnapshot(1), em.Custom("acme.x", 1), em.Raw(1),
		em.ActivitySnapshot("a1", "plan", map[string]int{}), em.ActivityDelta("a1", "plan", nil),
		em.MessagesSnapshot([]events.Message{events.NewUserMessage("u1", "hi")}),
		em.TextEnd("m1"), em.TextStart("m1"), em.TextEnd("m1"), em.ToolEnd("c1"), em.ReasoningMessageEnd("r1"), em.ReasoningEnd("r1"),
		em.StepFinish("p1"), em.StepStart("p1"), em.StepFinish("p1"),
		em.Emit(&events.SubagentFinished{SubagentRunID: "s1"}),
		em.RunFinish(nil),
	} {
		must(t, err)
	}
}

// TestSnapshotOfManyIDs: one event does not bring in more than the run may.
func TestSnapshotOfManyIDs(t *testing.T) {
	messages := func(n int) []events.Message {
		var list []events.Message
		for i := range n {
			list = append(list, events.NewUserMessage(fmt.Sprint("m", i), "hi"))
		}
		return list
	}
	var buf bytes.Buffer
	em := newEmitter(t, &buf, emitter.WithMaxIDs(3))
	var limit *emitter.LimitError
	if err := em.MessagesSnapshot(messages(4)); !build.NoVerify && (!errors.As(err, &limit) || limit.Size != 4 || limit.Max != 3) {
		t.Errorf("a snapshot of 4 messages\n got %v\nwant a LimitError: 4 of 3", err)
	}
	must(t, em.MessagesSnapshot(messages(3)))
	must(t, em.MessagesSnapshot(messages(3)))
}

// TestHistoryDoesNotCount gives a run a history that is larger than its limit.
func TestHistoryDoesNotCount(t *testing.T) {
	var messages []events.Message
	for i := range 50 {
		messages = append(messages, events.NewUserMessage(fmt.Sprint("u", i), "hi"))
	}
	var buf bytes.Buffer
	em := newEmitter(t, &buf, emitter.WithMaxIDs(3), emitter.WithInput(&events.RunAgentInput{Messages: messages}))
	must(t, em.TextStart("m1"))
	must(t, em.TextEnd("m1"))
	must(t, em.TextStart("m2"))
	must(t, em.TextEnd("m2"))
}

func TestNoMaxIDs(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf, emitter.WithMaxIDs(0))
	for i := range 100 {
		must(t, em.TextStart(fmt.Sprint(i)))
	}
}

// TestRetained holds Introduces and Retained to each other over all labelled sequences: what introduces
// nothing makes the machine keep nothing more, but what is open, and what introduces something does.
func TestRetained(t *testing.T) {
	for c := range verifytest.Cases() {
		for _, set := range []verify.Set{verify.Core, verify.Strict} {
			v := verify.New(set)
			for i, raw := range c.Events {
				ev, err := events.Decode(raw)
				if err != nil {
					break
				}
				before, opened := v.Retained(), len(v.Open())
				introduces := v.Introduces(ev)
				if v.Observe(ev) != nil {
					if v.Retained() != before {
						t.Errorf("%s, event %d was rejected, and changed what is retained from %d to %d", c.ID, i, before, v.Retained())
					}
					continue
				}
				grown := v.Retained() - before
				if ev.EventType() == events.TypeRunStarted {
					continue
				}
				if introduces > 0 && grown <= 0 {
					t.Errorf("%s, %v, event %d introduces %d, and %d is retained after %d", c.ID, set, i, introduces, v.Retained(), before)
				}
				if again := len(v.Open()) > opened; grown > introduces && !again {
					t.Errorf("%s, %v, event %d introduces %d, and %d is retained after %d", c.ID, set, i, introduces, v.Retained(), before)
				}
			}
		}
	}
	v := verify.New(verify.Strict)
	v.Seed([]events.Message{events.NewUserMessage("u1", "hi")})
	if got := []int{v.Retained(), len(v.Open())}; !slices.Equal(got, []int{1, 0}) {
		t.Errorf("retained and open of a seed\n got %v\nwant [1 0]", got)
	}
	if v.Introduces(nil) != 0 {
		t.Error("a nil event introduces something")
	}
}
