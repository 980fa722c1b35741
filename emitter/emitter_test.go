package emitter_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/emitter/emittertest"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/verify"
)

// newEmitter returns an emitter that writes to buf, with a started run, and no log.
func newEmitter(t *testing.T, buf *bytes.Buffer, opts ...emitter.Option) *emitter.Emitter {
	t.Helper()
	em := emitter.New(t.Context(), emitter.ToWriter(buf), append([]emitter.Option{emitter.WithIDs(ids.Sequence()), emitter.WithLogger(nil)}, opts...)...)
	t.Cleanup(func() { em.Close(nil) })
	must(t, em.RunStart("t", "r"))
	return em
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestEveryCall(t *testing.T) {
	rec := emittertest.New(t)
	em := rec.Emitter
	at := time.UnixMilli(1_700_000_000_000)
	for _, err := range []error{
		em.TextStart("m1", emitter.Role(events.RoleAssistant), emitter.Name("Bot"), emitter.Metadata(map[string]any{"a": 1}), emitter.Timestamp(at), emitter.RawEvent([]int{1})),
		em.TextContent("m1", "x"),
		em.TextContent("m1", "y", emitter.Timestamp(at)),
		em.TextEnd("m1"),
		em.TextChunk("m2", "x", emitter.Name("Bot")),
		em.TextChunk("", "y"),
		em.ToolStart("c1", "search", emitter.Parent("m1")),
		em.ToolArgs("c1", "{"),
		em.ToolArgs("c1", "}", emitter.Metadata(map[string]any{})),
		em.ToolEnd("c1"),
		em.ToolResult("c1", "found", emitter.MessageID("m3")),
		em.ToolResult("c1", "found more"),
		em.ToolChunk("c2", "search", `{"q":`, emitter.Parent("m1")),
		em.ToolChunk("", "", "1}"),
		em.ReasoningStart("r1"),
		em.ReasoningMessageStart("r1"),
		em.ReasoningContent("r1", "hm"),
		em.ReasoningContent("r1", "hm", emitter.Timestamp(at)),
		em.ReasoningMessageEnd("r1"),
		em.ReasoningEnd("r1"),
		em.ReasoningEncrypted(events.EncryptedMessage, "r1", "secret"),
		em.ReasoningChunk("r2", "hm"),
		em.StepStart("plan"),
		em.StepFinish("plan"),
		em.StateSnapshot(map[string]any{"n": 1}),
		em.StateDelta(events.Patch{{Op: events.OpReplace, Path: "/n", Value: events.MustJSON(2)}}),
		em.MessagesSnapshot([]events.Message{events.UserMessage{MessageBase: events.MessageBase{ID: "u1"}, Content: events.Text("hi")}}),
		em.ActivitySnapshot("a1", "plan", map[string]any{"steps": []string{}}, emitter.Replace(false)),
		em.ActivityDelta("a1", "plan", nil),
		em.Raw(map[string]any{"k": "<v>"}, emitter.Source("openai")),
		em.Custom("acme.thing", nil),
		em.Emit(events.Custom{Name: "acme.value"}),
		em.Emit(&events.Custom{Name: "acme.pointer"}),
		em.RunFinish(map[string]any{"answer": 42}, emitter.Usage(events.TokenUsage{InputTokens: events.Some[int64](3)}), emitter.PendingToolCalls("c2")),
	} {
		if err != nil {
			t.Error(err)
		}
	}
	rec.AssertValid()
	rec.Golden("testdata/calls.golden")
}

func TestEveryHandle(t *testing.T) {
	rec := emittertest.New(t)
	em := rec.Emitter
	think := em.Reasoning()
	io.WriteString(think, "hm")
	must(t, think.Close())
	must(t, em.Step("answer", func() error {
		msg := em.Text()
		defer msg.Close()
		call := em.ToolCall("search", emitter.Parent(msg.ID()))
		must(t, call.WriteJSON(map[string]string{"q": "go"}))
		must(t, call.Result("found"))
		if _, err := io.Copy(msg, strings.NewReader("Hello")); err != nil {
			return err
		}
		second := em.ToolCall("count")
		must(t, second.WriteJSON(nil))
		must(t, second.Close())
		must(t, second.ResultJSON([]int{1, 2}))
		return nil
	}))
	sub := em.Subagent("s1", "researcher", emitter.Description("looks things up"))
	nested := sub.Subagent("s2", "reader")
	msg := nested.Text()
	io.WriteString(msg, "read")
	must(t, msg.Close())
	must(t, sub.Step("write", func() error { return sub.Emit(events.Custom{Name: "acme.note"}) }))
	must(t, nested.Finish("done"))
	must(t, sub.Finish(nil))
	must(t, sub.Close())
	failed := em.Subagent("s3", "clumsy")
	must(t, failed.Fail("fell", "gravity"))
	must(t, failed.Close())
	abandoned := em.Subagent("", "sleeper")
	must(t, abandoned.Close())
	waiting := em.Subagent("s4", "asker")
	must(t, waiting.Suspend("i1"))
	must(t, em.RunInterrupt(events.Interrupt{ID: "i1", Reason: "confirmation"}))
	rec.AssertValid()
	rec.Golden("testdata/handles.golden")
}

func TestNothingIsWrittenForAViolation(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf)
	before := buf.Len()
	v := wantViolation(t, verify.NotOpen, func() error { return em.TextContent("m1", "x") })
	if v == nil {
		return
	}
	if got := buf.Len(); got != before {
		t.Errorf("bytes written\n got %d\nwant none", got-before)
	}
	if v.EventType != events.TypeTextMessageContent || v.ID != "m1" || v.Index != 1 {
		t.Errorf("got %s %q at %d\nwant TEXT_MESSAGE_CONTENT \"m1\" at 1", v.EventType, v.ID, v.Index)
	}
	if !errors.Is(em.Err(), verify.NotOpen) {
		t.Errorf("Err()\n got %v\nwant the violation", em.Err())
	}
	must(t, em.TextStart("m1"))
	must(t, em.TextEnd("m1"))
	must(t, em.RunFinish(nil))
}

func TestViolationsAreLoggedOncePerRule(t *testing.T) {
	var buf, log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, nil))
	em := newEmitter(t, &buf, emitter.WithLogger(logger), emitter.WithPolicy(emitter.Reject))
	for range 3 {
		em.TextContent("m1", "x")
	}
	em.ToolResult("c1", "x")
	want := 2
	if build.NoVerify {
		want = 0
	}
	if got := strings.Count(log.String(), "level=WARN"); got != want {
		t.Errorf("log lines\n got %d\nwant %d\n%s", got, want, log.String())
	}
	if want > 0 && !strings.Contains(log.String(), "rule=NotOpen event=TEXT_MESSAGE_CONTENT id=m1 index=1") {
		t.Errorf("the log does not say what was broken:\n%s", log.String())
	}
}

func TestEncodeErrorsLeaveNoTrace(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf)
	before := buf.Len()
	bad := make(chan int)
	for name, call := range map[string]func() error{
		"metadata":  func() error { return em.TextStart("m1", emitter.Metadata(bad)) },
		"raw event": func() error { return em.ToolStart("c1", "x", emitter.RawEvent(bad)) },
		"snapshot":  func() error { return em.StateSnapshot(bad) },
		"custom":    func() error { return em.Custom("acme.x", bad) },
		"raw":       func() error { return em.Raw(bad) },
		"activity":  func() error { return em.ActivitySnapshot("a", "x", bad) },
		"result":    func() error { return em.RunFinish(bad) },
		"nil event": func() error { return em.Emit(nil) },
		"nil pointer": func() error {
			var ev *events.TextMessageStart
			return em.Emit(ev)
		},
		"nil message": func() error { return em.MessagesSnapshot([]events.Message{nil}) },
	} {
		var want *emitter.EncodeError
		if err := call(); !errors.As(err, &want) {
			t.Errorf("%s\n got %v\nwant an EncodeError", name, err)
		}
	}
	if buf.Len() != before {
		t.Errorf("bytes written\n got %q\nwant none", buf.Bytes()[before:])
	}
	wantViolation(t, verify.NotOpen, func() error { return em.TextContent("m1", "x") })
	must(t, em.RunFinish(nil))
}

func TestAfterTheRunsOwnEnd(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf, emitter.WithPolicy(emitter.Reject))
	msg := em.Text()
	must(t, em.RunError("no", ""))
	before := buf.Len()
	for name, call := range map[string]func() error{
		"content": func() error { return em.TextContent(msg.ID(), "x") },
		"custom":  func() error { return em.Custom("acme.x", 1) },
		"finish":  func() error { return em.RunFinish(nil) },
		"error":   func() error { return em.RunError("again", "") },
	} {
		err := call()
		if !errors.Is(err, emitter.ErrClosed) {
			t.Errorf("%s\n got %v\nwant an error that Is ErrClosed", name, err)
		}
		if !build.NoVerify && !errors.Is(err, verify.RunEnded) {
			t.Errorf("%s\n got %v\nwant an error that Is RunEnded", name, err)
		}
	}
	broken := em.Err()
	if _, err := msg.WriteString("x"); !errors.Is(err, emitter.ErrClosed) {
		t.Errorf("Write\n got %v\nwant an error that Is ErrClosed", err)
	}
	if err := msg.Close(); !errors.Is(err, emitter.ErrClosed) {
		t.Errorf("Close\n got %v\nwant an error that Is ErrClosed", err)
	}
	if err := msg.Close(); err != nil {
		t.Errorf("second Close\n got %v\nwant nil", err)
	}
	if em.Err() != broken || buf.Len() != before {
		t.Errorf("closing late is no fault and writes nothing: Err %v, %d bytes", em.Err(), buf.Len()-before)
	}
}

func TestCloseFromOutside(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf, emitter.FailFast())
	msg := em.Text()
	cause := errors.New("server is going down")
	before := buf.Len()
	must(t, em.Close(cause))
	must(t, em.Close(errors.New("another")))
	for name, call := range map[string]func() error{
		"flat":   func() error { return em.TextContent("nope", "x") },
		"emit":   func() error { return em.Emit(events.Custom{Name: "x"}) },
		"handle": func() error { _, err := msg.WriteString("x"); return err },
		"close":  msg.Close,
		"step":   func() error { return em.Step("x", func() error { t.Error("the step ran"); return nil }) },
		"unknown": func() error {
			ev, err := events.Decode([]byte(`{"type":"THINKING_START"}`))
			must(t, err)
			return em.Emit(ev)
		},
	} {
		err := call()
		if build.NoVerify && name == "unknown" {
			continue
		}
		if !errors.Is(err, emitter.ErrClosed) || !errors.Is(err, cause) {
			t.Errorf("%s\n got %v\nwant an error that Is ErrClosed and wraps the cause", name, err)
		}
	}
	if buf.Len() != before {
		t.Errorf("wrote %q after the end", buf.Bytes()[before:])
	}
	if got := context.Cause(em.Context()); got != cause {
		t.Errorf("cause of the context\n got %v\nwant %v", got, cause)
	}
}

func TestAbort(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf)
	em.Text()
	cause := errors.New("deadline")
	must(t, em.Abort("too slow", "run_timeout", cause))
	must(t, em.Abort("again", "x", nil))
	if got := strings.Count(buf.String(), "RUN_ERROR"); got != 1 || !strings.HasSuffix(buf.String(), `data: {"type":"RUN_ERROR","message":"too slow","code":"run_timeout"}`+"\n\n") {
		t.Errorf("got %s", buf.String())
	}
	if !em.Ended() || context.Cause(em.Context()) != cause {
		t.Errorf("ended %v, cause %v", em.Ended(), context.Cause(em.Context()))
	}
	if err := em.RunFinish(nil); !errors.Is(err, emitter.ErrClosed) || !errors.Is(err, cause) {
		t.Errorf("got %v", err)
	}
}

// faultySink fails from the n-th write, or flush, on.
type faultySink struct {
	buf           bytes.Buffer
	failWrite     int
	failFlush     int
	short         bool
	writes, flush int
}

var errBroken = errors.New("broken pipe")

func (s *faultySink) Write(p []byte) (int, error) {
	s.writes++
	if s.failWrite > 0 && s.writes >= s.failWrite {
		if s.short {
			return s.buf.Write(p[:len(p)/2])
		}
		return 0, errBroken
	}
	return s.buf.Write(p)
}

func (s *faultySink) Flush() error {
	s.flush++
	if s.failFlush > 0 && s.flush >= s.failFlush {
		return errBroken
	}
	return nil
}

func TestDisconnected(t *testing.T) {
	for name, tt := range map[string]struct {
		sink  faultySink
		cause error
	}{
		"write":       {faultySink{failWrite: 3}, errBroken},
		"flush":       {faultySink{failFlush: 3}, errBroken},
		"short write": {faultySink{failWrite: 3, short: true}, io.ErrShortWrite},
	} {
		t.Run(name, func(t *testing.T) {
			em := emitter.New(t.Context(), &tt.sink, emitter.WithLogger(nil))
			must(t, em.RunStart("t", "r"))
			msg := em.Text()
			_, err := msg.WriteString("x")
			if !errors.Is(err, emitter.ErrDisconnected) || !errors.Is(err, tt.cause) {
				t.Errorf("got %v\nwant an error that Is ErrDisconnected and wraps %v", err, tt.cause)
			}
			writes := tt.sink.writes
			for _, err := range []error{em.TextContent(msg.ID(), "x"), msg.Close(), em.RunError("x", ""), em.Abort("x", "y", nil)} {
				if err != nil && !errors.Is(err, emitter.ErrDisconnected) {
					t.Errorf("later call\n got %v\nwant an error that Is ErrDisconnected", err)
				}
			}
			if tt.sink.writes != writes {
				t.Errorf("wrote %d times after the failure", tt.sink.writes-writes)
			}
			if cause := context.Cause(em.Context()); !errors.Is(cause, emitter.ErrDisconnected) {
				t.Errorf("cause of the context\n got %v", cause)
			}
			if !errors.Is(em.Err(), emitter.ErrDisconnected) {
				t.Errorf("Err()\n got %v", em.Err())
			}
		})
	}
}

func TestLimit(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf, emitter.WithMaxEventSize(300))
	must(t, em.TextStart("m1"))
	before := buf.Len()
	var limit *emitter.LimitError
	if err := em.TextContent("m1", strings.Repeat("x", 300)); !errors.As(err, &limit) {
		t.Errorf("got %v\nwant a LimitError", err)
	}
	if err := em.StateSnapshot(strings.Repeat("x", 300)); !errors.As(err, &limit) || limit.Max != 300 {
		t.Errorf("got %v\nwant a LimitError", err)
	}
	if buf.Len() != before {
		t.Error("something was written")
	}
	must(t, em.TextContent("m1", strings.Repeat("x", 150)))
	msg := em.Text()
	long := strings.Repeat("漢", 200)
	if n, err := msg.WriteString(long); n != len(long) || err != nil {
		t.Errorf("a handle cuts what is too long: got %d, %v", n, err)
	}
	must(t, msg.Close())
	if got := textOf(t, buf.Bytes(), msg.ID()); got != long {
		t.Errorf("text\n got %q\nwant %q", got, long)
	}
}

// textOf returns the text that a stream writes to the message.
func textOf(t *testing.T, stream []byte, id string) string {
	t.Helper()
	var text strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(string(stream)), "\n\n") {
		ev, err := events.Decode([]byte(strings.TrimPrefix(line, "data: ")))
		must(t, err)
		if c, ok := ev.(*events.TextMessageContent); ok && c.MessageID == id {
			text.WriteString(c.Delta)
		}
	}
	return text.String()
}

func TestHandlesNeverSplitCharacters(t *testing.T) {
	for _, text := range []string{"a漢字🙂é", "🙂", "\xffa", "\xe2\x28\xa1", "\xf0\x9f", "a\xf0\x9fb", "\xf0\x9f\x98", "\xe6\xbc\xf0\x9f\x99\x82", "\x80\x80"} {
		for size := 1; size <= 5; size++ {
			var buf bytes.Buffer
			em := newEmitter(t, &buf)
			msg := em.Text()
			for rest := []byte(text); len(rest) > 0; {
				n := min(size, len(rest))
				if wrote, err := msg.Write(rest[:n]); wrote != n || err != nil {
					t.Fatalf("Write: %d, %v", wrote, err)
				}
				rest = rest[n:]
			}
			must(t, msg.Close())
			got := textOf(t, buf.Bytes(), msg.ID())
			want := strings.ToValidUTF8(text, "\uFFFD")
			if collapse(got) != collapse(want) {
				t.Errorf("%q in pieces of %d\n got %q\nwant %q", text, size, got, want)
			}
		}
	}
}

// collapse makes one replacement character of several: how many bad bytes make one is not the point.
func collapse(s string) string {
	for strings.Contains(s, "\uFFFD\uFFFD") {
		s = strings.ReplaceAll(s, "\uFFFD\uFFFD", "\uFFFD")
	}
	return s
}

func TestEndByIDKeepsWhatWaits(t *testing.T) {
	if build.NoVerify {
		t.Log("in this build an end by id does not know of the handle")
		return
	}
	var buf bytes.Buffer
	em := newEmitter(t, &buf)
	msg := em.Text()
	msg.WriteString("a\xf0\x9f")
	must(t, em.TextEnd(msg.ID()))
	if got, want := textOf(t, buf.Bytes(), msg.ID()), "a\uFFFD"; got != want {
		t.Errorf("text\n got %q\nwant %q", got, want)
	}
}

func TestHandleThatCannotOpen(t *testing.T) {
	var buf bytes.Buffer
	em := emitter.New(t.Context(), emitter.ToWriter(&buf), emitter.WithLogger(nil), emitter.WithPolicy(emitter.Reject))
	bad := make(chan int)
	msg := em.Text(emitter.Metadata(bad))
	var want *emitter.EncodeError
	if _, err := msg.WriteString("x"); !errors.As(err, &want) || !errors.As(msg.Err(), &want) {
		t.Errorf("Write\n got %v\nwant an EncodeError", err)
	}
	if err := msg.Close(); !errors.As(err, &want) {
		t.Errorf("Close\n got %v\nwant an EncodeError", err)
	}
	if err := msg.Close(); err != nil {
		t.Errorf("second Close\n got %v\nwant nil", err)
	}
	call := em.ToolCall("x", emitter.Metadata(bad))
	if err := call.Result("x"); !errors.As(err, &want) {
		t.Errorf("Result\n got %v\nwant an EncodeError", err)
	}
	sub := em.Subagent("s", "x", emitter.Metadata(bad))
	for _, err := range []error{sub.TextStart("m"), sub.TextContent("m", "x"), sub.Finish(nil), sub.Close(), sub.Err(), sub.Text().Err(), sub.Emit(events.Custom{})} {
		if !errors.As(err, &want) {
			t.Errorf("subagent\n got %v\nwant an EncodeError", err)
		}
	}
	if buf.Len() > 0 {
		t.Errorf("wrote %q", buf.String())
	}
}

func TestConcurrentHandles(t *testing.T) {
	rec := emittertest.New(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			msg := rec.Text()
			defer msg.Close()
			call := rec.ToolCall("x")
			for range 50 {
				io.WriteString(msg, "é")
				io.WriteString(call, " ")
			}
			io.WriteString(call, "{}")
			call.Result("ok")
			rec.TextContent(msg.ID(), "!")
		})
	}
	wg.Wait()
	must(t, rec.RunFinish(nil))
	rec.AssertValid()
}

func TestOneHandleFromManyGoroutines(t *testing.T) {
	rec := emittertest.New(t, emittertest.AllowViolations()) // some write after another has closed it
	msg := rec.Text()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 50 {
				msg.Write([]byte("é"))
			}
			msg.Close()
		})
	}
	wg.Wait()
	must(t, rec.RunFinish(nil))
	rec.AssertValid()
}

func TestRunSubagent(t *testing.T) {
	boom := errors.New("boom")
	for name, tt := range map[string]struct {
		do    func(sub *emitter.Subagent) error
		err   error
		panic any
		last  string
	}{
		"success":  {func(sub *emitter.Subagent) error { return sub.Custom("acme.x", 1) }, nil, nil, `{"type":"SUBAGENT_FINISHED","subagentRunId":"sub_1"}`},
		"own end":  {func(sub *emitter.Subagent) error { return sub.Finish(1) }, nil, nil, `{"type":"SUBAGENT_FINISHED","subagentRunId":"sub_1","result":1}`},
		"error":    {func(*emitter.Subagent) error { return boom }, boom, nil, `{"type":"SUBAGENT_ERROR","subagentRunId":"sub_1","message":"The subagent failed.","code":"subagent_error"}`},
		"panic":    {func(*emitter.Subagent) error { panic("oh") }, nil, "oh", `{"type":"SUBAGENT_ERROR","subagentRunId":"sub_1","message":"The subagent failed.","code":"subagent_error"}`},
		"own fail": {func(sub *emitter.Subagent) error { sub.Fail("a", "b"); return boom }, boom, nil, `{"type":"SUBAGENT_ERROR","subagentRunId":"sub_1","message":"a","code":"b"}`},
	} {
		t.Run(name, func(t *testing.T) {
			rec := emittertest.New(t)
			recovered, err := attempt(func() error { return rec.RunSubagent("worker", tt.do) })
			if err != tt.err || recovered != tt.panic {
				t.Errorf("got error %v, panic %v\nwant %v, %v", err, recovered, tt.err, tt.panic)
			}
			if !strings.HasSuffix(string(rec.Bytes()), "data: "+tt.last+"\n\n") {
				t.Errorf("last event\n got %s\nwant %s", rec.Bytes(), tt.last)
			}
			must(t, rec.RunFinish(nil))
			rec.AssertValid()
		})
	}
}
