package emittertest

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify"
)

var update = flag.Bool("update", false, "write golden files instead of comparing with them")

// stream is a recorded stream: what [Recorder] and [Response] share.
type stream struct {
	t     testing.TB
	bytes func() []byte
	// refused is the HTTP status of a response that is no stream.
	refused string
}

// Bytes returns what was written, byte for byte.
func (s stream) Bytes() []byte { return s.bytes() }

// Events returns the events that were written, decoded, in pointer form. It ends the test when the
// stream is not what an emitter writes: whole frames of one "data: " line, and comments.
func (s stream) Events() []events.Event {
	s.t.Helper()
	if s.refused != "" {
		s.t.Fatalf("emittertest: the response is no stream: %s: %s", s.refused, s.bytes())
	}
	evs, err := decode(s.bytes())
	if err != nil {
		s.t.Fatalf("emittertest: %v", err)
	}
	return evs
}

// AssertValid fails the test unless the stream is a whole run that keeps all rules, its end included.
// history is what the client knew before: the messages of the request, when the run answers calls of
// an earlier one.
func (s stream) AssertValid(history ...events.Message) {
	s.t.Helper()
	v := verify.New(verify.Strict)
	v.Seed(history)
	if err := v.All(slices.Values(s.Events())); err != nil {
		s.t.Errorf("emittertest: the stream is not valid: %v", err)
	}
}

// Golden compares the bytes with the file at path. With the test flag -update it writes them there.
func (s stream) Golden(path string) {
	s.t.Helper()
	got := s.bytes()
	if *update {
		if err := writeFile(path, got); err != nil {
			s.t.Fatalf("emittertest: %v", err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		s.t.Fatalf("emittertest: %v; run the test with -update to write it", err)
	}
	if !bytes.Equal(got, want) {
		s.t.Errorf("emittertest: the stream is not that of %s; run the test with -update if it should change\n%s", path, firstDifference(got, want))
	}
}

func writeFile(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o644)
}

// firstDifference shows the first line in which got and want differ.
func firstDifference(got, want []byte) string {
	g, w := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range max(len(g), len(w)) {
		gl, wl := lineAt(g, i), lineAt(w, i)
		if gl != wl {
			return fmt.Sprintf("line %d\n got %s\nwant %s", i+1, gl, wl)
		}
	}
	return "no line differs"
}

func lineAt(lines [][]byte, i int) string {
	if i >= len(lines) {
		return "(no line)"
	}
	return string(lines[i])
}

// decode reads a stream as an emitter writes it.
func decode(data []byte) ([]events.Event, error) {
	var evs []events.Event
	for n := 1; len(data) > 0; n++ {
		frame, rest, whole := bytes.Cut(data, []byte("\n\n"))
		if !whole {
			return nil, fmt.Errorf("frame %d has no end: %q", n, frame)
		}
		data = rest
		if bytes.HasPrefix(frame, []byte(":")) && !bytes.ContainsRune(frame, '\n') {
			continue
		}
		line, ok := bytes.CutPrefix(frame, []byte("data: "))
		if !ok || bytes.ContainsAny(line, "\r\n") {
			return nil, fmt.Errorf("frame %d is not one data line: %q", n, frame)
		}
		ev, err := events.Decode(line)
		if err != nil {
			return nil, fmt.Errorf("frame %d: %w", n, err)
		}
		evs = append(evs, ev)
	}
	return evs, nil
}
