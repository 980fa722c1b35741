package main

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace/noop"
)

// TestProxyTells: a violation is in the log, once a rule, and in the span.
func TestProxyTells(t *testing.T) {
	f := proxied(t, false, strictRules, streaming(startedFrame+strayFrame+strayFrame+"data: [DONE]\n\n"+finishedFrame))
	post(t, f.URL+"/agent", emptyInput)
	f.log.await(t, "violations=2 ")
	log := f.log.String()
	if got, want := strings.Count(log, "rule=NotOpen"), 1; got != want {
		t.Errorf("log lines of the rule\n got: %d in %s\nwant: %d", got, log, want)
	}
	for _, want := range []string{
		"level=WARN", "rule=NotOpen event=1 sentence=\"text message \\\"m\\\" was never opened\"", "type=TEXT_MESSAGE_END id=m", "rule=Done",
		"path=/agent", "level=INFO msg=run", "events=4 runs=1 ended=true",
	} {
		if !strings.Contains(log, want) {
			t.Errorf("log\n got: %s\nwant: %s", log, want)
		}
	}
	spans := f.spans.Ended()
	if len(spans) != 1 {
		t.Fatalf("spans\n got: %d\nwant: 1", len(spans))
	}
	var names []string
	for _, event := range spans[0].Events() {
		names = append(names, event.Name+" "+fmt.Sprint(value(event.Attributes, "agui.rule")))
	}
	if got, want := fmt.Sprint(names), "[agui.verify.violation NotOpen agui.verify.violation NotOpen agui.verify.framing Done]"; got != want {
		t.Errorf("span events\n got: %s\nwant: %s", got, want)
	}
	if got, want := spans[0].Status().Description, "NotOpen"; got != want {
		t.Errorf("status\n got: %s\nwant: %s", got, want)
	}
	if got, want := value(spans[0].Attributes(), "agui.events"), "4"; got != want {
		t.Errorf("events\n got: %s\nwant: %s", got, want)
	}
}

func value(list []attribute.KeyValue, key attribute.Key) string {
	for _, a := range list {
		if a.Key == key {
			return a.Value.String()
		}
	}
	return ""
}

// TestUnansweredSpan: a request that the agent does not answer ends its span with the error.
func TestUnansweredSpan(t *testing.T) {
	f := proxyTo(t, false, strictRules, "http://127.0.0.1:1")
	post(t, f.URL, emptyInput)
	spans := f.spans.Ended()
	if len(spans) != 1 || !strings.Contains(spans[0].Status().Description, "connection refused") {
		t.Errorf("\n got: %v\nwant: one span with the error", spans)
	}
}

// TestNoTelemetry: without a collector nothing is recorded and no header added.
func TestNoTelemetry(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "")
	t.Setenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "")
	spans, err := newTelemetry(t.Context(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	req := httptest.NewRequest(http.MethodPost, "/", http.NoBody)
	out, span := spans.start(req)
	span.fail(errors.New("x"))
	if got := out.Header.Get("Traceparent"); got != "" {
		t.Errorf("Traceparent\n got: %q\nwant: none", got)
	}
	if _, ok := span.span.(noop.Span); !ok {
		t.Errorf("span\n got: %T\nwant: %T", span.span, noop.Span{})
	}
}
