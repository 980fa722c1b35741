package quote

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestAppendString(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"empty", "", `""`},
		{"plain", "hello, world", `"hello, world"`},
		{"quote and backslash", `a"b\c`, `"a\"b\\c"`},
		{"short forms", "\n\r\t\b\f", `"\n\r\t\b\f"`},
		{"other controls", "\x00\x01\x1f\x7f", "\"\\u0000\\u0001\\u001f\x7f\""},
		{"html stays", "<a href='x'>&</a>", `"<a href='x'>&</a>"`},
		{"line separators", "a\u2028b\u2029c\u0085d", `"a\u2028b\u2029c\u0085d"`},
		{"neighbours of the separators stay", "\u0084\u0086\u2027\u202a", "\"\u0084\u0086\u2027\u202a\""},
		{"one replacement for each bad byte", "a\xff\xfeb", `"a\ufffd\ufffdb"`},
		{"truncated character", "a\xe4\xb8", `"a\ufffd\ufffd"`},
		{"surrogate half", "\xed\xa0\x80", `"\ufffd\ufffd\ufffd"`},
		{"overlong", "\xc0\x80\xe0\x80\x80", `"\ufffd\ufffd\ufffd\ufffd\ufffd"`},
		{"beyond U+10FFFF", "\xf4\x90\x80\x80", `"\ufffd\ufffd\ufffd\ufffd"`},
		{"a real U+FFFD stays", "\ufffd", "\"\ufffd\""},
		{"wide characters", "日本語テキスト — ünïcödé 🎉", `"日本語テキスト — ünïcödé 🎉"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Each offset moves the text over the eight-byte words differently.
			for pad := range 17 {
				plain := strings.Repeat("x", pad)
				want := `"` + plain + c.want[1:len(c.want)-1] + plain + `"`
				if got := string(AppendString(nil, plain+c.in+plain)); got != want {
					t.Fatalf("pad %d\n got %s\nwant %s", pad, got, want)
				}
				if got := string(AppendString(nil, []byte(plain+c.in+plain))); got != want {
					t.Fatalf("bytes, pad %d\n got %s\nwant %s", pad, got, want)
				}
			}
		})
	}
}

// Every pair of bytes at every place in a word: the marks of the scan are exact where it counts.
func TestAppendEscapedEveryPair(t *testing.T) {
	var buf []byte
	for a := range 256 {
		for b := range 256 {
			in := []byte{'.', byte(a), byte(b), '.', '.', byte(a), '.', '.', byte(b), '.', byte(b)}
			buf = AppendEscaped(buf[:0], in)
			if want := naive(string(in)); string(buf) != want {
				t.Fatalf("% x\n got %s\nwant %s", in, buf, want)
			}
		}
	}
}

// What needs care is found among characters that are skipped several at once, at each place in their words.
func TestAppendEscapedAmongWide(t *testing.T) {
	odd := []string{
		"", "x", " ", "  ", "\n", "\"", "\\", "\x00", "é", "語", "🙂", "\u0080", "\u0085", "\u0086", "\u00c5", "\u07ff",
		"\u0800", "\u1028", "\u2027", "\u2028", "\u2029", "\u202a", "\u2068", "\u2fff", "\u3000", "\u3028", "\ucfff", "\ud000",
		"\ud7ff", "\ue000", "\uffff", "\U00010000", "\U000fffff", "\U00100000", "\U0010ffff", "\x80", "\xbf", "\xc0\x80",
		"\xc1\xbf", "\xc2", "\xdf", "\xe0\x9f\xbf", "\xe1\x80", "\xe2\x80", "\xe3", "\xed\xa0\x80", "\xed\xbf\xbf", "\xef\xbf",
		"\xf0\x8f\xbf\xbf", "\xf0\x9f\x99", "\xf1\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf8\x88\x80\x80\x80", "\xff",
	}
	for _, letter := range []string{"x", "я", "語", "한", "ह", "“", "🙂", "\n", "語 ", "яя "} {
		for before := range 14 {
			for after := range 14 {
				for _, c := range odd {
					in := strings.Repeat(letter, before) + c + strings.Repeat(letter, after)
					if got, want := string(AppendEscaped(nil, in)), naive(in); got != want {
						t.Fatalf("%q\n got %s\nwant %s", in, got, want)
					}
				}
			}
		}
	}
}

// Room is made piece by piece, and each byte may need the most of it.
func TestAppendEscapedMakesRoom(t *testing.T) {
	for size := range 3 * piece {
		in := strings.Repeat("\x01", size)
		if got, want := string(AppendEscaped(make([]byte, 0, size), in)), strings.Repeat(`\u0001`, size); got != want {
			t.Fatalf("%d bytes\n got %s\nwant %s", size, got, want)
		}
	}
}

func TestAppendEscapedIsPiecewise(t *testing.T) {
	const text = "a \"quoted\"\nline\u2028日本語 🎉 end\\"
	var pieces []byte
	for _, r := range text {
		pieces = AppendEscaped(pieces, string(r))
	}
	if got, want := string(pieces), string(AppendEscaped(nil, text)); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestAppendKeepsDst(t *testing.T) {
	if got, want := string(AppendString([]byte("data: "), "x")), `data: "x"`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestAppendAllocates(t *testing.T) {
	text := strings.Repeat("plain text, \"quoted\"\n日本語\xff", 10)
	raw := []byte(text)
	dst := make([]byte, 0, 8*len(text))
	for name, f := range map[string]func(){
		"string": func() { dst = AppendString(dst[:0], text) },
		"bytes":  func() { dst = AppendEscaped(dst[:0], raw) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s: got %v allocations, want 0", name, n)
		}
	}
}

// naive escapes one character at a time.
func naive(s string) string {
	var b strings.Builder
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		if esc := runeEscape(r, size); esc != "" {
			b.WriteString(esc)
		} else if r < ' ' || r == '"' || r == '\\' {
			text, _ := json.Marshal(string(r))
			b.Write(text[1 : len(text)-1])
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "plain", "a\"\\\n\x00", "\u2028\u2029\u0085", "\xff\xe4\xb8", "日本語🎉", "<&>"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := AppendString(nil, s)
		var want bytes.Buffer
		enc := json.NewEncoder(&want)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s); err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(strings.TrimSuffix(want.String(), "\n"), "\u0085", `\u0085`)
		if string(got) != text {
			t.Errorf("%q\n got %s\nwant %s", s, got, text)
		}
		for _, r := range string(got) {
			if r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029' {
				t.Errorf("%q: %q holds a line end", s, got)
			}
		}
		if !utf8.Valid(got) {
			t.Errorf("%q: %q is invalid UTF-8", s, got)
		}
	})
}

func BenchmarkAppendEscaped(b *testing.B) {
	prose := "“It’s done,” she said — then\nlaughed 🎉 and went on. "
	for _, c := range []struct{ name, text string }{
		{"ascii", "The quick brown fox jumps over the lazy dog and runs. "},
		{"cjk", "日本語のテキストは三バイトの文字でできている。"},
		{"escapes", "{\"key\":\"va\\lue\",\n\t\"k\":\"\\\"\"}"},
		{"prose", prose},
	} {
		for _, size := range []int{16, 64, 1024} {
			text := strings.Repeat(c.text, size/len(c.text)+2)
			for !utf8.ValidString(text[:size]) {
				size--
			}
			text = text[:size]
			b.Run(c.name+"/"+itoa(len(text)), func(b *testing.B) {
				dst := make([]byte, 0, 6*size+64)
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					dst = AppendEscaped(dst[:0], text)
				}
			})
		}
	}
}

func itoa(n int) string {
	switch {
	case n < 20:
		return "16"
	case n < 100:
		return "64"
	}
	return "1024"
}
