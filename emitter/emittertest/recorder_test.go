package emittertest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/verify"
)

// fake is a test that keeps what is reported to it.
type fake struct {
	testing.TB
	mu       sync.Mutex
	errors   []string
	fatal    bool
	cleanups []func()
}

func (f *fake) Helper()                  {}
func (f *fake) Cleanup(fn func())        { f.cleanups = append(f.cleanups, fn) }
func (f *fake) Context() context.Context { return context.Background() }

func (f *fake) Errorf(format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.errors = append(f.errors, fmt.Sprintf(format, args...))
}

func (f *fake) Fatal(args ...any) { f.Fatalf("%s", fmt.Sprint(args...)) }

func (f *fake) Fatalf(format string, args ...any) {
	f.Errorf(format, args...)
	f.fatal = true
	runtime.Goexit()
}

// under runs do as a test and returns what it reported.
func under(do func(tb testing.TB)) *fake {
	f := &fake{}
	var wg sync.WaitGroup
	wg.Go(func() { do(f) })
	wg.Wait()
	for _, fn := range f.cleanups {
		fn()
	}
	return f
}

func reject() Option { return WithEmitter(emitter.WithPolicy(emitter.Reject)) }

func TestViolationFailsTheTest(t *testing.T) {
	f := under(func(tb testing.TB) {
		New(tb, reject()).TextContent("m1", "x")
	})
	if build.NoVerify {
		if len(f.errors) != 0 {
			t.Errorf("got %q\nwant nothing: nothing is verified in this build", f.errors)
		}
		return
	}
	if len(f.errors) != 1 || !strings.Contains(f.errors[0], "NotOpen") || !strings.Contains(f.errors[0], "recorder_test.go:") {
		t.Errorf("reported\n got %q\nwant the violation and the line of the call", f.errors)
	}
}

func TestAllowedViolations(t *testing.T) {
	var rec *Recorder
	f := under(func(tb testing.TB) {
		rec = New(tb, reject(), AllowViolations())
		rec.TextContent("m1", "x")
	})
	if len(f.errors) != 0 {
		t.Errorf("reported %q", f.errors)
	}
	if got := rec.Violations(); !build.NoVerify && (len(got) != 1 || got[0].Rule != verify.NotOpen) {
		t.Errorf("violations\n got %v\nwant NotOpen", got)
	}
}

func TestRecorderRun(t *testing.T) {
	input := &events.RunAgentInput{
		ThreadID: "t", RunID: "r",
		Messages: []events.Message{events.AssistantMessage{
			MessageBase: events.MessageBase{ID: "m0"},
			ToolCalls:   []events.ToolCall{{ID: "c0", Function: events.FunctionCall{Name: "x"}}},
		}},
	}
	rec := New(t, WithInput(input))
	if err := rec.ToolResult("c0", "yes"); err != nil {
		t.Fatal(err)
	}
	if err := rec.RunFinish(nil); err != nil {
		t.Fatal(err)
	}
	rec.AssertValid(input.Messages...)
	first, ok := rec.Events()[0].(*events.RunStarted)
	if !ok || first.ThreadID != "t" || first.RunID != "r" {
		t.Errorf("first event\n got %+v\nwant RUN_STARTED of t, r", rec.Events()[0])
	}
	bare := New(t, NotStarted())
	if got := len(bare.Bytes()); got != 0 {
		t.Errorf("a recorder that is not started wrote %d bytes", got)
	}
}

func TestAssertValid(t *testing.T) {
	f := under(func(tb testing.TB) {
		rec := New(tb)
		rec.AssertValid()
	})
	if len(f.errors) != 1 || !strings.Contains(f.errors[0], "Unterminated") {
		t.Errorf("reported\n got %q\nwant Unterminated", f.errors)
	}
}

func TestGolden(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sub", "x.golden")
	f := under(func(tb testing.TB) { New(tb).Golden(path) })
	if !f.fatal || !strings.Contains(f.errors[0], "-update") {
		t.Errorf("no file\n got %q\nwant a hint at -update", f.errors)
	}
	*update = true
	under(func(tb testing.TB) { New(tb).Golden(path) })
	*update = false
	want, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(want), "RUN_STARTED") {
		t.Fatalf("written %q, %v", want, err)
	}
	if f := under(func(tb testing.TB) { New(tb).Golden(path) }); len(f.errors) != 0 {
		t.Errorf("equal\n got %q", f.errors)
	}
	f = under(func(tb testing.TB) {
		rec := New(tb)
		rec.TextStart("m1")
		rec.Golden(path)
	})
	if len(f.errors) != 1 || !strings.Contains(f.errors[0], "line 3") || !strings.Contains(f.errors[0], "TEXT_MESSAGE_START") {
		t.Errorf("different\n got %q\nwant the first line that differs", f.errors)
	}
}

// agent answers as middleware does, with as little as a test needs.
func agent(do func(em *emitter.Emitter)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		input, err := events.DecodeInput(body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		em := emitter.New(r.Context(), emitter.ToWriter(w), emitter.WithInput(input), emitter.WithLogger(nil), emitter.WithPolicy(emitter.Reject))
		defer em.Close(nil)
		em.RunStart(input.ThreadID, input.RunID)
		do(em)
		em.RunFinish(r.Header.Get("X-Who"))
	})
}

func TestPost(t *testing.T) {
	input := &events.RunAgentInput{ThreadID: "t", RunID: "r", Messages: []events.Message{events.NewUserMessage("u1", "hi")}}
	resp := Post(t, agent(func(em *emitter.Emitter) {
		msg := em.Text()
		defer msg.Close()
		io.WriteString(msg, "hello")
	}), input, WithHeader("X-Who", "Ada"))
	resp.AssertValid()
	var types []events.Type
	for _, ev := range resp.Events() {
		types = append(types, ev.EventType())
	}
	want := []events.Type{events.TypeRunStarted, events.TypeTextMessageStart, events.TypeTextMessageContent, events.TypeTextMessageEnd, events.TypeRunFinished}
	if resp.Status != 200 || !slices.Equal(types, want) {
		t.Errorf("status %d, events\n got %v\nwant %v", resp.Status, types, want)
	}
	if !strings.Contains(string(resp.Bytes()), `"result":"Ada"`) {
		t.Errorf("the header was not sent: %s", resp.Bytes())
	}
}

func TestPostToAPath(t *testing.T) {
	input := &events.RunAgentInput{ThreadID: "t", RunID: "r"}
	mux := http.NewServeMux()
	mux.Handle("POST /agent", agent(func(*emitter.Emitter) {}))
	Post(t, mux, input, WithPath("/agent?x=1")).AssertValid()
	f := under(func(tb testing.TB) { Post(tb, mux, input).Events() })
	if !f.fatal || !strings.Contains(f.errors[0], "404 Not Found: 404 page not found") {
		t.Errorf("refused\n got %q\nwant the status and the body", f.errors)
	}
}

func TestPostSeesViolations(t *testing.T) {
	input := &events.RunAgentInput{ThreadID: "t", RunID: "r"}
	handler := agent(func(em *emitter.Emitter) { em.TextContent("m1", "x") })
	f := under(func(tb testing.TB) { Post(tb, handler, input) })
	want := 1
	if build.NoVerify {
		want = 0
	}
	if len(f.errors) != want {
		t.Errorf("reported\n got %q\nwant %d", f.errors, want)
	}
	resp := Post(t, handler, input, AllowViolations())
	if got := len(resp.Violations()); got != want {
		t.Errorf("violations\n got %d\nwant %d", got, want)
	}
}

func TestEventsRefusesOtherBytes(t *testing.T) {
	for name, bytes := range map[string]string{
		"no end":       `data: {"type":"RUN_ERROR","message":"x"}`,
		"two lines":    "data: {}\ndata: {}\n\n",
		"carriage":     "data: {\"type\":\"X\"}\r\n\n",
		"no data line": "event: x\n\n",
		"no JSON":      "data: {\n\n",
		"text":         "Internal Server Error\n",
	} {
		f := under(func(tb testing.TB) {
			stream{t: tb, bytes: func() []byte { return []byte(bytes) }}.Events()
		})
		if !f.fatal {
			t.Errorf("%s was accepted", name)
		}
	}
	comments := stream{t: t, bytes: func() []byte { return []byte(": ping\n\ndata: {\"type\":\"RUN_ERROR\",\"message\":\"x\"}\n\n") }}
	if got := len(comments.Events()); got != 1 {
		t.Errorf("events beside a comment\n got %d\nwant 1", got)
	}
}

func TestWhatWasNotWrittenFailsTheTest(t *testing.T) {
	f := under(func(tb testing.TB) { New(tb).StateSnapshot(make(chan int)) })
	if len(f.errors) != 1 || !strings.Contains(f.errors[0], "cannot be encoded") {
		t.Errorf("reported\n got %q\nwant the error", f.errors)
	}
	if f := under(func(tb testing.TB) { New(tb, AllowViolations()).StateSnapshot(make(chan int)) }); len(f.errors) != 0 {
		t.Errorf("allowed, and reported %q", f.errors)
	}
}

func TestNothingIsReportedWhenTheTestIsOver(t *testing.T) {
	var rec *Recorder
	f := under(func(tb testing.TB) { rec = New(tb, reject()) })
	rec.TextContent("m", "x")
	rec.StateSnapshot(make(chan int))
	if len(f.errors) != 0 {
		t.Errorf("reported %q", f.errors)
	}
}

func TestRun(t *testing.T) {
	input := &events.RunAgentInput{ThreadID: "t", RunID: "r"}
	boom := errors.New("boom")
	for name, tt := range map[string]struct {
		agent func(context.Context, *events.RunAgentInput, *emitter.Emitter) error
		last  string
	}{
		"nil":     {func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return nil }, `"RUN_FINISHED","threadId":"t"`},
		"error":   {func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return boom }, `"agent_error"`},
		"own end": {func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error { return em.RunCancel() }, `"cancelled"`},
		"a goroutine that fails": {func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.Go(func(context.Context) error { return boom })
		}, `"agent_error"`},
	} {
		t.Run(name, func(t *testing.T) {
			rec := Run(t, tt.agent, input)
			rec.AssertValid()
			if got := string(rec.Bytes()); !strings.Contains(got[strings.LastIndex(got, "data: "):], tt.last) {
				t.Errorf("last event\n got %s\nwant %s", got, tt.last)
			}
		})
	}
	for name, do := range map[string]func(tb testing.TB){
		"Run":  func(tb testing.TB) { Run(tb, nil, nil) },
		"Post": func(tb testing.TB) { Post(tb, nil, nil) },
	} {
		if f := under(do); !f.fatal {
			t.Errorf("%s took a nil input", name)
		}
	}
}
