package emitter_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/emitter"
	"github.com/agui-go/agui/events"
)

// TestKeepAlive writes into the silence of a run at each of its stages.
func TestKeepAlive(t *testing.T) {
	chunk := events.Some("m1")
	const comment = ": keep-alive\n\n"
	const custom = `data: {"type":"CUSTOM","name":"x:alive","value":null}` + "\n\n"
	do := func(evs ...events.Event) func(*emitter.Emitter) error {
		return func(em *emitter.Emitter) error {
			for _, ev := range evs {
				if err := em.Emit(ev); err != nil {
					return err
				}
			}
			return nil
		}
	}
	started := events.NewRunStarted("t", "r")
	tests := []struct {
		name   string
		before func(*emitter.Emitter) error
		event  string
		want   string
		err    error
	}{
		{"before the run", do(), "", "", nil},
		{"a comment", do(started), "", comment, nil},
		{"an event", do(started), "x:alive", custom, nil},
		{"among chunks", do(started, &events.TextMessageChunk{MessageID: chunk, Delta: chunk}), "x:alive", comment, nil},
		{"among chunks and what does not end them", do(started, &events.TextMessageChunk{MessageID: chunk}, &events.Raw{},
			&events.StateDelta{SubagentRunID: events.Some("s1")}), "x:alive", comment, nil},
		{"behind chunks", do(started, &events.TextMessageChunk{MessageID: chunk}, &events.StateDelta{}), "x:alive", custom, nil},
		{"after a finished run", do(started, events.NewRunFinished("t", "r")), "", "", emitter.ErrClosed},
		{"after a failed run", do(started, events.NewRunError("x")), "x:alive", "", emitter.ErrClosed},
		{"when all is over", func(em *emitter.Emitter) error { return em.Close(nil) }, "", "", emitter.ErrClosed},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var out bytes.Buffer
			em := emitter.New(t.Context(), emitter.ToWriter(&out), emitter.WithLogger(nil))
			defer em.Close(nil)
			must(t, tt.before(em))
			out.Reset()
			if err := em.KeepAlive(tt.event); !errors.Is(err, tt.err) {
				t.Errorf("error\n got: %v\nwant: %v", err, tt.err)
			}
			if got := out.String(); got != tt.want {
				t.Errorf("written\n got: %q\nwant: %q", got, tt.want)
			}
		})
	}
}

// TestKeepAliveTakesWaitingDeltasAlong: a stream with something to say needs no comment.
func TestKeepAliveTakesWaitingDeltasAlong(t *testing.T) {
	var out bytes.Buffer
	em := emitter.New(t.Context(), emitter.ToWriter(&out), emitter.WithLogger(nil), emitter.WithFlushWindow(time.Hour, 0))
	defer em.Close(nil)
	must(t, em.RunStart("t", "r"))
	must(t, em.TextStart("m"))
	must(t, em.TextContent("m", "hello"))
	out.Reset()
	must(t, em.KeepAlive(""))
	if got, want := out.String(), `data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m","delta":"hello"}`+"\n\n"; got != want {
		t.Errorf("written\n got: %q\nwant: %q", got, want)
	}
}

// TestKeepAliveOfALostClient ends the run, as any write does.
// TestKeepAliveWithAnEventThatMayNotBeSent: the stream is not silent for that.
func TestKeepAliveWithAnEventThatMayNotBeSent(t *testing.T) {
	var out bytes.Buffer
	em := emitter.New(t.Context(), emitter.ToWriter(&out), emitter.WithLogger(nil), emitter.WithMaxEventSize(150))
	defer em.Close(nil)
	must(t, em.RunStart("t", "r"))
	out.Reset()
	var limit *emitter.LimitError
	if err := em.KeepAlive("x:" + strings.Repeat("alive", 50)); !errors.As(err, &limit) {
		t.Errorf("error\n got: %v\nwant: a LimitError", err)
	}
	if got, want := out.String(), ": keep-alive\n\n"; got != want {
		t.Errorf("written\n got: %q\nwant: %q", got, want)
	}
}

func TestKeepAliveOfALostClient(t *testing.T) {
	r, w := io.Pipe()
	em := emitter.New(t.Context(), emitter.ToWriter(w), emitter.WithLogger(nil))
	defer em.Close(nil)
	go func() {
		_, _ = r.Read(make([]byte, 1<<10))
		_ = r.Close()
	}()
	must(t, em.RunStart("t", "r"))
	if err := em.KeepAlive(""); !errors.Is(err, emitter.ErrDisconnected) {
		t.Errorf("error\n got: %v\nwant: one that Is ErrDisconnected", err)
	}
	if em.Context().Err() == nil {
		t.Error("the run's context is not cancelled")
	}
}
