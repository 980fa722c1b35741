package encode

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// typed returns a value that encoding/json encodes as the text: a struct with the same members in the same
// order, nested objects as structs too, as somebody who encodes by hand would declare them. It is the best
// that encoding/json can be given: a map costs it several times as much.
func typed(text []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := typedNext(d)
	if err != nil {
		return nil, fmt.Errorf("encode: a value like %s: %w", text, err)
	}
	return v, nil
}

func typedNext(d *json.Decoder) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			return typedObject(d)
		}
		return typedArray(d)
	case json.Number:
		if n, err := t.Int64(); err == nil {
			return n, nil
		}
		return t.Float64()
	}
	return token, nil
}

func typedObject(d *json.Decoder) (any, error) {
	var fields []reflect.StructField
	var values []any
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return nil, err
		}
		value, err := typedNext(d)
		if err != nil {
			return nil, err
		}
		fields = append(fields, reflect.StructField{
			Name: fmt.Sprintf("F%d", len(fields)),
			Type: typeOf(value),
			Tag:  reflect.StructTag(fmt.Sprintf(`json:%q`, name)),
		})
		values = append(values, value)
	}
	made := reflect.New(reflect.StructOf(fields)).Elem()
	for i, v := range values {
		if v != nil {
			made.Field(i).Set(reflect.ValueOf(v))
		}
	}
	_, err := d.Token() // the closing brace
	return made.Interface(), err
}

// typedArray is a slice of the elements' type where all have the same.
func typedArray(d *json.Decoder) (any, error) {
	var values []any
	for d.More() {
		v, err := typedNext(d)
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	element := reflect.TypeFor[any]()
	for i, v := range values {
		switch {
		case i == 0:
			element = typeOf(v)
		case typeOf(v) != element:
			element = reflect.TypeFor[any]()
		}
	}
	made := reflect.MakeSlice(reflect.SliceOf(element), 0, len(values))
	for _, v := range values {
		value := reflect.Zero(element)
		if v != nil {
			value = reflect.ValueOf(v)
		}
		made = reflect.Append(made, value)
	}
	_, err := d.Token() // the closing bracket
	return made.Interface(), err
}

func typeOf(v any) reflect.Type {
	if v == nil {
		return reflect.TypeFor[any]()
	}
	return reflect.TypeOf(v)
}
