package stream_test

import (
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify/stream"
)

// rawOf returns a RAW event of so many bytes.
func rawOf(size int) string {
	const head, tail = `{"type":"RAW","event":"`, `"}`
	return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
}

func TestLimit(t *testing.T) {
	const limit = 5000
	for _, test := range []struct {
		name, text string
		fits       bool
	}{
		{"sse, just", "data: " + rawOf(limit) + "\n\n", true},
		{"sse, one more", "data: " + rawOf(limit+1) + "\n\n", false},
		{"sse CRLF, just", ": c\r\ndata: " + rawOf(limit) + "\r\n\r\n", true},
		{"sse, just, not ended", "data: " + rawOf(limit), true},
		{"sse, one more, not ended", "data: " + rawOf(limit+1), false},
		{"sse, in the second of two lines", "data: 12345\ndata: " + rawOf(limit-4) + "\n\n", false},
		{"sse, never ended", "data: " + strings.Repeat("x", 10*limit), false},
		{"sse, a long comment", ": " + strings.Repeat("x", 100*limit) + "\n\ndata: " + rawOf(limit) + "\n\n", true},
		{"sse, a long line of another kind", "x: " + strings.Repeat("x", 100*limit) + "\ndata: " + rawOf(limit) + "\n\n", true},
		{"json lines, just", rawOf(limit) + "\n", true},
		{"json lines CRLF, just", rawOf(50) + "\r\n" + rawOf(limit) + "\r\n", true},
		{"json lines, one more", rawOf(limit+1) + "\n", false},
		{"json lines, never ended", "{" + strings.Repeat("x", 10*limit), false},
		{"json array, just", "[" + rawOf(limit) + "]", true},
		{"json array, one more", "[" + rawOf(limit+1) + "]", false},
		{"json array, string never ended", `["` + strings.Repeat("x", 10*limit), false},
		{"json array, number never ended", `[` + strings.Repeat("1", 10*limit), false},
	} {
		for reading, read := range readings {
			var err error
			n := 0
			for ev, e := range stream.NewReader(read(test.text), stream.WithLimit(limit)).Events() {
				if err = e; ev != nil {
					n++
				}
			}
			var over *stream.LimitError
			switch {
			case test.fits && (err != nil || n == 0):
				t.Errorf("%s, %s: %d events, %v\nwant: no error", test.name, reading, n, err)
			case !test.fits && !errors.As(err, &over):
				t.Errorf("%s, %s\n got: %v\nwant: a LimitError", test.name, reading, err)
			case !test.fits && over.Limit != limit:
				t.Errorf("%s, %s: limit\n got: %d\nwant: %d", test.name, reading, over.Limit, limit)
			}
		}
	}
}

func TestDefaultLimit(t *testing.T) {
	for _, opt := range []stream.ReadOption{nil, stream.WithLimit(0), stream.WithLimit(-1)} {
		for size, fits := range map[int]bool{stream.DefaultLimit: true, stream.DefaultLimit + 1: false} {
			err := stream.Check(strings.NewReader("data: "+rawOf(size)+"\n\n"), opt)
			if got, want := !errors.As(err, new(*stream.LimitError)), fits; got != want {
				t.Errorf("an event of %d bytes is read\n got: %t (%v)\nwant: %t", size, got, err, want)
			}
		}
	}
}

// TestOversize holds the flaw to the client's measure: the UTF-16 units of all lines of the event.
func TestOversize(t *testing.T) {
	const client = 10 << 20
	for _, test := range []struct {
		name, text string
		over       bool
	}{
		{"just", "data: " + rawOf(client-6) + "\n\n", false},
		{"more", "data: " + rawOf(client-5) + "\n\n", true},
		{"more, with other lines", "id: 1\ndata: " + rawOf(client-6) + "\n\n", true},
		{"just, in CJK", "data: " + `{"type":"RAW","event":"` + strings.Repeat("\u6587", client-6-25) + "\"}\n\n", false},
		{"more, in emoji", "data: " + `{"type":"RAW","event":"` + strings.Repeat("\U0001F600", (client-6-25)/2+1) + "\"}\n\n", true},
	} {
		got := told(strings.NewReader(test.text), stream.WithLimit(4*client))
		if got, want := strings.Contains(got, "flaw Oversize"), test.over; got != want {
			t.Errorf("%s: oversize\n got: %t\nwant: %t", test.name, got, want)
		}
		if !strings.Contains(got, "raw") {
			t.Errorf("%s: the event was not read: %s", test.name, got[:min(len(got), 200)])
		}
	}
}

// TestOversizeOfIgnoredLines: the client keeps what it ignores, too, until it has come to a blank line.
func TestOversizeOfIgnoredLines(t *testing.T) {
	const client = 10 << 20
	x := strings.Repeat("x", client)
	event := "data: " + rawA + "\n\n"
	for _, test := range []struct {
		name, text, want string
	}{
		{"a comment, just", event + ":" + x[1:] + "\n\n" + event, ""},
		{"a comment, more", event + ":" + x + "\n\n" + event, "1@3:34 flaw Oversize"},
		{"a comment that does not end", event + ":" + x, "1@3:34 flaw Oversize"},
		{"another line", event + x + "x\n\n" + event, "1@3:34 flaw Oversize"},
		{"a comment in an event", event + ":" + x[30:] + "\n" + event, "1@4:10485772 flaw Oversize"},
		{"a comment before an event", event + ":" + x[40:] + "\n\n" + event, ""},
		{"many comments", event + strings.Repeat(": "+x[:1022]+"\n", client/1024) + event, "flaw Oversize"},
		{"many comments, apart", event + strings.Repeat(": "+x[:1022]+"\n\n", client/1024+10) + event, ""},
		{"a comment in CJK", ":" + strings.Repeat("\u6587", client-2) + "\n\n" + event, ""},
		{"a comment in emoji", ":" + strings.Repeat("\U0001F600", client/2) + "\n\n" + event, "0@1:0 flaw Oversize"},
	} {
		for _, size := range []int{len(test.text), 4093} {
			got := told(pieces{strings.NewReader(test.text), size})
			if flawed := strings.Contains(got, "flaw Oversize"); !strings.Contains(got, test.want) || flawed != (test.want != "") {
				t.Errorf("%s, in pieces of %d\n got: %.300s\nwant: %s", test.name, size, got, test.want)
			}
		}
	}
}

// pieces is a reader that returns at most so many bytes at once.
type pieces struct {
	src  io.Reader
	size int
}

func (r pieces) Read(p []byte) (int, error) { return r.src.Read(p[:min(len(p), r.size)]) }

// TestLimitPosition: an event over the limit is where its JSON begins, however its bytes come.
func TestLimitPosition(t *testing.T) {
	const limit = 1000
	big := rawOf(3 * limit)
	for _, test := range []struct {
		name, text, want string
	}{
		{"sse", ": c\n\ndata: " + big + "\n\n", "0@3:11"},
		{"sse, no space", ": c\n\ndata:" + big + "\n\n", "0@3:10"},
		{"sse, not ended", ": c\n\ndata: " + big, "0@3:11"},
		{"sse CRLF", ": c\r\n\r\ndata: " + big + "\r\n\r\n", "0@3:13"},
		{"sse, several lines", "data: {\"type\":\ndata: \"RAW\",\ndata: \"event\": \"" + big[2:], "0@1:6"},
		{"sse, several lines of which none is long", "data: [\n" + strings.Repeat("data: 1,\n", 2*limit), "0@1:6"},
		{"json lines", rawA + "\n  " + big + "\n", "1@2:29"},
		{"json array", "[\n " + big, "0@2:3"},
	} {
		for reading, read := range readings {
			got := told(read(test.text), stream.WithLimit(limit))
			if want := test.want + " the event is longer than 1000 bytes"; !strings.Contains("\n"+got, "\n"+want) {
				t.Errorf("%s, %s\n got: %s\nwant: %s", test.name, reading, got, want)
			}
		}
	}
}

// endless is a stream that repeats a piece until it has had so many bytes.
type endless struct {
	piece string
	left  int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n == 0 || n+len(e.piece) <= len(p) {
		n += copy(p[n:], e.piece)
	}
	e.left -= n
	return n, nil
}

// TestMemory holds reading to what it keeps: 8 MiB of what must not be kept, in a heap of less than two.
func TestMemory(t *testing.T) {
	const much, few, limit = 8 << 20, 2 << 20, 256 << 10
	event := rawOf(1000)
	for name, piece := range map[string]string{
		"events":           "data: " + event + "\n\n",
		"CRLF":             "data: " + event + "\r\n\r\n",
		"an endless line":  "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
		"endless comments": ": ping, and some more words to pass the time\n",
		"endless blanks":   "\n",
		"json lines":       event + "\n",
		"json array":       "[" + event + "]",
		"an endless event": "data: \"\n",
		"white space":      " \t",
	} {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		var most uint64
		sample := func() {
			runtime.GC()
			runtime.ReadMemStats(&after)
			most = max(most, after.HeapAlloc-min(before.HeapAlloc, after.HeapAlloc))
		}
		n := 0
		src := &endless{piece: piece, left: much}
		r := stream.NewReader(src, stream.WithLimit(limit))
		for range r.Events() {
			if n++; n%1000 == 0 {
				sample()
			}
		}
		sample()
		if got := most; got > few {
			t.Errorf("%s: the heap grew\n got: %d\nwant: at most %d", name, got, few)
		}
	}
}

// TestBigEventLeavesNoBigBuffer: a long connection does not pay for one big event for ever.
func TestBigEventLeavesNoBigBuffer(t *testing.T) {
	c := stream.NewChecker(stream.WithLimit(16 << 20))
	feed := func(text string) {
		for range c.Feed([]byte(text)) {
		}
	}
	feed("data: " + `{"type":"RUN_STARTED","threadId":"t","runId":"r"}` + "\n\n")
	big := rawOf(8 << 20)
	feed("data: " + big[:len(big)/2])
	feed(big[len(big)/2:] + "\n\n")
	for range 100 {
		feed("data: " + rawA + "\n\n")
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if got, want := c.Position().Index, 102; got != want {
		t.Errorf("events\n got: %d\nwant: %d", got, want)
	}
	if got, want := m.HeapAlloc, uint64(4<<20); got > want {
		t.Errorf("heap after a big event\n got: %d\nwant: at most %d", got, want)
	}
	runtime.KeepAlive(c)
}

func TestSourceFails(t *testing.T) {
	broken := errors.New("the cable is cut")
	for _, text := range []string{"", "data: " + rawA + "\n\n", "data: " + rawA + "\n\ndata: {", "[" + rawA + ", ", rawA + "\n{"} {
		src := io.MultiReader(strings.NewReader(text), failing{broken})
		var err error
		n := 0
		for ev, e := range stream.NewReader(src).Events() {
			if err = e; ev != nil {
				n++
			}
		}
		if want := strings.Count(text, "RAW"); n != want {
			t.Errorf("%q: events before the failure\n got: %d\nwant: %d", text, n, want)
		}
		var at *stream.Error
		if !errors.Is(err, broken) || !errors.As(err, &at) {
			t.Errorf("%q\n got: %v\nwant: an Error that wraps %v", text, err, broken)
		}
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// TestIdleSource: a source that never gives anything ends the reading.
func TestIdleSource(t *testing.T) {
	for _, err := range stream.NewReader(failing{nil}).Events() {
		if got, want := err, io.ErrNoProgress; !errors.Is(got, want) {
			t.Errorf("\n got: %v\nwant: %v", got, want)
		}
	}
}

// TestBreakLosesNothing: a loop that is left goes on where it was.
func TestBreakLosesNothing(t *testing.T) {
	text := "data: " + rawA + "\n\ndata: nothing\n\ndata: " + rawB + "\n\n"
	r := stream.NewReader(strings.NewReader(text))
	var got []string
	for range 5 {
		for ev, err := range r.Events() {
			if raw, ok := ev.(*events.Raw); ok {
				got = append(got, raw.Event.String(), string(r.Text()))
			} else {
				got = append(got, err.Error()[:22])
			}
			break
		}
	}
	want := []string{`"a"`, rawA, "stream: event 1 (line ", `"b"`, rawB}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("\n got: %q\nwant: %q", got, want)
	}
}
