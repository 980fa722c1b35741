package emitter_test

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/agui-go/agui/emitter"
)

// TestWhatWasNotWrittenIsLogged ignores errors, as agents do: each kind is a line of log, once in a run.
func TestWhatWasNotWrittenIsLogged(t *testing.T) {
	var buf, log bytes.Buffer
	em := newEmitter(t, &buf, emitter.WithLogger(slog.New(slog.NewTextHandler(&log, nil))), emitter.WithMaxEventSize(1000))
	for range 2 {
		em.StateSnapshot(make(chan int))
		em.TextStart("m", emitter.Metadata(make(chan int)))
		em.Custom("acme.large", strings.Repeat("x", 2000))
		msg := em.Text()
		msg.Close()
		msg.WriteString("too late")
	}
	for _, want := range []string{"STATE_SNAPSHOT cannot be encoded", "CUSTOM takes 20", "text message is closed"} {
		if got := strings.Count(log.String(), want); got != 1 {
			t.Errorf("lines with %q\n got %d\nwant 1\n%s", want, got, log.String())
		}
	}
	if got := strings.Count(log.String(), "level=WARN"); got != 3 {
		t.Errorf("lines\n got %d\nwant 3\n%s", got, log.String())
	}
}

func TestLateGoroutineIsLogged(t *testing.T) {
	for name, tt := range map[string]struct {
		cause error
		want  int
	}{
		"after a good end":       {nil, 1},
		"after the client left":  {emitter.ErrDisconnected, 0},
		"after another bad ends": {errors.New("timeout"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			var buf, log bytes.Buffer
			em := newEmitter(t, &buf, emitter.WithLogger(slog.New(slog.NewTextHandler(&log, nil))))
			msg := em.Text()
			must(t, em.RunError("x", ""))
			must(t, em.Close(tt.cause))
			msg.Close() // deferred: no mistake
			em.TextContent("m", "x")
			msg.WriteString("x")
			if got := strings.Count(log.String(), "start them with Emitter.Go"); got != tt.want {
				t.Errorf("lines\n got %d\nwant %d\n%s", got, tt.want, log.String())
			}
		})
	}
}
