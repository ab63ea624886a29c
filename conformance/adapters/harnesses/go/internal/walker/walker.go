// Package walker converts between the JSON form of a message and the structs of a library, by reflection.
//
// The fields of a definition are lined up with those of a struct once for each message and version; a Plan has the
// result, and converts values.
package walker

import (
	"fmt"
	"reflect"
	"strings"

	"kafkawire/harness/internal/definition"
)

// A Walker knows the ways in which the structs of one library differ from the definitions.
type Walker struct {
	// Has says whether a struct's field belongs to a version; nil: the library does not say, and fields are lined up
	// over all versions.
	Has func(field reflect.StructField, version int16) bool
	// Skip says whether a field is none of the protocol.
	Skip func(structure reflect.Type, field reflect.StructField) bool
	// NilIsNull says whether a field that is nil, or an empty string, is written as null at a version; nil: wherever
	// the definition allows null, and strings that may be null are pointers.
	NilIsNull func(field reflect.StructField, version int16) bool
	// Tag says which tag a field has at a version, if it is tagged; nil: the library does not say.
	Tag func(field reflect.StructField, version int16) (tag int, ok bool)
	// Tags converts the unknown tagged fields; nil: the library does not keep them.
	Tags *Tags
	// Initialize sets the library's defaults in a struct that has just been made; it gets a pointer.
	Initialize func(pointer reflect.Value)
	// NilElements has null be a nil pointer where an array of pointers to structs may have none; else null is
	// unrepresentable there: no caller of a library passes it.
	NilElements bool
	// Aliases are names of struct fields, by message and field of the definition, where lining up does not find them.
	Aliases map[string]map[string]string

	longest int // how many bytes a line may have, of the value that is being shown
}

// Tags gives access to the unknown tagged fields of a struct.
type Tags struct {
	Type reflect.Type
	Set  func(tags reflect.Value, tag uint32, data []byte) error
	Each func(tags reflect.Value, visit func(tag uint32, data []byte))
}

// A Note is a place where the structs of the library differ from the definitions.
type Note struct {
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
	Note    string `json:"note"`
}

// A Missing error is a field of the definition that the library's struct does not have. Like tells a field of
// another type and of a like name, if the struct has one.
type Missing struct{ Path, Type, Like string }

func (m *Missing) Error() string {
	if m.Type == "records" {
		return m.Path + " is record batches in the library, and no bytes"
	}
	if m.Like != "" {
		return fmt.Sprintf("%s (%s) is missing; %s", m.Path, m.Type, m.Like)
	}
	return fmt.Sprintf("%s (%s) is missing", m.Path, m.Type)
}

// A Plan converts values of one message at one version.
type Plan struct {
	Type    reflect.Type
	Renamed map[string]string // names of the definition, with their path, and of the struct
	paired  map[string]reflect.StructField
	structs map[string]reflect.Type // by the path of the fields that they are the type of
	convert converter
	walker  *Walker
}

// Plan lines up a message with a struct type at one version.
func (w *Walker) Plan(message *definition.Message, version int16, goType reflect.Type) (*Plan, error) {
	plan := &Plan{
		Type: goType, Renamed: map[string]string{}, paired: map[string]reflect.StructField{},
		structs: map[string]reflect.Type{}, walker: w,
	}
	build := &builder{w, plan, message, version}
	convert, err := build.structure(message.Fields, goType, "")
	if err != nil {
		return nil, err
	}
	plan.convert = convert
	return plan, nil
}

// New returns a pointer to a struct with the library's defaults.
func (p *Plan) New() reflect.Value { return p.walker.make(p.Type) }

// Set fills the struct behind a pointer from the JSON form; fields that it leaves out keep what they have.
func (p *Plan) Set(pointer reflect.Value, value any) error {
	return p.convert.set(pointer.Elem(), value)
}

// tooLong is what show panics with.
type tooLong struct{}

// Show appends the JSON form of the struct behind a pointer; false: it would take more than so many bytes.
func (p *Plan) Show(out []byte, pointer reflect.Value, most int) (shown []byte, ok bool) {
	p.walker.longest = len(out) + most
	defer func() {
		if cause := recover(); cause != nil {
			if _, isLong := cause.(tooLong); !isLong {
				panic(cause)
			}
			shown, ok = out, false
		}
	}()
	return p.convert.show(out, pointer.Elem()), true
}

func (w *Walker) make(goType reflect.Type) reflect.Value {
	pointer := reflect.New(goType)
	if w.Initialize != nil && goType.Kind() == reflect.Struct {
		w.Initialize(pointer)
	}
	return pointer
}

// candidates are the fields of a struct that may stand for fields of a definition, those of embedded ones included.
func (w *Walker) candidates(goType reflect.Type, version int16) []reflect.StructField {
	var fields []reflect.StructField
	for i := range goType.NumField() {
		field := goType.Field(i)
		if field.IsExported() && !w.isSkipped(goType, field) && (w.Has == nil || w.Has(field, version)) {
			fields = append(fields, field)
		}
	}
	return fields
}

func (w *Walker) isSkipped(goType reflect.Type, field reflect.StructField) bool {
	return w.Skip != nil && w.Skip(goType, field) || w.Tags != nil && field.Type == w.Tags.Type
}

var byteType, bytesType, uuidType = reflect.TypeFor[byte](), reflect.TypeFor[[]byte](), reflect.TypeFor[[16]byte]()

// isUUID says whether a type is 16 bytes, whatever its name.
func isUUID(goType reflect.Type) bool {
	return goType.Kind() == reflect.Array && goType.Len() == uuidType.Len() && goType.Elem() == byteType
}

// fits says whether a Go type can hold what the definition says, looking no further than into arrays.
func (w *Walker) fits(field *definition.Field, goType reflect.Type) bool {
	if field.IsArray() {
		return goType.Kind() == reflect.Slice && goType != bytesType &&
			(w.elementFits(field.Element(), goType.Elem()) || field.IsStruct())
	}
	return w.elementFits(field.Type, goType)
}

func (w *Walker) elementFits(name string, goType reflect.Type) bool {
	if goType.Kind() == reflect.Pointer {
		goType = goType.Elem()
	}
	switch name {
	case "bytes", "records":
		return goType == bytesType
	case "uuid":
		return isUUID(goType)
	}
	if scalar, ok := scalars[name]; ok {
		return goType.Kind() == scalar.kind
	}
	return goType.Kind() == reflect.Struct
}

func joined(path, name string) string {
	return strings.TrimPrefix(path+"."+name, ".")
}
