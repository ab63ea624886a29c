package walker

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"kafkawire/harness/internal/definition"
)

// A scalar is a type of the wire: the kind of its type in Go, and its JSON form. Type text has the form of strings, isUUID
// the type of UUIDs.
type scalar struct {
	kind reflect.Kind
	converter
}

var scalars = map[string]scalar{
	"bool":    {reflect.Bool, boolean{}},
	"int8":    {reflect.Int8, signed{}},
	"int16":   {reflect.Int16, signed{}},
	"int32":   {reflect.Int32, signed{}},
	"int64":   {reflect.Int64, signed{isText: true}},
	"uint16":  {reflect.Uint16, unsigned{}},
	"uint32":  {reflect.Uint32, unsigned{isText: true}},
	"float64": {reflect.Float64, float{}},
	"string":  {kind: reflect.String},
	"uuid":    {converter: uuid{}},
}

type boolean struct{}

func (boolean) set(target reflect.Value, value any) error {
	content, ok := value.(bool)
	if !ok {
		return unfit(value)
	}
	target.SetBool(content)
	return nil
}

func (boolean) show(out []byte, source reflect.Value) []byte {
	return strconv.AppendBool(out, source.Bool())
}

type signed struct{ isText bool }

func (s signed) set(target reflect.Value, value any) error {
	digits, err := digitsOf(value, s.isText)
	if err != nil {
		return err
	}
	number, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || target.OverflowInt(number) {
		return &Unrepresentable{"", digits + " does not fit into " + target.Type().String()}
	}
	target.SetInt(number)
	return nil
}

func (s signed) show(out []byte, source reflect.Value) []byte {
	return quotedIf(s.isText, out, func(out []byte) []byte { return strconv.AppendInt(out, source.Int(), 10) })
}

type unsigned struct{ isText bool }

func (u unsigned) set(target reflect.Value, value any) error {
	digits, err := digitsOf(value, u.isText)
	if err != nil {
		return err
	}
	number, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || target.OverflowUint(number) {
		return &Unrepresentable{"", digits + " does not fit into " + target.Type().String()}
	}
	target.SetUint(number)
	return nil
}

func (u unsigned) show(out []byte, source reflect.Value) []byte {
	return quotedIf(u.isText, out, func(out []byte) []byte { return strconv.AppendUint(out, source.Uint(), 10) })
}

type float struct{}

func (float) set(target reflect.Value, value any) error {
	digits, ok := value.(string)
	if !ok {
		return unfit(value)
	}
	bits, err := strconv.ParseUint(digits, 16, 64)
	if err != nil {
		return &NotJSON{"", err.Error()}
	}
	target.SetFloat(math.Float64frombits(bits))
	return nil
}

func (float) show(out []byte, source reflect.Value) []byte {
	return fmt.Appendf(out, `"%016x"`, math.Float64bits(source.Float()))
}

type uuid struct{}

func (uuid) set(target reflect.Value, value any) error {
	text, ok := value.(string)
	if !ok {
		return unfit(value)
	}
	data, err := hex.DecodeString(strings.ReplaceAll(text, "-", ""))
	if err != nil || len(data) != 16 {
		return &NotJSON{"", text + " is no uuid"}
	}
	reflect.Copy(target, reflect.ValueOf(data))
	return nil
}

func (uuid) show(out []byte, source reflect.Value) []byte {
	data, ok := source.Interface().([16]byte)
	if !ok {
		data = source.Convert(uuidType).Interface().([16]byte)
	}
	out = append(out, '"')
	for i, size := range []int{4, 2, 2, 2, 6} {
		start := []int{0, 4, 6, 8, 10}[i]
		if i > 0 {
			out = append(out, '-')
		}
		out = hex.AppendEncode(out, data[start:start+size])
	}
	return append(out, '"')
}

// digitsOf returns the digits of a number without fraction, in the form of its type: text, or a JSON number.
func digitsOf(value any, isText bool) (string, error) {
	digits, ok := value.(string)
	number, isNumber := value.(json.Number)
	if isNumber {
		digits = number.String()
	}
	if ok != isText || isNumber == isText || digits == "" || strings.Trim(digits, "-0123456789") != "" {
		return "", unfit(value)
	}
	return digits, nil
}

func unfit(value any) error {
	if value == nil {
		return &Unrepresentable{"", "null for a type that has none"}
	}
	return &NotJSON{"", fmt.Sprintf("%T %v is not of the type", value, value)}
}

func quotedIf(isText bool, out []byte, write func([]byte) []byte) []byte {
	if !isText {
		return write(out)
	}
	return append(write(append(out, '"')), '"')
}

// tagOf reads [tag, hex].
func tagOf(value any) (uint32, []byte, error) {
	pair, ok := value.([]any)
	if !ok || len(pair) != 2 {
		return 0, nil, &NotJSON{"", "a tagged field is a tag and bytes"}
	}
	digits, err := digitsOf(pair[0], false)
	if err != nil {
		return 0, nil, err
	}
	tag, err := strconv.ParseUint(digits, 10, 32)
	if err != nil {
		return 0, nil, &Unrepresentable{"", digits + " does not fit into uint32"}
	}
	data, err := Bytes(pair[1])
	return uint32(tag), data, err
}

// defaultOf returns the JSON form of a field's default; false: it is a struct, or more than a plain value.
func defaultOf(field *definition.Field, isNullable bool) (string, bool) {
	text := strings.Trim(string(field.Default), `"`)
	switch {
	case text == "null" && isNullable:
		return "null", true
	case field.IsArray():
		return "[]", true
	case field.Type == "string" || field.Type == "bytes" || field.Type == "records":
		return strconv.Quote(text), true
	case field.Type == "bool":
		return strconv.FormatBool(text == "true"), true
	case field.Type == "uuid":
		return `"00000000-0000-0000-0000-000000000000"`, true
	case field.IsStruct() || field.Type == "float64":
		return "", false
	}
	number, err := strconv.ParseInt(text, 0, 64)
	if text != "" && err != nil {
		return "", false
	}
	convert := scalars[field.Type].converter
	isText := convert == signed{isText: true} || convert == unsigned{isText: true}
	form := quotedIf(isText, nil, func(out []byte) []byte { return strconv.AppendInt(out, number, 10) })
	return string(form), true
}
