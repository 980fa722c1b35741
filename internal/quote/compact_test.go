package quote

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestAppendCompact(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"white space", " { \"a\" :\r\n [ 1 ,\t2 ] } ", `{"a":[1,2]}`},
		{"space in strings stays", `{"a b": " c "}`, `{"a b":" c "}`},
		{"escapes stay as written", `"\u003c\/\ud83d\ude00\"\\"`, `"\u003c\/\ud83d\ude00\"\\"`},
		{"numbers stay as written", `[1.0, 1e3, 12345678901234567890]`, `[1.0,1e3,12345678901234567890]`},
		{"separators", "{\"\u2028\":\"\u2029\u0085\"}", `{"\u2028":"\u2029\u0085"}`},
		{"invalid UTF-8", "[\"a\xff\",\"\xe4\xb8\"]", `["a\ufffd","\ufffd\ufffd"]`},
		{"literals", " null ", `null`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := string(AppendCompact(nil, []byte(c.in))); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func FuzzAppendCompact(f *testing.F) {
	f.Add([]byte(`{"a": [1, "\u2028", "x\\"], "b": null}`))
	f.Add([]byte("[\"\u2028\xff\"]"))
	f.Fuzz(func(t *testing.T, src []byte) {
		if !json.Valid(src) {
			t.Skip()
		}
		got := AppendCompact(nil, src)
		a, b := decode(t, src), decode(t, got)
		x, _ := json.Marshal(a)
		y, _ := json.Marshal(b)
		if !bytes.Equal(x, y) {
			t.Errorf("%q became %q", src, got)
		}
		if again := AppendCompact(nil, got); !bytes.Equal(again, got) {
			t.Errorf("not stable:\n got %q\nthen %q", got, again)
		}
	})
}

func decode(t *testing.T, text []byte) (v any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return v
}
