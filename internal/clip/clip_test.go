package clip

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestID(t *testing.T) {
	for _, tt := range []struct{ name, id, want string }{
		{"empty", "", ""},
		{"short", "msg_1", "msg_1"},
		{"exactly the limit", strings.Repeat("a", Max), strings.Repeat("a", Max)},
		{"one over", strings.Repeat("a", Max+1), strings.Repeat("a", Max)},
		{"a character on the limit", strings.Repeat("a", Max-1) + "é" + "b", strings.Repeat("a", Max-1)},
		{"invalid UTF-8", "a\xffb", "a\uFFFDb"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := ID(tt.id); got != tt.want {
				t.Errorf("ID(%q)\n got %q\nwant %q", tt.id, got, tt.want)
			}
		})
	}
}

func TestIDIsBounded(t *testing.T) {
	for _, id := range []string{strings.Repeat("\xff", 1000), strings.Repeat("a\xff", 1000), strings.Repeat("漢", 1000)} {
		got := ID(id)
		if len(got) > Max || !utf8.ValidString(got) {
			t.Errorf("ID of %d bytes has %d bytes, valid %v", len(id), len(got), utf8.ValidString(got))
		}
	}
}
