package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// A value of a vector is plain JSON; kmsg has a struct per message. fill puts the one into the other, and compare says
// where they differ. Both walk them side by side, and the type of the Go field says what a JSON string stands for.

type object = map[string]any

// misfit is why a value of a vector cannot be put into kmsg's types.
type misfit struct{ path, why string }

func (e misfit) Error() string { return fmt.Sprintf("%s: %s", e.path, e.why) }

var (
	bytesType = reflect.TypeFor[[]byte]()
	uuidType  = reflect.TypeFor[[16]byte]()
	tagsType  = reflect.TypeFor[kmsg.Tags]()
)

// fill sets a Go field, of whatever type, to a JSON value. path is for errors.
func fill(to reflect.Value, value any, path string) error {
	switch {
	case value == nil:
		if to.Kind() != reflect.Pointer && to.Kind() != reflect.Slice {
			return misfit{path, "null in a " + to.Type().String()}
		}
		to.SetZero()
		return nil
	case to.Kind() == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		return fill(to.Elem(), value, path)
	}
	switch value := value.(type) {
	case bool:
		to.SetBool(value)
	case json.Number:
		return fillNumber(to, value.String())
	case string:
		return fillText(to, value)
	case []any:
		to.Set(reflect.MakeSlice(to.Type(), len(value), len(value)))
		for i, element := range value {
			if err := fill(to.Index(i), element, fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case object:
		if unset, ok := to.Addr().Interface().(interface{ Default() }); ok {
			unset.Default() // kmsg asks for this: it writes some fields that the version lacks, unless they are at their defaults
		}
		for name, member := range value {
			field, ok := fieldOf(to, name)
			if !ok {
				return misfit{path + "." + name, "no such field"}
			}
			if field.Type() == tagsType {
				fillTags(field.Addr().Interface().(*kmsg.Tags), member)
			} else if err := fill(field, member, path+"."+name); err != nil {
				return err
			}
		}
	}
	return nil
}

func fillNumber(to reflect.Value, digits string) error {
	if to.CanUint() {
		number, err := strconv.ParseUint(digits, 10, to.Type().Bits())
		to.SetUint(number)
		return err
	}
	number, err := strconv.ParseInt(digits, 10, to.Type().Bits())
	to.SetInt(number)
	return err
}

// fillText sets what JSON has as a string: text, hex of bytes, a uuid, the bits of a float64, or an int64 or uint32.
func fillText(to reflect.Value, text string) error {
	switch {
	case to.Kind() == reflect.String:
		to.SetString(text)
	case to.Type() == bytesType:
		bytes, err := hex.DecodeString(text)
		to.SetBytes(bytes)
		return err
	case to.Type() == uuidType:
		bytes, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
		reflect.Copy(to, reflect.ValueOf(bytes))
		return err
	case to.Kind() == reflect.Float64:
		bits, err := strconv.ParseUint(text, 16, 64)
		to.SetFloat(math.Float64frombits(bits))
		return err
	default:
		return fillNumber(to, text)
	}
	return nil
}

// fillTags sets the unknown tagged fields of a struct: [[9999, "cafe"], ...].
func fillTags(tags *kmsg.Tags, pairs any) {
	for _, pair := range pairs.([]any) {
		tag, _ := pair.([]any)[0].(json.Number).Int64()
		bytes, _ := hex.DecodeString(pair.([]any)[1].(string))
		tags.Set(uint32(tag), bytes)
	}
}

// compare returns the path of the first difference between a JSON value and a Go field, and "" if there is none.
//
// kmsg reads an empty array as nil, as it does null: they count as equal here. Where the field is nullable, writing the
// decoded message again shows the difference.
func compare(value any, field reflect.Value, path string) string {
	if value != nil && field.Kind() == reflect.Pointer {
		if field.IsNil() {
			return path
		}
		field = field.Elem()
	}
	switch value := value.(type) {
	case object:
		return compareStruct(value, field, path)
	case []any:
		if field.Len() != len(value) {
			return path
		}
		for i, element := range value {
			if at := compare(element, field.Index(i), fmt.Sprintf("%s[%d]", path, i)); at != "" {
				return at
			}
		}
		return ""
	}
	wanted := reflect.New(field.Type()).Elem()
	if fill(wanted, value, path) != nil || !equalScalars(wanted, field, value == nil) {
		return path
	}
	return ""
}

func compareStruct(value object, field reflect.Value, path string) string {
	if tags, ok := fieldOf(field, "_tags"); ok {
		var read []any
		tags.Addr().Interface().(*kmsg.Tags).Each(func(tag uint32, bytes []byte) {
			read = append(read, []any{json.Number(strconv.Itoa(int(tag))), hex.EncodeToString(bytes)})
		})
		wanted, _ := value["_tags"].([]any)
		if !slices.EqualFunc(wanted, read, reflect.DeepEqual) {
			return path + "._tags"
		}
	}
	for name, member := range value {
		if name == "_tags" {
			continue
		}
		inner, ok := fieldOf(field, name)
		if !ok {
			return path + "." + name
		}
		if at := compare(member, inner, path+"."+name); at != "" {
			return at
		}
	}
	return ""
}

func equalScalars(wanted, field reflect.Value, null bool) bool {
	switch {
	case null:
		return field.IsNil()
	case field.Kind() == reflect.Float64: // NaN is not equal to itself, and 0 is to -0
		return math.Float64bits(wanted.Float()) == math.Float64bits(field.Float())
	case field.Type() == bytesType:
		return slices.Equal(wanted.Bytes(), field.Bytes())
	default:
		return wanted.Equal(field)
	}
}
