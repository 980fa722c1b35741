package otlptest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricpb "go.opentelemetry.io/proto/otlp/metrics/v1"
	spanpb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// receiver is a server that speaks OTLP over HTTP and keeps what it gets.
type receiver struct {
	*httptest.Server
	mu      sync.Mutex
	spans   []span
	metrics map[string]*metricpb.Metric
}

// span is a span and the name of the instrumentation that made it.
type span struct {
	*spanpb.Span
	scope string
}

func newReceiver(t *testing.T) *receiver {
	t.Helper()
	r := &receiver{metrics: make(map[string]*metricpb.Metric)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/traces", func(w http.ResponseWriter, req *http.Request) {
		var batch tracepb.ExportTraceServiceRequest
		receive(t, w, req, &batch, &tracepb.ExportTraceServiceResponse{})
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, resource := range batch.GetResourceSpans() {
			for _, scope := range resource.GetScopeSpans() {
				for _, s := range scope.GetSpans() {
					r.spans = append(r.spans, span{s, scope.GetScope().GetName()})
				}
			}
		}
	})
	mux.HandleFunc("POST /v1/metrics", func(w http.ResponseWriter, req *http.Request) {
		var batch metricspb.ExportMetricsServiceRequest
		receive(t, w, req, &batch, &metricspb.ExportMetricsServiceResponse{})
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, resource := range batch.GetResourceMetrics() {
			for _, scope := range resource.GetScopeMetrics() {
				for _, m := range scope.GetMetrics() {
					r.metrics[m.GetName()] = m
				}
			}
		}
	})
	r.Server = httptest.NewServer(mux)
	t.Cleanup(r.Close)
	return r
}

// receive reads a request into batch and accepts all of it.
func receive(t *testing.T, w http.ResponseWriter, req *http.Request, batch, response proto.Message) {
	t.Helper()
	if got, want := req.Header.Get("Content-Type"), "application/x-protobuf"; got != want {
		t.Errorf("%s: content type\n got: %q\nwant: %q", req.URL.Path, got, want)
	}
	body, err := io.ReadAll(req.Body)
	if err == nil {
		err = proto.Unmarshal(body, batch)
	}
	if err != nil {
		t.Errorf("%s: %v", req.URL.Path, err)
	}
	accepted, err := proto.Marshal(response)
	if err != nil {
		t.Errorf("%s: %v", req.URL.Path, err)
	}
	w.Header().Set("Content-Type", "application/x-protobuf")
	_, _ = w.Write(accepted)
}

// span returns the one span of the kind that the instrumentation has made.
func (r *receiver) span(t *testing.T, scope string, kind spanpb.Span_SpanKind) span {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	var found []span
	for _, s := range r.spans {
		if s.scope == scope && s.GetKind() == kind {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		t.Fatalf("spans of %s, %v\n got: %d of %v\nwant: 1", scope, kind, len(found), r.spans)
	}
	return found[0]
}

// text returns the attribute as text, empty when it is not there.
func text(attrs []*commonpb.KeyValue, key string) string {
	for _, a := range attrs {
		if a.GetKey() == key {
			return a.GetValue().GetStringValue()
		}
	}
	return ""
}
