package wire

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agui-go/agui/internal/bench/reporttest"
)

func TestMain(m *testing.M) {
	if Child() {
		return
	}
	os.Exit(m.Run())
}

// TestGroups measures everything, small.
func TestGroups(t *testing.T) {
	rows := map[string]int{"wire": len(runSetups(true)) * len(runKinds), "latency": len(latencySetups(true)) * len(runKinds), "storm": len(stormKinds), "telemetry": len(telemetryKinds), "paced": len(pacedKinds) + 1, "first-byte": len(firstKinds)}
	goals := map[string]int{"wire": 6 + 2*2 + 2*2 + 1, "latency": 0, "storm": 2, "telemetry": 1, "paced": 3, "first-byte": 0}
	for _, g := range Groups() {
		t.Run(g.Key, func(t *testing.T) {
			res := reporttest.Short(t, g)
			if len(res.Rows) != rows[g.Key] {
				t.Errorf("rows\n got: %d\nwant: %d", len(res.Rows), rows[g.Key])
			}
			for _, row := range res.Rows {
				checkWrites(t, res.Header, row)
			}
			if len(res.Goals) != goals[g.Key] {
				t.Errorf("goals\n got: %d\nwant: %d", len(res.Goals), goals[g.Key])
			}
			for _, goal := range res.Goals {
				if !(goal.Got > -10 && goal.Got < 1e6) { // a share of CPU can be below nothing when it is measured once
					t.Errorf("%s: got %v", goal.What, goal.Got)
				}
			}
		})
	}
}

// checkWrites checks that writes were counted.
func checkWrites(t *testing.T, header, row []string) {
	t.Helper()
	for i, cell := range row {
		if header[i] != "write(2) an event" {
			continue
		}
		if writes, err := strconv.ParseFloat(cell, 64); err != nil || writes <= 0 {
			t.Errorf("%s of %q\n got: %s\nwant: more than none", header[i], row, cell)
		}
	}
}

func TestWritesAndBytesAreCounted(t *testing.T) {
	p, err := start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := p.close(); err != nil {
			t.Error(err)
		}
	}()
	l := load{Deltas: 100, Size: 16}
	if err := p.compare(t.Context(), http1, l, []kind{bare}); err != nil {
		t.Fatal(err)
	}
	used, err := p.batch(t.Context(), http1, bare, 1, 2, drain)
	if err != nil {
		t.Fatal(err)
	}
	// A write for each event and one for the last chunk; the runtime may wake itself up now and then.
	if want := int64(2 * (l.events() + 1)); used.Writes < want || used.Writes > want+20 {
		t.Errorf("write(2) of two runs\n got: %d\nwant: %d, hardly more", used.Writes, want)
	}
	frame := int64(len(frames.content) + l.Size + len(frames.rest) + len("7b\r\n\r\n"))
	if least := 2 * int64(l.Deltas) * frame; used.Bytes < least || used.Bytes > least+4000 {
		t.Errorf("bytes of two runs\n got: %d\nwant: %d, a header and four more events each", used.Bytes, least)
	}
	if used.CPU <= 0 || used.CPU > time.Minute {
		t.Errorf("CPU of two runs\n got: %v", used.CPU)
	}
}

func TestDifferent(t *testing.T) {
	want := load{Deltas: 2, Size: 16}.run()
	stream := func(edit func(string) string) string {
		var b strings.Builder
		b.Write(frames.started)
		b.Write(frames.start)
		for range 2 {
			b.WriteString(string(frames.content) + "0123456789abcdef" + string(frames.rest))
		}
		b.Write(frames.end)
		b.Write(frames.finished)
		return edit(b.String())
	}
	tests := []struct {
		name string
		edit func(string) string
		same bool
	}{
		{"the same", func(s string) string { return s }, true},
		{"another message", func(s string) string { return strings.ReplaceAll(s, messageID, "msg_"+strings.Repeat("f", 32)) }, true},
		{"a longer id", func(s string) string { return strings.ReplaceAll(s, messageID, messageID+"0") }, false},
		{"two messages", func(s string) string { return strings.Replace(s, messageID, "msg_"+strings.Repeat("f", 32), 1) }, false},
		{"one event less", func(s string) string { return strings.TrimSuffix(s, string(frames.finished)) }, false},
		{"one event more", func(s string) string { return s + string(frames.finished) }, false},
		{"another delta", func(s string) string { return strings.Replace(s, `:"0123456789abcdef"`, `:"0123456789abcdee"`, 1) }, false},
		{"with a time and an id", func(s string) string {
			return strings.ReplaceAll(s, `data: {`, "id: 1\n"+`data: {"timestamp":1,`)
		}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := decode(strings.NewReader(stream(tt.edit)))
			if err != nil {
				t.Fatal(err)
			}
			if err := different(got, want); (err == nil) != tt.same {
				t.Errorf("different\n got: %v\nwant: the same %v", err, tt.same)
			}
		})
	}
}

func TestStamp(t *testing.T) {
	before, err := monotonic()
	if err != nil {
		t.Fatal(err)
	}
	delta := load{Size: 20}.delta()
	if err := stamp(delta); err != nil {
		t.Fatal(err)
	}
	got, err := stamped(delta)
	if err != nil {
		t.Fatal(err)
	}
	if got < before || got > before+time.Second {
		t.Errorf("stamp\n got: %v\nwant: %v or a little later", got, before)
	}
	for _, bad := range []string{"", "0123", "no hexadecimal digits"} {
		if _, err := stamped([]byte(bad)); err == nil {
			t.Errorf("stamped(%q)\n got: no error\nwant: one", bad)
		}
	}
}
