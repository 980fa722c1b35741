package stream_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/agui-go/agui/verify"
	"github.com/agui-go/agui/verify/stream"
)

// sequence is one line of the case file of package verify.
type sequence struct {
	ID     string            `json:"id"`
	Events []json.RawMessage `json:"events"`
	Core   *verdict          `json:"core"`
	Strict *verdict          `json:"strict"`
}

type verdict struct {
	OK   bool   `json:"ok"`
	At   int    `json:"at"`
	Rule string `json:"rule"`
}

func readSequences(t testing.TB) []sequence {
	t.Helper()
	f, err := os.Open("../verifytest/sequences.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var list []sequence
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s sequence
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatalf("line %d: %v", len(list)+1, err)
		}
		list = append(list, s)
	}
	if err := lines.Err(); err != nil || len(list) == 0 {
		t.Fatalf("%d sequences: %v", len(list), err)
	}
	return list
}

// writings are the ways to write events into a stream.
var writings = map[string]func([]json.RawMessage) string{
	"sse":      func(list []json.RawMessage) string { return frames(list, "data: ", "\n\n") },
	"sse CRLF": func(list []json.RawMessage) string { return frames(list, "data: ", "\r\n\r\n") },
	"sse CR":   func(list []json.RawMessage) string { return frames(list, "data: ", "\r\r") },
	"sse with all that is ignored": func(list []json.RawMessage) string {
		return "\uFEFF: hello\n\n" + frames(list, "event: x\n: {}\nid:1\nretry: 5\ndata:", "\n\n\n: ping\n\n")
	},
	"sse on several lines": func(list []json.RawMessage) string {
		split := make([]json.RawMessage, len(list))
		for i, event := range list {
			split[i] = bytes.ReplaceAll(event, []byte(", \""), []byte(",\ndata: \""))
		}
		return frames(split, "data: ", "\n\n")
	},
	"json lines":      func(list []json.RawMessage) string { return frames(list, "", "\n") },
	"json lines CRLF": func(list []json.RawMessage) string { return frames(list, " ", "\r\n\r\n") },
	"json array": func(list []json.RawMessage) string {
		return "\uFEFF [" + strings.Trim(frames(list, "\r\n\t", " ,"), ",") + "]\n"
	},
}

func frames(list []json.RawMessage, before, after string) string {
	var b strings.Builder
	for _, event := range list {
		b.WriteString(before)
		b.Write(event)
		b.WriteString(after)
	}
	return b.String()
}

// readings are the ways in which the bytes of a stream come.
var readings = map[string]func(string) io.Reader{
	"whole":    func(s string) io.Reader { return strings.NewReader(s) },
	"byte":     func(s string) io.Reader { return iotest.OneByteReader(strings.NewReader(s)) },
	"half":     func(s string) io.Reader { return iotest.HalfReader(strings.NewReader(s)) },
	"last EOF": func(s string) io.Reader { return iotest.DataErrReader(strings.NewReader(s)) },
}

// TestSequences holds every sequence, however it is written and however its bytes come, to the verdict of
// the case file.
func TestSequences(t *testing.T) {
	for _, s := range readSequences(t) {
		for writing, write := range writings {
			text := write(s.Events)
			for reading, read := range readings {
				err := stream.Check(read(text))
				if got, want := verdictOf(t, err), *s.Strict; got != want {
					t.Errorf("%s, %s, %s, strict\n got: %+v (%v)\nwant: %+v", s.ID, writing, reading, got, err, want)
				}
				if s.Core == nil || reading != "byte" {
					continue
				}
				// The core verdict of the case file leaves the end of the stream out.
				err = stream.Check(read(text), stream.WithRules(verify.Core, verify.Allow(verify.Unterminated)))
				if got, want := verdictOf(t, err), *s.Core; got != want {
					t.Errorf("%s, %s, %s, core\n got: %+v (%v)\nwant: %+v", s.ID, writing, reading, got, err, want)
				}
			}
		}
	}
}

// TestFeedIsRead holds what a checker finds in bytes that it is fed to what it finds in bytes that it reads.
func TestFeedIsRead(t *testing.T) {
	for _, s := range readSequences(t) {
		for writing, write := range writings {
			text := write(s.Events)
			want := collect(stream.NewChecker().Read(strings.NewReader(text)))
			for _, size := range []int{1, 3, 64, len(text) + 1} {
				c := stream.NewChecker()
				var got []string
				for rest := []byte(text); len(rest) > 0; {
					n := min(size, len(rest))
					piece := bytes.Clone(rest[:n])
					got = append(got, collect(c.Feed(piece))...)
					clear(piece) // the checker keeps nothing of it
					rest = rest[n:]
				}
				got = append(got, collect(c.End())...)
				if got, want := strings.Join(got, "\n"), strings.Join(want, "\n"); got != want {
					t.Errorf("%s, %s, in pieces of %d\n got: %s\nwant: %s", s.ID, writing, size, got, want)
				}
			}
		}
	}
}

func collect(seq func(func(stream.Finding, error) bool)) []string {
	var list []string
	for f, err := range seq {
		if err == nil {
			err = f
		}
		list = append(list, err.Error())
	}
	return list
}

// verdictOf turns what Check returned into a verdict.
func verdictOf(t testing.TB, err error) verdict {
	t.Helper()
	if err == nil {
		return verdict{OK: true}
	}
	var v *verify.Violation
	if !errors.As(err, &v) {
		t.Errorf("an error that is no violation: %v", err)
		return verdict{}
	}
	return verdict{At: v.Index, Rule: v.Rule.String()}
}
