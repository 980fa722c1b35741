package aguiotel_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/middleware"
	aguiotel "github.com/agui-go/agui/otel"
	"github.com/agui-go/agui/verify"
)

// perBuild returns the argument of the build under test.
func perBuild[T any](byDefault, noVerify T) T {
	if build.NoVerify {
		return noVerify
	}
	return byDefault
}

// readAll is a client that reads to the end.
func readAll(_ context.CancelFunc, body io.Reader) { _, _ = io.Copy(io.Discard, body) }

// leave is a client that goes away after the first event.
func leave(cancel context.CancelFunc, body io.Reader) {
	_, _ = bufio.NewReader(body).ReadString('\n')
	cancel()
}

// leaveAtEnd is a client that goes away when it has read the terminal event.
func leaveAtEnd(cancel context.CancelFunc, body io.Reader) {
	in := bufio.NewReader(body)
	for {
		line, err := in.ReadString('\n')
		if err != nil || strings.Contains(line, `"RUN_FINISHED"`) || strings.Contains(line, `"RUN_ERROR"`) {
			cancel()
			return
		}
	}
}

// stall is a client that stays and does not read, until its request is cancelled by the test's end.
func stall(context.CancelFunc, io.Reader) {}

// typed is an error with a type of its own.
type typed string

func (e typed) Error() string     { return "upstream: " + string(e) }
func (e typed) ErrorType() string { return string(e) }

// fragileError has no text when it is nil.
type fragileError struct{ text string }

func (e *fragileError) Error() string { return e.text }

var errModel = errors.New("the model is out of order")

// runs are agents and clients, and how their run ends.
var runs = []struct {
	name   string
	opts   []middleware.Option
	agent  middleware.RunFunc
	client func(cancel context.CancelFunc, body io.Reader)

	outcome   string
	errorType string // on the span; empty: absent
	metric    string // error.type on the metric; empty: as on the span
	status    codes.Code
	reason    string // part of the status
	writeFail string // error.type of agui.stream.write.errors; empty: none, or it depends
}{
	{
		name:    "success",
		agent:   func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return nil },
		outcome: "success",
	},
	{
		name: "interrupt",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.RunInterrupt(events.Interrupt{ID: "i1", Reason: "input_required"})
		},
		outcome: "interrupt",
	},
	{
		name: "cancel",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.RunCancel()
		},
		outcome: "cancelled",
	},
	{
		name:    "an error",
		agent:   func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return errModel },
		outcome: "error", errorType: "agent_error", status: codes.Error, reason: "the model is out of order",
	},
	{
		name: "a deadline of the agent's own",
		agent: func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
			return context.DeadlineExceeded
		},
		outcome: "error", errorType: "agent_error", status: codes.Error, reason: "deadline",
	},
	{
		name:    "an error of a stranger's that has the type of a time-out",
		agent:   func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return typed("timeout") },
		outcome: "error", errorType: "timeout", status: codes.Error, reason: "upstream: timeout",
	},
	{
		name: "an error of a stranger's that has the type of a lost client",
		agent: func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
			return fmt.Errorf("more: %w", typed("client_disconnected"))
		},
		outcome: "error", errorType: "client_disconnected", metric: "_OTHER", status: codes.Error, reason: "upstream: client_disconnected",
	},
	{
		name: "a violation of somebody else's run",
		agent: func(context.Context, *events.RunAgentInput, *emitter.Emitter) error {
			return fmt.Errorf("upstream: %w", &verify.Violation{Rule: verify.NotOpen, Sentence: "it was not open"})
		},
		outcome: "error", errorType: "NotOpen", status: codes.Error, reason: "upstream",
	},
	{
		name:    "an error whose own methods panic",
		agent:   func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { return (*fragileError)(nil) },
		outcome: "error", errorType: "agent_error", status: codes.Error, reason: "fragileError",
	},
	{
		name:    "a panic",
		agent:   func(context.Context, *events.RunAgentInput, *emitter.Emitter) error { panic("oh no") },
		outcome: "error", errorType: "panic", status: codes.Error, reason: "oh no",
	},
	{
		name: "its own RUN_ERROR",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.RunError("No model.", "no_model")
		},
		outcome: "error", errorType: "no_model", metric: "_OTHER", status: codes.Error, reason: "No model.",
	},
	{
		name: "its own RUN_ERROR with a code that was announced",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.RunError("Too many.", "rate_limit")
		},
		outcome: "error", errorType: "rate_limit", status: codes.Error, reason: "Too many.",
	},
	{
		name: "its own RUN_ERROR, and the client leaves before it returns",
		agent: func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			err := em.RunError("No model.", "")
			<-ctx.Done()
			return err
		},
		client:  leaveAtEnd,
		outcome: "error", errorType: "_OTHER", status: codes.Error, reason: "No model.",
	},
	{
		name: "its own RUN_FINISHED, and the client leaves before it returns",
		agent: func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			err := em.RunFinish(nil)
			<-ctx.Done()
			return err
		},
		client:  leaveAtEnd,
		outcome: "success",
	},
	{
		name: "a violation that ends the run",
		opts: []middleware.Option{middleware.WithEmitter(emitter.FailOnViolation())},
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			_ = em.TextContent("m1", "x")
			return nil
		},
		outcome:   perBuild("violation", "success"),
		errorType: perBuild("NotOpen", ""),
		status:    perBuild(codes.Error, codes.Unset),
		reason:    perBuild(`"m1" was never opened`, ""),
	},
	{
		name: "a violation that ends the run, and then an error",
		opts: []middleware.Option{middleware.WithEmitter(emitter.FailOnViolation())},
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			_ = em.TextContent("m1", "x")
			return errModel
		},
		outcome:   perBuild("violation", "error"),
		errorType: perBuild("NotOpen", "agent_error"),
		status:    codes.Error,
	},
	{
		name: "a violation that the agent returns",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.TextContent("m1", "x")
		},
		outcome:   perBuild("violation", "success"),
		errorType: perBuild("NotOpen", ""),
		status:    perBuild(codes.Error, codes.Unset),
	},
	{
		name: "a violation that panics",
		opts: []middleware.Option{middleware.WithEmitter(emitter.FailFast())},
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return em.TextEnd("m1")
		},
		outcome:   perBuild("violation", "success"),
		errorType: perBuild("NotOpen", ""),
		status:    perBuild(codes.Error, codes.Unset),
	},
	{
		name: "half a tool call at the end",
		opts: []middleware.Option{middleware.WithEmitter(emitter.WithPolicy(emitter.Reject))},
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			return errors.Join(em.ToolStart("c1", "search"), em.ToolArgs("c1", "{"))
		},
		outcome:   perBuild("violation", "success"),
		errorType: perBuild("OpenAtFinish", ""),
		status:    perBuild(codes.Error, codes.Unset),
	},
	{
		name: "the run's time up",
		opts: []middleware.Option{middleware.WithRunTimeout(20 * time.Millisecond)},
		agent: func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
			<-ctx.Done()
			return ctx.Err()
		},
		outcome: "timeout", errorType: "timeout", status: codes.Error, reason: "time is up",
	},
	{
		name: "a client that leaves",
		agent: func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
			<-ctx.Done()
			return ctx.Err()
		},
		client:  leave,
		outcome: "client_disconnected",
	},
	{
		name: "a client that leaves while the agent writes, and whose agent says something else",
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			for em.Custom("tick", nil) == nil {
				time.Sleep(time.Millisecond)
			}
			return errModel
		},
		client:  leave,
		outcome: "client_disconnected",
	},
	{
		name: "a client that does not read",
		opts: []middleware.Option{middleware.WithWriteTimeout(100 * time.Millisecond)},
		agent: func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
			page := strings.Repeat("x", 1<<20)
			for em.Custom("page", page) == nil {
			}
			return nil
		},
		client:    stall,
		outcome:   "client_disconnected",
		writeFail: "timeout",
	},
}

func TestOutcomes(t *testing.T) {
	for _, tt := range runs {
		t.Run(tt.name, func(t *testing.T) {
			if tt.client == nil {
				tt.client = readAll
			}
			rec := newRecording()
			opts := append([]middleware.Option{rec.option(aguiotel.WithErrorTypes("rate_limit")), middleware.WithLogger(nil)}, tt.opts...)
			server := httptest.NewServer(rec.served(middleware.Handler(tt.agent, opts...)))
			defer server.Close()
			request(t, server, tt.client, func() { rec.waitForServerSpan(t) })
			checkRun(t, rec, tt.outcome, tt.errorType, tt.metric, tt.status, tt.reason)
			if tt.writeFail != "" {
				got := rec.sum(t, "agui.stream.write.errors")
				if want := map[string]int64{"error.type=" + tt.writeFail: 1}; !equal(got, want) {
					t.Errorf("agui.stream.write.errors\n got: %v\nwant: %v", got, want)
				}
			}
		})
	}
}

// TestShutdown ends a run by the signal that a server is stopped with.
func TestShutdown(t *testing.T) {
	rec := newRecording()
	drainer := middleware.NewDrainer(0)
	agent := func(ctx context.Context, _ *events.RunAgentInput, _ *emitter.Emitter) error {
		if err := syscall.Kill(syscall.Getpid(), syscall.SIGTERM); err != nil {
			return err
		}
		<-ctx.Done()
		return ctx.Err()
	}
	server := httptest.NewServer(rec.served(middleware.Handler(agent, rec.option(), middleware.WithDrainer(drainer), middleware.WithLogger(nil))))
	defer server.Close()
	server.Config.RegisterOnShutdown(drainer.Drain)
	signalled, stop := signal.NotifyContext(t.Context(), syscall.SIGTERM)
	defer stop()
	down := make(chan error, 1)
	context.AfterFunc(signalled, func() { down <- server.Config.Shutdown(t.Context()) })

	request(t, server, readAll, func() { rec.waitForServerSpan(t) })
	if err := <-down; err != nil {
		t.Errorf("shutdown: %v", err)
	}
	checkRun(t, rec, "server_shutdown", "server_shutdown", "", codes.Error, "shutting down")
}

// request starts a run and lets the client read; done is called before the request is cancelled.
func request(t *testing.T, server *httptest.Server, client func(context.CancelFunc, io.Reader), done func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	body := `{"threadId":"thread_1","runId":"run_1","parentRunId":"run_0","messages":[]}`
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	client(cancel, resp.Body)
	done()
}

// checkRun checks the one run that was recorded: its span and what the metrics say of it.
func checkRun(t *testing.T, rec *recording, outcome, errorType, metricType string, status codes.Code, reason string) {
	t.Helper()
	span := rec.span(t, "invoke_agent tester")
	if got, want := span.SpanKind(), trace.SpanKindInternal; got != want {
		t.Errorf("kind\n got: %v\nwant: %v", got, want)
	}
	if got, want := span.Parent().SpanID(), rec.span(t, "POST /").SpanContext().SpanID(); got != want {
		t.Errorf("parent\n got: %v\nwant: %v, the request's", got, want)
	}
	for key, want := range map[attribute.Key]string{
		"gen_ai.operation.name":  "invoke_agent",
		"gen_ai.agent.name":      "tester",
		"gen_ai.conversation.id": "thread_1",
		"agui.run.id":            "run_1",
		"agui.parent_run.id":     "run_0",
		"agui.run.outcome":       outcome,
		"error.type":             errorType,
	} {
		if got := value(span.Attributes(), key).AsString(); got != want {
			t.Errorf("%s\n got: %q\nwant: %q", key, got, want)
		}
	}
	if got := span.Status(); got.Code != status || !strings.Contains(got.Description, reason) {
		t.Errorf("status\n got: %v %q\nwant: %v %q", got.Code, got.Description, status, reason)
	}
	if metricType == "" {
		metricType = errorType
	}
	series := "agui.run.outcome=" + outcome + ",gen_ai.agent.name=tester"
	if metricType != "" {
		series = "agui.run.outcome=" + outcome + ",error.type=" + metricType + ",gen_ai.agent.name=tester"
	}
	seconds := rec.histogram(t, "gen_ai.invoke_agent.duration")
	if point, ok := seconds[series]; len(seconds) != 1 || !ok || point.Count != 1 {
		t.Errorf("gen_ai.invoke_agent.duration\n got: %v\nwant: one of %s", seconds, series)
	} else if got, want := point.Sum, span.EndTime().Sub(span.StartTime()).Seconds(); got != want {
		t.Errorf("gen_ai.invoke_agent.duration\n got: %v\nwant: %v, as the span", got, want)
	}
	if got, want := rec.sum(t, "agui.active_runs"), (map[string]int64{"gen_ai.agent.name=tester": 0}); !equal(got, want) {
		t.Errorf("agui.active_runs\n got: %v\nwant: %v", got, want)
	}
	var sum int64
	for _, n := range rec.sum(t, "agui.events") {
		sum += n
	}
	if got := value(span.Attributes(), "agui.events").AsInt64(); got != sum || got == 0 {
		t.Errorf("agui.events\n got: %d on the span\nwant: %d, as the metric, and not 0", got, sum)
	}
}
