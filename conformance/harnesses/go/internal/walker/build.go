package walker

import (
	"fmt"
	"reflect"

	"kafkawire/harness/internal/definition"
)

// A converter sets a Go value from its JSON form, and shows one as JSON.
type converter interface {
	set(target reflect.Value, value any) error
	show(out []byte, source reflect.Value) []byte
}

// A builder makes the converters of one message at one version.
type builder struct {
	*Walker
	message *definition.Message
	version int16
	renamed map[string]string
}

func (b *builder) structure(fields []*definition.Field, goType reflect.Type, path string) (converter, error) {
	present := definition.At(fields, b.version)
	if goType.Kind() != reflect.Struct {
		return b.bare(present, goType, path)
	}
	lined := present
	if b.Has == nil {
		lined = fields
	}
	aliases := b.Aliases[b.message.Name]
	candidates := b.candidates(goType, b.version)
	if nested, ok := wrapped(candidates, present); ok {
		inner, err := b.structure(fields, nested.Type, path)
		return &within{nested.Index[0], inner}, err
	}
	pairs := b.align(lined, candidates, aliases)
	result := &structure{tags: b.tagsOf(goType), walker: b.Walker}
	for _, field := range present {
		member, err := b.member(field, pairs, joined(path, field.Name))
		if err != nil {
			return nil, err
		}
		result.members = append(result.members, member)
	}
	return result.indexed(), nil
}

// wrapped finds the only field of a struct where that is a struct, and the definition has several fields in its place.
func wrapped(candidates []reflect.StructField, fields []*definition.Field) (reflect.StructField, bool) {
	if len(candidates) == 1 && candidates[0].Type.Kind() == reflect.Struct && len(fields) > 1 {
		return candidates[0], true
	}
	return reflect.StructField{}, false
}

// bare stands for a struct of one field, of which the library has the field only.
func (b *builder) bare(present []*definition.Field, goType reflect.Type, path string) (converter, error) {
	if len(present) != 1 || !b.fits(present[0], goType) {
		return nil, &Missing{path, "struct"}
	}
	field := present[0]
	inner, err := b.convert(field, goType, false, joined(path, field.Name))
	return &bare{field.Name, inner}, err
}

func (b *builder) member(field *definition.Field, pairs map[string]reflect.StructField, path string) (member, error) {
	goField, ok := pairs[field.Name]
	if !ok {
		return b.absent(field, path)
	}
	if plain(goField.Name) != plain(field.Name) {
		b.renamed[path] = goField.Name
	}
	isEmptyNull := b.EmptyIsNull != nil && b.EmptyIsNull(goField, b.version)
	convert, err := b.convert(field, goField.Type, isEmptyNull, path)
	return newMember(field.Name, goField.Index[0], convert), err
}

// absent is a tagged field that the library does not know: it is always at its default.
func (b *builder) absent(field *definition.Field, path string) (member, error) {
	isNullable := field.NullableVersions.Contain(b.version)
	usual, ok := defaultOf(field, isNullable)
	if !field.TaggedVersions.Contain(b.version) || !ok {
		return member{}, &Missing{path, field.Type}
	}
	b.renamed[path] = ""
	return newMember(field.Name, -1, &unknown{usual}), nil
}

func (b *builder) tagsOf(goType reflect.Type) int {
	for i := range goType.NumField() {
		if b.Tags != nil && goType.Field(i).Type == b.Tags.Type {
			return i
		}
	}
	return -1
}

func (b *builder) convert(field *definition.Field, goType reflect.Type, isEmptyNull bool, path string) (converter, error) {
	isNullable := field.NullableVersions.Contain(b.version)
	if !field.IsArray() {
		return b.element(field, goType, isNullable, isEmptyNull, path)
	}
	inner, err := b.element(field, goType.Elem(), false, false, path)
	return &array{inner, isNullable, b.Walker}, err
}

func (b *builder) element(field *definition.Field, goType reflect.Type, isNullable, isEmptyNull bool, path string) (converter, error) {
	if goType.Kind() == reflect.Pointer {
		inner, err := b.element(field, goType.Elem(), false, false, path)
		return &pointer{inner, b.Walker}, err
	}
	if field.IsStruct() {
		return b.structure(b.message.FieldsOf(field), goType, path)
	}
	if !b.elementFits(field.Element(), goType) {
		return nil, fmt.Errorf("%s is %s and not %s", path, goType, field.Type)
	}
	switch field.Element() {
	case "bytes", "records":
		return &octets{isNullable}, nil
	case "string":
		return &text{isEmptyNull}, nil
	}
	return scalars[field.Element()], nil
}
