package events

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

// Whatever is read can be checked and written; what is written is one line of valid UTF-8, is read as the
// same value, and is written as the same bytes.
func FuzzDecode(f *testing.F) {
	for _, ev := range fullEvents() {
		text, err := ev.AppendJSON(nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte(`{"type":"STATE_DELTA","delta":[{"op":"merge"},{"op":"remove","path":"/a~0","from":5,"value":null}]}`))
	f.Add([]byte(`{"type":"THINKING_START","x":"` + "\u2028\xff" + `"}`))
	f.Add([]byte(`{"type":"RUN_ERROR","message":"\ud800","timestamp":5.0,"m\u0065ssage":"x","y":[ ]}`))
	f.Add([]byte(`{"type":"MESSAGES_SNAPSHOT","messages":[{"role":"x"},{"id":"m","role":"user","content":[{"type":"binary","mimeType":"a"},{"type":"image","source":{}}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		ev, err := Decode(data)
		if err != nil {
			if ev != nil {
				t.Errorf("%q: got an event beside the error %v", data, err)
			}
			return
		}
		if err := Check(ev); err != nil {
			t.Errorf("%q: Check refuses what Decode accepts: %v", data, err)
		}
		writesBack(t, data, ev, Decode)
	})
}

// A request that is read can be echoed in RUN_STARTED and written; what is written is one line of valid UTF-8,
// is read as the same value, and is written as the same bytes.
func FuzzDecodeInput(f *testing.F) {
	text, err := fullInput.AppendJSON(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"threadId":"t","runId":"r","messages":[],"state":null,"forwardedProps":null,"tools":[{"name":"f","description":"","parameters":null}],"resume":[{"interruptId":"i","status":"cancelled","payload":null}]}`))
	f.Add([]byte(`{"threadId":"t","runId":"r","messages":[{"id":"u","role":"user","content":[{"type":"binary","mimeType":"image/png","data":"aGk="},{"type":"text","text":"x","metadata":null}]},{"id":"a","role":"assistant","toolCalls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{"}}]},{"role":"x"}],"x":[ 1 ]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		in, err := DecodeInput(data)
		if err != nil {
			if in != nil {
				t.Errorf("%q: got an input beside the error %v", data, err)
			}
			return
		}
		if err := Check(&RunStarted{Input: in}); err != nil {
			t.Errorf("%q: Check refuses what DecodeInput accepts: %v", data, err)
		}
		writesBack(t, data, in, DecodeInput)
	})
}

// writesBack writes v, which was read from data, and reads it again.
func writesBack[T interface {
	AppendJSON([]byte) ([]byte, error)
}](t *testing.T, data []byte, v T, decode func([]byte) (T, error)) {
	t.Helper()
	text, err := v.AppendJSON(nil)
	if err != nil {
		t.Fatalf("%q: %v", data, err)
	}
	if !utf8.Valid(text) || !json.Valid(text) || strings.ContainsAny(string(text), "\r\n\u0085\u2028\u2029") {
		t.Errorf("%q: no frame: %q", data, text)
	}
	again, err := decode(text)
	if err != nil {
		t.Fatalf("%q became %q: %v", data, text, err)
	}
	if !reflect.DeepEqual(again, v) {
		t.Errorf("%q\n got %#v\nwant %#v", text, again, v)
	}
	if second, err := again.AppendJSON(nil); err != nil || !bytes.Equal(second, text) {
		t.Errorf("not stable: %v\n got %q\nwant %q", err, second, text)
	}
}

// Strings are read as encoding/json reads them.
func FuzzUnquote(f *testing.F) {
	for _, s := range []string{`"a"`, `"\ud83d\ude00"`, `"\ud800\ud800\udc00"`, `"\u00e9\\\"\/"`, "\"\xff\xe4\xb8\"", `"\udc00\ud800"`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var want string
		if data = trim(data); json.Unmarshal(data, &want) != nil || data[0] != '"' {
			t.Skip()
		}
		if got := unquote(data); got != want {
			t.Errorf("%q\n got %q\nwant %q", data, got, want)
		}
		if end := skipValue(data, 0); end != len(data) {
			t.Errorf("%q ends at %d, want %d", data, end, len(data))
		}
	})
}
