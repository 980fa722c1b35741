package events

import "github.com/agui-go/agui/internal/quote"

// value is a required member that may hold any JSON, null included. Absent is written as null.
func (o *object) value(name string, p *JSON) {
	switch o.mode {
	case writing:
		o.key(name)
		o.dst, _ = p.AppendJSON(o.dst)
	case reading:
		if text := o.find(name, required); text != nil {
			*p = compact(text)
		}
	}
}

// nullable is an optional member that may hold any JSON; null is the same as absent.
func (o *object) nullable(name string, p *JSON) {
	switch o.mode {
	case writing:
		o.putJSON(name, p)
	case reading:
		if text := o.find(name, optional); text != nil && !isNull(text) {
			*p = compact(text)
		}
	}
}

// some is an optional member that may hold any JSON but null.
func (o *object) some(name string, p *JSON) {
	switch o.mode {
	case writing:
		o.putJSON(name, p)
		return
	case reading:
		text := o.find(name, optional)
		if text == nil || o.legacy && isNull(text) {
			return
		}
		*p = compact(text)
	}
	if p.IsNull() {
		o.fail(name, "may not be null: leave the member out")
	}
}

// free is an optional JSON object.
func (o *object) free(name string, p *JSON) {
	switch o.mode {
	case writing:
		o.putJSON(name, p)
		return
	case reading:
		o.readObject(name, p, optional)
	}
	if !p.IsZero() && !p.IsObject() {
		o.fail(name, "want an object, got "+kind([]byte(p.text)))
	}
}

// freeRequired is a required JSON object. An absent one cannot be written.
func (o *object) freeRequired(name string, p *JSON) {
	if o.mode == reading {
		o.readObject(name, p, required)
		return
	}
	if p.IsZero() {
		o.fail(name, "is required: set it to a JSON object")
		return
	}
	if o.mode == writing {
		o.key(name)
		o.dst = append(o.dst, p.text...)
		return
	}
	if !p.IsObject() {
		o.fail(name, "want an object, got "+kind([]byte(p.text)))
	}
}

func (o *object) readObject(name string, p *JSON, n need) {
	if text := o.typed(name, n, "an object", '{'); text != nil {
		*p = compact(text)
	}
}

// putJSON writes an optional member. A null is left out like an absent value: an optional member is
// never null on the wire.
func (o *object) putJSON(name string, p *JSON) {
	if !p.IsZero() && !p.IsNull() {
		o.key(name)
		o.dst = append(o.dst, p.text...)
	}
}

// rest is what the text holds besides the known members: kept when reading, written back after them.
func (o *object) rest(p *JSON) {
	switch o.mode {
	case writing:
		if inner := p.text; len(inner) > len("{}") {
			if o.dst[len(o.dst)-1] != '{' {
				o.dst = append(o.dst, ',')
			}
			o.dst = append(o.dst, inner[1:len(inner)-1]...)
		}
	case reading:
		*p = unknownMembers(o.in)
	}
}

func unknownMembers(in []member) JSON {
	var text []byte
	for _, m := range in {
		if m.used {
			continue
		}
		if text == nil {
			text = append(text, '{')
		} else {
			text = append(text, ',')
		}
		text = quote.AppendCompact(text, m.key)
		text = append(text, ':')
		text = quote.AppendCompact(text, m.value)
	}
	if text == nil {
		return JSON{}
	}
	return JSON{text: string(append(text, '}'))}
}
