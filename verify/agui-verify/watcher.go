package main

import (
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/internal/answer"
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
	if res.StatusCode < 200 || res.StatusCode > 299 { // no run has begun
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

// uncheckedError is an answer that -block does not pass on, because it cannot be checked.
type uncheckedError struct{ why string }

func (e *uncheckedError) Error() string {
	return "the agent's answer cannot be checked, and with -block it is not passed on: " + e.why
}

// unchecked returns an answer that cannot be checked, which -block does not let through.
func (w *watcher) unchecked(res *http.Response, span *runSpan, log *slog.Logger, why string) (*http.Response, error) {
	log.Warn(notChecked, "why", why, "blocked", w.block)
	if !w.block {
		span.end()
		return res, nil
	}
	res.Body.Close()
	err := &uncheckedError{why}
	span.fail(err)
	return nil, err
}

// check has the stream in res judged while it is read.
func (w *watcher) check(res *http.Response, request *captured, j *journal) {
	ctx := res.Request.Context()
	in, err := request.input()
	media := answer.MediaType(res)
	j.media, j.unknown = media, err
	j.stream = media == answer.SSE || err == nil && asksForStream(res.Request)
	checker := w.checker(in, err)
	if !w.block || res.StatusCode == http.StatusNoContent { // which cannot have a body, a RUN_ERROR neither
		res.Body = &tap{body: res.Body, ctx: ctx, checker: checker, journal: j}
		return
	}
	res.Body = &gate{body: res.Body, ctx: ctx, checker: checker, journal: j}
	res.Header.Del("Content-Length")
	res.ContentLength = -1
}

// checker returns the checker of the stream that answers the input. When it is not known what the client
// sent, an id that was not introduced may be of an earlier run, and is let through.
func (w *watcher) checker(in *events.RunAgentInput, unknown error) *stream.Checker {
	j := w.judging
	if unknown != nil {
		j.allow = append(slices.Clone(j.allow), verify.UnknownID)
	}
	return j.checker(in, stream.WithFraming(stream.SSE))
}

// asksForStream reports whether a request accepts a stream of events by name, as a client's does that wants
// a run.
func asksForStream(req *http.Request) bool {
	return strings.Contains(strings.ToLower(strings.Join(req.Header.Values("Accept"), ",")), answer.SSE)
}

// uncheckable says why an answer cannot be checked, "" if it can. Whatever has not the binary media type is
// read as Server-Sent Events, as the official client does.
func uncheckable(res *http.Response) string {
	if media := answer.MediaType(res); media == answer.Binary {
		return "its Content-Type is " + media + ": ask for " + answer.SSE
	}
	if coding := answer.Encoding(res); coding != "" {
		return fmt.Sprintf("its Content-Encoding is %q, though none was asked for", coding)
	}
	return ""
}
