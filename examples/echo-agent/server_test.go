package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/agui-go/agui/emitter/emittertest"
)

func TestIsLoopback(t *testing.T) {
	tests := []struct {
		origin string
		want   bool
	}{
		{"http://localhost:3000", true},
		{"https://localhost", true},
		{"http://127.0.0.1:8080", true},
		{"http://127.8.9.10", true},
		{"http://[::1]:5173", true},
		{"http://localhost.example.com", false},
		{"http://example.com:8080", false},
		{"http://192.168.0.2", false},
		{"file://localhost", false},
		{"null", false},
		{"", false},
		{"http://[::1", false},
	}
	for _, tt := range tests {
		if got, err := isLoopback(tt.origin); got != tt.want || err != nil {
			t.Errorf("isLoopback(%q)\n got: %t, %v\nwant: %t, <nil>", tt.origin, got, err, tt.want)
		}
	}
}

func TestPreflight(t *testing.T) {
	tests := []struct{ origin, want string }{
		{"http://localhost:5173", "http://localhost:5173"},
		{"https://example.com", ""},
	}
	for _, tt := range tests {
		r := httptest.NewRequest(http.MethodOptions, "/agent", nil)
		r.Header.Set("Origin", tt.origin)
		r.Header.Set("Access-Control-Request-Method", http.MethodPost)
		r.Header.Set("Access-Control-Request-Headers", "content-type")
		w := httptest.NewRecorder()
		newServer(untraced()).ServeHTTP(w, r)
		if got := w.Header().Get("Access-Control-Allow-Origin"); got != tt.want {
			t.Errorf("%s: allowed origin\n got: %q\nwant: %q", tt.origin, got, tt.want)
		}
		wantHeaders := ""
		if tt.want != "" {
			wantHeaders = "content-type"
		}
		if got := w.Header().Get("Access-Control-Allow-Headers"); got != wantHeaders {
			t.Errorf("%s: allowed headers\n got: %q\nwant: %q", tt.origin, got, wantHeaders)
		}
	}
}

func TestPage(t *testing.T) {
	w := httptest.NewRecorder()
	newServer(untraced()).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		t.Errorf("GET /\n got: %d %s\nwant: 200 text/html", w.Code, w.Header().Get("Content-Type"))
	}
	for word := range modes {
		if !regexp.MustCompile(`\b` + word + `\b`).MatchString(w.Body.String()) {
			t.Errorf("the page has no button for %q", word)
		}
	}
	if bytes.Contains(w.Body.Bytes(), []byte("://")) {
		t.Error("the page needs something from the network")
	}
}

// TestPrinted checks what each value of -otel prints.
func TestPrinted(t *testing.T) {
	broken := inThisBuild().recorded
	tests := []struct {
		show, say                string
		request, run, rule, mets bool
	}{
		{"violations", "hello", false, false, false, false},
		{"violations", "break", false, broken, broken, false},
		{"console", "hello", true, true, false, true},
		{"console", "break", true, true, broken, true},
		{"off", "break", false, false, false, false},
	}
	for _, tt := range tests {
		t.Run(tt.show+" "+tt.say, func(t *testing.T) {
			var out console
			telemetry, err := newTelemetry(t.Context(), tt.show, &out)
			if err != nil {
				t.Fatal(err)
			}
			handler := newServer(telemetry.tracer(), telemetry.option())
			emittertest.Post(t, handler, saying(tt.say), emittertest.AllowViolations(), emittertest.WithPath("/agent"))
			if err := telemetry.shutdown(t.Context()); err != nil {
				t.Error(err)
			}
			for line, want := range map[string]bool{
				`span "POST /agent" `:                            tt.request,
				`span "invoke_agent echo-agent" `:                tt.run,
				"    agui.rule = NotOpen\n":                      tt.rule,
				"metrics\n":                                      tt.mets,
				"  agui.events{agui.event.type=RUN_STARTED} 1\n": tt.mets,
				"} 1, 0.": tt.mets, // a duration
			} {
				if got := strings.Contains(out.String(), line); got != want {
					t.Errorf("%q is printed\n got: %t\nwant: %t\n%s", line, got, want, out.String())
				}
			}
		})
	}
	if _, err := newTelemetry(t.Context(), "stdout", io.Discard); err == nil {
		t.Error("-otel stdout is accepted")
	}
}

// TestExport checks that spans and metrics go where the environment says, and that nothing else is needed.
func TestExport(t *testing.T) {
	got := make(chan string, 100)
	receiver := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got <- r.Method + " " + r.URL.Path }))
	defer receiver.Close()
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", receiver.URL)
	telemetry, err := newTelemetry(t.Context(), "off", io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	emittertest.Post(t, newServer(telemetry.tracer(), telemetry.option()), saying("hello"), emittertest.WithPath("/agent"))
	if err := telemetry.shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	close(got)
	var paths []string
	for path := range got {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	if want := []string{"POST /v1/metrics", "POST /v1/traces"}; !slices.Equal(slices.Compact(paths), want) {
		t.Errorf("requests to the receiver\n got: %q\nwant: %q", paths, want)
	}
}

// TestTraceOfTheFrontEnd checks that a request's trace goes on, and is told.
func TestTraceOfTheFrontEnd(t *testing.T) {
	telemetry, err := newTelemetry(t.Context(), "off", io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	const id = "0af7651916cd43dd8448eb211c80319c"
	resp := emittertest.Post(t, newServer(telemetry.tracer(), telemetry.option()), saying("hello"), emittertest.WithPath("/agent"),
		emittertest.WithHeader("traceparent", "00-"+id+"-b7ad6b7169203331-01"))
	if got := resp.Header.Get("traceresponse"); !strings.HasPrefix(got, "00-"+id+"-") {
		t.Errorf("traceresponse\n got: %q\nwant: of the trace %s", got, id)
	}
}

// TestSpanHasStatus checks the status of a request that echo itself refuses, which is known only when its
// error handler has run.
func TestSpanHasStatus(t *testing.T) {
	spans, tracer := recordSpans()
	w := httptest.NewRecorder()
	newServer(tracer).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/agent", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Fatalf("GET /agent\n got: %d\nwant: 405", w.Code)
	}
	want := attribute.Int("http.response.status_code", http.StatusMethodNotAllowed)
	if got := spans.Ended()[0].Attributes(); !slices.Contains(got, want) {
		t.Errorf("attributes of the span\n got: %v\nwant: %v", got, want)
	}
}

// TestServe starts the server, and stops it in the middle of a stream: its client is told.
func TestServe(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var out console
	served := make(chan error, 1)
	go func() { served <- serve(ctx, "127.0.0.1:0", "off", &out) }()

	resp := post(t.Context(), t, out.address(t)+"/agent", saying("slow"))
	defer resp.Body.Close()
	head := make([]byte, 1)
	if _, err := io.ReadFull(resp.Body, head); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	stop()
	rest, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Errorf("the stream broke off: %v", err)
	}
	if !bytes.HasSuffix(rest, []byte(`"code":"server_shutdown"}`+"\n\n")) {
		t.Errorf("end of the stream\n got: %s\nwant: RUN_ERROR server_shutdown", rest[max(0, len(rest)-200):])
	}
	if err := <-served; err != nil {
		t.Errorf("serve\n got: %v\nwant: <nil>", err)
	}
	if took := time.Since(began); took > shutdownTime {
		t.Errorf("shutdown took %v", took)
	}
}

func TestServeRefuses(t *testing.T) {
	if err := serve(t.Context(), "127.0.0.1:0", "maybe", io.Discard); err == nil {
		t.Error("-otel maybe: no error")
	}
	if err := serve(t.Context(), "127.0.0.1:-1", "off", io.Discard); err == nil {
		t.Error("-addr 127.0.0.1:-1: no error")
	}
}

// console is a terminal.
type console struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (c *console) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buf.Write(p)
}

func (c *console) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.buf.String()
}

// address waits for the server to print where it listens.
func (c *console) address(t *testing.T) string {
	t.Helper()
	for range 500 {
		if m := regexp.MustCompile(`http://\S+`).FindString(c.String()); m != "" {
			return m
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("the server printed no address: %q", c.String())
	return ""
}
