package events

// object is one JSON object that is being written, read or checked. Each type of this package names its
// members once, in its members method; the mode decides what that does. So the encoder, the decoder and
// [Check] cannot disagree. The first error stops reading and checking.
//
// The methods take pointers that they never keep, so that a value on the stack stays there.
type object struct {
	mode mode
	dst  []byte   // writing: the text so far
	in   []member // reading: the members of the text
	// legacy is reading a request: the nulls and parts that clients older than 1.0 send are accepted.
	legacy bool
	err    *FieldError
}

type mode byte

const (
	checking mode = iota
	writing
	reading
)

// A described type names its members.
type described interface{ members(o *object) }

// need says whether a member may be left out.
type need byte

const (
	optional need = iota
	required
	// emptied is written when empty but may be absent when read.
	emptied
)

// write begins an object.
func write(dst []byte) object { return object{mode: writing, dst: append(dst, '{')} }

// end returns the finished object, or dst and the error.
func (o *object) end(dst []byte, t Type) ([]byte, error) {
	if o.err != nil {
		return dst, o.err.as(t)
	}
	return append(o.dst, '}'), nil
}

// read reads the JSON object text into v.
func read(text []byte, v described, legacy bool) *FieldError {
	if text[0] != '{' {
		return wantObject(text)
	}
	return readMembers(members(text), v, legacy)
}

func readMembers(in []member, v described, legacy bool) *FieldError {
	o := object{mode: reading, in: in, legacy: legacy}
	v.members(&o)
	return o.err
}

func wantObject(text []byte) *FieldError {
	return &FieldError{Reason: "want an object, got " + kind(text)}
}

func (o *object) fail(name, reason string) {
	if o.err == nil {
		o.err = &FieldError{Pointer: "/" + name, Reason: reason}
	}
}

// nest takes the error of a value that stands under name.
func (o *object) nest(name string, err *FieldError) {
	if err != nil && o.err == nil {
		err.in(name)
		o.err = err
	}
}

// key writes a member's name.
func (o *object) key(name string) {
	if o.dst[len(o.dst)-1] != '{' {
		o.dst = append(o.dst, ',')
	}
	o.dst = append(o.dst, '"')
	o.dst = append(o.dst, name...)
	o.dst = append(o.dst, '"', ':')
}

// find returns the text of a member when reading, nil when it is absent. Of several members with one
// name the last counts, as in JavaScript.
func (o *object) find(name string, n need) []byte {
	if o.err != nil {
		return nil
	}
	var value []byte
	for i := range o.in {
		if o.in[i].is(name) {
			o.in[i].used = true
			value = o.in[i].value
		}
	}
	if value == nil && n == required {
		o.fail(name, "is required")
	}
	return value
}

// last returns the text of the member name, nil when in holds none.
func last(in []member, name string) []byte {
	for i := len(in) - 1; i >= 0; i-- {
		if in[i].is(name) {
			return in[i].value
		}
	}
	return nil
}

// lastString returns the value of the member name, empty when in holds no string of that name.
func lastString(in []member, name string) string {
	if text := last(in, name); text != nil && text[0] == '"' {
		return unquote(text)
	}
	return ""
}

// typed is find for a member whose JSON type, which want names, begins with the byte first.
func (o *object) typed(name string, n need, want string, first byte) []byte {
	value := o.find(name, n)
	if value != nil && value[0] != first {
		o.mismatch(name, n, want, value)
		return nil
	}
	return value
}

// mismatch fails for a member that holds value and should hold what want names.
func (o *object) mismatch(name string, n need, want string, value []byte) {
	reason := "want " + want + ", got " + kind(value)
	if isNull(value) && n == optional {
		reason += ": leave the member out"
	}
	o.fail(name, reason)
}
