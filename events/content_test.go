package events

import (
	"strings"
	"testing"
)

func TestContent(t *testing.T) {
	parts := Parts(TextPart{Text: "a"}, MediaPart{Type: Image, Source: URLSource{Value: "u"}}, &TextPart{Text: "b"}, UnknownPart{Type: "x"})
	for _, c := range []struct {
		content Content
		text    string
		isParts bool
		n       int
	}{
		{Content{}, "", false, 0},
		{Text("hi"), "hi", false, 0},
		{Parts(), "", true, 0},
		{parts, "ab", true, 4},
	} {
		if got := c.content.String(); got != c.text {
			t.Errorf("text\n got %q\nwant %q", got, c.text)
		}
		if got := c.content.IsParts(); got != c.isParts {
			t.Errorf("%q is parts\n got %t\nwant %t", c.text, got, c.isParts)
		}
		if got := len(c.content.Parts()); got != c.n {
			t.Errorf("%q parts\n got %d\nwant %d", c.text, got, c.n)
		}
	}
}

func TestBinaryPartMedia(t *testing.T) {
	for _, c := range []struct {
		name string
		part BinaryPart
		want string
	}{
		{"data", BinaryPart{MimeType: "image/png", Data: Some("aGk="), URL: Some("u"), Filename: Some("i.png")},
			`{"type":"image","source":{"type":"data","value":"aGk=","mimeType":"image/png"},"metadata":{"filename":"i.png"}}`},
		{"url", BinaryPart{MimeType: "audio/mpeg", Data: Some(""), URL: Some("u"), ID: Some("b")},
			`{"type":"audio","source":{"type":"url","value":"u","mimeType":"audio/mpeg"},"id":"b"}`},
		{"video", BinaryPart{MimeType: "video/mp4", URL: Some("u")}, `{"type":"video","source":{"type":"url","value":"u","mimeType":"video/mp4"}}`},
		{"document", BinaryPart{MimeType: "imagery", URL: Some("u")}, `{"type":"document","source":{"type":"url","value":"u","mimeType":"imagery"}}`},
	} {
		media, err := c.part.Media()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := string(encode(t, media)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
	if media, err := (BinaryPart{MimeType: "image/png", ID: Some("b")}).Media(); err == nil {
		t.Errorf("got %v, want an error", media)
	}
}

func TestOutcomeValidate(t *testing.T) {
	one, two := Interrupt{ID: "i1"}, Interrupt{ID: "i2"}
	for _, c := range []struct {
		name    string
		outcome RunOutcome
		want    string // part of the error, empty for none
	}{
		{"success", RunSuccess{}, ""},
		{"cancelled", &RunCancelled{}, ""},
		{"unknown", UnknownOutcome{}, ""},
		{"interrupts", RunInterrupted{Interrupts: []Interrupt{one, two}}, ""},
		{"no interrupts", RunInterrupted{}, "at least one interrupt"},
		{"empty interrupts", &RunInterrupted{Interrupts: []Interrupt{}}, "at least one interrupt"},
		{"doubled", RunInterrupted{Interrupts: []Interrupt{two, one, one}}, `interrupts 1 and 2 have the same id "i1"`},
	} {
		err := c.outcome.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\n got %v\nwant %q", c.name, err, c.want)
		}
	}
}
