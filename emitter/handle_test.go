package emitter_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/emitter/emittertest"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/verify"
)

func TestReasoningOpensBothOrNeither(t *testing.T) {
	for name, bad := range map[string]any{"not encodable": make(chan int), "no object": []int{1}} {
		t.Run(name, func(t *testing.T) {
			var buf bytes.Buffer
			em := newEmitter(t, &buf, emitter.WithPolicy(emitter.Reject))
			before := buf.Len()
			r := em.Reasoning(emitter.Metadata(bad))
			if build.NoVerify && name == "no object" {
				must(t, r.Err())
				return
			}
			if r.Err() == nil || buf.Len() != before || len(em.Open()) != 0 {
				t.Errorf("got error %v, %d bytes, open %v\nwant an error, and nothing written or open", r.Err(), buf.Len()-before, em.Open())
			}
			r.Close()
			must(t, em.RunFinish(nil))
		})
	}
}

// TestCloseAfterAnEndByID closes handles whose ends have been sent already: Close sends what is missing.
func TestCloseAfterAnEndByID(t *testing.T) {
	if build.NoVerify {
		t.Log("in this build an end by id is not known to the handle")
		return
	}
	rec := emittertest.New(t)
	r := rec.Reasoning()
	must(t, rec.ReasoningMessageEnd(r.ID()))
	must(t, r.Close())
	msg := rec.Text()
	must(t, rec.TextEnd(msg.ID()))
	must(t, msg.Close())
	call := rec.ToolCall("x")
	must(t, call.WriteJSON(1))
	must(t, rec.ToolEnd(call.ID()))
	must(t, call.Result("ok"))
	must(t, rec.TextStart(msg.ID())) // reopened by another: not the handle's to close
	must(t, msg.Close())
	if got := len(rec.Open()); got != 1 {
		t.Errorf("open\n got %v\nwant the message that was opened again", rec.Open())
	}
	must(t, rec.CloseOpen())
	must(t, rec.RunFinish(nil))
	rec.AssertValid()
}

func TestRefusedEndChangesNothing(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf, emitter.WithPolicy(emitter.Reject))
	msg := em.Text()
	msg.WriteString("\xe2\x82")
	err := em.TextEnd(msg.ID(), emitter.Metadata([]int{1}))
	if build.NoVerify {
		must(t, err)
		return
	}
	if !errors.Is(err, verify.InvalidField) {
		t.Errorf("got %v\nwant InvalidField", err)
	}
	msg.WriteString("\xac")
	must(t, msg.Close())
	if got, want := textOf(t, buf.Bytes(), msg.ID()), "€"; got != want {
		t.Errorf("text\n got %q\nwant %q", got, want)
	}
}

// TestSnapshotKeepsWhatAHandleKnows changes the owner of what is open: what the handle has begun goes on.
func TestSnapshotKeepsWhatAHandleKnows(t *testing.T) {
	rec := emittertest.New(t)
	msg, call := rec.Text(), rec.ToolCall("f")
	msg.WriteString("\xe2\x82")
	call.WriteString(`{"a":`)
	must(t, rec.MessagesSnapshot([]events.Message{events.AssistantMessage{
		MessageBase: events.MessageBase{ID: msg.ID(), SubagentRunID: events.Some("s")},
		ToolCalls:   []events.ToolCall{events.NewToolCall(call.ID(), "f", `{"a":`)},
	}}))
	msg.WriteString("\xac")
	call.WriteString("1}")
	if got := rec.Incomplete(); len(got) != 0 {
		t.Errorf("incomplete\n got %v\nwant none", got)
	}
	if got, want := textOf(t, rec.Bytes(), msg.ID()), "€"; got != want {
		t.Errorf("text\n got %q\nwant %q", got, want)
	}
}

func TestAbortWithAHugeMessage(t *testing.T) {
	for _, limit := range []int{90, emitter.DefaultMaxEventSize} {
		var buf bytes.Buffer
		em := newEmitter(t, &buf, emitter.WithMaxEventSize(limit))
		must(t, em.Abort(strings.Repeat("é", 9<<20), "code", nil))
		if got := buf.Len(); !strings.Contains(buf.String(), `"code":"code"}`) || got > 64<<10 {
			t.Errorf("limit %d: got %d bytes\nwant a RUN_ERROR with a message cut short", limit, got)
		}
	}
}

func TestUnknownEventNamesAreHarmless(t *testing.T) {
	for name, unknown := range map[string]events.Unknown{
		"long":      {Name: events.Type(strings.Repeat("x", 1<<20)), JSON: events.MustJSON(map[string]string{"type": strings.Repeat("x", 1<<20)})},
		"newline":   {Name: "X\ndata: evil", JSON: events.MustParseJSON(`{"type":"X\ndata: evil"}`)},
		"empty":     {},
		"disguised": {Name: "TEXT_MESSAGE_START", JSON: events.MustParseJSON(`{"type":"TEXT_MESSAGE_START"}`)},
	} {
		var buf bytes.Buffer
		em := newEmitter(t, &buf, emitter.WithPolicy(emitter.Reject))
		err := em.Emit(unknown)
		if err == nil {
			t.Errorf("%s was written", name)
			continue
		}
		if text := err.Error(); len(text) > 2000 || strings.Contains(text, "\n") || strings.Contains(text, "end of stream") {
			t.Errorf("%s\n got %.300q\nwant a short line about the event", name, text)
		}
		var encode *emitter.EncodeError
		if name == "disguised" && !errors.As(err, &encode) {
			t.Errorf("%s\n got %v\nwant an EncodeError", name, err)
		}
	}
}

type brokenSink struct{}

func (brokenSink) Write([]byte) (int, error) { panic("no paper") }
func (brokenSink) Flush() error              { return nil }

func TestSinkThatPanics(t *testing.T) {
	em := emitter.New(t.Context(), brokenSink{}, emitter.WithLogger(nil))
	if err := em.RunStart("t", "r"); !errors.Is(err, emitter.ErrDisconnected) {
		t.Errorf("got %v\nwant an error that Is ErrDisconnected", err)
	}
	must(t, em.Close(nil))
}

func TestNilOptionsAreHarmless(t *testing.T) {
	rec := emittertest.New(t, emittertest.WithEmitter(nil))
	for _, err := range []error{
		rec.TextStart("m", nil), rec.TextContent("m", "x", nil), rec.TextEnd("m", nil),
		rec.ToolStart("c", "x", nil), rec.ToolEnd("c", nil), rec.ToolResult("c", "x", nil),
		rec.ActivitySnapshot("a", "x", struct{}{}, nil), rec.Raw(1, nil), rec.RunFinish(nil, nil),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	if _, ok := emitter.FromContext(emitter.NewContext(t.Context(), nil)); ok {
		t.Error("a nil emitter was found in the context")
	}
}

func TestTerminalEventIsKeptAsItWas(t *testing.T) {
	var buf bytes.Buffer
	o := &lastSeen{}
	em := newEmitter(t, &buf, emitter.WithObserver(func() *lastSeen { return o }))
	ev := &events.RunError{Message: "first"}
	must(t, em.Emit(ev))
	ev.Message = "changed"
	must(t, em.Close(nil))
	if o.message != "first" {
		t.Errorf("message that End got\n got %q\nwant %q", o.message, "first")
	}
}
