package otlptest

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetrichttp"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	spanpb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/build"
	"github.com/agui-go/agui/middleware"
	aguiotel "github.com/agui-go/agui/otel"
)

const (
	traceID    = "0af7651916cd43dd8448eb211c80319c"
	frontEnd   = "b7ad6b7169203331" // the front end's span
	httpScope  = "go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	serverKind = spanpb.Span_SPAN_KIND_SERVER
	clientKind = spanpb.Span_SPAN_KIND_CLIENT
	inner      = spanpb.Span_SPAN_KIND_INTERNAL
)

// providers are SDKs that export to the receiver.
type providers struct {
	spans   *sdktrace.TracerProvider
	metrics *sdkmetric.MeterProvider
}

func newProviders(t *testing.T, url string) providers {
	t.Helper()
	spans, err := otlptracehttp.New(t.Context(), otlptracehttp.WithEndpointURL(url+"/v1/traces"))
	if err != nil {
		t.Fatal(err)
	}
	metrics, err := otlpmetrichttp.New(t.Context(), otlpmetrichttp.WithEndpointURL(url+"/v1/metrics"))
	if err != nil {
		t.Fatal(err)
	}
	return providers{
		sdktrace.NewTracerProvider(sdktrace.WithBatcher(spans)),
		sdkmetric.NewMeterProvider(sdkmetric.WithReader(sdkmetric.NewPeriodicReader(metrics))),
	}
}

// shutdown sends all that is left.
func (p providers) shutdown(t *testing.T) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	if err := p.spans.Shutdown(ctx); err != nil {
		t.Errorf("spans: %v", err)
	}
	if err := p.metrics.Shutdown(ctx); err != nil {
		t.Errorf("metrics: %v", err)
	}
}

// httpOptions are the options of the instrumentation of HTTP, on either side.
func (p providers) httpOptions() []otelhttp.Option {
	return []otelhttp.Option{
		otelhttp.WithTracerProvider(p.spans),
		otelhttp.WithMeterProvider(metricnoop.NewMeterProvider()),
		otelhttp.WithPropagators(propagation.TraceContext{}),
	}
}

// TestRunReachesTheReceiver follows one run: a front end's request with a trace, a server with otelhttp, an
// agent that calls a tool over HTTP and breaks a rule.
func TestRunReachesTheReceiver(t *testing.T) {
	receiver := newReceiver(t)
	to := newProviders(t, receiver.URL)

	traceparent := make(chan string, 1)
	tool := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { traceparent <- r.Header.Get("traceparent") }))
	defer tool.Close()
	client := &http.Client{Transport: otelhttp.NewTransport(tool.Client().Transport, to.httpOptions()...)}

	agent := func(ctx context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
		if err := get(ctx, client, tool.URL); err != nil {
			return err
		}
		_ = em.TextContent("m1", "never opened")
		return nil
	}
	handler := middleware.Handler(agent,
		middleware.WithTelemetry(aguiotel.New(aguiotel.WithAgent("tester"), aguiotel.WithTracerProvider(to.spans), aguiotel.WithMeterProvider(to.metrics),
			aguiotel.WithTraceHeader(), aguiotel.WithTraceEvent())),
		middleware.WithEmitter(emitter.WithPolicy(emitter.Reject)), middleware.WithLogger(nil))
	server := httptest.NewServer(otelhttp.NewHandler(handler, "agent", to.httpOptions()...))
	defer server.Close()

	header, stream := ask(t, server)
	server.Close() // waits for the handler, and so for its span
	to.shutdown(t)

	request := receiver.span(t, httpScope, serverKind)
	run := receiver.span(t, aguiotel.ScopeName, inner)
	call := receiver.span(t, httpScope, clientKind)
	checkParent(t, "the request's span", request, frontEnd)
	checkParent(t, "the run's span", run, hex.EncodeToString(request.GetSpanId()))
	checkParent(t, "the tool's span", call, hex.EncodeToString(run.GetSpanId()))
	checkRun(t, run)
	for name, s := range map[string]span{"the request's span": request, "the tool's span": call} {
		if got := len(s.GetEvents()); got != 0 {
			t.Errorf("events on %s\n got: %d\nwant: none", name, got)
		}
	}
	if got, want := <-traceparent, "00-"+traceID+"-"+hex.EncodeToString(call.GetSpanId())+"-01"; got != want {
		t.Errorf("traceparent at the tool\n got: %s\nwant: %s", got, want)
	}
	checkFrontEnd(t, header, stream, hex.EncodeToString(run.GetSpanId()))
	checkMetrics(t, receiver)
}

// get calls the tool.
func get(ctx context.Context, client *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// ask sends the front end's request and returns the response.
func ask(t *testing.T, server *httptest.Server) (http.Header, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL, strings.NewReader(`{"threadId":"t","runId":"r","messages":[]}`))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("traceparent", "00-"+traceID+"-"+frontEnd+"-01")
	resp, err := server.Client().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.Header, string(body)
}

func checkParent(t *testing.T, name string, s span, want string) {
	t.Helper()
	if got := hex.EncodeToString(s.GetTraceId()); got != traceID {
		t.Errorf("trace of %s\n got: %s\nwant: %s", name, got, traceID)
	}
	if got := hex.EncodeToString(s.GetParentSpanId()); got != want {
		t.Errorf("parent of %s\n got: %s\nwant: %s", name, got, want)
	}
}

func checkRun(t *testing.T, run span) {
	t.Helper()
	if got, want := run.GetName(), "invoke_agent tester"; got != want {
		t.Errorf("name\n got: %q\nwant: %q", got, want)
	}
	for key, want := range map[string]string{
		"gen_ai.operation.name": "invoke_agent", "gen_ai.conversation.id": "t", "agui.run.id": "r", "agui.run.outcome": "success",
	} {
		if got := text(run.GetAttributes(), key); got != want {
			t.Errorf("%s\n got: %q\nwant: %q", key, got, want)
		}
	}
	if build.NoVerify {
		if got := len(run.GetEvents()); got != 0 {
			t.Errorf("events on the run's span\n got: %d\nwant: none, nothing is verified", got)
		}
		return
	}
	if got := len(run.GetEvents()); got != 1 {
		t.Fatalf("events on the run's span\n got: %d\nwant: 1", got)
	}
	event := run.GetEvents()[0]
	if got, want := event.GetName(), "agui.verify.violation"; got != want {
		t.Errorf("event\n got: %q\nwant: %q", got, want)
	}
	for key, want := range map[string]string{"agui.rule": "NotOpen", "agui.event.type": "TEXT_MESSAGE_CONTENT", "agui.entity.id": "m1"} {
		if got := text(event.GetAttributes(), key); got != want {
			t.Errorf("%s\n got: %q\nwant: %q", key, got, want)
		}
	}
}

// checkFrontEnd checks what the front end is told of the trace.
func checkFrontEnd(t *testing.T, header http.Header, stream, runSpan string) {
	t.Helper()
	if got, want := header.Get("traceresponse"), "00-"+traceID+"-"+runSpan+"-01"; got != want {
		t.Errorf("traceresponse\n got: %q\nwant: %q", got, want)
	}
	if got, want := header.Get("Access-Control-Expose-Headers"), "traceresponse"; got != want {
		t.Errorf("Access-Control-Expose-Headers\n got: %q\nwant: %q", got, want)
	}
	want := fmt.Sprintf(`{"type":"CUSTOM","name":"agui.trace","value":{"traceId":%q,"spanId":%q}}`, traceID, runSpan)
	if frames := strings.Split(stream, "\n\n"); len(frames) < 2 || frames[1] != "data: "+want {
		t.Errorf("stream\n got: %s\nwant: %s after RUN_STARTED", stream, want)
	}
}

func checkMetrics(t *testing.T, r *receiver) {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	want := []string{"gen_ai.invoke_agent.duration", "agui.run.time_to_first_event", "agui.active_runs", "agui.events", "agui.stream.bytes", "agui.stream.flushes"}
	if !build.NoVerify {
		want = append(want, "agui.verify.violations")
	}
	for _, name := range want {
		if r.metrics[name] == nil {
			t.Errorf("the receiver has not got %s", name)
		}
	}
	var points bytes.Buffer
	for _, p := range r.metrics["agui.events"].GetSum().GetDataPoints() {
		fmt.Fprintf(&points, "%s=%d ", text(p.GetAttributes(), "agui.event.type"), p.GetAsInt())
	}
	if got := points.String(); !strings.Contains(got, "RUN_FINISHED=1 ") {
		t.Errorf("agui.events\n got: %s\nwant: RUN_FINISHED=1 among them", got)
	}
}
