package content

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// recorder is a sink that keeps what was written.
type recorder struct{ bytes.Buffer }

func (*recorder) Flush() error { return nil }

// checkOutput has every writer write the delta twice and compares what comes out with the frames that ours
// are to be.
func checkOutput(delta string) error {
	want, err := wantFrame(delta)
	if err != nil {
		return err
	}
	for _, w := range writers {
		got, err := output(w, delta)
		if err != nil {
			return fmt.Errorf("content: %s: %w", w.name, err)
		}
		if err := w.form.check(got, want, delta); err != nil {
			return fmt.Errorf("content: %s: %w", w.name, err)
		}
	}
	return nil
}

// wantFrame is the frame of a delta as encoding/json encodes it.
func wantFrame(delta string) (string, error) {
	data, err := encoded(delta)
	return "data: " + data + "\n\n", err
}

// output returns what the writer makes of two deltas.
func output(w writer, delta string) (string, error) {
	var sink recorder
	write, end, err := w.open(&sink, delta)
	if err != nil {
		return "", err
	}
	begun := sink.Len()
	if err := write(2); err != nil {
		return "", err
	}
	if err := end(); err != nil {
		return "", err
	}
	return sink.String()[begun:], nil
}

// check compares the output of two deltas with two times the wanted frame.
func (f form) check(got, want, delta string) error {
	switch f {
	case rawBytes:
		if want = framePrefix + delta + frameSuffix; got != want+want {
			return fmt.Errorf("wrote %q\nwant  %q", clip(got), clip(want+want))
		}
	case sameBytes:
		if got != want+want {
			return fmt.Errorf("wrote %q\nwant  %q", clip(got), clip(want+want))
		}
	case sameValue:
		return checkValues(got, want)
	}
	return nil
}

// checkValues compares the JSON of the two events in got with that of want.
func checkValues(got, want string) error {
	wantValue, err := decoded(strings.TrimPrefix(strings.TrimSpace(want), "data: "))
	if err != nil {
		return err
	}
	n := 0
	for line := range strings.Lines(got) {
		data, ok := strings.CutPrefix(line, "data: ")
		if !ok {
			continue
		}
		n++
		value, err := decoded(data)
		if err != nil {
			return err
		}
		delete(value, "timestamp") // the official SDK adds one
		if !reflect.DeepEqual(value, wantValue) {
			return fmt.Errorf("wrote %q\nwant  %q", clip(line), clip(want))
		}
	}
	if n != 2 {
		return fmt.Errorf("wrote %d data lines for two events: %q", n, clip(got))
	}
	return nil
}

func decoded(data string) (map[string]any, error) {
	var v map[string]any
	err := json.Unmarshal([]byte(data), &v)
	return v, err
}

func clip(s string) string {
	if len(s) > 400 {
		return s[:400] + "..."
	}
	return s
}
