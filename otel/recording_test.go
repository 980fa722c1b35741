package aguiotel_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/agui-go/agui/middleware"
	aguiotel "github.com/agui-go/agui/otel"
)

// recording keeps what is recorded.
type recording struct {
	spans  *tracetest.SpanRecorder
	reader *sdkmetric.ManualReader
	tracer *sdktrace.TracerProvider
	meter  *sdkmetric.MeterProvider
}

func newRecording() *recording {
	r := &recording{spans: tracetest.NewSpanRecorder(), reader: sdkmetric.NewManualReader()}
	r.tracer = sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(r.spans))
	r.meter = sdkmetric.NewMeterProvider(sdkmetric.WithReader(r.reader))
	return r
}

// telemetry returns a Telemetry for an agent called tester that records here.
func (r *recording) telemetry(opts ...aguiotel.Option) *aguiotel.Telemetry {
	return aguiotel.New(append([]aguiotel.Option{
		aguiotel.WithAgent("tester"), aguiotel.WithTracerProvider(r.tracer), aguiotel.WithMeterProvider(r.meter),
	}, opts...)...)
}

func (r *recording) option(opts ...aguiotel.Option) middleware.Option {
	return middleware.WithTelemetry(r.telemetry(opts...))
}

// served gives each request a span, as the instrumentation of a server does.
func (r *recording) served(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ctx, span := r.tracer.Tracer("server").Start(req.Context(), "POST /", trace.WithSpanKind(trace.SpanKindServer))
		defer span.End()
		next.ServeHTTP(w, req.WithContext(ctx))
	})
}

// waitForServerSpan waits for the end of a request.
func (r *recording) waitForServerSpan(t *testing.T) {
	t.Helper()
	for range 1000 {
		for _, span := range r.spans.Ended() {
			if span.SpanKind() == trace.SpanKindServer {
				return
			}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("the request does not end")
}

// span returns the one span with the name.
func (r *recording) span(t *testing.T, name string) sdktrace.ReadOnlySpan {
	t.Helper()
	var found []sdktrace.ReadOnlySpan
	var names []string
	for _, span := range r.spans.Ended() {
		names = append(names, span.Name())
		if span.Name() == name {
			found = append(found, span)
		}
	}
	if len(found) != 1 {
		t.Fatalf("spans\n got: %q\nwant: one %q", names, name)
	}
	return found[0]
}

// collect returns the metrics by name.
func (r *recording) collect(t *testing.T) map[string]metricdata.Metrics {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := r.reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	byName := make(map[string]metricdata.Metrics)
	for _, scope := range all.ScopeMetrics {
		if scope.Scope.Name != aguiotel.ScopeName {
			t.Errorf("scope\n got: %q\nwant: %q", scope.Scope.Name, aguiotel.ScopeName)
		}
		for _, m := range scope.Metrics {
			byName[m.Name] = m
		}
	}
	return byName
}

// sum returns the values of a counter by attributes.
func (r *recording) sum(t *testing.T, name string) map[string]int64 {
	t.Helper()
	values := make(map[string]int64)
	if data, ok := r.collect(t)[name].Data.(metricdata.Sum[int64]); ok {
		for _, point := range data.DataPoints {
			values[encoded(point.Attributes)] = point.Value
		}
	}
	return values
}

// histogram returns the points of a histogram by attributes.
func (r *recording) histogram(t *testing.T, name string) map[string]metricdata.HistogramDataPoint[float64] {
	t.Helper()
	points := make(map[string]metricdata.HistogramDataPoint[float64])
	if data, ok := r.collect(t)[name].Data.(metricdata.Histogram[float64]); ok {
		for _, point := range data.DataPoints {
			points[encoded(point.Attributes)] = point
		}
	}
	return points
}

// series returns all series, each as name{attributes}.
func (r *recording) series(t *testing.T) []string {
	t.Helper()
	var all []string
	for name, m := range r.collect(t) {
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			for _, point := range data.DataPoints {
				all = append(all, name+"{"+encoded(point.Attributes)+"}")
			}
		case metricdata.Histogram[float64]:
			for _, point := range data.DataPoints {
				all = append(all, name+"{"+encoded(point.Attributes)+"}")
			}
		default:
			t.Fatalf("%s: %T", name, data)
		}
	}
	slices.Sort(all)
	return all
}

func encoded(set attribute.Set) string { return set.Encoded(attribute.DefaultEncoder()) }

func equal(a, b map[string]int64) bool { return maps.Equal(a, b) }

// attributesOf returns attributes as name=value, sorted.
func attributesOf(attrs []attribute.KeyValue) []string {
	var all []string
	for _, a := range attrs {
		all = append(all, string(a.Key)+"="+a.Value.String())
	}
	slices.SortFunc(all, strings.Compare)
	return all
}

// checkCatalogue checks that the documentation's tables have all that was recorded.
func (r *recording) checkCatalogue(t *testing.T) {
	t.Helper()
	check := func(what string, attrs []attribute.KeyValue, known []attribute.Key) {
		for _, a := range attrs {
			if !slices.Contains(known, a.Key) {
				t.Errorf("%s has the attribute %s, which is not in the tables", what, a.Key)
			}
		}
	}
	for _, span := range r.spans.Ended() {
		if span.InstrumentationScope().Name != aguiotel.ScopeName {
			continue
		}
		subagent := value(span.Attributes(), "agui.subagent.id").Type() != attribute.EMPTY
		check(span.Name(), span.Attributes(), aguiotel.SpanAttributes(span.Name(), subagent))
		for _, event := range span.Events() {
			check(event.Name, event.Attributes, aguiotel.SpanAttributes(event.Name, false))
		}
	}
	for name, m := range r.collect(t) {
		var sets []attribute.Set
		switch data := m.Data.(type) {
		case metricdata.Sum[int64]:
			for _, point := range data.DataPoints {
				sets = append(sets, point.Attributes)
			}
		case metricdata.Histogram[float64]:
			for _, point := range data.DataPoints {
				sets = append(sets, point.Attributes)
			}
		}
		for _, set := range sets {
			check(name, set.ToSlice(), aguiotel.MetricAttributes(name))
		}
	}
}
