package main

import (
	"errors"
	"fmt"
	"log/slog"
	"mime"
	"net/http"
	"slices"
	"time"

	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/stream"
)

// watcher is a transport that looks at the runs which pass through it.
type watcher struct {
	judging judging
	block   bool
	log     *slog.Logger
	spans   *telemetry
	next    *http.Transport
}

func newWatcher(j judging, block bool, log *slog.Logger, spans *telemetry) *watcher {
	next := http.DefaultTransport.(*http.Transport).Clone()
	next.DisableCompression = true // a compressed stream cannot be checked
	return &watcher{judging: j, block: block, log: log, spans: spans, next: next}
}

// close closes the idle connections to the agent.
func (w *watcher) close() { w.next.CloseIdleConnections() }

// RoundTrip passes a request on. The stream that answers it is checked while it is read.
func (w *watcher) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodPost {
		return w.next.RoundTrip(req)
	}
	begun := time.Now()
	req, span := w.spans.start(req)
	req.Header.Del("Accept-Encoding")
	request := capture(req)
	res, err := w.next.RoundTrip(req)
	if err != nil {
		span.fail(err)
		return nil, err
	}
	span.status(res.StatusCode)
	if !isRun(res) {
		span.end()
		return res, nil
	}
	log := w.log.With("path", req.URL.Path)
	if why := uncheckable(res); why != "" {
		return w.unchecked(res, span, log, why)
	}
	w.check(res, request, &journal{log: log, span: span, strict: w.judging.strict, begun: begun})
	return res, nil
}

// unchecked returns an answer that cannot be checked, which -block does not let through.
func (w *watcher) unchecked(res *http.Response, span *runSpan, log *slog.Logger, why string) (*http.Response, error) {
	if !w.block {
		log.Warn("a run is not checked", "why", why)
		span.end()
		return res, nil
	}
	res.Body.Close()
	err := errors.New("the run cannot be checked, and with -block it is not passed on: " + why)
	span.fail(err)
	return nil, err
}

// check has the stream in res judged while it is read.
func (w *watcher) check(res *http.Response, request *captured, j *journal) {
	ctx := res.Request.Context()
	checker := w.checker(request, j.log)
	if !w.block {
		res.Body = &tap{body: res.Body, ctx: ctx, checker: checker, journal: j}
		return
	}
	res.Body = &gate{body: res.Body, ctx: ctx, checker: checker, journal: j}
	res.Header.Del("Content-Length")
	res.ContentLength = -1
}

// checker returns the checker of the stream that answers the request. When it is not known what the client
// sent, an id that was not introduced may be of an earlier run, and is let through.
func (w *watcher) checker(request *captured, log *slog.Logger) *stream.Checker {
	j := w.judging
	in, err := request.input()
	if err != nil {
		log.Warn("what the client sent is not known: UnknownId is not checked", "why", err)
		j.allow = append(slices.Clone(j.allow), verify.UnknownID)
	}
	return j.checker(in, stream.WithFraming(stream.SSE))
}

// isRun reports whether an answer is that to a run.
func isRun(res *http.Response) bool {
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return false
	}
	media := mediaType(res)
	return media == "text/event-stream" || media == binaryType
}

// uncheckable says why the stream of a run cannot be checked, "" if it can.
func uncheckable(res *http.Response) string {
	if media := mediaType(res); media == binaryType {
		return "its Content-Type is " + media + ": ask for text/event-stream"
	}
	if coding := res.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
		return fmt.Sprintf("its Content-Encoding is %q, though none was asked for", coding)
	}
	return ""
}

// mediaType returns the media type of an answer, "" if it has none.
func mediaType(res *http.Response) string {
	media, _, err := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if err != nil {
		return ""
	}
	return media
}
