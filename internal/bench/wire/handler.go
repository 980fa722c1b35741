package wire

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"time"

	sdk "github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/events"
	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/core/types"
	"github.com/ag-ui-protocol/ag-ui/sdks/community/go/pkg/encoding/sse"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/middleware"
)

// kind is a way to serve a run.
type kind string

const (
	bare    kind = "bare"       // prepared bytes, each event a Write and a Flush
	twin    kind = "bare-again" // the same, which shows the noise
	ours    kind = "agui"       // middleware.Handler
	ours5   kind = "agui-5ms"   // with a flush window
	ours10  kind = "agui-10ms"
	ours20  kind = "agui-20ms"
	watched kind = "agui-watched" // with traces and metrics
	hand    kind = "json"         // json.Marshal, Fprintf and Flush
	peer    kind = "sdk"          // events and writer of the official community Go SDK; the writer flushes
	ticks   kind = "none"         // waits for each delta and writes none
)

// A message id of the handlers that make none is as long as those that ours makes.
const messageID = "msg_0123456789abcdef0123456789abcdef"

// handlers returns all kinds; next is what their runs are to write, and r has what is recorded of those that are
// watched.
func handlers(next func() load, r *recorder) map[kind]http.Handler {
	return map[kind]http.Handler{
		bare:    handler(next, serveBare),
		twin:    handler(next, serveBare),
		hand:    handler(next, serveJSON),
		peer:    handler(next, serveSDK),
		ticks:   handler(next, serveTicks),
		ours:    oursWith(next, 0),
		ours5:   oursWith(next, 5*time.Millisecond),
		ours10:  oursWith(next, 10*time.Millisecond),
		ours20:  oursWith(next, 20*time.Millisecond),
		watched: oursWith(next, 0, r.watching()),
	}
}

// oursWith is an agent that writes the load to one message.
func oursWith(next func() load, window time.Duration, opts ...middleware.Option) http.Handler {
	return middleware.Handler(func(_ context.Context, _ *events.RunAgentInput, em *emitter.Emitter) error {
		msg := em.Text()
		defer msg.Close()
		err := next().each(func(delta []byte) error {
			_, err := msg.Write(delta)
			return err
		})
		if err != nil {
			return err
		}
		return msg.Close()
	}, append(opts, middleware.WithEmitter(emitter.WithFlushWindow(window, 0)))...)
}

// handler makes a handler of a function that serves a run. One that fails cuts the response off.
func handler(next func() load, serve func(http.ResponseWriter, *http.Request, load) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := serve(w, r, next()); err != nil {
			panic(http.ErrAbortHandler)
		}
	})
}

// setHeader sets what ours sets.
func setHeader(h http.Header) {
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache, no-transform")
	h.Set("X-Accel-Buffering", "no")
	h.Set("X-Content-Type-Options", "nosniff")
}

// frames are the bytes of a run, prepared.
var frames = struct{ started, start, content, rest, end, finished []byte }{
	started:  []byte(`data: {"type":"RUN_STARTED","threadId":"thread_1","runId":"run_1","protocolVersion":"1.0"}` + "\n\n"),
	start:    []byte(`data: {"type":"TEXT_MESSAGE_START","messageId":"` + messageID + `"}` + "\n\n"),
	content:  []byte(`data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"` + messageID + `","delta":"`),
	rest:     []byte(`"}` + "\n\n"),
	end:      []byte(`data: {"type":"TEXT_MESSAGE_END","messageId":"` + messageID + `"}` + "\n\n"),
	finished: []byte(`data: {"type":"RUN_FINISHED","threadId":"thread_1","runId":"run_1"}` + "\n\n"),
}

// serveBare writes prepared bytes: it copies the delta, which needs no escaping, into a frame.
func serveBare(w http.ResponseWriter, r *http.Request, l load) error {
	return servePrepared(w, r, l, true)
}

// serveTicks is serveBare without the deltas.
func serveTicks(w http.ResponseWriter, r *http.Request, l load) error {
	return servePrepared(w, r, l, false)
}

func servePrepared(w http.ResponseWriter, r *http.Request, l load, deltas bool) error {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return err
	}
	setHeader(w.Header())
	flusher := http.NewResponseController(w)
	send := func(frame []byte) error {
		if frame == nil {
			return nil
		}
		if _, err := w.Write(frame); err != nil {
			return err
		}
		return flusher.Flush()
	}
	frame := slices.Concat(frames.content, make([]byte, l.Size), frames.rest)
	content := func(delta []byte) []byte {
		copy(frame[len(frames.content):], delta)
		return frame
	}
	if !deltas {
		content = func([]byte) []byte { return nil }
	}
	return serveEvents(send, l, run[[]byte]{frames.started, frames.start, content, frames.end, frames.finished})
}

// The events as somebody writes them who has no library.
type (
	runEvent struct {
		Type            string `json:"type"`
		ThreadID        string `json:"threadId"`
		RunID           string `json:"runId"`
		ProtocolVersion string `json:"protocolVersion,omitempty"`
	}
	messageEvent struct {
		Type      string `json:"type"`
		MessageID string `json:"messageId"`
	}
	contentEvent struct {
		Type      string `json:"type"`
		MessageID string `json:"messageId"`
		Delta     string `json:"delta"`
	}
)

func serveJSON(w http.ResponseWriter, r *http.Request, l load) error {
	var in struct{ ThreadID, RunID string }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return err
	}
	setHeader(w.Header())
	flusher := http.NewResponseController(w)
	return serveEvents(func(event any) error {
		text, err := json.Marshal(event)
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "data: %s\n\n", text); err != nil {
			return err
		}
		return flusher.Flush()
	}, l, run[any]{
		started:  runEvent{"RUN_STARTED", in.ThreadID, in.RunID, "1.0"},
		start:    messageEvent{"TEXT_MESSAGE_START", messageID},
		content:  func(delta []byte) any { return contentEvent{"TEXT_MESSAGE_CONTENT", messageID, string(delta)} },
		end:      messageEvent{"TEXT_MESSAGE_END", messageID},
		finished: runEvent{Type: "RUN_FINISHED", ThreadID: in.ThreadID, RunID: in.RunID},
	})
}

func serveSDK(w http.ResponseWriter, r *http.Request, l load) error {
	var in types.RunAgentInput
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return err
	}
	setHeader(w.Header())
	writer := sse.NewSSEWriter()
	return serveEvents(func(event sdk.Event) error {
		return writer.WriteEvent(r.Context(), w, event)
	}, l, run[sdk.Event]{
		started:  sdk.NewRunStartedEvent(in.ThreadID, in.RunID),
		start:    sdk.NewTextMessageStartEvent(messageID),
		content:  func(delta []byte) sdk.Event { return sdk.NewTextMessageContentEvent(messageID, string(delta)) },
		end:      sdk.NewTextMessageEndEvent(messageID),
		finished: sdk.NewRunFinishedEvent(in.ThreadID, in.RunID),
	})
}

// run is a run of events of some library.
type run[E any] struct {
	started, start E
	content        func(delta []byte) E
	end, finished  E
}

// serveEvents sends the run.
func serveEvents[E any](send func(E) error, l load, r run[E]) error {
	for _, event := range []E{r.started, r.start} {
		if err := send(event); err != nil {
			return err
		}
	}
	if err := l.each(func(delta []byte) error { return send(r.content(delta)) }); err != nil {
		return err
	}
	for _, event := range []E{r.end, r.finished} {
		if err := send(event); err != nil {
			return err
		}
	}
	return nil
}
