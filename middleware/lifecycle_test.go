package middleware_test

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/middleware"
)

const (
	started  = "RUN_STARTED"
	finished = "RUN_STARTED RUN_FINISHED"
	failed   = "RUN_STARTED RUN_ERROR"
)

// ends are the ways in which an agent may end, and what the client gets.
var ends = []struct {
	name  string
	opts  []middleware.Option
	agent middleware.RunFunc
	types string
	code  string
	// message is the RUN_ERROR's; a trailing … stands for the rest.
	message string
	log     string // something that is logged; empty: nothing is
	once    bool   // and nothing else, except in builds that panic
	broken  bool   // the connection is cut after the stream
	invalid bool   // the build lets a wrong stream out
}{
	{
		name:  "nil",
		agent: func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return nil },
		types: finished,
	},
	{
		name: "an error",
		agent: func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
			return errors.New("secret")
		},
		types:   failed,
		code:    middleware.CodeAgentError,
		message: "The agent failed.",
		log:     "error=secret",
	},
	{
		name: "an error with a message open",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			_ = em.TextStart("m1")
			return errors.New("secret")
		},
		types:   "RUN_STARTED TEXT_MESSAGE_START RUN_ERROR",
		code:    middleware.CodeAgentError,
		message: "The agent failed.",
		log:     "error=secret",
	},
	{
		name:    "a panic",
		agent:   func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { panic("secret") },
		types:   failed,
		code:    middleware.CodePanic,
		message: "The agent failed unexpectedly.",
		log:     "panic=secret",
	},
	{
		name:    "a panic with its stack logged",
		agent:   func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return explode() },
		types:   failed,
		code:    middleware.CodePanic,
		message: "The agent failed unexpectedly.",
		log:     "middleware_test.explode",
	},
	{
		name:    "http.ErrAbortHandler",
		agent:   func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { panic(http.ErrAbortHandler) },
		types:   failed,
		code:    middleware.CodePanic,
		message: "The agent failed unexpectedly.",
		broken:  true,
	},
	{
		name: "runtime.Goexit",
		agent: func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
			runtime.Goexit()
			return nil
		},
		types:   failed,
		code:    middleware.CodePanic,
		message: "The agent failed unexpectedly.",
		log:     "runtime.Goexit",
		broken:  true, // net/http does not end the response of a handler whose goroutine is gone
	},
	{
		name: "nil with a message open",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.TextStart("m1")
		},
		types: perBuild(
			"RUN_STARTED TEXT_MESSAGE_START TEXT_MESSAGE_END RUN_FINISHED",
			"RUN_STARTED TEXT_MESSAGE_START RUN_ERROR",
			"RUN_STARTED TEXT_MESSAGE_START RUN_FINISHED"),
		code:    perBuild("", emitter.CodeProtocolViolation, ""),
		message: perBuild("", `text message "m1"…`, ""),
		log:     perBuild("rule=OpenAtFinish", "rule=OpenAtFinish", ""),
		invalid: build.NoVerify,
	},
	{
		name: "nil with half a tool call open",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return errors.Join(em.ToolStart("c1", "search"), em.ToolArgs("c1", `{"query":`))
		},
		types: perBuild(
			"RUN_STARTED TOOL_CALL_START TOOL_CALL_ARGS RUN_ERROR",
			"RUN_STARTED TOOL_CALL_START TOOL_CALL_ARGS RUN_ERROR",
			"RUN_STARTED TOOL_CALL_START TOOL_CALL_ARGS RUN_FINISHED"),
		code:    perBuild(emitter.CodeProtocolViolation, emitter.CodeProtocolViolation, ""),
		message: perBuild(emitter.ViolationMessage, `tool call "c1"…`, ""),
		log:     perBuild("rule=OpenAtFinish", "rule=OpenAtFinish", ""),
		invalid: build.NoVerify,
	},
	{
		name: "nil with a whole tool call open",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return errors.Join(em.ToolStart("c1", "search"), em.ToolArgs("c1", `{"query":1}`))
		},
		types: perBuild(
			"RUN_STARTED TOOL_CALL_START TOOL_CALL_ARGS TOOL_CALL_END RUN_FINISHED",
			"RUN_STARTED TOOL_CALL_START TOOL_CALL_ARGS RUN_ERROR",
			"RUN_STARTED TOOL_CALL_START TOOL_CALL_ARGS RUN_FINISHED"),
		code:    perBuild("", emitter.CodeProtocolViolation, ""),
		message: perBuild("", `tool call "c1"…`, ""),
		log:     perBuild("rule=OpenAtFinish", "rule=OpenAtFinish", ""),
		invalid: build.NoVerify,
	},
	{
		name: "nil with a subagent active",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.Subagent("s1", "researcher").Err()
		},
		types: perBuild(
			"RUN_STARTED SUBAGENT_STARTED RUN_ERROR",
			"RUN_STARTED SUBAGENT_STARTED RUN_ERROR",
			"RUN_STARTED SUBAGENT_STARTED RUN_FINISHED"),
		code:    perBuild(emitter.CodeProtocolViolation, emitter.CodeProtocolViolation, ""),
		message: perBuild(emitter.ViolationMessage, `subagent "s1"…`, ""),
		log:     perBuild("rule=OpenAtFinish", "rule=OpenAtFinish", ""),
		invalid: build.NoVerify,
	},
	{
		name: "nil with a message open, OnOpenAtReturn Fail",
		opts: []middleware.Option{middleware.WithOnOpenAtReturn(middleware.Fail)},
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.TextStart("m1")
		},
		types: perBuild(
			"RUN_STARTED TEXT_MESSAGE_START RUN_ERROR",
			"RUN_STARTED TEXT_MESSAGE_START RUN_ERROR",
			"RUN_STARTED TEXT_MESSAGE_START RUN_FINISHED"),
		code:    perBuild(emitter.CodeProtocolViolation, emitter.CodeProtocolViolation, ""),
		message: perBuild(emitter.ViolationMessage, `text message "m1"…`, ""),
		log:     perBuild("rule=OpenAtFinish", "rule=OpenAtFinish", ""),
		invalid: build.NoVerify,
	},
	{
		name: "nil with a message open, FailOnViolation",
		opts: []middleware.Option{middleware.WithEmitter(emitter.FailOnViolation())},
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.TextStart("m1")
		},
		types: perBuild(
			"RUN_STARTED TEXT_MESSAGE_START RUN_ERROR",
			"RUN_STARTED TEXT_MESSAGE_START RUN_ERROR",
			"RUN_STARTED TEXT_MESSAGE_START RUN_FINISHED"),
		code:    perBuild(emitter.CodeProtocolViolation, emitter.CodeProtocolViolation, ""),
		message: perBuild(emitter.ViolationMessage, `text message "m1"…`, ""),
		log:     perBuild("rule=OpenAtFinish", "rule=OpenAtFinish", ""),
		once:    true,
		invalid: build.NoVerify,
	},
	{
		name: "its own RUN_FINISHED",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.RunFinish("done")
		},
		types: finished,
	},
	{
		name: "its own interrupt",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.RunInterrupt(events.Interrupt{ID: "i1", Reason: "input_required"})
		},
		types: finished,
	},
	{
		name: "its own RUN_ERROR",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.RunError("no model", "no_model")
		},
		types:   failed,
		code:    "no_model",
		message: "no model",
	},
	{
		name: "its own RUN_FINISHED, then an error",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return errors.Join(em.RunFinish(nil), errors.New("secret"))
		},
		types: finished,
		log:   "error=secret",
	},
	{
		name: "its own RUN_FINISHED, then a panic",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			_ = em.RunFinish(nil)
			panic("secret")
		},
		types: finished,
		log:   "panic=secret",
	},
	{
		name: "a broken rule, and on",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			_ = em.TextContent("m1", "x")
			return nil
		},
		types: perBuild(
			finished,
			failed,
			"RUN_STARTED TEXT_MESSAGE_CONTENT RUN_FINISHED"),
		code:    perBuild("", emitter.CodeProtocolViolation, ""),
		message: perBuild("", `text message "m1" was never opened…`, ""),
		log:     perBuild("rule=NotOpen", "rule=NotOpen", ""),
		invalid: build.NoVerify,
	},
	{
		name: "a broken rule, FailOnViolation",
		opts: []middleware.Option{middleware.WithEmitter(emitter.FailOnViolation())},
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			_ = em.TextContent("m1", "x")
			return nil
		},
		types: perBuild(
			failed,
			failed,
			"RUN_STARTED TEXT_MESSAGE_CONTENT RUN_FINISHED"),
		code:    perBuild(emitter.CodeProtocolViolation, emitter.CodeProtocolViolation, ""),
		message: perBuild(emitter.ViolationMessage, `text message "m1" was never opened…`, ""),
		log:     perBuild("rule=NotOpen", "rule=NotOpen", ""),
		invalid: build.NoVerify,
	},
	{
		name: "a broken rule, FailFast",
		opts: []middleware.Option{middleware.WithEmitter(emitter.FailFast())},
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			_ = em.TextContent("m1", "x")
			return nil
		},
		types: perBuild(
			failed,
			failed,
			"RUN_STARTED TEXT_MESSAGE_CONTENT RUN_FINISHED"),
		code:    perBuild(emitter.CodeProtocolViolation, emitter.CodeProtocolViolation, ""),
		message: perBuild(`text message "m1" was never opened…`, `text message "m1" was never opened…`, ""),
		log:     perBuild("panic=", "panic=", ""),
		invalid: build.NoVerify,
	},
	{
		name: "the run's time up",
		opts: []middleware.Option{middleware.WithRunTimeout(20 * time.Millisecond)},
		agent: func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
			<-ctx.Done()
			return context.Cause(ctx)
		},
		types:   failed,
		code:    middleware.CodeRunTimeout,
		message: "The run took too long and was ended.",
		log:     "took too long",
	},
	{
		name: "PublicError",
		opts: []middleware.Option{middleware.WithPublicError(func(err error) (string, string) {
			return "Sorry: " + err.Error(), "sorry"
		})},
		agent:   func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return errors.New("no model") },
		types:   failed,
		code:    "sorry",
		message: "Sorry: no model",
		log:     "no model",
	},
	{
		name:    "PublicError that says nothing",
		opts:    []middleware.Option{middleware.WithPublicError(func(error) (string, string) { return "", "" })},
		agent:   func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { panic("secret") },
		types:   failed,
		code:    middleware.CodePanic,
		message: "The agent failed unexpectedly.",
		log:     "panic=secret",
	},
	{
		name:    "PublicError that panics",
		opts:    []middleware.Option{middleware.WithPublicError(func(error) (string, string) { panic("oops") })},
		agent:   func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return errors.New("secret") },
		types:   failed,
		code:    middleware.CodeAgentError,
		message: "The agent failed.",
		log:     "panic=oops",
	},
	{
		name: "FailRun",
		agent: func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
			middleware.FailRun(ctx, errors.New("secret"))
			return nil
		},
		types:   failed,
		code:    middleware.CodeAgentError,
		message: "The agent failed.",
		log:     "error=secret",
	},
}

func explode() error { panic("secret") }

func TestExactlyOneTerminalEvent(t *testing.T) {
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		for _, tt := range ends {
			t.Run(tt.name, func(t *testing.T) {
				var log logs
				got := post(t, serve(tt.agent, append(tt.opts, log.option())...), input)
				if got.status != http.StatusOK {
					t.Fatalf("status:\n got %d\nwant %d", got.status, http.StatusOK)
				}
				if types := got.types(t); types != tt.types {
					t.Errorf("events:\n got %s\nwant %s", types, tt.types)
				}
				if !tt.invalid {
					got.assertValid(t)
				}
				message, code := got.runError(t)
				if code != tt.code {
					t.Errorf("code:\n got %q\nwant %q", code, tt.code)
				}
				if !matches(message, tt.message) {
					t.Errorf("message:\n got %q\nwant %q", message, tt.message)
				}
				if strings.Contains(got.body, "secret") {
					t.Errorf("the client was told a secret:\n%s", got.body)
				}
				if (got.err != nil) != tt.broken {
					t.Errorf("end of the connection:\n got %v\nwant broken: %t", got.err, tt.broken)
				}
				if n := strings.Count(log.String(), "\n"); tt.once && n != perBuild(1, 2, 0) {
					t.Errorf("lines logged:\n got %d\nwant %d\n%s", n, perBuild(1, 2, 0), log.String())
				}
				if logged := log.String(); !strings.Contains(logged, tt.log) || (tt.log == "") != (logged == "") {
					t.Errorf("log:\n got %s\nwant %q", logged, tt.log)
				}
			})
		}
	})
}

func matches(got, want string) bool {
	if prefix, ok := strings.CutSuffix(want, "…"); ok {
		return strings.HasPrefix(got, prefix)
	}
	return got == want
}

// TestOpenAtFinishIsRecordedOnce finds the mistake of an agent that returns with a message open on the
// span of its request.
func TestOpenAtFinishIsRecordedOnce(t *testing.T) {
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		recorder := tracetest.NewSpanRecorder()
		tracer := sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder)).Tracer("test")
		handler := serve(func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.TextStart("m1")
		}, middleware.WithLogger(nil))
		post(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			ctx, span := tracer.Start(r.Context(), "POST /agent")
			defer span.End()
			handler.ServeHTTP(w, r.WithContext(ctx))
		}), input)
		var rules []string
		for _, event := range recorder.Ended()[0].Events() {
			for _, attr := range event.Attributes {
				if attr.Key == "agui.rule" {
					rules = append(rules, attr.Value.AsString())
				}
			}
		}
		want := perBuild([]string{"OpenAtFinish"}, []string{"OpenAtFinish"}, nil)
		if !slices.Equal(rules, want) {
			t.Errorf("span events:\n got %q\nwant %q", rules, want)
		}
	})
}

func TestRunContext(t *testing.T) {
	type key struct{}
	const limit = time.Hour
	eachShape(t, func(t *testing.T, serve func(middleware.RunFunc, ...middleware.Option) http.Handler) {
		var ctx context.Context
		var em *emitter.Emitter
		agent := func(c context.Context, in *events.RunAgentInput, e *emitter.Emitter) error {
			ctx, em = c, e
			if err := c.Err(); err != nil {
				t.Errorf("the context of a live run: %v", err)
			}
			if in.ThreadID != "thread_1" {
				t.Errorf("input:\n got thread %q\nwant thread_1", in.ThreadID)
			}
			if got, _ := middleware.InputFromContext(c); got != in {
				t.Errorf("InputFromContext:\n got %p\nwant %p", got, in)
			}
			if r, ok := middleware.RequestFromContext(c); !ok || r.Method != http.MethodPost {
				t.Errorf("RequestFromContext:\n got %v, %t\nwant the POST request", r, ok)
			}
			if got, ok := emitter.FromContext(c); !ok || !got.Started() {
				t.Errorf("emitter.FromContext:\n got %v, %t\nwant the run's emitter", got, ok)
			}
			if c.Value(key{}) != "prepared" {
				t.Errorf("value of the prepared context:\n got %v\nwant prepared", c.Value(key{}))
			}
			if d, ok := c.Deadline(); !ok || time.Until(d) > limit {
				t.Errorf("deadline:\n got %v, %t\nwant one within %v", d, ok, limit)
			}
			return nil
		}
		prepare := func(r *http.Request, _ *events.RunAgentInput) (context.Context, error) {
			return context.WithValue(r.Context(), key{}, "prepared"), nil
		}
		post(t, serve(agent, middleware.WithPrepare(prepare), middleware.WithRunTimeout(limit)), input)

		if err := ctx.Err(); err == nil {
			t.Error("the context of a run that is over is not cancelled")
		}
		if err := em.Custom("x:late", nil); !errors.Is(err, emitter.ErrClosed) {
			t.Errorf("a call after the run:\n got %v\nwant %v", err, emitter.ErrClosed)
		}
	})
}

func TestOutsideARun(t *testing.T) {
	ctx := context.Background()
	if in, ok := middleware.InputFromContext(ctx); ok {
		t.Errorf("InputFromContext:\n got %v\nwant none", in)
	}
	if r, ok := middleware.RequestFromContext(ctx); ok {
		t.Errorf("RequestFromContext:\n got %v\nwant none", r)
	}
	if w, ok := middleware.ResponseFromContext(ctx); ok {
		t.Errorf("ResponseFromContext:\n got %v\nwant none", w)
	}
	middleware.FailRun(ctx, errors.New("nobody fails"))
}

func TestParentRunIsEchoed(t *testing.T) {
	got := post(t, middleware.Handler(func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return nil }, middleware.WithLogger(nil)),
		`{"threadId":"t","runId":"r","parentRunId":"p","protocolVersion":"1.4","messages":[]}`)
	want := `data: {"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0","parentRunId":"p"}`
	if first, _, _ := strings.Cut(got.body, "\n"); first != want {
		t.Errorf("first frame:\n got %s\nwant %s", first, want)
	}
}

func TestHistoryIsKnown(t *testing.T) {
	agent := func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
		return em.ToolResult("c1", "42")
	}
	got := post(t, middleware.Handler(agent),
		`{"threadId":"t","runId":"r","messages":[{"id":"a","role":"assistant","toolCalls":[{"id":"c1","type":"function","function":{"name":"ask","arguments":"{}"}}]}]}`)
	if want := "RUN_STARTED TOOL_CALL_RESULT RUN_FINISHED"; got.types(t) != want {
		t.Errorf("a result for a call of an earlier run:\n got %s\nwant %s", got.types(t), want)
	}
}

func TestAgentIsNeeded(t *testing.T) {
	defer func() {
		if got, want := recover(), "middleware: Handler needs an agent"; got != want {
			t.Errorf("panic:\n got %v\nwant %v", got, want)
		}
	}()
	middleware.Handler(nil)
}
