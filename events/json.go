package events

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/agui-go/agui/internal/quote"
)

// JSON is one free-form JSON value: valid, compact, and safe to put into a one-line frame. The text
// is kept as it was written, so big integers survive. The zero JSON is absent. JSON is immutable and
// comparable; equal texts are equal values.
type JSON struct {
	text string
}

// NewJSON returns v as JSON. It marshals v with encoding/json, without HTML escaping; what a
// [json.Marshaler] or a [json.RawMessage] holds is validated and compacted. A nil v is the JSON null, a
// present JSON is returned as it is, and an absent one stays absent. The error wraps the cause and names
// the type of v.
func NewJSON(v any) (JSON, error) {
	if j, ok := v.(JSON); ok {
		return j, nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return JSON{}, fmt.Errorf("events: cannot encode %T as JSON: %w", v, err)
	}
	if !json.Valid(buf.Bytes()) { // encoding/json writes what it does not read
		return JSON{}, fmt.Errorf("events: cannot encode %T as JSON: it is nested more than 10000 levels deep", v)
	}
	return compact(buf.Bytes()), nil
}

// MustJSON is like [NewJSON] but panics on failure. It is for literals.
func MustJSON(v any) JSON {
	j, err := NewJSON(v)
	if err != nil {
		panic(err)
	}
	return j
}

// MustParseJSON is [ParseJSON] for JSON text written in code: it panics when the text is not JSON.
func MustParseJSON(text string) JSON {
	j, err := ParseJSON([]byte(text))
	if err != nil {
		panic(err)
	}
	return j
}

// ParseJSON returns text, which must hold one JSON value, without its white space. Invalid UTF-8 in
// strings becomes U+FFFD. A text that is not JSON is a *[SyntaxError].
func ParseJSON(text []byte) (JSON, error) {
	if err := validate(text); err != nil {
		return JSON{}, err
	}
	return compact(text), nil
}

// IsZero reports whether the value is absent.
func (j JSON) IsZero() bool { return j.text == "" }

// String returns the JSON text, empty when the value is absent.
func (j JSON) String() string { return j.text }

// IsObject reports whether the value is a JSON object.
func (j JSON) IsObject() bool { return j.text != "" && j.text[0] == '{' }

// IsNull reports whether the value is the JSON null.
func (j JSON) IsNull() bool { return j.text == "null" }

// Unmarshal stores the value in what v points to, as encoding/json does. An absent value is an error.
func (j JSON) Unmarshal(v any) error {
	if j.IsZero() {
		return errors.New("events: cannot unmarshal an absent JSON value: check IsZero first")
	}
	if err := json.Unmarshal([]byte(j.text), v); err != nil {
		return fmt.Errorf("events: cannot unmarshal JSON into %T: %w", v, err)
	}
	return nil
}

// AppendJSON appends the value to dst, null when it is absent. It never fails.
func (j JSON) AppendJSON(dst []byte) ([]byte, error) {
	if j.IsZero() {
		return append(dst, "null"...), nil
	}
	return append(dst, j.text...), nil
}

// MarshalJSON implements [json.Marshaler]: an absent value is null.
func (j JSON) MarshalJSON() ([]byte, error) { return j.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler]: it keeps any valid JSON, null included.
func (j *JSON) UnmarshalJSON(data []byte) error {
	parsed, err := ParseJSON(data)
	if err != nil {
		return err
	}
	*j = parsed
	return nil
}

// compact returns a valid JSON text as a JSON.
func compact(text []byte) JSON {
	return JSON{text: string(quote.AppendCompact(make([]byte, 0, len(text)), text))}
}

// validate returns a *SyntaxError when text is not one JSON value, or is nested deeper than 10000 levels.
func validate(text []byte) error {
	if json.Valid(text) {
		return nil
	}
	err := json.Unmarshal(text, new(json.RawMessage))
	syntax := new(json.SyntaxError)
	errors.As(err, &syntax)
	return &SyntaxError{Offset: syntax.Offset, Reason: "not JSON: " + err.Error()}
}
