package stream_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify/stream"
)

// The benchmarks read one long run. It is made in memory, or once in a file:
//
//	go test ./verify/stream -run '^$' -bench . -benchtime 1x -size 1000000000 -file /tmp/long.sse
var (
	size = flag.Int64("size", 4<<20, "length in `bytes` of the run that the benchmarks read")
	file = flag.String("file", "", "`path` of a file to keep that run in; one that exists is read as it is")
)

// longRun is a run of messages, calls, reasoning, steps and state, as long as is asked for, as Server-Sent
// Events.
type longRun struct {
	left  int64
	begun bool
	turn  int
	buf   []byte // written, and not yet read
}

func (r *longRun) Read(p []byte) (int, error) {
	if len(r.buf) == 0 && r.left <= 0 {
		return 0, io.EOF
	}
	if len(r.buf) == 0 {
		r.write()
	}
	n := copy(p, r.buf)
	r.buf = r.buf[n:]
	return n, nil
}

// write writes a turn, the first and the last thing in their places.
func (r *longRun) write() {
	r.buf = r.buf[:0]
	if !r.begun {
		r.begun = true
		r.event(events.NewRunStarted("thread-1", "run-1"))
	}
	r.reply(fmt.Sprintf("msg_%08d", r.turn))
	r.call(fmt.Sprintf("call_%08d", r.turn))
	r.turn++
	if r.left -= int64(len(r.buf)); r.left <= 0 {
		r.event(events.NewRunFinished("thread-1", "run-1"))
	}
}

func (r *longRun) reply(id string) {
	r.event(events.NewTextMessageStart(id))
	for i := range 200 {
		r.event(events.NewTextMessageContent(id, fmt.Sprintf(" the %d words of a model, \u201cand more\u201d.\n", i)))
	}
	r.event(events.NewTextMessageEnd(id))
}

func (r *longRun) call(id string) {
	r.event(events.NewToolCallStart(id, "search"))
	for i := range 20 {
		r.event(events.NewToolCallArgs(id, fmt.Sprintf(`{"query":"q%d","limit":10}`, i)))
	}
	r.event(events.NewToolCallEnd(id))
	r.event(events.NewToolCallResult("res_"+id, id, `{"found":["a","b","c"],"took":0.12}`))
	r.event(events.NewStepStarted("think"))
	r.event(events.StateSnapshot{Snapshot: events.MustJSON(map[string]any{"turn": r.turn, "open": []string{id}, "done": false})})
	r.event(events.NewStepFinished("think"))
}

func (r *longRun) event(ev events.Event) {
	r.buf = append(r.buf, "data: "...)
	buf, err := ev.AppendJSON(r.buf)
	if err != nil {
		panic(err) // the events above have a JSON form
	}
	r.buf = append(buf, "\n\n"...)
}

// source returns a function that opens the run, and its length.
func source(b *testing.B) (open func() io.ReadCloser, length int64) {
	b.Helper()
	if *file == "" {
		text, err := io.ReadAll(&longRun{left: *size})
		if err != nil {
			b.Fatal(err)
		}
		return func() io.ReadCloser { return io.NopCloser(bytes.NewReader(text)) }, int64(len(text))
	}
	if _, err := os.Stat(*file); err != nil {
		f, err := os.Create(*file)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := io.Copy(f, &longRun{left: *size}); err != nil {
			b.Fatal(err)
		}
		if err := f.Close(); err != nil {
			b.Fatal(err)
		}
	}
	info, err := os.Stat(*file)
	if err != nil {
		b.Fatal(err)
	}
	return func() io.ReadCloser {
		f, err := os.Open(*file)
		if err != nil {
			b.Fatal(err)
		}
		return f
	}, info.Size()
}

// benchmark runs read over the run, which returns the number of events, and holds that to be right.
func benchmark(b *testing.B, read func(io.Reader) (int, error)) {
	b.Helper()
	open, length := source(b)
	b.SetBytes(length)
	b.ReportAllocs()
	n := 0
	for b.Loop() {
		f := open()
		var err error
		if n, err = read(f); err != nil {
			b.Fatal(err)
		}
		f.Close()
	}
	if n == 0 {
		b.Fatal("no events were read")
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "events/s")
}

// BenchmarkFrames is the cutting alone: it reads each event's JSON and decodes none.
func BenchmarkFrames(b *testing.B) {
	benchmark(b, stream.CountDocuments)
}

func BenchmarkReader(b *testing.B) {
	benchmark(b, func(src io.Reader) (int, error) {
		n := 0
		for _, err := range stream.NewReader(src).Events() {
			if err != nil {
				return n, err
			}
			n++
		}
		return n, nil
	})
}

func BenchmarkChecker(b *testing.B) {
	benchmark(b, func(src io.Reader) (int, error) {
		c := stream.NewChecker()
		for f, err := range c.Read(src) {
			if err != nil {
				return 0, err
			}
			return 0, f
		}
		return c.Position().Index, nil
	})
}

// lineJSON is the plain way: a bufio.Scanner, and encoding/json for what follows "data:". It judges nothing.
func lineJSON(src io.Reader, decode func([]byte) error) (int, error) {
	n := 0
	lines := bufio.NewScanner(src)
	lines.Buffer(nil, 10<<20)
	for lines.Scan() {
		if data, ok := bytes.CutPrefix(lines.Bytes(), []byte("data:")); ok {
			if err := decode(data); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, lines.Err()
}

func BenchmarkEncodingJSONMap(b *testing.B) {
	benchmark(b, func(src io.Reader) (int, error) {
		return lineJSON(src, func(data []byte) error {
			var ev map[string]any
			return json.Unmarshal(data, &ev)
		})
	})
}

func BenchmarkEncodingJSONStruct(b *testing.B) {
	benchmark(b, func(src io.Reader) (int, error) {
		return lineJSON(src, func(data []byte) error {
			var ev struct {
				Type, ThreadID, RunID, MessageID, Role, Delta   string
				ToolCallID, ToolCallName, Content, StepName     string
				SubagentRunID, ParentMessageID, Name, ErrorCode *string
				Snapshot, RawEvent, Metadata                    json.RawMessage
				Timestamp                                       *int64
			}
			return json.Unmarshal(data, &ev)
		})
	})
}
