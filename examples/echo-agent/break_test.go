package main

import (
	"bytes"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/agui-go/agui/emitter/emittertest"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/verify"
)

// broken is what becomes of the mode break.
type broken struct {
	wire string
	// valid says that the stream keeps all rules.
	valid bool
	// recorded says that the violation is in the log and on the span.
	recorded bool
	// callSite says that the span event has the file and line of the call.
	callSite bool
}

// inThisBuild returns what becomes of the mode break in the build under test.
func inThisBuild() broken {
	const started = `
		{"type":"RUN_STARTED","threadId":"t","runId":"r","protocolVersion":"1.0"}`
	switch {
	case build.Debug:
		return broken{wire: started + `
			{"type":"RUN_ERROR","message":"text message \"msg_never_opened\" was never opened","code":"protocol_violation"}`,
			valid: true, recorded: true, callSite: true}
	case build.NoVerify:
		return broken{wire: started + `
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_never_opened","delta":"Can you hear me?"}
			{"type":"TEXT_MESSAGE_START","messageId":"msg_1"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"I made a mistake, and you saw it."}
			{"type":"TEXT_MESSAGE_END","messageId":"msg_1"}
			{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`}
	default:
		return broken{wire: started + `
			{"type":"TEXT_MESSAGE_START","messageId":"msg_1"}
			{"type":"TEXT_MESSAGE_CONTENT","messageId":"msg_1","delta":"I made a mistake, and you did not see it."}
			{"type":"TEXT_MESSAGE_END","messageId":"msg_1"}
			{"type":"RUN_FINISHED","threadId":"t","runId":"r"}`,
			valid: true, recorded: true}
	}
}

// TestBreak is not parallel: it looks at the default logger.
func TestBreak(t *testing.T) {
	want := inThisBuild()
	var log bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(old)
	spans, tracer := recordSpans()

	resp := emittertest.Post(t, newServer(tracer), saying("break"), emittertest.AllowViolations(), emittertest.WithPath("/agent"))

	checkWire(t, resp.Bytes(), want.wire)
	err := verify.All(slices.Values(resp.Events()))
	if want.valid != (err == nil) {
		t.Errorf("the stream is valid\n got: %t (%v)\nwant: %t", err == nil, err, want.valid)
	}
	if !want.valid && !errors.Is(err, verify.NotOpen) {
		t.Errorf("what is wrong with the stream\n got: %v\nwant: NotOpen", err)
	}
	checkRecorded(t, want, log.String(), spans.Ended())
}

// checkRecorded checks the log and the request's span.
func checkRecorded(t *testing.T, want broken, log string, spans []sdktrace.ReadOnlySpan) {
	t.Helper()
	lines := strings.Count(log, "a rule of the protocol was broken")
	if got, want := lines, count(want.recorded); got != want {
		t.Errorf("log lines of the violation\n got: %d\nwant: %d\n%s", got, want, log)
	}
	if len(spans) != 1 {
		t.Fatalf("spans\n got: %d\nwant: 1", len(spans))
	}
	if got, want := len(spans[0].Events()), count(want.recorded); got != want {
		t.Fatalf("span events\n got: %d\nwant: %d", got, want)
	}
	if !want.recorded {
		return
	}
	event := spans[0].Events()[0]
	if got, want := event.Name, violationEvent; got != want {
		t.Errorf("name of the span event\n got: %s\nwant: %s", got, want)
	}
	attributes := attribute.NewSet(event.Attributes...)
	wantAttributes := []attribute.KeyValue{
		attribute.String("agui.rule", "NotOpen"),
		attribute.String("agui.event.type", "TEXT_MESSAGE_CONTENT"),
		attribute.String("agui.entity.id", "msg_never_opened"),
		attribute.Int("agui.event.index", 1),
	}
	if want.callSite {
		file, line := mistake(t)
		wantAttributes = append(wantAttributes, attribute.String("code.file.path", file), attribute.Int("code.line.number", line))
	}
	if want := attribute.NewSet(wantAttributes...); !attributes.Equals(&want) {
		t.Errorf("attributes of the span event\n got: %s\nwant: %s",
			attributes.Encoded(attribute.DefaultEncoder()), want.Encoded(attribute.DefaultEncoder()))
	}
}

// mistake returns where in the source the mode break makes its mistake.
func mistake(t *testing.T) (file string, line int) {
	t.Helper()
	file, err := filepath.Abs("modes.go")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := strings.Cut(string(source), `em.TextContent("msg_never_opened"`)
	if !found {
		t.Fatal("modes.go makes no mistake")
	}
	return file, strings.Count(before, "\n") + 1
}

func count(one bool) int {
	if one {
		return 1
	}
	return 0
}

// recordSpans returns a tracer and what it has recorded.
func recordSpans() (*tracetest.SpanRecorder, trace.Tracer) {
	recorder := tracetest.NewSpanRecorder()
	return recorder, sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(recorder)).Tracer("")
}
