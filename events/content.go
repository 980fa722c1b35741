package events

import (
	"strings"

	"github.com/agui-go/agui/internal/quote"
)

// Content is a string or a list of parts (AG-UI 1.0, message content). The zero Content is the empty
// string; make others with [Text] and [Parts].
type Content struct {
	text    string
	parts   []Part
	isParts bool
}

// Text returns content that is a string.
func Text(s string) Content { return Content{text: s} }

// Parts returns content that is a list of parts, which may be empty.
func Parts(parts ...Part) Content { return Content{parts: parts, isParts: true} }

// IsParts reports whether the content is a list of parts.
func (c Content) IsParts() bool { return c.isParts }

// Parts returns the parts of content that is a list, nil for a string. The caller must not change them.
func (c Content) Parts() []Part { return c.parts }

// String returns the text: the string itself, or the text parts of the list one after the other.
func (c Content) String() string {
	if !c.isParts {
		return c.text
	}
	var b strings.Builder
	for _, part := range c.parts {
		switch p := part.(type) {
		case TextPart:
			b.WriteString(p.Text)
		case *TextPart:
			if p != nil {
				b.WriteString(p.Text)
			}
		}
	}
	return b.String()
}

// AppendJSON appends the content to dst: a string or an array. A nil part is a *[FieldError] that wraps
// [ErrNil].
func (c Content) AppendJSON(dst []byte) ([]byte, error) {
	if !c.isParts {
		return quote.AppendString(dst, c.text), nil
	}
	o := object{mode: writing, dst: dst}
	putAll(&o, c.parts)
	if o.err != nil {
		return dst, o.err
	}
	return o.dst, nil
}

// MarshalJSON implements [json.Marshaler].
func (c Content) MarshalJSON() ([]byte, error) { return c.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler].
func (c *Content) UnmarshalJSON(data []byte) error {
	if err := validate(data); err != nil {
		return err
	}
	content, err := readContent(trim(data), false)
	if err != nil {
		return err
	}
	*c = content
	return nil
}

// content is a required member that holds a string or a list of parts.
func (o *object) content(name string, p *Content) {
	switch {
	case o.mode == reading:
		if text := o.find(name, required); text != nil {
			content, err := readContent(text, o.legacy)
			*p = content
			o.nest(name, err)
		}
	case p.isParts:
		putMember(o, name, p.parts)
	case o.mode == writing:
		o.key(name)
		o.dst = quote.AppendString(o.dst, p.text)
	}
}

func readContent(text []byte, legacy bool) (Content, *FieldError) {
	switch text[0] {
	case '"':
		return Text(unquote(text)), nil
	case '[':
		parts, err := readAll(text, legacy, readPart)
		return Content{parts: parts, isParts: true}, err
	}
	return Content{}, &FieldError{Reason: "want a string or an array of parts, got " + kind(text)}
}
