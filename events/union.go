package events

// appender is a value of a union: it writes and checks itself.
type appender interface {
	AppendJSON(dst []byte) ([]byte, error)
	check() *FieldError
}

// put writes or checks the union member v. A nil pointer in it is an error that is [ErrNil].
func (o *object) put(name string, v appender) {
	if o.mode == writing {
		o.key(name)
	}
	o.nest(name, putOne(o, v))
}

// putMember writes or checks a list of union members.
func putMember[T appender](o *object, name string, values []T) {
	if o.mode == writing {
		o.key(name)
	}
	before := o.err
	o.err = nil
	putAll(o, values)
	after := o.err
	o.err = before
	o.nest(name, after)
}

func putAll[T appender](o *object, values []T) {
	if o.mode == writing {
		o.dst = append(o.dst, '[')
	}
	for i, v := range values {
		if o.mode == writing && i > 0 {
			o.dst = append(o.dst, ',')
		}
		if err := putOne(o, v); err != nil {
			err.at(i)
			o.err = err
			return
		}
	}
	if o.mode == writing {
		o.dst = append(o.dst, ']')
	}
}

func putOne(o *object, v appender) *FieldError {
	if isNil(v) {
		return &FieldError{Reason: "is nil", cause: ErrNil}
	}
	if o.mode == checking {
		return v.check()
	}
	dst, err := v.AppendJSON(o.dst)
	o.dst = dst
	return nested(err)
}

// readAll reads a list of union members.
func readAll[T any](array []byte, legacy bool, read func([]byte, bool) (T, *FieldError)) ([]T, *FieldError) {
	elems := elements(array)
	values := make([]T, len(elems))
	for i, elem := range elems {
		v, err := read(elem, legacy)
		if err != nil {
			err.at(i)
			return nil, err
		}
		values[i] = v
	}
	return values, nil
}

// disguised is the error of an opaque value whose tag says that it is none.
func disguised(tag, value string) *FieldError {
	return &FieldError{Pointer: "/" + tag, Reason: excerpt(value) + " is part of AG-UI 1.0: use the Go type that it has"}
}

// appendOpaque appends a value that is kept as it came: an object whose member tag is value, or is no
// string when value is empty.
func appendOpaque(dst []byte, j JSON, tag, value string) ([]byte, error) {
	if !j.IsObject() {
		return dst, &FieldError{Reason: "want the whole value as a JSON object"}
	}
	if got := lastString(members([]byte(j.text)), tag); got != value {
		return dst, &FieldError{Pointer: "/" + tag, Reason: "want " + excerpt(value) + ", got " + excerpt(got)}
	}
	return append(dst, j.text...), nil
}

// readOpaque reads an object and its member tag, empty when that is no string.
func readOpaque(data []byte, tag string) (string, JSON, error) {
	if err := validate(data); err != nil {
		return "", JSON{}, err
	}
	data = trim(data)
	if data[0] != '{' {
		return "", JSON{}, wantObject(data)
	}
	return lastString(members(data), tag), compact(data), nil
}
