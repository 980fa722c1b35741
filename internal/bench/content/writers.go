package content

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	sdkevents "github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/events"
	sdksse "github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/encoding/sse"
	"github.com/starfederation/datastar-go/datastar"
	gosse "github.com/tmaxmax/go-sse"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/ids"
	"github.com/agui-go/agui/verify"
)

// writer is one way to write deltas: a row of the table.
type writer struct {
	name string
	// open returns what writes the delta to the sink n times, and what ends it. Each has its own loop, so that
	// none is called through a function value.
	open opener
	// form says in what the bytes on the wire may differ from ours.
	form form
	// learn is how many deltas of one size it is given first, because it learns the size of its buffers.
	learn int
}

type opener func(sink emitter.Sink, delta string) (write func(n int) error, end func() error, err error)

// form is how much of a writer's output is as ours is.
type form int

const (
	sameBytes form = iota // every byte
	rawBytes              // every byte where nothing needs escaping
	sameValue             // the JSON of the data lines, a timestamp aside
)

const (
	rowFloor   = "R"
	rowTwin    = "R again"
	rowID      = "by id"
	rowHandle  = "by handle"
	rowCore    = "by id, Core"
	rowWindow  = "by handle, window of 10 ms"
	rowJSON    = "json.Marshal + Fprintf"
	rowSDK     = "official SDK"
	rowGoSSE   = "go-sse (framing)"
	rowDataSSE = "datastar-go (framing)"
)

var writers = []writer{
	{rowFloor, openFloor, rawBytes, 0},
	{rowTwin, openFloor, rawBytes, 0},
	{rowID, byID(), sameBytes, 0},
	{rowHandle, byHandle(), sameBytes, 0},
	{rowCore, byID(emitter.WithRules(verify.Core)), sameBytes, 0},
	{rowWindow, byHandle(emitter.WithFlushWindow(10*time.Millisecond, 0)), sameBytes, 0},
	{rowJSON, openJSON, sameValue, 0},
	{rowSDK, openSDK, sameValue, 0},
	{rowGoSSE, openGoSSE, sameValue, 0},
	{rowDataSSE, openDatastar, sameValue, 45_000},
}

func nothing() error { return nil }

func openFloor(sink emitter.Sink, delta string) (func(int) error, func() error, error) {
	f := newFloor(sink)
	write := func(n int) error {
		for range n {
			if err := f.write(delta); err != nil {
				return err
			}
		}
		return nil
	}
	return write, nothing, nil
}

// fixedID is a source of one id.
type fixedID string

func (id fixedID) NewID(ids.Kind) string { return string(id) }

// begin returns an emitter whose run has started.
func begin(sink emitter.Sink, opts ...emitter.Option) (*emitter.Emitter, error) {
	em := emitter.New(context.Background(), sink, opts...)
	return em, em.RunStart("thread", "run")
}

func byID(opts ...emitter.Option) opener {
	return func(sink emitter.Sink, delta string) (func(int) error, func() error, error) {
		em, err := begin(sink, opts...)
		if err != nil {
			return nil, nil, err
		}
		if err := em.TextStart(messageID); err != nil {
			return nil, nil, err
		}
		// The id of each delta comes from the provider, and is not in the memory of the first one.
		id := strings.Clone(messageID)
		write := func(n int) error {
			for range n {
				if err := em.TextContent(id, delta); err != nil {
					return err
				}
			}
			return nil
		}
		return write, func() error { return em.Close(nil) }, nil
	}
}

func byHandle(opts ...emitter.Option) opener {
	return func(sink emitter.Sink, delta string) (func(int) error, func() error, error) {
		em, err := begin(sink, append(opts, emitter.WithIDs(fixedID(messageID)))...)
		if err != nil {
			return nil, nil, err
		}
		msg := em.Text()
		write := func(n int) error {
			for range n {
				if _, err := msg.WriteString(delta); err != nil {
					return err
				}
			}
			return nil
		}
		return write, func() error { return em.Close(nil) }, msg.Err()
	}
}

// deltaEvent is the event as a handler without a library declares it.
type deltaEvent struct {
	Type      string `json:"type"`
	MessageID string `json:"messageId"`
	Delta     string `json:"delta"`
}

func openJSON(sink emitter.Sink, delta string) (func(int) error, func() error, error) {
	write := func(n int) error {
		for range n {
			data, err := json.Marshal(deltaEvent{"TEXT_MESSAGE_CONTENT", messageID, delta})
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(sink, "data: %s\n\n", data); err != nil {
				return err
			}
		}
		return nil
	}
	return write, nothing, nil
}

func openSDK(sink emitter.Sink, delta string) (func(int) error, func() error, error) {
	ctx, w := context.Background(), sdksse.NewSSEWriter()
	var out io.Writer = sink
	write := func(n int) error {
		for range n {
			if err := w.WriteEvent(ctx, out, sdkevents.NewTextMessageContentEvent(messageID, delta)); err != nil {
				return err
			}
		}
		return nil
	}
	return write, nothing, nil
}

// response is the sink as a handler sees it.
type response struct {
	emitter.Sink
	header http.Header
}

func (r response) Header() http.Header { return r.header }
func (r response) WriteHeader(int)     {}
func (r response) FlushError() error   { return r.Sink.Flush() }

// Flush hides the sink's own, which is not that of an http.Flusher.
func (r response) Flush() { _ = r.Sink.Flush() }

func exchange(sink emitter.Sink) (http.ResponseWriter, *http.Request) {
	return response{sink, http.Header{}}, httptest.NewRequest(http.MethodPost, "/", nil)
}

// encoded is the event that the writers which only frame are given.
func encoded(delta string) (string, error) {
	data, err := json.Marshal(deltaEvent{"TEXT_MESSAGE_CONTENT", messageID, delta})
	return string(data), err
}

func openGoSSE(sink emitter.Sink, delta string) (func(int) error, func() error, error) {
	data, err := encoded(delta)
	if err != nil {
		return nil, nil, err
	}
	session, err := gosse.Upgrade(exchange(sink))
	if err != nil {
		return nil, nil, err
	}
	write := func(n int) error {
		for range n {
			var m gosse.Message
			m.AppendData(data)
			if err := session.Send(&m); err != nil {
				return err
			}
			if err := session.Flush(); err != nil {
				return err
			}
		}
		return nil
	}
	return write, nothing, nil
}

func openDatastar(sink emitter.Sink, delta string) (func(int) error, func() error, error) {
	data, err := encoded(delta)
	if err != nil {
		return nil, nil, err
	}
	sse := datastar.NewSSE(exchange(sink))
	write := func(n int) error {
		for range n {
			if err := sse.Send("message", []string{data}); err != nil {
				return err
			}
		}
		return nil
	}
	return write, nothing, nil
}
