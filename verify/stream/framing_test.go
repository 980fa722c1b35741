package stream_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/agui-go/agui/events"
	"github.com/agui-go/agui/verify/stream"
)

const (
	rawA = `{"type":"RAW","event":"a"}`
	rawB = `{"type":"RAW","event":"b"}`
)

// told is what a Reader tells of a stream, a line for each event, flaw and error.
func told(src io.Reader, opts ...stream.ReadOption) string {
	var b strings.Builder
	opts = append(opts, stream.OnFlaw(func(f stream.Flaw, at stream.Position) {
		fmt.Fprintf(&b, "%d@%d:%d flaw %s\n", at.Index, at.Line, at.Offset, f.String())
	}))
	r := stream.NewReader(src, opts...)
	for ev, err := range r.Events() {
		at := r.Position()
		fmt.Fprintf(&b, "%d@%d:%d ", at.Index, at.Line, at.Offset)
		switch ev := ev.(type) {
		case nil:
			_, text, _ := strings.Cut(err.Error(), "): ")
			b.WriteString(text + "\n")
		case *events.Raw:
			b.WriteString("raw " + ev.Event.String() + "\n")
		default:
			b.WriteString(string(ev.EventType()) + "\n")
		}
	}
	return b.String()
}

var framings = []struct {
	name, text, want string
}{
	{"empty", "", ""},
	{"blank", "\n \r\n\t\n", ""},
	{"BOM alone", "\uFEFF", ""},
	{"half a BOM", "\xEF\xBB", "0@1:2 no events"},
	{"comments alone", ": ping\n\n: ping\n\n", ""},
	{"another text", "# Title\n\nSome words.\n", "0@4:21 no events"},
	{"a page of HTML", "<html>\n<body>\n", "0@3:14 no events"},

	{"sse", "data: " + rawA + "\n\ndata: " + rawB + "\n\n", "0@1:6 raw \"a\"\n1@3:40 raw \"b\"\n"},
	{"sse, no space", "data:" + rawA + "\n\n", "0@1:5 raw \"a\"\n"},
	{"sse, two spaces", "data:  " + rawA + "\n\n", "0@1:6 raw \"a\"\n"},
	{"sse, last blank line missing", "data: " + rawA + "\n\ndata: " + rawB + "\n", "0@1:6 raw \"a\"\n1@3:40 raw \"b\"\n"},
	{"sse, last line end missing", "data: " + rawA, "0@1:6 raw \"a\"\n"},
	{"sse, blank lines", "\n\n\ndata: " + rawA + "\n\n\n\n\ndata: " + rawB + "\n\n\n", "0@4:9 raw \"a\"\n1@9:46 raw \"b\"\n"},
	{"sse, other fields", "event: x\nid: 1\ndata: " + rawA + "\nretry: 1\n: c\n\n", "0@3:21 raw \"a\"\n"},
	{"sse, lines that are no data", "Data: x\n data: x\ndata\ndata : x\ndata: " + rawA + "\n\n", "0@5:37 raw \"a\"\n"},
	{"sse, several data lines", "data: {\"type\":\"RAW\",\ndata:\ndata: \"event\":\"a\"}\n\n", "0@1:6 raw \"a\"\n"},
	{"sse, comment inside", "data: {\"type\":\"RAW\",\n: c\ndata: \"event\":\"a\"}\n\n", "0@1:6 raw \"a\"\n"},
	{"sse, a CR that is white space", ": c\ndata: {\"type\":\"RAW\",\r\"event\":\"a\"}\n\n", "0@2:10 raw \"a\"\n"},
	{"sse, a CR that is white space in the first event", "data: {\"type\":\"RAW\",\r\"event\":\"a\"}\n\ndata: " + rawB + "\n\n", "0@1:6 raw \"a\"\n1@3:41 raw \"b\"\n"},
	{"sse, CRs that are white space before a colon", "data: {\"type\"\r:\"RAW\",\"event\"\r\r:\"a\"}\r\r\n\ndata: " + rawB + "\n\n", "0@1:6 raw \"a\"\n1@3:45 raw \"b\"\n"},
	{"sse, a CR that is white space, never ended", "data: {\"type\":\"RAW\",\r\"event\":\"a\"}", "0@1:6 raw \"a\"\n"},
	{"sse, a CR in a comment", ": a\rb\n\ndata: " + rawA + "\n\n", "0@3:13 raw \"a\"\n"},
	{"sse, a character over two reads", "data: {\"type\":\"RAW\",\"event\":\"\u00e9\U0001F600\"}\n\n", "0@1:6 raw \"\u00e9\U0001F600\"\n"},
	{"sse, BOM", "\uFEFFdata: " + rawA + "\n\n", "0@1:9 raw \"a\"\n"},
	{"sse, BOM later", ": c\n\n\uFEFFdata: " + rawA + "\n\n", ""},

	{"sse CRLF, one event", "data: " + rawA + "\r\n\r\n", "0@1:6 raw \"a\"\n"},
	{"sse CRLF", "data: " + rawA + "\r\n\r\ndata: " + rawB + "\r\n\r\n", "0@1:6 raw \"a\"\n1@3:42 flaw CRLF\n1@3:42 raw \"b\"\n"},
	{"sse CRLF, cut by LF", "data: " + rawA + "\r\n\n: c\r\n\r\ndata: " + rawB + "\r\n\r\n", "0@1:6 raw \"a\"\n1@5:48 raw \"b\"\n"},
	{"sse LF, then CRLF", "data: " + rawA + "\n\ndata: " + rawA + "\r\n\r\ndata: " + rawB + "\r\n\r\n",
		"0@1:6 raw \"a\"\n1@3:40 raw \"a\"\n2@5:76 flaw CRLF\n2@5:76 raw \"b\"\n"},
	{"sse CR", "data: " + rawA + "\r\rdata: " + rawB + "\r\r", "0@1:6 flaw CR\n0@1:6 raw \"a\"\n1@3:40 raw \"b\"\n"},
	{"sse CR, one event", "data: " + rawA + "\r\r", "0@1:6 flaw CR\n0@1:6 raw \"a\"\n"},
	{"sse CR, other fields", ": c\r: d\r\revent: x\rdata: " + rawA + "\rid: 1\r\r", "0@5:24 flaw CR\n0@5:24 raw \"a\"\n"},
	{"sse CR, then CRLF and data", ": c\r\rdata: " + rawA + "\r\n\r\ndata: " + rawB + "\r\n\r\n", "0@3:11 flaw CR\n0@3:11 raw \"a\"\n1@5:47 raw \"b\"\n"},
	{"sse CR, then CR and two LF", ": c\rdata: " + rawA + "\r\r\n\ndata: " + rawB + "\r\r", "0@2:10 flaw CR\n0@2:10 raw \"a\"\n"},
	{"sse CR, then CRLF", ": c\r\rdata: " + rawA + "\r\n\r\n", "0@3:11 flaw CR\n0@3:11 raw \"a\"\n"},

	{"[DONE]", "data: " + rawA + "\n\ndata: [DONE]\n\n", "0@1:6 raw \"a\"\n1@3:40 flaw Done\n"},
	{"[DONE] without a blank line", "data: [DONE]", "0@1:6 flaw Done\n"},
	{"empty data", "data:\n\ndata: \n\ndata:\ndata:\n\ndata: " + rawA + "\n\n", "0@1:5 flaw EmptyData\n0@8:34 raw \"a\"\n"},

	{"not JSON", "data: hello\n\ndata: " + rawA + "\n\n", "0@1:6 not JSON"},
	{"two events in one", "data: " + rawA + "\ndata: " + rawB + "\n\n", "0@1:6 not JSON"},
	{"no object", "data: [1]\n\ndata: " + rawA + "\n\n", "0@1:6 want an event, an object, got an array\n0@3:17 raw \"a\"\n"},
	{"no type", "data: {}\n\ndata: " + rawA + "\n\n", "0@1:6 want an event"},
	{"a wrong member counts", "data: {\"type\":\"RUN_ERROR\",\"message\":1}\n\ndata: " + rawA + "\n\n",
		"0@1:6 RUN_ERROR: /message: want a string, got a number\n1@3:46 raw \"a\"\n"},
	{"truncated event", "data: " + rawA + "\n\ndata: {\"type\":\"RA", "0@1:6 raw \"a\"\n1@3:40 the stream ends in the middle of an event"},
	{"truncated field", "data: " + rawA + "\n\ndat", "0@1:6 raw \"a\"\n"},
	{"not JSON at the end", "data: " + rawA + "\n\ndata: hello", "0@1:6 raw \"a\"\n1@3:40 not JSON"},

	{"json lines", rawA + "\n" + rawB + "\n", "0@1:0 raw \"a\"\n1@2:27 raw \"b\"\n"},
	{"json lines, last line end missing", rawA + "\n" + rawB, "0@1:0 raw \"a\"\n1@2:27 raw \"b\"\n"},
	{"json lines CRLF", rawA + "\r\n" + rawB + "\r\n", "0@1:0 raw \"a\"\n1@2:28 raw \"b\"\n"},
	{"json lines CR", rawA + "\r" + rawB + "\r", "0@1:0 raw \"a\"\n1@2:27 raw \"b\"\n"},
	{"json lines, a CR that is white space", "{\"type\":\"RAW\",\r\"event\":[{},\r{}]}\n" + rawB + "\n", "0@1:0 raw [{},{}]\n1@2:33 raw \"b\"\n"},
	{"json lines, blanks", "\n  " + rawA + " \n\n\t" + rawB + "\n\n", "0@2:3 raw \"a\"\n1@4:33 raw \"b\"\n"},
	{"json lines, a bad one", "{\"type\":\n" + rawB + "\n", "0@1:0 not JSON"},
	{"json lines, truncated", rawA + "\n{\"type\":", "0@1:0 raw \"a\"\n1@2:27 the stream ends in the middle of an event"},

	{"json array", "[" + rawA + "," + rawB + "]", "0@1:1 raw \"a\"\n1@1:28 raw \"b\"\n"},
	{"json array on lines", "[\n  " + rawA + ",\r\n  " + rawB + "\n]\n", "0@2:4 raw \"a\"\n1@3:35 raw \"b\"\n"},
	{"json array on lines that end with CR", "[\r" + rawA + "\r,\r\n" + rawB + "\r]", "0@2:2 raw \"a\"\n1@4:32 raw \"b\"\n"},
	{"json array, a CR on both sides of a comma", "[" + rawA + "\r,\n" + rawB + "]", "0@1:1 raw \"a\"\n1@3:30 raw \"b\"\n"},
	{"json array, an element on lines", "[{\n\"type\":\"RAW\",\n\"event\":[\n1,\"]}\\\"\"]\n},\n" + rawB + "]",
		"0@1:1 raw [1,\"]}\\\"\"]\n1@6:40 raw \"b\"\n"},
	{"json array, backslashes", `[{"type":"RAW","event":"\\"},{"type":"RAW","event":"\\\""}]`, "0@1:1 raw \"\\\\\"\n1@1:29 raw \"\\\\\\\"\"\n"},
	{"json array, empty", "[ ]", ""},
	{"json array, other values", `[1,"x]",null,` + rawA + `]`,
		"0@1:1 want an event, an object, got a number\n0@1:3 want an event, an object, got a string\n0@1:8 want an event, an object, got null\n0@1:13 raw \"a\"\n"},
	{"json array, no comma", "[" + rawA + rawB + "]", "0@1:1 raw \"a\"\n1@1:27 want \",\" or \"]\" after an element of the array, got '{'\n"},
	{"json array, comma at the end", "[" + rawA + ",]", "0@1:1 raw \"a\"\n1@1:28 want an event, got ']'\n"},
	{"json array, comma first", "[,]", "0@1:1 want an event, got ','\n"},
	{"json array, text after", "[" + rawA + "]\n[]", "0@1:1 raw \"a\"\n1@2:29 want nothing after the array, got '['\n"},
	{"json array, not closed", "[" + rawA, "0@1:1 raw \"a\"\n1@1:27 the stream ends before the array does"},
	{"json array, element not closed", "[" + rawA + ",\n{\"x\":\"", "0@1:1 raw \"a\"\n1@2:29 the stream ends in the middle of an event"},
	{"json array, number not closed", "[12", "0@1:1 the stream ends in the middle of an event"},
}

func TestFramings(t *testing.T) {
	for _, test := range framings {
		for reading, read := range readings {
			got := told(read(test.text))
			// Only the beginning of a sentence that comes from elsewhere is compared.
			if want := test.want; got != want && !(want != "" && !strings.HasSuffix(want, "\n") && strings.HasPrefix(got, want)) {
				t.Errorf("%s, %s\n got: %s\nwant: %s", test.name, reading, got, want)
			}
		}
	}
}

func TestGivenFraming(t *testing.T) {
	for _, test := range []struct {
		framing    stream.Framing
		text, want string
	}{
		{stream.SSE, "{\"type\":\"RAW\",\"event\":1}\n", ""},
		{stream.SSE, "[]\n\ndata: " + rawA + "\n\n", "0@3:10 raw \"a\"\n"},
		{stream.SSE, "some words\n", ""},
		{stream.JSONLines, "[]\n" + rawA, "0@1:0 want an event, an object, got an array\n0@2:3 raw \"a\"\n"},
		{stream.JSONArray, "  ", ""},
		{stream.JSONArray, rawA, "0@1:0 want \"[\" at the beginning of the array, got '{'\n"},
	} {
		if got := told(strings.NewReader(test.text), stream.WithFraming(test.framing)); got != test.want {
			t.Errorf("%s, %q\n got: %s\nwant: %s", test.framing, test.text, got, test.want)
		}
	}
}

func TestReaderKnowsItsFraming(t *testing.T) {
	for text, want := range map[string]stream.Framing{"": stream.SSE, "data: x": stream.SSE, " {": stream.JSONLines, "\uFEFF\n[": stream.JSONArray} {
		r := stream.NewReader(strings.NewReader(text))
		if got := r.Framing(); got != stream.Detect {
			t.Errorf("%q, before reading\n got: %s\nwant: %s", text, got, stream.Detect)
		}
		for range r.Events() {
		}
		if got := r.Framing(); got != want {
			t.Errorf("%q\n got: %s\nwant: %s", text, got, want)
		}
	}
}

// TestSourceFailsAmongCR: what came before a connection broke is read, though no line end was sure yet.
func TestSourceFailsAmongCR(t *testing.T) {
	got := told(io.MultiReader(strings.NewReader("data: "+rawA+"\r\r"), failing{io.ErrUnexpectedEOF}))
	want := "0@1:6 flaw CR\n0@1:6 raw \"a\"\n1@3:34 unexpected EOF\n"
	if got != want {
		t.Errorf("\n got: %s\nwant: %s", got, want)
	}
}

// TestCRIsDecidedInBounds: a stream that never tells what ends its lines is not kept whole, and what it tells too
// late counts for nothing, however its bytes come.
func TestCRIsDecidedInBounds(t *testing.T) {
	const limit = 1000
	event := rawOf(limit)
	pings := strings.Repeat(": ping\r", 20<<10)
	for name, test := range map[string]struct{ text, want string }{
		"events of just the limit": {"data: " + event + "\r\r\r\rdata: " + event + "\r\r", "flaw CR"},
		"lines of just the limit":  {event + "\r\r\r" + event + "\r", "raw"},
		"nothing but comments":     {"data: " + rawA + "\r\r" + pings, "the event is longer than 1000 bytes"},
		"a field that comes late":  {"data: " + rawA + "\r\r" + pings + "data: " + rawB, "the event is longer than 1000 bytes"},
		"comments first":           {pings + "\rdata: " + rawA + "\r\r", "flaw CR"},
	} {
		whole := told(strings.NewReader(test.text), stream.WithLimit(limit))
		if !strings.Contains(whole, test.want) {
			t.Errorf("%s\n got: %.300s\nwant: %s", name, whole, test.want)
		}
		for reading, read := range readings {
			if got := told(read(test.text), stream.WithLimit(limit)); got != whole {
				t.Errorf("%s, %s\n got: %.300s\nwant: %.300s", name, reading, got, whole)
			}
		}
	}
}
