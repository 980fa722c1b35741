package stream_test

import (
	"strings"
	"testing"
	"testing/iotest"

	"github.com/agui-go/agui/verify/stream"
)

// FuzzChecker holds a stream to one meaning, however its bytes come, and its findings to their order.
func FuzzChecker(f *testing.F) {
	for _, test := range framings {
		f.Add(test.text, uint8(stream.Detect))
	}
	f.Add(sse(started, textM, contentM, endM, finished), uint8(stream.SSE))
	f.Add("[1]", uint8(stream.JSONArray))
	f.Fuzz(func(t *testing.T, text string, framing uint8) {
		options := func() []stream.CheckOption {
			return []stream.CheckOption{stream.WithFraming(stream.Framing(framing % 4)), stream.WithLimit(1 << 10), stream.MultiRun()}
		}
		c := stream.NewChecker(options()...)
		var want []string
		var last int64
		for finding, err := range c.Read(strings.NewReader(text)) {
			if settled := c.Settled(); settled < last || settled > int64(len(text)) {
				t.Errorf("settled\n got: %d\nwant: between %d and %d", settled, last, len(text))
			} else {
				last = settled
			}
			if err == nil {
				if finding.Offset > int64(len(text)) || finding.Line < 1 {
					t.Errorf("a finding outside the text of %d bytes: %s", len(text), finding.Position)
				}
				err = finding
			}
			want = append(want, err.Error())
		}
		got := collect(stream.NewChecker(options()...).Read(iotest.OneByteReader(strings.NewReader(text))))
		if got, want := strings.Join(got, "\n"), strings.Join(want, "\n"); got != want {
			t.Errorf("%q, a byte at a time\n got: %s\nwant: %s", text, got, want)
		}
	})
}
