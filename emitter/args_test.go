package emitter

import (
	"encoding/json"
	"strings"
	"testing"
)

func completeIn(text string, pieces int) bool {
	var s jsonScanner
	for len(text) > 0 {
		n := min(len(text), pieces)
		s.scan([]byte(text[:n]))
		text = text[n:]
	}
	return s.complete()
}

func TestScannerAgreesWithJSON(t *testing.T) {
	for _, text := range []string{
		"", " ", "{}", "[]", " { } ", "{\"a\":1}", "{\"a\":}", "{\"a\"}", "{a:1}", "{\"a\":1,}", "[1,]", "[,1]", "[1 2]", "{}{}", "{}x",
		"1", "-1", "-", "01", "1.", "1.5", "1.5e", "1e5", "1E+5", "1e-", "0", "0.0", "-0", "00", "+1", "1 ", "1x",
		"true", "tru", "truee", "null", "nul", "false", "falsE",
		`""`, `"`, `"a`, `"\"`, `"\""`, `"\u12"`, `"\u12G4"`, `"\u12ab"`, `"\x"`, "\"\n\"", "\"\t\"", `"é漢🙂"`,
		"[[[]]]", "[[[]]", "[}", "{]", "[{}]", "[{},[],\"\",1,null]", strings.Repeat("[", 100) + strings.Repeat("]", 100),
		"{\"a\":{\"b\":[1,2,{\"c\":\"d\"}]}}", "\xff", "[1,\x002]",
	} {
		want := json.Valid([]byte(text))
		for _, pieces := range []int{1, 2, 3, 1000} {
			if got := completeIn(text, pieces); got != want {
				t.Errorf("complete(%q) in pieces of %d\n got %v\nwant %v", text, pieces, got, want)
			}
		}
	}
}

func TestScannerIsBounded(t *testing.T) {
	var s jsonScanner
	for range 100 {
		s.scan([]byte(strings.Repeat("[", 1000)))
	}
	if got := len(s.levels); got > maxScanDepth {
		t.Errorf("levels kept\n got %d\nwant at most %d", got, maxScanDepth)
	}
	if s.complete() {
		t.Error("a text nested too deep is complete")
	}
}

func FuzzScanner(f *testing.F) {
	f.Add(`{"a":[1,-2.5e3,"\u00e9",true,null]}`, 3)
	f.Add(`[`, 1)
	f.Fuzz(func(t *testing.T, text string, pieces int) {
		if pieces < 1 {
			pieces = 1
		}
		if got, want := completeIn(text, pieces), json.Valid([]byte(text)); got != want {
			t.Errorf("complete(%q)\n got %v\nwant %v", text, got, want)
		}
	})
}
