package events

import (
	"slices"
	"strconv"
	"strings"

	"github.com/agui-go/agui/internal/quote"
)

// tag is a member that always holds the constant value, which tells the object's type.
func (o *object) tag(name, value string) {
	switch o.mode {
	case writing:
		o.key(name)
		o.dst = append(o.dst, '"')
		o.dst = append(o.dst, value...)
		o.dst = append(o.dst, '"')
	case reading:
		text := o.typed(name, required, "a string", '"')
		if text != nil && unquote(text) != value {
			o.fail(name, "want "+strconv.Quote(value)+", got "+excerpt(unquote(text)))
		}
	}
}

// str is a required string.
func (o *object) str(name string, p *string) {
	if o.mode != checking {
		o.strText(name, p)
	}
}

func (o *object) strText(name string, p *string) {
	if o.mode == writing {
		o.key(name)
		o.dst = quote.AppendString(o.dst, *p)
		return
	}
	if text := o.typed(name, required, "a string", '"'); text != nil {
		*p = unquote(text)
	}
}

// opt is an optional string.
func (o *object) opt(name string, p *Opt[string]) {
	if o.mode != checking {
		o.optText(name, p)
	}
}

func (o *object) optText(name string, p *Opt[string]) {
	if o.mode == writing {
		if p.set {
			o.key(name)
			o.dst = quote.AppendString(o.dst, p.value)
		}
		return
	}
	if text := o.typed(name, optional, "a string", '"'); text != nil {
		*p = Some(unquote(text))
	}
}

// old is an optional string of a retired shape, whose writers put null for nothing.
func (o *object) old(name string, p *Opt[string]) {
	if o.mode == reading {
		if text := o.find(name, optional); text == nil || isNull(text) {
			return
		}
	}
	o.opt(name, p)
}

// boolean is an optional boolean.
func (o *object) boolean(name string, p *Opt[bool]) {
	switch o.mode {
	case writing:
		if p.set {
			o.key(name)
			o.dst = strconv.AppendBool(o.dst, p.value)
		}
	case reading:
		text := o.find(name, optional)
		if text == nil {
			return
		}
		if kind(text) != "a boolean" {
			o.mismatch(name, optional, "a boolean", text)
			return
		}
		*p = Some(text[0] == 't')
	}
}

// integer is an optional integer from low to [maxSafe].
func (o *object) integer(name string, p *Opt[int64], low int64) {
	switch o.mode {
	case writing:
		if p.set {
			o.key(name)
			o.dst = strconv.AppendInt(o.dst, p.value, 10)
		}
		return
	case reading:
		o.readInteger(name, p, low)
	}
	if p.set && (p.value < low || p.value > maxSafe) {
		o.fail(name, integerReason(low, strconv.FormatInt(p.value, 10)))
	}
}

func (o *object) readInteger(name string, p *Opt[int64], low int64) {
	text := o.find(name, optional)
	if text == nil {
		return
	}
	if kind(text) != "a number" {
		o.mismatch(name, optional, "an integer", text)
		return
	}
	n, ok := integer(text)
	if !ok {
		o.fail(name, integerReason(low, string(text[:min(len(text), 40)])))
		return
	}
	*p = Some(n)
}

func integerReason(low int64, got string) string {
	return "want an integer from " + strconv.FormatInt(low, 10) + " to " + strconv.FormatInt(maxSafe, 10) + ", got " + got
}

// enum is a string of the list allowed. When it may be left out, empty means that it is.
func enum[S ~string](o *object, name string, p *S, n need, allowed []S) {
	switch o.mode {
	case writing:
		if *p != "" || n == required {
			o.key(name)
			o.dst = quote.AppendString(o.dst, string(*p))
		}
		return
	case reading:
		text := o.typed(name, n, "a string", '"')
		if text == nil {
			return
		}
		*p = S(unquote(text))
		if *p == "" {
			o.fail(name, enumReason(allowed, ""))
			return
		}
	}
	if *p == "" && n == optional {
		return
	}
	if slices.Contains(allowed, *p) {
		return
	}
	o.fail(name, enumReason(allowed, string(*p)))
}

// constant is a required string that can only be value. A typed value may leave it empty.
func constant[S ~string](o *object, name string, p *S, value S) {
	filled := *p
	if filled == "" && o.mode != reading {
		filled = value
	}
	allowed := [1]S{value}
	enum(o, name, &filled, required, allowed[:])
	if o.mode == reading {
		*p = filled
	}
}

func enumReason[S ~string](allowed []S, got string) string {
	var want strings.Builder
	for i, s := range allowed {
		switch {
		case i == 0:
		case i == len(allowed)-1:
			want.WriteString(" or ")
		default:
			want.WriteString(", ")
		}
		want.WriteString(strconv.Quote(string(s)))
	}
	return "want " + want.String() + ", got " + excerpt(got)
}

// excerpt quotes a text of a stranger for an error.
func excerpt(s string) string {
	const most = 64
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}
