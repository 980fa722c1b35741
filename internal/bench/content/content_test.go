package content

import (
	"strings"
	"testing"

	"github.com/agui-go/agui/internal/bench/reporttest"
)

// TestShort: every group measures, and every figure is one.
func TestShort(t *testing.T) {
	for _, g := range Groups() {
		t.Run(g.Key, func(t *testing.T) {
			if r := reporttest.Short(t, g); len(r.Ratios) == 0 {
				t.Error("ratios: got none, want some")
			}
		})
	}
}

// TestOutput: all writers write what they are compared for, whatever the text and size.
func TestOutput(t *testing.T) {
	for _, text := range texts {
		for _, size := range sizes {
			if err := checkOutput(text.of(size)); err != nil {
				t.Errorf("%s: %v", cell{text, size}, err)
			}
		}
	}
}

// TestForm: output that is not what it has to be is found.
func TestForm(t *testing.T) {
	const delta = `say "hi"`
	want, err := wantFrame(delta)
	if err != nil {
		t.Fatal(err)
	}
	other, err := wantFrame("say hi")
	if err != nil {
		t.Fatal(err)
	}
	raw := framePrefix + delta + frameSuffix
	spaced := strings.Replace(want, `,"delta":`, `, "delta": `, 1)
	for _, tt := range []struct {
		name string
		form form
		got  string
		ok   bool
	}{
		{"the same", sameBytes, want + want, true},
		{"one is missing", sameBytes, want, false},
		{"other spaces", sameBytes, want + spaced, false},
		{"raw", rawBytes, raw + raw, true},
		{"escaped", rawBytes, want + want, false},
		{"the same value", sameValue, want + spaced, true},
		{"the same value and an id", sameValue, want + "id: 1\n" + spaced, true},
		{"another value", sameValue, want + other, false},
		{"one value is missing", sameValue, want, false},
		{"one value too many", sameValue, want + want + want, false},
		{"no JSON", sameValue, raw + raw, false},
	} {
		if err := tt.form.check(tt.got, want, delta); (err == nil) != tt.ok {
			t.Errorf("%s: got %v\nwant it to pass: %v", tt.name, err, tt.ok)
		}
	}
}

// TestText: the samples have the size that is asked for, to the end of the character, and one that needs no
// escaping is ASCII.
func TestText(t *testing.T) {
	for _, text := range texts {
		for _, size := range sizes {
			got := text.of(size)
			if len(got) < size || len(got) > size+3 || strings.ToValidUTF8(got, "") != got {
				t.Errorf("%s: got %d bytes\nwant %d, in whole characters", text.name, len(got), size)
			}
		}
	}
	for _, r := range texts[0].of(1024) {
		if r < ' ' || r > '~' || r == '"' || r == '\\' {
			t.Errorf("ASCII has %q\nwant nothing that is escaped", r)
		}
	}
}
