package events

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
)

func TestNewJSON(t *testing.T) {
	type inner struct {
		A JSON `json:"a"`
		B JSON `json:"b,omitzero"`
	}
	raw := json.RawMessage("{ \"k\" :\n\"\u2028<&>\" }")
	for _, c := range []struct {
		name string
		v    any
		want string
	}{
		{"nil", nil, `null`},
		{"nil map", map[string]any(nil), `null`},
		{"string", "<a>&\u2028\u0085\xff", `"<a>&\u2028\u0085\ufffd"`},
		{"big integer", json.Number("12345678901234567890"), `12345678901234567890`},
		{"raw", raw, `{"k":"\u2028<&>"}`},
		{"raw inside", []any{raw}, `[{"k":"\u2028<&>"}]`},
		{"absent raw", json.RawMessage(nil), `null`},
		{"JSON", JSON{text: `{"a":1}`}, `{"a":1}`},
		{"absent JSON", JSON{}, ``},
		{"JSON inside", inner{A: JSON{text: `[1]`}}, `{"a":[1]}`},
		{"absent inside", inner{}, `{"a":null}`},
		{"a value of this package", NewTextMessageEnd("m"), `{"type":"TEXT_MESSAGE_END","messageId":"m"}`},
	} {
		got, err := NewJSON(c.v)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if got.String() != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

func TestNewJSONRefuses(t *testing.T) {
	cause := errors.New("no")
	for _, c := range []struct {
		v    any
		want string
	}{
		{make(chan int), "events: cannot encode chan int as JSON: "},
		{math.NaN(), "events: cannot encode float64 as JSON: "},
		{json.RawMessage("{"), "events: cannot encode json.RawMessage as JSON: "},
		{failing{cause}, "events: cannot encode events.failing as JSON: "},
	} {
		got, err := NewJSON(c.v)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) || errors.Unwrap(err) == nil {
			t.Errorf("\n got %v\nwant %s… and a cause", err, c.want)
		}
		if !got.IsZero() {
			t.Errorf("got %s, want the zero JSON", got)
		}
	}
	if _, err := NewJSON(failing{cause}); !errors.Is(err, cause) {
		t.Errorf("%v does not wrap its cause", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("MustJSON did not panic")
		}
	}()
	MustJSON(make(chan int))
}

func TestParseJSON(t *testing.T) {
	got, err := ParseJSON([]byte(" [ 1.0 , { } ] "))
	if err != nil {
		t.Fatal(err)
	}
	if got != (JSON{text: "[1.0,{}]"}) {
		t.Errorf("\n got %s\nwant [1.0,{}]", got)
	}
	for _, bad := range []string{"", "{", "[1,]", "1 2", "nul", "'a'", "\"\n\""} {
		var se *SyntaxError
		if got, err := ParseJSON([]byte(bad)); !errors.As(err, &se) || !got.IsZero() {
			t.Errorf("%q: got %v, %v, want a *SyntaxError", bad, got, err)
		}
	}
}

func TestJSONValue(t *testing.T) {
	absent, null, object := JSON{}, MustJSON(nil), MustJSON(map[string]int{"a": 1})
	for _, c := range []struct {
		name string
		got  bool
		want bool
	}{
		{"absent is zero", absent.IsZero(), true},
		{"null is zero", null.IsZero(), false},
		{"absent is null", absent.IsNull(), false},
		{"null is null", null.IsNull(), true},
		{"object is object", object.IsObject(), true},
		{"absent is object", absent.IsObject(), false},
		{"equal texts are equal", object == MustJSON(json.RawMessage(`{ "a": 1 }`)), true},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %t, want %t", c.name, c.got, c.want)
		}
	}
	var m map[string]int
	if err := object.Unmarshal(&m); err != nil || m["a"] != 1 {
		t.Errorf("got %v, %v", m, err)
	}
	if err := absent.Unmarshal(&m); err == nil {
		t.Error("an absent value was unmarshalled")
	}
	var mismatch *json.UnmarshalTypeError
	if err := null.Unmarshal(m); err == nil {
		t.Error("unmarshalled into no pointer")
	} else if err := object.Unmarshal(new(int)); !errors.As(err, &mismatch) {
		t.Errorf("got %v, want the cause wrapped", err)
	}
}

// A struct of one's own may hold the types of this package.
func TestEncodingJSON(t *testing.T) {
	type own struct {
		Name  Opt[string]    `json:"name,omitzero"`
		Count Opt[int64]     `json:"count"`
		State JSON           `json:"state"`
		User  *UserMessage   `json:"user,omitempty"`
		Patch Patch          `json:"patch"`
		Body  Content        `json:"body"`
		Event RunError       `json:"event"`
		Part  UnknownPart    `json:"part"`
		From  UnknownSource  `json:"from"`
		Msg   UnknownMessage `json:"msg"`
		Out   UnknownOutcome `json:"out"`
		Other Unknown        `json:"other"`
	}
	const text = `{"count":null,"state":{"a":1},"user":{"id":"m","role":"user","content":[{"type":"text","text":"x"}]},` +
		`"patch":[{"op":"add","path":"/a","value":1}],"body":"hi","event":{"type":"RUN_ERROR","message":"m"},` +
		`"part":{"type":"p"},"from":{"type":"f"},"msg":{"role":"r","id":"m"},"out":{"type":"o"},"other":{"type":"E"}}`
	var v own
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != text {
		t.Errorf("\n got %s\nwant %s", got, text)
	}
	if v.Msg.MessageID() != "m" || v.Part.PartType() != "p" || v.From.SourceType() != "f" || v.Out.OutcomeType() != "o" || v.Other.EventType() != "E" {
		t.Errorf("the tags are lost: %+v", v)
	}
	for _, bad := range []string{
		`{"body":5}`, `{"body":[5]}`, `{"patch":[{"op":"add"}]}`, `{"event":null,"user":{}}`, `{"count":"x"}`,
		`{"part":5}`, `{"from":5}`, `{"msg":5}`, `{"out":5}`, `{"other":5}`,
	} {
		if err := json.Unmarshal([]byte(bad), &v); err == nil {
			t.Errorf("%s: got no error", bad)
		}
	}
}

func TestExcerptIsShort(t *testing.T) {
	_, err := Decode([]byte(`{"type":"TEXT_MESSAGE_START","messageId":"m","role":"` + strings.Repeat("x", 1000) + `"}`))
	if want := `got "` + strings.Repeat("x", 64) + `"…`; err == nil || !strings.HasSuffix(err.Error(), want) {
		t.Errorf("\n got %v\nwant …%s", err, want)
	}
}

func TestOpt(t *testing.T) {
	var none Opt[string]
	if v, ok := none.Get(); ok || v != "" || none.IsSet() || !none.IsZero() || none.Or("def") != "def" {
		t.Errorf("the zero Opt is not absent: %+v", none)
	}
	empty := Some("")
	if v, ok := empty.Get(); !ok || v != "" || !empty.IsSet() || empty.IsZero() || empty.Or("def") != "" {
		t.Errorf("Some(\"\") is not present and empty: %+v", empty)
	}
	if none == empty {
		t.Error("absent equals empty")
	}
	o := Some("x")
	if err := json.Unmarshal([]byte("null"), &o); err != nil || o.IsSet() {
		t.Errorf("null: got %+v, %v", o, err)
	}
}
