package emitter_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/verify"
)

func TestPolicyBounds(t *testing.T) {
	for _, tt := range []struct {
		action emitter.Action
		rules  []verify.Rule
		ok     bool
	}{
		{emitter.Reject, nil, true},
		{emitter.Panic, nil, true},
		{emitter.Allow, nil, false},
		{emitter.Report, nil, false},
		{emitter.Allow, []verify.Rule{verify.Preamble, verify.IDCollision}, true},
		{emitter.Allow, []verify.Rule{verify.NotOpen}, false},
		{emitter.Report, []verify.Rule{verify.NotOpen}, true},
		{emitter.Report, []verify.Rule{verify.RunEnded}, false},
		{emitter.Report, []verify.Rule{verify.RunNotStarted}, false},
		{emitter.Report, []verify.Rule{verify.DuplicateRunStarted}, false},
		{emitter.Report, []verify.Rule{verify.InvalidField}, false},
		{emitter.Action(9), []verify.Rule{verify.NotOpen}, false},
	} {
		recovered, _ := attempt(func() error { emitter.WithPolicy(tt.action, tt.rules...); return nil })
		if ok := recovered == nil; ok != tt.ok {
			t.Errorf("WithPolicy(%v, %v)\n got accepted %v (%v)\nwant %v", tt.action, tt.rules, ok, recovered, tt.ok)
		}
	}
}

// seen collects the violations that an observer is told.
type seen struct {
	mu    sync.Mutex
	rules []verify.Rule
	calls []string
}

func (s *seen) note(call string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, call)
}

func (s *seen) Start(ctx context.Context, in *events.RunAgentInput) context.Context {
	s.note("start")
	return context.WithValue(ctx, seenKey{}, "run")
}

type seenKey struct{}

func (s *seen) Event(t events.Type, _ events.Event, _ int) { s.note(string(t)) }
func (s *seen) Flush(error)                                { s.note("flush") }
func (s *seen) Violation(_ context.Context, v *verify.Violation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.rules = append(s.rules, v.Rule)
}

func (s *seen) End(ctx context.Context, terminal events.Event, err error) {
	call := "end"
	if terminal != nil {
		call += " " + string(terminal.EventType())
	}
	if err != nil {
		call += " " + err.Error()
	}
	s.note(call)
}

func TestObserver(t *testing.T) {
	var buf bytes.Buffer
	o := &seen{}
	em := newEmitter(t, &buf, emitter.WithObserver(func() *seen { return o }), emitter.WithPolicy(emitter.Reject))
	if em.Context().Value(seenKey{}) != "run" {
		t.Error("the run's context is not the one that Start returned")
	}
	em.TextContent("m1", "x")
	must(t, em.RunError("x", "y"))
	must(t, em.Close(errors.New("because")))
	must(t, em.Close(nil))
	want := []string{"start", "RUN_STARTED", "flush", "RUN_ERROR", "flush", "end RUN_ERROR"}
	if build.NoVerify {
		want = slices.Insert(want, 3, "TEXT_MESSAGE_CONTENT", "flush")
	}
	if !slices.Equal(o.calls, want) {
		t.Errorf("calls\n got %q\nwant %q", o.calls, want)
	}
	wantRules := []verify.Rule{verify.NotOpen}
	if build.NoVerify {
		wantRules = nil
	}
	if !slices.Equal(o.rules, wantRules) {
		t.Errorf("violations\n got %v\nwant %v", o.rules, wantRules)
	}
}

func TestFailFast(t *testing.T) {
	var buf bytes.Buffer
	o := &seen{}
	em := newEmitter(t, &buf, emitter.FailFast(), emitter.WithObserver(func() *seen { return o }))
	recovered, _ := attempt(func() error { return em.TextContent("m1", "x") })
	if build.NoVerify {
		if recovered != nil {
			t.Errorf("panicked with %v though nothing is verified", recovered)
		}
		return
	}
	v, ok := recovered.(*verify.Violation)
	if !ok || v.Rule != verify.NotOpen {
		t.Fatalf("panic\n got %v\nwant a violation of NotOpen", recovered)
	}
	if !slices.Equal(o.rules, []verify.Rule{verify.NotOpen}) {
		t.Errorf("recorded %v before the panic\nwant NotOpen, once", o.rules)
	}
	must(t, em.RunError("x", "y"))
	if recovered, _ := attempt(func() error { return em.RunFinish(nil) }); recovered == nil {
		t.Error("a call after the run's own end did not panic")
	}
}

func TestExplicitPolicyBeatsFailFast(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf, emitter.FailFast(), emitter.WithPolicy(emitter.Reject, verify.NotOpen))
	recovered, err := attempt(func() error { return em.TextEnd("m1") })
	if recovered != nil || !build.NoVerify && !errors.Is(err, verify.NotOpen) {
		t.Errorf("got error %v, panic %v\nwant the error", err, recovered)
	}
}

func TestReportLetsThrough(t *testing.T) {
	var buf bytes.Buffer
	o := &seen{}
	em := newEmitter(t, &buf, emitter.WithPolicy(emitter.Report, verify.NotOpen), emitter.WithObserver(func() *seen { return o }))
	must(t, em.TextContent("m1", "x"))
	must(t, em.TextEnd("m1"))
	if !strings.Contains(buf.String(), `"delta":"x"`) {
		t.Errorf("the content was held back: %s", buf.String())
	}
	if build.NoVerify {
		return
	}
	if want := []verify.Rule{verify.NotOpen, verify.NotOpen}; !slices.Equal(o.rules, want) {
		t.Errorf("violations\n got %v\nwant %v", o.rules, want)
	}
	if !errors.Is(em.Err(), verify.NotOpen) {
		t.Errorf("Err()\n got %v\nwant the first violation", em.Err())
	}
}

func TestAllow(t *testing.T) {
	var buf bytes.Buffer
	em := emitter.New(t.Context(), emitter.ToWriter(&buf), emitter.WithLogger(nil), emitter.WithPolicy(emitter.Allow, verify.Preamble))
	must(t, em.Custom("acme.early", 1))
	must(t, em.RunStart("t", "r"))
	must(t, em.RunFinish(nil))
	if em.Err() != nil {
		t.Errorf("Err()\n got %v\nwant nil", em.Err())
	}
}

func TestCoreRules(t *testing.T) {
	var buf bytes.Buffer
	em := emitter.New(t.Context(), emitter.ToWriter(&buf), emitter.WithLogger(nil), emitter.WithRules(verify.Core))
	must(t, em.Custom("acme.early", 1)) // Preamble is a Strict rule
	must(t, em.RunStart("t", "r"))
	wantViolation(t, verify.NotOpen, func() error { return em.TextEnd("m") })
}

func TestUnknownEventsAreRefused(t *testing.T) {
	for _, set := range []verify.Set{verify.Core, verify.Strict} {
		var buf bytes.Buffer
		em := newEmitter(t, &buf, emitter.WithRules(set), emitter.WithPolicy(emitter.Reject))
		before := buf.Len()
		ev, err := events.Decode([]byte(`{"type":"THINKING_START","title":"x"}`))
		must(t, err)
		err = em.Emit(ev)
		var encode *emitter.EncodeError
		if build.NoVerify && !errors.As(err, &encode) || !build.NoVerify && !errors.Is(err, verify.InvalidField) {
			t.Errorf("%v\n got %v\nwant InvalidField", set, err)
		}
		if !build.NoVerify && !strings.Contains(err.Error(), "REASONING_*") {
			t.Errorf("the error has no remedy: %v", err)
		}
		if buf.Len() != before {
			t.Errorf("%v: it was written", set)
		}
		err = em.TextContent("m1", "x")
		var v *verify.Violation
		if errors.As(err, &v) && v.Index != 2 {
			t.Errorf("%v: index after a refused event\n got %d\nwant 2", set, v.Index)
		}
	}
}

func TestFailOnViolation(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf, emitter.FailOnViolation(), emitter.WithPolicy(emitter.Reject))
	msg := em.Text()
	err := em.TextContent("nope", "x")
	if build.NoVerify {
		must(t, err)
		return
	}
	if !errors.Is(err, verify.NotOpen) {
		t.Errorf("got %v\nwant NotOpen", err)
	}
	message := emitter.ViolationMessage
	if build.Debug {
		message = `text message \"nope\"`
	}
	last := buf.String()[strings.LastIndex(buf.String(), "data: "):]
	if !strings.Contains(last, message) || !strings.Contains(last, `"code":"protocol_violation"`) {
		t.Errorf("last event\n got %s", last)
	}
	if _, err := msg.WriteString("x"); !errors.Is(err, emitter.ErrClosed) || !errors.Is(err, verify.NotOpen) {
		t.Errorf("later call\n got %v\nwant an error that Is ErrClosed and wraps the violation", err)
	}
	if cause := context.Cause(em.Context()); !errors.Is(cause, verify.NotOpen) {
		t.Errorf("cause of the context\n got %v\nwant the violation", cause)
	}
	if !em.Ended() || strings.Count(buf.String(), "RUN_ERROR") != 1 {
		t.Error("the run has not ended, once")
	}
}

func TestCallers(t *testing.T) {
	if build.NoVerify {
		t.Log("nothing is verified in this build, so there is no violation to locate")
		return
	}
	var buf bytes.Buffer
	em := newEmitter(t, &buf, emitter.WithCallers(), emitter.WithPolicy(emitter.Reject))
	must(t, em.TextStart("m1"))
	call := em.ToolCall("x")
	var v *verify.Violation
	if !errors.As(em.RunFinish(nil), &v) {
		t.Fatal("RunFinish with open things returned no violation")
	}
	if !strings.Contains(v.Caller, "policy_test.go:") {
		t.Errorf("call site\n got %q\nwant a line of this file", v.Caller)
	}
	if len(v.Open) != 2 || !strings.Contains(v.Open[0].Caller, "policy_test.go:") || v.Open[1].ID != call.ID() || !strings.Contains(v.Open[1].Caller, "policy_test.go:") {
		t.Errorf("open\n got %v\nwant the message and the call, opened in this file", v.Open)
	}
}

// echoHandler is a log handler that writes through the emitter.
type echoHandler struct {
	slog.Handler
	em *emitter.Emitter
}

func (h echoHandler) Handle(_ context.Context, r slog.Record) error {
	return h.em.Custom("acme.log", r.Message)
}

func TestLogHandlerMayUseTheEmitter(t *testing.T) {
	var buf, log bytes.Buffer
	h := &echoHandler{Handler: slog.NewTextHandler(&log, nil)}
	em := newEmitter(t, &buf, emitter.WithLogger(slog.New(h)), emitter.WithPolicy(emitter.Reject))
	h.em = em
	em.TextContent("m1", "x")
	if got := strings.Contains(buf.String(), "acme.log"); got == build.NoVerify {
		t.Errorf("the log handler's event was written: %v", got)
	}
}

// broken is an observer that panics wherever it is called.
type broken struct{}

func (broken) Start(context.Context, *events.RunAgentInput) context.Context { panic("start") }
func (broken) Event(events.Type, events.Event, int)                         { panic("event") }
func (broken) Flush(error)                                                  { panic("flush") }
func (broken) Violation(context.Context, *verify.Violation)                 { panic("violation") }
func (broken) End(context.Context, events.Event, error)                     { panic("end") }

func TestObserverThatPanics(t *testing.T) {
	var buf, log bytes.Buffer
	em := newEmitter(t, &buf, emitter.WithObserver(func() broken { return broken{} }), emitter.WithPolicy(emitter.Reject),
		emitter.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
	if em.Context() == nil {
		t.Fatal("the run has no context")
	}
	em.TextContent("m1", "x")
	must(t, em.RunFinish(nil))
	must(t, em.Close(nil))
	methods := []string{"Start", "Event", "Flush", "Violation", "End"}
	if build.NoVerify {
		methods = []string{"Start", "Event", "Flush", "End"}
	}
	for _, method := range methods {
		if !strings.Contains(log.String(), "method="+method) {
			t.Errorf("the panic of %s was not logged:\n%s", method, log.String())
		}
	}
}

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { panic("no paper") }

func TestWriterThatPanics(t *testing.T) {
	em := emitter.New(t.Context(), emitter.ToWriter(brokenWriter{}), emitter.WithLogger(nil))
	for range 2 {
		if err := em.RunStart("t", "r"); !errors.Is(err, emitter.ErrDisconnected) || !strings.Contains(err.Error(), "no paper") {
			t.Errorf("got %v\nwant an error that Is ErrDisconnected and says why", err)
		}
	}
}

func TestPolicyErrorsNameTheRule(t *testing.T) {
	recovered, _ := attempt(func() error { emitter.WithPolicy(emitter.Allow, verify.NotOpen); return nil })
	if err, ok := recovered.(error); !ok || !strings.Contains(err.Error(), "Allow does not apply to NotOpen: ") {
		t.Errorf("got %v", recovered)
	}
	if recovered, _ := attempt(func() error { emitter.WithPolicy(emitter.Reject, verify.Rule(99)); return nil }); recovered == nil {
		t.Error("a rule that there is not was accepted")
	}
}

// lastSeen keeps what End is told.
type lastSeen struct {
	seen
	message string
}

func (l *lastSeen) End(_ context.Context, terminal events.Event, _ error) {
	if e, ok := terminal.(*events.RunError); ok {
		l.message = e.Message
	}
}

// brokenHandler is a log handler that panics.
type brokenHandler struct{ slog.Handler }

func (brokenHandler) Handle(context.Context, slog.Record) error { panic("no disk") }

func TestLogHandlerThatPanics(t *testing.T) {
	var buf, log bytes.Buffer
	logger := slog.New(brokenHandler{slog.NewTextHandler(&log, nil)})
	em := newEmitter(t, &buf, emitter.WithLogger(logger), emitter.WithPolicy(emitter.Reject))
	recovered, err := attempt(func() error { return em.TextContent("m1", "x") })
	if recovered != nil || !build.NoVerify && !errors.Is(err, verify.NotOpen) {
		t.Errorf("got error %v, panic %v\nwant the violation", err, recovered)
	}
}

// TestContentThatIsNotTracked: what is let through without having been opened shares its room, and each delta
// has the kind, the id and the tag of its own.
func TestContentThatIsNotTracked(t *testing.T) {
	var buf bytes.Buffer
	em := newEmitter(t, &buf, emitter.WithPolicy(emitter.Report, verify.NotOpen))
	sub := em.Subagent("s1", "helper")
	begun := buf.Len()
	text := func(em *emitter.Emitter, id string) func() error {
		return func() error { return em.TextContent(id, "x") }
	}
	args := func() error { return em.ToolArgs("a", "x") }
	for i, call := range []func() error{
		text(em, "a"), text(em, "a"), text(em, "b"), text(sub.Emitter, "b"), text(sub.Emitter, "b"), text(em, "b"), args, args, text(em, "a"), text(em, "ab"),
	} {
		if err := call(); err != nil {
			t.Fatalf("call %d: %v", i, err)
		}
	}
	const (
		textA    = `data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"a","delta":"x"}` + "\n\n"
		textAB   = `data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"ab","delta":"x"}` + "\n\n"
		textB    = `data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"b","delta":"x"}` + "\n\n"
		textBSub = `data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"b","subagentRunId":"s1","delta":"x"}` + "\n\n"
		argsA    = `data: {"type":"TOOL_CALL_ARGS","toolCallId":"a","delta":"x"}` + "\n\n"
	)
	want := textA + textA + textB + textBSub + textBSub + textB + argsA + argsA + textA + textAB
	if got := buf.String()[begun:]; got != want {
		t.Errorf("\n got: %s\nwant: %s", got, want)
	}
}
