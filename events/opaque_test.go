package events

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

// TestOpaqueValuesAreNoDisguise checks that what AG-UI 1.0 has a type for cannot be written, unchecked,
// as a value of unknown type.
func TestOpaqueValuesAreNoDisguise(t *testing.T) {
	message := func(text string) Event {
		m := UnknownMessage{Role: "user", JSON: MustParseJSON(text)}
		return MessagesSnapshot{Messages: []Message{m}}
	}
	part := func(typ, text string) Event {
		return ToolCallResult{Content: Parts(UnknownPart{Type: typ, JSON: MustParseJSON(text)})}
	}
	source := func(typ, text string) Event {
		return ToolCallResult{Content: Parts(MediaPart{Type: Image, Source: UnknownSource{Type: typ, JSON: MustParseJSON(text)}})}
	}
	outcome := func(typ, text string) Event {
		return RunFinished{Outcome: UnknownOutcome{Type: typ, JSON: MustParseJSON(text)}}
	}
	subOutcome := func(typ, text string) Event {
		return SubagentFinished{Outcome: &UnknownOutcome{Type: typ, JSON: MustParseJSON(text)}}
	}
	for name, tt := range map[string]struct {
		ev      Event
		pointer string // of the error, empty when the event is legal
	}{
		"a message":                       {message(`{"role":"user"}`), "/messages/0/role"},
		"a message, role twice":           {message(`{"role":"x","role":"user"}`), "/messages/0/role"},
		"a text part":                     {part("text", `{"type":"text"}`), "/content/0/type"},
		"a media part":                    {part("image", `{"type":"image"}`), "/content/0/type"},
		"a media part of unknown source":  {part("image", `{"type":"image","source":{"type":"ipfs"},"id":1}`), ""},
		"a part of unknown type":          {part("hologram", `{"type":"hologram"}`), ""},
		"a source":                        {source("data", `{"type":"data"}`), "/content/0/source/type"},
		"a source of unknown type":        {source("ipfs", `{"type":"ipfs"}`), ""},
		"an outcome":                      {outcome("interrupt", `{"type":"interrupt","interrupts":[]}`), "/outcome/type"},
		"a subagent's outcome in a run":   {outcome("suspended", `{"type":"suspended"}`), ""},
		"a subagent's outcome":            {subOutcome("suspended", `{"type":"suspended","interruptIds":5}`), "/outcome/type"},
		"a run's outcome in a subagent's": {subOutcome("interrupt", `{"type":"interrupt"}`), ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := tt.ev.AppendJSON(nil)
			for call, err := range map[string]error{"AppendJSON": err, "Check": Check(tt.ev)} {
				var field *FieldError
				if tt.pointer == "" && err != nil || tt.pointer != "" && (!errors.As(err, &field) || field.Pointer != tt.pointer) {
					t.Errorf("%s\n got %v\nwant an error at %q", call, err, tt.pointer)
				}
			}
		})
	}
}

// TestHostileInputIsCheap bounds what a request can make the decoder allocate.
func TestHostileInputIsCheap(t *testing.T) {
	head, tail := `{"threadId":"t","runId":"r","messages":[`, `]}`
	for name, body := range map[string]string{
		"empty messages":   head + strings.Repeat(`{},`, 100_000) + `{}` + tail,
		"tiny members":     `{"threadId":"t","runId":"r","messages":[],"x":{` + strings.Repeat(`"":0,`, 100_000) + `"":0}}`,
		"unknown messages": head + strings.Repeat(`{"id":"","role":""},`, 20_000) + `{}` + tail,
	} {
		t.Run(name, func(t *testing.T) {
			data := []byte(body)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			if _, err := DecodeInput(data); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&after)
			got := int64(after.TotalAlloc - before.TotalAlloc)
			t.Logf("%.0f bytes for each", float64(got)/float64(len(body)))
			if most := int64(len(body)) * 110; got > most {
				t.Errorf("allocated for %d bytes\n got %d\nwant at most %d", len(body), got, most)
			}
		})
	}
}

func TestNewJSONIsAsDeepAsWeRead(t *testing.T) {
	var v any = 1
	for range 10_001 {
		v = []any{v}
	}
	if _, err := NewJSON(v); err == nil {
		t.Error("a value that cannot be decoded was encoded")
	}
}
