package events

import (
	"errors"
	"strings"
)

// Part is one part of a multimodal message. The interface is sealed: [TextPart], [MediaPart],
// [BinaryPart] and [UnknownPart]. Values and pointers both are Parts.
type Part interface {
	// PartType returns the part's "type" member.
	PartType() string
	AppendJSON(dst []byte) ([]byte, error)

	partPointer() Part
	check() *FieldError
}

// TextPart is a text part.
type TextPart struct {
	Text string
	ID   Opt[string]
	// Metadata is any JSON value but null.
	Metadata JSON
	extra    JSON
}

// PartType returns "text".
func (p TextPart) PartType() string { return "text" }

// AppendJSON implements [Part].
func (p TextPart) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	p.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (p TextPart) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (p *TextPart) UnmarshalJSON(data []byte) error { return unmarshal(data, p, "", false) }

func (p TextPart) partPointer() Part { return &p }

func (p TextPart) check() *FieldError {
	var o object
	p.members(&o)
	return o.err
}

func (p *TextPart) members(o *object) {
	o.tag("type", "text")
	o.str("text", &p.Text)
	o.opt("id", &p.ID)
	o.some("metadata", &p.Metadata)
	o.rest(&p.extra)
}

// MediaType is the kind of a [MediaPart].
type MediaType string

// The media part types of AG-UI 1.0.
const (
	Image    MediaType = "image"
	Audio    MediaType = "audio"
	Video    MediaType = "video"
	Document MediaType = "document"
)

var mediaTypes = []MediaType{Image, Audio, Video, Document}

// MediaPart is an image, audio, video or document part.
type MediaPart struct {
	Type   MediaType
	Source Source
	ID     Opt[string]
	// Metadata is any JSON value but null.
	Metadata JSON
	extra    JSON
}

// PartType returns the part's type.
func (p MediaPart) PartType() string { return string(p.Type) }

// AppendJSON implements [Part].
func (p MediaPart) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	p.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (p MediaPart) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (p *MediaPart) UnmarshalJSON(data []byte) error { return unmarshal(data, p, "", false) }

func (p MediaPart) partPointer() Part { return &p }

func (p MediaPart) check() *FieldError {
	var o object
	p.members(&o)
	return o.err
}

func (p *MediaPart) members(o *object) {
	enum(o, "type", &p.Type, required, mediaTypes)
	o.source("source", &p.Source)
	o.opt("id", &p.ID)
	o.some("metadata", &p.Metadata)
	o.rest(&p.extra)
}

// BinaryPart is the part that clients older than 1.0 send for media. It is accepted on input only:
// 1.0 has no such part, and clients drop it. Media converts it.
type BinaryPart struct {
	MimeType string
	ID       Opt[string]
	URL      Opt[string]
	Data     Opt[string]
	Filename Opt[string]
	extra    JSON
}

// PartType returns "binary".
func (p BinaryPart) PartType() string { return "binary" }

// AppendJSON implements [Part].
func (p BinaryPart) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	p.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (p BinaryPart) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (p *BinaryPart) UnmarshalJSON(data []byte) error { return unmarshal(data, p, "", false) }

func (p BinaryPart) partPointer() Part { return &p }

func (p BinaryPart) check() *FieldError {
	var o object
	p.members(&o)
	return o.err
}

func (p *BinaryPart) members(o *object) {
	o.tag("type", "binary")
	o.str("mimeType", &p.MimeType)
	o.old("id", &p.ID)
	o.old("url", &p.URL)
	o.old("data", &p.Data)
	o.old("filename", &p.Filename)
	o.rest(&p.extra)
}

// UnknownPart is a part whose type is none of AG-UI 1.0's, kept as it came.
type UnknownPart struct {
	Type string
	JSON JSON
}

// PartType returns the part's type.
func (p UnknownPart) PartType() string { return p.Type }

// AppendJSON implements [Part]: it writes the part as it came. A part that AG-UI 1.0 knows has its own
// struct and is refused here.
func (p UnknownPart) AppendJSON(dst []byte) ([]byte, error) {
	if err := p.check(); err != nil {
		return dst, err
	}
	return appendOpaque(dst, p.JSON, "type", p.Type)
}

// MarshalJSON implements [json.Marshaler].
func (p UnknownPart) MarshalJSON() ([]byte, error) { return p.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler]: it takes any object.
func (p *UnknownPart) UnmarshalJSON(data []byte) error {
	typ, j, err := readOpaque(data, "type")
	if err != nil {
		return err
	}
	*p = UnknownPart{Type: typ, JSON: j}
	return nil
}

func (p UnknownPart) partPointer() Part { return &p }

// check refuses what reading would not keep opaque; a media part is opaque when its source is.
func (p UnknownPart) check() *FieldError {
	if !p.JSON.IsObject() {
		return nil // AppendJSON says so
	}
	if part, err := readPart([]byte(p.JSON.text), false); err == nil {
		if _, opaque := part.(*UnknownPart); opaque {
			return nil
		}
	}
	return disguised("type", p.Type)
}

// Media returns the part that AG-UI 1.0 has in place of p: an image, audio, video or document part by the
// prefix of the MIME type, with the data, or else the URL, as its source, and the file name in its
// metadata. A part that holds neither, only an id, cannot be converted and is an error.
func (p BinaryPart) Media() (MediaPart, error) {
	media := MediaPart{Type: Document, ID: p.ID}
	for _, t := range []MediaType{Image, Audio, Video} {
		if strings.HasPrefix(p.MimeType, string(t)+"/") {
			media.Type = t
		}
	}
	switch {
	case p.Data.Or("") != "":
		media.Source = DataSource{Value: p.Data.value, MimeType: p.MimeType}
	case p.URL.Or("") != "":
		media.Source = URLSource{Value: p.URL.value, MimeType: Some(p.MimeType)}
	default:
		return MediaPart{}, errors.New("events: a binary part without data and url has no form in AG-UI 1.0: send its bytes or a URL")
	}
	if name := p.Filename.Or(""); name != "" {
		media.Metadata = MustJSON(map[string]string{"filename": name})
	}
	return media, nil
}

// readPart reads one part. A part whose type, or whose source's type, is unknown is kept opaque.
func readPart(text []byte, legacy bool) (Part, *FieldError) {
	if text[0] != '{' {
		return nil, wantObject(text)
	}
	in := members(text)
	switch typ := lastString(in, "type"); typ {
	case "text":
		p := new(TextPart)
		return p, readMembers(in, p, legacy)
	case "image", "audio", "video", "document":
		p := new(MediaPart)
		err := readMembers(in, p, legacy)
		if err != nil && hasUnknownSource(in) {
			break
		}
		return p, err
	case "binary":
		if mime := last(in, "mimeType"); !legacy && (mime == nil || mime[0] != '"') {
			break
		}
		p := new(BinaryPart)
		return p, readMembers(in, p, legacy)
	}
	return &UnknownPart{Type: lastString(in, "type"), JSON: compact(text)}, nil
}
