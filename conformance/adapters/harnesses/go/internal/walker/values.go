package walker

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"
)

type array struct {
	inner  converter
	null   nullness
	walker *Walker
}

func (a *array) set(target reflect.Value, value any) error {
	if value == nil {
		return setNil(target, a.null)
	}
	elements, ok := value.([]any)
	if !ok {
		return &NotJSON{"", fmt.Sprintf("%T is no array", value)}
	}
	slice := reflect.MakeSlice(target.Type(), len(elements), len(elements))
	for i, element := range elements {
		if target.Type().Elem().Kind() == reflect.Struct && a.walker.Initialize != nil {
			a.walker.Initialize(slice.Index(i).Addr())
		}
		if err := a.inner.set(slice.Index(i), element); err != nil {
			return Under(err, "["+strconv.Itoa(i)+"]")
		}
	}
	target.Set(slice)
	return nil
}

// setNil sets a slice to nil, which is an empty one where it is not null.
func setNil(target reflect.Value, null nullness) error {
	if !null.asNil {
		return &Unrepresentable{"", "a nil slice is written as an empty one"}
	}
	target.SetZero()
	return nil
}

func (a *array) show(out []byte, source reflect.Value) []byte {
	if source.IsNil() && a.null.allowed {
		return append(out, "null"...)
	}
	out = append(out, '[')
	for i := range source.Len() {
		if i > 0 {
			out = append(out, ',')
		}
		if len(out) > a.walker.longest {
			panic(tooLong{})
		}
		out = a.inner.show(out, source.Index(i))
	}
	return append(out, ']')
}

type pointer struct {
	inner      converter
	walker     *Walker
	isRequired bool // no caller passes nil
}

func (p *pointer) set(target reflect.Value, value any) error {
	if value == nil && p.isRequired {
		return &Unrepresentable{"", "nil in place of a struct that is not null in any version"}
	}
	if value == nil {
		target.SetZero()
		return nil
	}
	made := p.walker.make(target.Type().Elem())
	target.Set(made)
	return p.inner.set(made.Elem(), value)
}

func (p *pointer) show(out []byte, source reflect.Value) []byte {
	if source.IsNil() {
		return append(out, "null"...)
	}
	return p.inner.show(out, source.Elem())
}

type octets struct{ null nullness }

func (o *octets) set(target reflect.Value, value any) error {
	if value == nil {
		return setNil(target, o.null)
	}
	data, err := Bytes(value)
	if err != nil {
		return err
	}
	target.SetBytes(data)
	return nil
}

func (o *octets) show(out []byte, source reflect.Value) []byte {
	if source.IsNil() && o.null.allowed {
		return append(out, "null"...)
	}
	return appendHex(out, source.Bytes())
}

// Bytes reads the JSON form of bytes.
func Bytes(value any) ([]byte, error) {
	digits, ok := value.(string)
	if !ok {
		return nil, &NotJSON{"", fmt.Sprintf("%T is no hex", value)}
	}
	data, err := hex.DecodeString(digits)
	if err != nil {
		return nil, &NotJSON{"", err.Error()}
	}
	return data, nil
}

func appendHex(out, data []byte) []byte {
	out = append(out, '"')
	return append(hex.AppendEncode(out, data), '"')
}

type text struct{ isEmptyNull bool }

func (t *text) set(target reflect.Value, value any) error {
	if value == nil && t.isEmptyNull {
		target.SetString("")
		return nil
	}
	content, err := String(value)
	if err == nil && content == "" && t.isEmptyNull {
		return &Unrepresentable{"", "an empty string is null"}
	}
	if err == nil {
		target.SetString(content)
	}
	return err
}

func (t *text) show(out []byte, source reflect.Value) []byte {
	if source.Len() == 0 && t.isEmptyNull {
		return append(out, "null"...)
	}
	return AppendString(out, source.String())
}

// String reads the JSON form of a string.
func String(value any) (string, error) {
	switch content := value.(type) {
	case string:
		return content, nil
	case nil:
		return "", &Unrepresentable{"", "null for a string that is no pointer"}
	case map[string]any:
		if digits, ok := content["utf8"]; ok {
			data, err := Bytes(digits)
			return string(data), err
		}
		return "", &Unrepresentable{"", "UTF-8 has no lone surrogates"}
	}
	return "", &NotJSON{"", fmt.Sprintf("%T is no string", value)}
}

// AppendString appends the JSON form of a string.
func AppendString(out []byte, content string) []byte {
	if !utf8.ValidString(content) {
		out = append(out, `{"utf8":`...)
		return append(appendHex(out, []byte(content)), '}')
	}
	for i := range len(content) {
		if c := content[i]; c < ' ' || c == '"' || c == '\\' || c > '~' {
			return appendEscaped(out, content)
		}
	}
	return append(append(append(out, '"'), content...), '"')
}

func appendEscaped(out []byte, content string) []byte {
	quoted, err := json.Marshal(content)
	if err != nil {
		panic(err)
	}
	return append(out, quoted...)
}

// unknown is a field that the library does not have, in its JSON form.
type unknown struct{ usual string }

func (u *unknown) set(_ reflect.Value, value any) error {
	if form, err := json.Marshal(value); err != nil || string(form) != u.usual {
		return &Unrepresentable{"", "the library does not have the field"}
	}
	return nil
}

func (u *unknown) show(out []byte, _ reflect.Value) []byte { return append(out, u.usual...) }
