package events

import (
	"strings"
	"testing"
)

// The events of a token stream are written and checked without an allocation, as values and through the
// interface, and so is whatever else is checked.
func TestAllocations(t *testing.T) {
	dst := make([]byte, 0, 64<<10)
	tag := Some("s1")
	for _, ev := range []Event{
		TextMessageContent{MessageID: "m1", Delta: "hello\n", SubagentRunID: tag},
		&TextMessageContent{MessageID: "m1", Delta: strings.Repeat("日本語\xff\"", 100)},
		TextMessageChunk{MessageID: Some("m1"), Delta: Some("x")},
		&ToolCallArgs{ToolCallID: "c1", Delta: `{"q":`},
		ReasoningMessageContent{Base: fullBase, MessageID: "g1", Delta: "hm"},
		&TextMessageStart{MessageID: "m1", Role: RoleAssistant}, TextMessageEnd{MessageID: "m1"},
	} {
		if n := testing.AllocsPerRun(100, func() { dst, _ = ev.AppendJSON(dst[:0]) }); n != 0 {
			t.Errorf("%T.AppendJSON: got %v allocations, want 0", ev, n)
		}
	}
	content := TextMessageContent{MessageID: "m1", Delta: "hello"}
	if n := testing.AllocsPerRun(100, func() { dst, _ = content.AppendJSON(dst[:0]) }); n != 0 {
		t.Errorf("AppendJSON of a value: got %v allocations, want 0", n)
	}
	for _, ev := range fullEvents() {
		if n := testing.AllocsPerRun(10, func() {
			if err := Check(ev); err != nil {
				t.Error(err)
			}
		}); n != 0 {
			t.Errorf("Check(%T): got %v allocations, want 0", ev, n)
		}
	}
}

func BenchmarkAppendJSON(b *testing.B) {
	id := "0191c2a4-7c1e-7aaa-8bbb-0123456789ab"
	for _, c := range []struct {
		name string
		ev   Event
	}{
		{"content", &TextMessageContent{MessageID: id, Delta: "hello "}},
		{"content 1 KiB", &TextMessageContent{MessageID: id, Delta: strings.Repeat("hello, world\n", 79)}},
		{"snapshot", NewMessagesSnapshot(fullMessages()...)},
	} {
		b.Run(c.name, func(b *testing.B) {
			dst := make([]byte, 0, 64<<10)
			b.ReportAllocs()
			for b.Loop() {
				dst, _ = c.ev.AppendJSON(dst[:0])
			}
		})
	}
}

func BenchmarkCheck(b *testing.B) {
	for _, c := range []struct {
		name string
		ev   Event
	}{
		{"content", &TextMessageContent{MessageID: "m1", Delta: "hello "}},
		{"snapshot", NewMessagesSnapshot(fullMessages()...)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := Check(c.ev); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, c := range []struct {
		name string
		ev   Event
	}{
		{"content", &TextMessageContent{MessageID: "0191c2a4-7c1e-7aaa-8bbb-0123456789ab", Delta: "hello\n"}},
		{"snapshot", NewMessagesSnapshot(fullMessages()...)},
	} {
		text, err := c.ev.AppendJSON(nil)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Decode(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
