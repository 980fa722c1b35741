package answer_test

import (
	"net/http"
	"testing"

	"github.com/agui-go/agui/internal/answer"
)

func TestMediaType(t *testing.T) {
	for header, want := range map[string]string{
		"":                                    "",
		"text/event-stream":                   answer.SSE,
		" Text/Event-Stream ; charset=utf-8":  answer.SSE,
		"text/event-stream; charset":          answer.SSE,
		"text/event-stream;charset=a;charset": answer.SSE,
		"application/json":                    "application/json",
	} {
		res := &http.Response{Header: http.Header{"Content-Type": {header}}}
		if got := answer.MediaType(res); got != want {
			t.Errorf("%q\n got: %q\nwant: %q", header, got, want)
		}
	}
}

func TestEncoding(t *testing.T) {
	for want, header := range map[string][]string{"": nil, "gzip": {"gzip"}, "gzip, br": {"gzip", "br"}} {
		if got := answer.Encoding(&http.Response{Header: http.Header{"Content-Encoding": header}}); got != want {
			t.Errorf("%q\n got: %q\nwant: %q", header, got, want)
		}
	}
	if got := answer.Encoding(&http.Response{Header: http.Header{"Content-Encoding": {" Identity"}}}); got != "" {
		t.Errorf("identity\n got: %q\nwant: nothing", got)
	}
}
