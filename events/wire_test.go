package events

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// variant is a value and its name in the golden file.
type variant struct {
	name  string
	value wireValue
}

// variants returns v with every optional member, v with none, and v with each of them alone. A field is
// optional if its zero value leaves the member out.
func variants(t *testing.T, v wireValue) []variant {
	t.Helper()
	base := reflect.TypeOf(v).Elem().Name()
	if op, ok := v.(*PatchOp); ok {
		base += " " + op.Op
	}
	out := []variant{{base, v}}
	full := reflect.ValueOf(v).Elem()
	minimal := reflect.New(full.Type())
	minimal.Elem().Set(full)
	var fields [][]int
	for _, f := range reflect.VisibleFields(full.Type()) {
		if !f.IsExported() || f.Anonymous {
			continue
		}
		without := reflect.New(full.Type())
		without.Elem().Set(full)
		without.Elem().FieldByIndex(f.Index).SetZero()
		text, err := without.Interface().(wireValue).AppendJSON(nil)
		if err == nil && memberCount(t, text) < memberCount(t, encode(t, v)) {
			fields = append(fields, f.Index)
			minimal.Elem().FieldByIndex(f.Index).SetZero()
		}
	}
	if len(fields) == 0 {
		return out
	}
	out = append(out, variant{base + " minimal", minimal.Interface().(wireValue)})
	for _, index := range fields {
		one := reflect.New(full.Type())
		one.Elem().Set(minimal.Elem())
		one.Elem().FieldByIndex(index).Set(full.FieldByIndex(index))
		out = append(out, variant{base + " " + full.Type().FieldByIndex(index).Name, one.Interface().(wireValue)})
	}
	return out
}

func encode(t *testing.T, v interface{ AppendJSON([]byte) ([]byte, error) }) []byte {
	t.Helper()
	text, err := v.AppendJSON(nil)
	if err != nil {
		t.Fatalf("%T: %v", v, err)
	}
	return text
}

func memberCount(t *testing.T, object []byte) int {
	t.Helper()
	var m map[string]json.RawMessage
	if err := json.Unmarshal(object, &m); err != nil {
		t.Fatalf("%s: %v", object, err)
	}
	return len(m)
}

// Every type of value, with all optional members, with none, and with each alone.
func TestWireGolden(t *testing.T) {
	var got bytes.Buffer
	for _, v := range fullValues() {
		for _, c := range variants(t, v) {
			got.WriteString(c.name + "\t")
			got.Write(encode(t, c.value))
			got.WriteByte('\n')
		}
	}
	file := filepath.Join("testdata", "wire.golden")
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		var g, w string
		if i < len(gotLines) {
			g = gotLines[i]
		}
		if i < len(wantLines) {
			w = wantLines[i]
		}
		if g != w {
			t.Fatalf("line %d (go test -update rewrites the file)\n got %s\nwant %s", i+1, g, w)
		}
	}
}

// What is written is read as the same value, as a value and as a pointer, by Unmarshal and by Decode.
func TestRoundTrip(t *testing.T) {
	for _, v := range fullValues() {
		for _, c := range variants(t, v) {
			text := encode(t, c.value)
			again := reflect.New(reflect.TypeOf(v).Elem())
			if err := json.Unmarshal(text, again.Interface()); err != nil {
				t.Errorf("%s: %v\n%s", c.name, err, text)
				continue
			}
			if !reflect.DeepEqual(again.Interface(), normal(c.value)) {
				t.Errorf("%s\n got %+v\nwant %+v", c.name, again.Interface(), c.value)
			}
			value := reflect.ValueOf(c.value).Elem().Interface().(wireValue)
			if got := encode(t, value); !bytes.Equal(got, text) {
				t.Errorf("%s as a value\n got %s\nwant %s", c.name, got, text)
			}
			if got, err := json.Marshal(value); err != nil || !json.Valid(got) {
				t.Errorf("%s by encoding/json: %v\n%s", c.name, err, got)
			}
			if ev, ok := c.value.(Event); ok {
				decoded, err := Decode(text)
				if err != nil {
					t.Errorf("%s: %v", c.name, err)
				} else if !reflect.DeepEqual(decoded, normal(c.value)) {
					t.Errorf("%s\n got %+v\nwant %+v", c.name, decoded, c.value)
				}
				if err := Check(ev); err != nil {
					t.Errorf("%s: %v", c.name, err)
				}
			}
		}
	}
}

// normal returns v with the nil slices that are written as empty lists empty.
func normal(v wireValue) any {
	switch v := v.(type) {
	case *RunInterrupted:
		if v.Interrupts == nil {
			return &RunInterrupted{Interrupts: []Interrupt{}}
		}
	}
	return v
}

// What a value calls itself is what it writes, in both forms, and both forms are one.
func TestTags(t *testing.T) {
	for _, v := range fullValues() {
		value := reflect.ValueOf(v).Elem().Interface()
		var head struct{ Type, Role string }
		if err := json.Unmarshal(encode(t, v), &head); err != nil {
			t.Fatal(err)
		}
		var got, want string
		var ptr any
		var err error
		switch x := value.(type) {
		case Event:
			got, want = string(x.EventType()), head.Type
			ptr, err = Pointer(x)
		case Message:
			got, want = string(x.MessageRole()), head.Role
			ptr, err = MessagePointer(x)
		case Part:
			got, want = x.PartType(), head.Type
			ptr, err = PartPointer(x)
		case Source:
			got, want = x.SourceType(), head.Type
			ptr, err = SourcePointer(x)
		case RunOutcome:
			got, want = x.OutcomeType(), head.Type
			ptr, err = RunOutcomePointer(x)
		case SubagentOutcome:
			got, want = x.OutcomeType(), head.Type
			ptr, err = SubagentOutcomePointer(x)
		default:
			continue
		}
		if got != want {
			t.Errorf("%T\n got %s\nwant %s", v, got, want)
		}
		if err != nil || !reflect.DeepEqual(ptr, v) {
			t.Errorf("%T in pointer form: %v\n got %v\nwant %v", v, err, ptr, v)
		}
	}
}

// The table of full values leaves out no type and no field.
func TestFullValuesAreFull(t *testing.T) {
	types := map[Type]bool{}
	for _, ev := range fullEvents() {
		types[ev.EventType()] = true
	}
	if len(types) != 31 {
		t.Errorf("got %d event types, want 31", len(types))
	}
	seen := map[string]bool{}
	all := map[string]bool{}
	for _, v := range fullValues() {
		markFields(reflect.ValueOf(v).Elem(), seen, all)
	}
	for name := range all {
		if !seen[name] {
			t.Errorf("%s is set in no full value", name)
		}
	}
}

func markFields(v reflect.Value, seen, all map[string]bool) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			markFields(v.Elem(), seen, all)
		}
	case reflect.Slice:
		for i := range v.Len() {
			markFields(v.Index(i), seen, all)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if !f.IsExported() {
				continue
			}
			name := v.Type().Name() + "." + f.Name
			all[name] = true
			if !v.Field(i).IsZero() {
				seen[name] = true
			}
			markFields(v.Field(i), seen, all)
		}
	}
}

// What is required is written though it is zero; what is optional is left out.
func TestZeroValues(t *testing.T) {
	for _, c := range []struct {
		value wireValue
		want  string
	}{
		{TextMessageContent{}, `{"type":"TEXT_MESSAGE_CONTENT","messageId":"","delta":""}`},
		{TextMessageChunk{}, `{"type":"TEXT_MESSAGE_CHUNK"}`},
		{ToolCallResult{}, `{"type":"TOOL_CALL_RESULT","messageId":"","toolCallId":"","content":""}`},
		{ToolCallResult{Content: Parts()}, `{"type":"TOOL_CALL_RESULT","messageId":"","toolCallId":"","content":[]}`},
		{StateSnapshot{}, `{"type":"STATE_SNAPSHOT","snapshot":null}`},
		{StateDelta{}, `{"type":"STATE_DELTA","delta":[]}`},
		{MessagesSnapshot{}, `{"type":"MESSAGES_SNAPSHOT","messages":[]}`},
		{ActivityDelta{}, `{"type":"ACTIVITY_DELTA","messageId":"","activityType":"","patch":[]}`},
		{Raw{}, `{"type":"RAW","event":null}`},
		{Custom{}, `{"type":"CUSTOM","name":"","value":null}`},
		{RunFinished{}, `{"type":"RUN_FINISHED","threadId":"","runId":""}`},
		{RunFinished{Usage: []TokenUsage{}}, `{"type":"RUN_FINISHED","threadId":"","runId":"","usage":[]}`},
		{RunFinished{Outcome: RunInterrupted{}}, `{"type":"RUN_FINISHED","threadId":"","runId":"","outcome":{"type":"interrupt","interrupts":[]}}`},
		{ReasoningMessageStart{}, `{"type":"REASONING_MESSAGE_START","messageId":"","role":"reasoning"}`},
		{ToolCall{}, `{"id":"","type":"function","function":{"name":"","arguments":""}}`},
		{RunAgentInput{}, `{"threadId":"","runId":"","messages":[]}`},
		{PatchOp{Op: OpAdd}, `{"op":"add","path":"","value":null}`},
		{PatchOp{Op: OpRemove}, `{"op":"remove","path":""}`},
		{Patch(nil), `[]`},
		{Content{}, `""`},
		{Parts(), `[]`},
		{Parts(TextPart{}, &TextPart{Text: "x"}), `[{"type":"text","text":""},{"type":"text","text":"x"}]`},
		{Patch{Remove("/a"), Add("/b", nil)}, `[{"op":"remove","path":"/a"},{"op":"add","path":"/b","value":null}]`},
		{JSON{}, `null`},
		{AgentCapabilities{}, `{}`},
		{RunFinished{Result: MustJSON(nil)}, `{"type":"RUN_FINISHED","threadId":"","runId":""}`},
	} {
		if got := string(encode(t, c.value)); got != c.want {
			t.Errorf("%T\n got %s\nwant %s", c.value, got, c.want)
		}
	}
}

// No byte of a frame is invalid UTF-8 or ends a line, wherever a string may come from.
func TestFrameIsOneLine(t *testing.T) {
	const bad = "a\r\n\u0085\u2028\u2029\xff<&>"
	const want = `a\r\n\u0085\u2028\u2029\ufffd<&>`
	value := MustJSON(map[string]string{bad: bad})
	parsed, err := ParseJSON([]byte("{ \"k\u2028\" :\n\"\xff\u0085\" }"))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := parsed.String(), `{"k\u2028":"\ufffd\u0085"}`; got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	text := string(encode(t, Custom{Name: bad, Value: value, Base: Base{RawEvent: parsed}}))
	if n := strings.Count(text, want); n != 3 {
		t.Errorf("got %d escaped strings, want 3\n%s", n, text)
	}
	if strings.ContainsAny(text, "\r\n\u0085\u2028\u2029") || !utf8.ValidString(text) {
		t.Errorf("a line end or a bad byte is left: %q", text)
	}
}

func TestUnknownMembersAreWrittenBack(t *testing.T) {
	const want = `{"type":"TEXT_MESSAGE_START","messageId":"m1","timestamp":5,"x-new":{"a":[1,null]},"MessageId":"other"}`
	ev, err := Decode([]byte(`{"x-new": {"a": [1, null]}, "timestamp": 5.0, "messageId": "m1", "type": "TEXT_MESSAGE_START", "MessageId": "other"}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(encode(t, ev)); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}
