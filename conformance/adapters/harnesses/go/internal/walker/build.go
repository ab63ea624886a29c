package walker

import (
	"errors"
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
	plan    *Plan
	message *definition.Message
	version int16
}

func (b *builder) structure(fields []*definition.Field, goType reflect.Type, path string) (converter, error) {
	present := definition.At(fields, b.version)
	if goType.Kind() != reflect.Struct {
		return b.bare(present, goType, path)
	}
	aliases := b.Aliases[b.message.Name]
	lined := present
	if b.Has == nil {
		lined = withoutRivals(fields, b.version, aliases)
	}
	candidates := b.candidates(goType, b.version)
	if nested, ok := wrapped(candidates, present); ok {
		inner, err := b.structure(fields, nested.Type, path)
		return &within{nested.Index[0], inner}, err
	}
	b.plan.structs[path] = goType
	pairs := b.align(lined, candidates, aliases)
	result := &structure{tags: b.tagsOf(goType), walker: b.Walker}
	for _, field := range present {
		member, err := b.member(field, pairs, joined(path, field.Name))
		var missing *Missing
		if errors.As(err, &missing) && missing.Like == "" {
			missing.Like = b.like(field, candidates)
		}
		if err != nil {
			return nil, err
		}
		result.members = append(result.members, member)
	}
	result.others = b.others(lined, pairs, path)
	return result.indexed(), nil
}

// like tells the field of a struct whose name has most words in common with a field, and whose type does not fit.
func (b *builder) like(field *definition.Field, candidates []reflect.StructField) (told string) {
	most := 0.0
	for _, candidate := range candidates {
		if share := likeness(field.Name, candidate.Name); share > most && !b.fits(field, candidate.Type) {
			most, told = share, candidate.Name+" is "+candidate.Type.String()
		}
	}
	return told
}

// withoutRivals leaves out the fields of other versions for which the struct has the same field as for a present one.
func withoutRivals(fields []*definition.Field, version int16, aliases map[string]string) []*definition.Field {
	taken := map[string]bool{}
	for _, field := range definition.At(fields, version) {
		taken[named(field, aliases)] = true
	}
	var kept []*definition.Field
	for _, field := range fields {
		if field.Versions.Contain(version) || !taken[named(field, aliases)] {
			kept = append(kept, field)
		}
	}
	return kept
}

// others are the fields of other versions that the struct has: they may be set, and are not shown.
func (b *builder) others(fields []*definition.Field, pairs map[string]reflect.StructField, path string) []member {
	var others []member
	for _, field := range fields {
		if _, ok := pairs[field.Name]; ok && !field.Versions.Contain(b.version) {
			if member, err := b.member(field, pairs, joined(path, field.Name)); err == nil {
				others = append(others, member)
			}
		}
	}
	return others
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
		return nil, &Missing{Path: path, Type: "struct"}
	}
	field := present[0]
	place := joined(path, field.Name)
	b.plan.paired[place] = reflect.StructField{Name: goType.String(), Type: goType}
	inner, err := b.convert(field, goType, nullness{}, place)
	return &bare{field.Name, inner}, err
}

func (b *builder) member(field *definition.Field, pairs map[string]reflect.StructField, path string) (member, error) {
	goField, ok := pairs[field.Name]
	if !ok {
		return b.absent(field, path)
	}
	if plain(goField.Name) != plain(field.Name) {
		b.plan.Renamed[path] = goField.Name
	}
	b.plan.paired[path] = goField
	null := nullness{allowed: b.mayBeNull(field)}
	null.asNil = null.allowed
	if b.NilIsNull != nil {
		null.asNil = null.allowed && b.NilIsNull(goField, b.version)
		null.asEmpty = null.asNil
	}
	convert, err := b.convert(field, goField.Type, null, path)
	return newMember(field.Name, goField.Index[0], convert), err
}

// absent is a tagged field that the library does not know: it is always at its default.
func (b *builder) absent(field *definition.Field, path string) (member, error) {
	isNullable := field.NullableVersions.Contain(b.version)
	usual, ok := defaultOf(field, isNullable)
	if !field.TaggedVersions.Contain(b.version) || !ok {
		return member{}, &Missing{Path: path, Type: field.Type}
	}
	b.plan.Renamed[path] = ""
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

// nullness says whether a field may be null, and what the library has for null.
type nullness struct {
	allowed bool
	asNil   bool // a nil slice
	asEmpty bool // an empty string
}

// mayBeNull says whether null is allowed; of a field of other versions, in any of them.
func (b *builder) mayBeNull(field *definition.Field) bool {
	return field.NullableVersions.Contain(b.version) ||
		!field.Versions.Contain(b.version) && field.NullableVersions != definition.Versions{}
}

func (b *builder) convert(field *definition.Field, goType reflect.Type, null nullness, path string) (converter, error) {
	if !field.IsArray() {
		return b.element(field, goType, null, path)
	}
	inner, err := b.element(field, goType.Elem(), nullness{}, path)
	if element, ok := inner.(*pointer); ok {
		element.isRequired = field.IsStruct() && !b.NilElements
	}
	return &array{inner, null, b.Walker}, err
}

func (b *builder) element(field *definition.Field, goType reflect.Type, null nullness, path string) (converter, error) {
	if goType.Kind() == reflect.Pointer {
		inner, err := b.element(field, goType.Elem(), nullness{}, path)
		return &pointer{inner: inner, walker: b.Walker}, err
	}
	if field.IsStruct() {
		return b.structure(b.message.FieldsOf(field), goType, path)
	}
	if !b.elementFits(field.Element(), goType) {
		return nil, fmt.Errorf("%s is %s and not %s", path, goType, field.Type)
	}
	switch field.Element() {
	case "bytes", "records":
		return &octets{null}, nil
	case "string":
		return &text{null.asEmpty}, nil
	}
	return scalars[field.Element()].converter, nil
}
