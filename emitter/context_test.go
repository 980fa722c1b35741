package emitter_test

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/verify"
)

func TestContextCarriesTheEmitter(t *testing.T) {
	var outer, inner bytes.Buffer
	around := emitter.New(t.Context(), emitter.ToWriter(&outer), emitter.WithLogger(nil))
	defer around.Close(nil)
	em := emitter.New(around.Context(), emitter.ToWriter(&inner), emitter.WithLogger(nil))
	defer em.Close(nil)
	from, ok := emitter.FromContext(em.Context())
	if !ok {
		t.Fatal("the run's context carries no emitter")
	}
	must(t, from.RunStart("t", "r"))
	if !em.Started() || around.Started() {
		t.Errorf("started:\n got the run %t, the one around it %t\nwant true, false", em.Started(), around.Started())
	}
}

// TestContextOfASubagent: what a tool finds in a subagent's context writes with the subagent's tag, and
// nothing when the subagent could not be started.
func TestContextOfASubagent(t *testing.T) {
	var out bytes.Buffer
	em := emitter.New(t.Context(), emitter.ToWriter(&out), emitter.WithLogger(nil), emitter.WithPolicy(emitter.Reject, verify.DuplicateStart))
	defer em.Close(nil)
	must(t, em.RunStart("t", "r"))
	sub := em.Subagent("s1", "one")
	must(t, sub.Err())
	from, ok := emitter.FromContext(sub.Context())
	if !ok {
		t.Fatal("the subagent's context carries no emitter")
	}
	must(t, from.TextStart("m1"))
	if want := `{"type":"TEXT_MESSAGE_START","messageId":"m1","subagentRunId":"s1"}`; !strings.Contains(out.String(), want) {
		t.Errorf("written\n got %s\nwant %s", out.String(), want)
	}

	if build.NoVerify {
		return // where nothing refuses a subagent
	}
	refused := em.Subagent("s1", "two")
	from, _ = emitter.FromContext(refused.Context())
	if got := from.TextStart("m2"); got == nil || got != refused.Err() {
		t.Errorf("writing through the context of a refused subagent\n got %v\nwant %v", got, refused.Err())
	}
}

// looker looks for an emitter where it is started.
type looker struct {
	emitter.Observer
	found bool
}

func (l *looker) Start(ctx context.Context, _ *events.RunAgentInput) context.Context {
	_, l.found = emitter.FromContext(ctx)
	return ctx
}
func (*looker) Event(events.Type, events.Event, int)         {}
func (*looker) Flush(error)                                  {}
func (*looker) End(context.Context, events.Event, error)     {}
func (*looker) Violation(context.Context, *verify.Violation) {}

func TestNoEmitterBeforeThereIsOne(t *testing.T) {
	var l looker
	em := emitter.New(t.Context(), emitter.ToWriter(io.Discard), emitter.WithObserver(func() emitter.Observer { return &l }))
	defer em.Close(nil)
	if l.found {
		t.Error("an observer found the emitter in the context of its Start, when the emitter was not made yet")
	}
}

// custom is a context of a type of its own that knows how to call back.
type custom struct {
	context.Context
	calls *int
}

func (custom) Done() <-chan struct{} { return make(chan struct{}) }

func (c custom) AfterFunc(func()) func() bool {
	*c.calls++
	return func() bool { return true }
}

func TestCustomContextIsAskedToCallBack(t *testing.T) {
	calls := 0
	em := emitter.New(custom{t.Context(), &calls}, emitter.ToWriter(io.Discard))
	defer em.Close(nil)
	if calls != 1 {
		t.Errorf("AfterFunc of the context\n got %d calls\nwant 1: otherwise each run has a goroutine that waits", calls)
	}
}
