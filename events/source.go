package events

// Source says where a media part's bytes are. The interface is sealed: [DataSource], [URLSource],
// [FileSource] and [UnknownSource]. Values and pointers both are Sources.
type Source interface {
	// SourceType returns the source's "type" member.
	SourceType() string
	AppendJSON(dst []byte) ([]byte, error)

	sourcePointer() Source
	check() *FieldError
}

// DataSource holds the bytes inline, in base64.
type DataSource struct {
	Value    string
	MimeType string
	extra    JSON
}

// SourceType returns "data".
func (s DataSource) SourceType() string { return "data" }

// AppendJSON implements [Source].
func (s DataSource) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	s.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (s DataSource) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (s *DataSource) UnmarshalJSON(data []byte) error { return unmarshal(data, s, "", false) }

func (s DataSource) sourcePointer() Source { return &s }

func (s DataSource) check() *FieldError {
	var o object
	s.members(&o)
	return o.err
}

func (s *DataSource) members(o *object) {
	o.tag("type", "data")
	o.str("value", &s.Value)
	o.str("mimeType", &s.MimeType)
	o.rest(&s.extra)
}

// URLSource names a URL to fetch the bytes from.
type URLSource struct {
	Value    string
	MimeType Opt[string]
	extra    JSON
}

// SourceType returns "url".
func (s URLSource) SourceType() string { return "url" }

// AppendJSON implements [Source].
func (s URLSource) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	s.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (s URLSource) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (s *URLSource) UnmarshalJSON(data []byte) error { return unmarshal(data, s, "", false) }

func (s URLSource) sourcePointer() Source { return &s }

func (s URLSource) check() *FieldError {
	var o object
	s.members(&o)
	return o.err
}

func (s *URLSource) members(o *object) {
	o.tag("type", "url")
	o.str("value", &s.Value)
	o.opt("mimeType", &s.MimeType)
	o.rest(&s.extra)
}

// FileSource names bytes that a provider already holds, by the provider's own handle.
type FileSource struct {
	Value    string
	Provider Opt[string]
	MimeType Opt[string]
	extra    JSON
}

// SourceType returns "file".
func (s FileSource) SourceType() string { return "file" }

// AppendJSON implements [Source].
func (s FileSource) AppendJSON(dst []byte) ([]byte, error) {
	o := write(dst)
	s.members(&o)
	return o.end(dst, "")
}

// MarshalJSON implements [json.Marshaler].
func (s FileSource) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler], as strictly as [Decode].
func (s *FileSource) UnmarshalJSON(data []byte) error { return unmarshal(data, s, "", false) }

func (s FileSource) sourcePointer() Source { return &s }

func (s FileSource) check() *FieldError {
	var o object
	s.members(&o)
	return o.err
}

func (s *FileSource) members(o *object) {
	o.tag("type", "file")
	o.str("value", &s.Value)
	o.opt("provider", &s.Provider)
	o.opt("mimeType", &s.MimeType)
	o.rest(&s.extra)
}

// UnknownSource is a source whose type is none of AG-UI 1.0's, kept as it came.
type UnknownSource struct {
	Type string
	JSON JSON
}

// SourceType returns the source's type.
func (s UnknownSource) SourceType() string { return s.Type }

// AppendJSON implements [Source]: it writes the source as it came. A source whose type AG-UI 1.0 knows
// has its own struct and is refused here.
func (s UnknownSource) AppendJSON(dst []byte) ([]byte, error) {
	if err := s.check(); err != nil {
		return dst, err
	}
	return appendOpaque(dst, s.JSON, "type", s.Type)
}

// MarshalJSON implements [json.Marshaler].
func (s UnknownSource) MarshalJSON() ([]byte, error) { return s.AppendJSON(nil) }

// UnmarshalJSON implements [json.Unmarshaler]: it takes any object.
func (s *UnknownSource) UnmarshalJSON(data []byte) error {
	typ, j, err := readOpaque(data, "type")
	if err != nil {
		return err
	}
	*s = UnknownSource{Type: typ, JSON: j}
	return nil
}

func (s UnknownSource) sourcePointer() Source { return &s }

func (s UnknownSource) check() *FieldError {
	switch s.Type {
	case "data", "url", "file":
		return disguised("type", s.Type)
	}
	return nil
}

// source is a required source.
func (o *object) source(name string, p *Source) {
	if o.mode != reading {
		o.put(name, *p)
		return
	}
	if text := o.typed(name, required, "an object", '{'); text != nil {
		source, err := readSource(text)
		*p = source
		o.nest(name, err)
	}
}

func readSource(text []byte) (Source, *FieldError) {
	in := members(text)
	switch typ := lastString(in, "type"); typ {
	case "data":
		s := new(DataSource)
		return s, readMembers(in, s, false)
	case "url":
		s := new(URLSource)
		return s, readMembers(in, s, false)
	case "file":
		s := new(FileSource)
		return s, readMembers(in, s, false)
	default:
		return &UnknownSource{Type: typ, JSON: compact(text)}, nil
	}
}

// hasUnknownSource reports whether a media part's source is one that AG-UI 1.0 does not know: a
// consumer drops such a part whole, whatever else it holds.
func hasUnknownSource(part []member) bool {
	text := last(part, "source")
	if text == nil || text[0] != '{' {
		return false
	}
	switch lastString(members(text), "type") {
	case "data", "url", "file":
		return false
	}
	return true
}
