package verify_test

import (
	"errors"
	"slices"
	"testing"
	"unsafe"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

func TestZeroVerifierChecksCore(t *testing.T) {
	var v verify.Verifier
	ok(raw(), runStart()).no(verify.NotOpen, textContent("m1")).ok(moreText(), runFinish()).play(t, &v)
	if err := v.End(); err != nil {
		t.Error(err)
	}
}

func TestNilEventDoesNotCount(t *testing.T) {
	v := verify.New(verify.Strict)
	for _, ev := range []events.Event{nil, (*events.TextMessageContent)(nil), (*events.RunStarted)(nil)} {
		if err := v.Observe(ev); !errors.Is(err, events.ErrNil) {
			t.Errorf("Observe(%T)\n got: %v\nwant: %v", ev, err, events.ErrNil)
		}
		if err := v.Would(ev); !errors.Is(err, events.ErrNil) {
			t.Errorf("Would(%T)\n got: %v\nwant: %v", ev, err, events.ErrNil)
		}
	}
	if err := v.Refuse(nil); !errors.Is(err, events.ErrNil) {
		t.Errorf("Refuse(nil)\n got: %v\nwant: %v", err, events.ErrNil)
	}
	if got := v.Index(); got != 0 {
		t.Errorf("Index\n got: %d\nwant: 0", got)
	}
}

func TestValuesAreEventsToo(t *testing.T) {
	for _, set := range []verify.Set{verify.Core, verify.Strict} {
		v := verify.New(set)
		ok(events.RunStarted{ThreadID: "t", RunID: "r"}, events.TextMessageStart{MessageID: "m1"},
			events.TextMessageContent{MessageID: "m1", Delta: "x"}).
			no(verify.NotOpen, events.TextMessageContent{MessageID: "m2"}).
			ok(events.TextMessageEnd{MessageID: "m1"}, events.RunFinished{ThreadID: "t", RunID: "r"}).
			play(t, v)
	}
}

func TestRefuse(t *testing.T) {
	_, err := events.Decode([]byte(`{"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":42}`))
	var field *events.FieldError
	if !errors.As(err, &field) {
		t.Fatal(err)
	}

	v := verify.New(verify.Strict)
	observe(t, v, runStart(), textChunk("m1"))
	violation := violationOf(t, v.Refuse(field))
	if violation.Rule != verify.InvalidField || violation.Index != 2 || violation.EventType != events.TypeTextMessageContent {
		t.Errorf("violation\n got: %v\nwant: InvalidField of TEXT_MESSAGE_CONTENT at 2", violation)
	}
	if !errors.Is(violation, verify.InvalidField) || !errors.As(violation, &field) {
		t.Errorf("%v unwraps to neither its rule nor its field", violation)
	}
	ok := func() {
		t.Helper()
		if err := v.Refuse(field); err != nil {
			t.Error(err)
		}
		if got, want := v.Index(), 3; got != want {
			t.Errorf("Index after a refused event\n got: %d\nwant: %d", got, want)
		}
	}
	observe(t, v, moreText()) // the lane is as it was
	if got, want := v.Index(), 4; got != want {
		t.Errorf("Index\n got: %d\nwant: %d", got, want)
	}

	for _, v = range []*verify.Verifier{verify.New(verify.Core), verify.New(verify.Strict, verify.Allow(verify.InvalidField))} {
		observe(t, v, runStart(), runFinish())
		ok()
	}
}

func TestAll(t *testing.T) {
	whole := []events.Event{runStart(), textStart("m1"), textContent("m1"), textEnd("m1"), runFinish()}
	if err := verify.All(slices.Values(whole)); err != nil {
		t.Error(err)
	}
	if err := verify.New(verify.Core).All(slices.Values(whole)); err != nil {
		t.Error(err)
	}
	tests := []struct {
		name   string
		events []events.Event
		rule   verify.Rule
		index  int
	}{
		{"cut off", whole[:4], verify.Unterminated, 4},
		{"first of two violations", slices.Concat(whole[:1], whole[2:4]), verify.NotOpen, 1},
	}
	for _, tt := range tests {
		got := violationOf(t, verify.All(slices.Values(tt.events)))
		if got.Rule != tt.rule || got.Index != tt.index {
			t.Errorf("%s\n got: %v\nwant: %s at %d", tt.name, got, tt.rule.String(), tt.index)
		}
	}
	preamble := append([]events.Event{raw()}, whole...)
	if err := verify.All(slices.Values(preamble), verify.Allow(verify.Preamble)); err != nil {
		t.Errorf("with an allowed rule: %v", err)
	}
	if err := verify.All(slices.Values([]events.Event{runStart(), nil})); !errors.Is(err, events.ErrNil) {
		t.Errorf("a nil event\n got: %v\nwant: %v", err, events.ErrNil)
	}
}

func TestOpen(t *testing.T) {
	v := verify.New(verify.Strict)
	observe(t, v, runStart(), subStart("s1"), textStart("m1", "s1"), stepStart("plan"), callIn("m1", "t1"),
		spanStart("z1"), thinkStart("z1"), textStart("m0"), stepStart("plan", "s1"))
	v.Entity(verify.KindTextMessage, "m1", tag{}).Caller = "main.go:12"
	want := []verify.Open{
		{Kind: verify.KindSubagent, ID: "s1", Owner: events.Some("s1"), Index: 1},
		{Kind: verify.KindTextMessage, ID: "m1", Owner: events.Some("s1"), Index: 2, Caller: "main.go:12"},
		{Kind: verify.KindStep, ID: "plan", Index: 3},
		{Kind: verify.KindToolCall, ID: "t1", Owner: events.Some("s1"), Index: 4},
		{Kind: verify.KindReasoningSpan, ID: "z1", Index: 5},
		{Kind: verify.KindReasoningMessage, ID: "z1", Index: 6},
		{Kind: verify.KindTextMessage, ID: "m0", Index: 7},
		{Kind: verify.KindStep, ID: "plan", Owner: events.Some("s1"), Index: 8},
	}
	if got := v.Open(); !slices.Equal(got, want) {
		t.Errorf("Open\n got: %v\nwant: %v", got, want)
	}
	texts := []string{
		`subagent "s1" (opened by event 1)`,
		`text message "m1" of subagent "s1" (opened by event 2 at main.go:12)`,
		`step "plan" (opened by event 3)`,
	}
	for i, want := range texts {
		if got := v.Open()[i].String(); got != want {
			t.Errorf("String\n got: %s\nwant: %s", got, want)
		}
	}
	observe(t, v, runError())
	if got, want := len(v.Open()), len(want); got != want {
		t.Errorf("open after RUN_ERROR\n got: %d\nwant: %d", got, want)
	}
}

func TestContent(t *testing.T) {
	v := verify.New(verify.Strict)
	observe(t, v, runStart(), textStart("m1", "s1"), callStart("t1"), thinkStart("z1"), stepStart("a"))
	for _, tt := range []struct {
		kind verify.Kind
		id   string
		by   tag
		want verify.Rule
	}{
		{verify.KindTextMessage, "m1", tag{}, 0},
		{verify.KindTextMessage, "m1", events.Some("s1"), 0},
		{verify.KindTextMessage, "m1", events.Some("s2"), verify.OwnerMismatch},
		{verify.KindTextMessage, "t1", tag{}, verify.NotOpen},
		{verify.KindToolCall, "t1", tag{}, 0},
		{verify.KindReasoningMessage, "z1", tag{}, 0},
		{verify.KindReasoningMessage, "z2", tag{}, verify.NotOpen},
	} {
		index := v.Index()
		e, err := v.Content(tt.kind, tt.id, tt.by)
		if got, want := v.Index(), index+1; got != want {
			t.Errorf("Index\n got: %d\nwant: %d", got, want)
		}
		if tt.want == 0 {
			if err != nil || e != v.Entity(tt.kind, tt.id, tt.by) {
				t.Errorf("Content(%s, %q, %v)\n got: %p, %v\nwant: the entity", tt.kind, tt.id, tt.by, e, err)
			}
			continue
		}
		if violation := violationOf(t, err); e != nil || violation.Rule != tt.want || violation.Index != index {
			t.Errorf("Content(%s, %q, %v)\n got: %v\nwant: %s at %d", tt.kind, tt.id, tt.by, err, tt.want.String(), index)
		}
	}
	for _, kind := range []verify.Kind{0, verify.KindStep, verify.KindSubagent, verify.KindReasoningSpan, verify.KindSubagent + 1, 99} {
		index := v.Index()
		e, err := v.Content(kind, "a", tag{})
		if e != nil || err == nil || errors.As(err, new(*verify.Violation)) || v.Index() != index {
			t.Errorf("Content(%s)\n got: %v, %v\nwant: an error that does not count", kind, e, err)
		}
		if v.Entity(kind, "nothing", tag{}) != nil {
			t.Errorf("Entity(%s) of nothing", kind)
		}
	}
}

func TestContentThatClosesALane(t *testing.T) {
	v := verify.New(verify.Strict)
	observe(t, v, runStart(), textStart("m1"), textChunk("m2"))
	e, err := v.Content(verify.KindTextMessage, "m1", tag{})
	if want := v.Entity(verify.KindTextMessage, "m1", tag{}); e == nil || e != want || err != nil {
		t.Errorf("Content\n got: %v, %v\nwant: %v, nil", e, err, want)
	}
	if err := v.Would(moreText()); !errors.Is(err, verify.ChunkSequence) {
		t.Errorf("a chunk after it\n got: %v\nwant: ChunkSequence", err)
	}
}

func TestContentOfNothingThatIsLetThrough(t *testing.T) {
	v := verify.New(verify.Core, verify.Allow(verify.NotOpen))
	observe(t, v, runStart())
	if e, err := v.Content(verify.KindTextMessage, "m1", tag{}); e != nil || err != nil {
		t.Errorf("Content\n got: %v, %v\nwant: nil, nil", e, err)
	}
}

func TestContinue(t *testing.T) {
	v := verify.New(verify.Strict)
	none := tag{}
	observe(t, v, runStart(), textStart("m1", "s1"))
	e := v.Entity(verify.KindTextMessage, "m1", none)
	check := func(what string, err error, want verify.Rule) {
		t.Helper()
		var got verify.Rule
		if err != nil {
			got = violationOf(t, err).Rule
		}
		if got != want {
			t.Errorf("%s\n got: %v\nwant: %s", what, err, want.String())
		}
	}
	check("open", v.Continue(e, none), 0)
	check("open, tagged", v.Continue(e, events.Some("s1")), 0)
	check("open, tagged by another", v.Continue(e, events.Some("s2")), verify.OwnerMismatch)
	if got, want := v.Index(), 5; got != want {
		t.Errorf("Index\n got: %d\nwant: %d", got, want)
	}

	if !e.IsOpen() {
		t.Error("an open entity is not open")
	}
	e.Aux = "prefix"
	observe(t, v, textEnd("m1"))
	if e.IsOpen() {
		t.Error("a closed entity is open")
	}
	check("closed", v.Continue(e, none), verify.NotOpen)
	if e.Aux != nil {
		t.Error("a closed entity keeps its Aux")
	}
	observe(t, v, textStart("m1"))
	check("closed, its id open again", v.Continue(e, none), verify.NotOpen)
	fresh := v.Entity(verify.KindTextMessage, "m1", none)
	check("opened again", v.Continue(fresh, none), 0)

	fresh.Aux = "prefix"
	m1 := assistant("m1")
	m1.SubagentRunID = events.Some("s1")
	observe(t, v, snapshot(m1))
	observe(t, v, snapshot(assistant("m1")))
	if fresh.Aux == nil {
		t.Error("Aux is gone though the message is open")
	}
	check("of another owner now", v.Continue(fresh, events.Some("s1")), verify.OwnerMismatch)

	observe(t, v, runError())
	check("after the run", v.Continue(fresh, none), verify.RunEnded)
	v.Reset()
	check("after Reset", v.Continue(fresh, none), verify.RunNotStarted)
	observe(t, v, runStart())
	check("after Reset, in a run", v.Continue(fresh, none), verify.NotOpen)
	observe(t, v, textStart("m1"))
	stale := v.Continue(fresh, none)
	check("after Reset, its id open again", stale, verify.NotOpen)
	if got, want := violationOf(t, stale).Sentence, `text message "m1" was never opened`; got != want {
		t.Errorf("sentence\n got: %s\nwant: %s", got, want)
	}

	index := v.Index()
	observe(t, v, stepStart("a"))
	for _, e := range []*verify.Entity{nil, {}, v.Entity(verify.KindStep, "a", none)} {
		if err := v.Continue(e, none); err == nil || errors.As(err, new(*verify.Violation)) {
			t.Errorf("Continue(%v)\n got: %v\nwant: an error that is no violation", e, err)
		}
	}
	if got, want := v.Index(), index+1; got != want {
		t.Errorf("Index\n got: %d\nwant: %d", got, want)
	}
}

func TestReset(t *testing.T) {
	var heard int
	v := verify.New(verify.Strict, verify.Report(func(*verify.Violation) { heard++ }, verify.NotOpen))
	run := func() {
		t.Helper()
		v.Seed([]events.Message{assistant("a1", "t1")})
		observe(t, v, runStart(), textEnd("m9"), textStart("m1", "s1"), subStart("s1"), subFinish("s1"), textChunk("m2"), result("x1", "t1"))
	}
	run()
	v.Reset()
	if got := v.Index(); got != 0 {
		t.Errorf("Index\n got: %d\nwant: 0", got)
	}
	if got := v.Open(); got != nil {
		t.Errorf("Open\n got: %v\nwant: none", got)
	}
	run()
	if want := 2; heard != want {
		t.Errorf("reports\n got: %d\nwant: %d", heard, want)
	}
}

// TestIDsAreCopied overwrites the memory of the ids after each event, as a reader that reuses its buffer does.
func TestIDsAreCopied(t *testing.T) {
	var buffers [][]byte
	in := func(id string) string {
		buf := []byte(id)
		buffers = append(buffers, buf)
		return unsafe.String(&buf[0], len(buf))
	}
	v := verify.New(verify.Strict)
	begin := func() events.Event {
		a1 := assistant(in("a1"), in("t0"))
		a1.SubagentRunID = events.Some(in("s1"))
		return &events.RunStarted{ThreadID: in("t"), RunID: in("r"), Input: &events.RunAgentInput{Messages: []events.Message{a1}}}
	}
	call := func() events.Event {
		return &events.ToolCallChunk{
			ToolCallID: events.Some(in("t2")), ToolCallName: events.Some(in("f")),
			ParentMessageID: events.Some(in("m1")), SubagentRunID: events.Some(in("s1")),
		}
	}
	for _, next := range []func() events.Event{
		begin,
		func() events.Event { return textStart(in("m1"), in("s1")) },
		func() events.Event { return textEnd(in("m1")) },
		func() events.Event { return textStart(in("m1")) },
		func() events.Event { return callIn(in("m1"), in("t1")) },
		func() events.Event { return callEnd(in("t1"), in("s1")) },
		func() events.Event { return result(in("x1"), in("t1")) },
		func() events.Event { return result(in("x0"), in("t0")) },
		func() events.Event { return stepStart(in("a"), in("s2")) },
		func() events.Event { return stepStart(in("b"), in("s2")) },
		func() events.Event { return stepFinish(in("b"), in("s2")) },
		func() events.Event { return subStart(in("s3")) },
		func() events.Event { return subFinish(in("s3")) },
		func() events.Event { return activity(in("p1"), in("s1")) },
		call,
		func() events.Event { return textChunk(in("m2"), in("s4")) },
	} {
		observe(t, v, next())
		for _, buf := range buffers {
			for i := range buf {
				buf[i] = '?'
			}
		}
	}
	rest := script{}.
		no(verify.OwnerMismatch, textContent("m1", "s2")).
		no(verify.IDCollision, thinkStart("x1")).
		no(verify.OwnerMismatch, textStart("a1", "s2")).
		no(verify.DuplicateStart, subStart("s3")).
		no(verify.OwnerMismatch, activityDelta("p1", "s2")).
		no(verify.ChunkSequence, &events.ToolCallChunk{ToolCallID: events.Some("t2"), ToolCallName: events.Some("g")}).
		ok(&events.ToolCallChunk{ToolCallID: events.Some("t2"), ToolCallName: events.Some("f"), ParentMessageID: events.Some("m1")}).
		ok(moreText("s4"), textContent("m1", "s1"), textEnd("m1"), stepFinish("a", "s2")).
		no(verify.PendingToolCalls, finish(events.RunSuccess{PendingToolCallIDs: []string{"t1"}})).
		ok(finish(events.RunSuccess{PendingToolCallIDs: []string{"t2"}}))
	for _, step := range rest {
		var got verify.Rule
		if err := v.Observe(step.event); err != nil {
			got = violationOf(t, err).Rule
		}
		if got != step.want {
			t.Errorf("%T %v\n got: %s\nwant: %s", step.event, step.event, got.String(), step.want.String())
		}
	}
}
