package events

import "github.com/agui-go/agui/internal/quote"

// items walks over the elements of a list member:
//
//	for l := list(o, "usage", p, optional); l.next(o); {
//		(*p)[l.i].members(o)
//	}
type items struct {
	name  string
	i, n  int
	elems [][]byte // reading
	outer []member // reading: the members of the object that holds the list
	some  bool     // whether there is a list
}

// list begins a list member. When reading it makes the slice. The items do not hold o: so that it can
// stay on the stack.
func list[T any](o *object, name string, p *[]T, n need) items {
	if o.err != nil {
		return items{}
	}
	l := items{name: name, i: -1, some: true}
	switch o.mode {
	case writing:
		if *p == nil && n == optional {
			return items{}
		}
		o.key(name)
		o.dst = append(o.dst, '[')
	case reading:
		text := o.typed(name, n, "an array", '[')
		if text == nil {
			return items{}
		}
		l.elems = elements(text)
		l.outer = o.in
		*p = make([]T, len(l.elems))
	}
	l.n = len(*p)
	return l
}

// next ends the element before and begins the next one, an object.
func (l *items) next(o *object) bool {
	if !l.some {
		return false
	}
	if l.i >= 0 {
		l.endElement(o)
	}
	if l.i++; l.i == l.n || o.err != nil {
		if o.mode == writing {
			o.dst = append(o.dst, ']')
		}
		return false
	}
	switch o.mode {
	case writing:
		if l.i > 0 {
			o.dst = append(o.dst, ',')
		}
		o.dst = append(o.dst, '{')
	case reading:
		o.in = nil
		if elem := l.elems[l.i]; elem[0] == '{' {
			o.in = members(elem)
		} else {
			o.err = wantObject(elem)
		}
	}
	return true
}

func (l *items) endElement(o *object) {
	switch o.mode {
	case writing:
		o.dst = append(o.dst, '}')
	case reading:
		o.in = l.outer
	}
	if o.err != nil {
		o.err.at(l.i)
		o.err.in(l.name)
	}
}

// child is an object member; its own members follow between open and close.
type child struct {
	name  string
	outer []member
}

// open begins an object member. It reports false when there is nothing to walk over.
func (o *object) open(name string, n need) (c child, ok bool) {
	if o.err != nil {
		return c, false
	}
	c.name = name
	switch o.mode {
	case writing:
		o.key(name)
		o.dst = append(o.dst, '{')
	case reading:
		text := o.typed(name, n, "an object", '{')
		if text == nil {
			return c, false
		}
		c.outer, o.in = o.in, members(text)
	}
	return c, true
}

func (c child) close(o *object) {
	switch o.mode {
	case writing:
		o.dst = append(o.dst, '}')
	case reading:
		o.in = c.outer
	}
	if o.err != nil {
		o.err.in(c.name)
	}
}

// names is an optional list of strings.
func (o *object) names(name string, p *[]string) {
	switch o.mode {
	case writing:
		if *p == nil {
			return
		}
		o.key(name)
		o.dst = append(o.dst, '[')
		for i, s := range *p {
			if i > 0 {
				o.dst = append(o.dst, ',')
			}
			o.dst = quote.AppendString(o.dst, s)
		}
		o.dst = append(o.dst, ']')
	case reading:
		text := o.typed(name, optional, "an array", '[')
		if text == nil {
			return
		}
		elems := elements(text)
		*p = make([]string, len(elems))
		for i, elem := range elems {
			if elem[0] != '"' {
				err := &FieldError{Reason: "want a string, got " + kind(elem)}
				err.at(i)
				o.nest(name, err)
				return
			}
			(*p)[i] = unquote(elem)
		}
	}
}
