package walker

import (
	"reflect"
	"strconv"

	"kafkawire/harness/internal/definition"
)

// A Described field is one of a library's struct, in the words of Kafka's definition files; what a library does not say
// is left out.
type Described struct {
	Name             string       `json:"name,omitempty"` // that of the definition; none: the definition does not have it
	Own              *string      `json:"own"`            // the library's name; none: the library does not have it
	Type             string       `json:"type,omitempty"`
	Versions         string       `json:"versions,omitempty"`
	NullableVersions string       `json:"nullableVersions,omitempty"`
	Tag              *int         `json:"tag,omitempty"`
	TaggedVersions   string       `json:"taggedVersions,omitempty"`
	Fields           []*Described `json:"fields,omitempty"`
}

// A describer has the plans of all versions of one message.
type describer struct {
	*Walker
	message  *definition.Message
	versions []int16
	plans    map[int16]*Plan
}

// Describe returns the fields of a message as the library has them. The versions are those that it offers.
func (w *Walker) Describe(message *definition.Message, versions []int16, plans map[int16]*Plan) []*Described {
	describe := &describer{w, message, versions, plans}
	return describe.structure(message.Fields, "")
}

func (d *describer) structure(fields []*definition.Field, path string) []*Described {
	described := []*Described{}
	taken := map[string]bool{}
	for _, field := range fields {
		place := joined(path, field.Name)
		if pair, ok := d.pair(place); ok {
			taken[pair.Name] = true
			described = append(described, d.field(field, pair, place))
		} else if d.isExpected(field) {
			described = append(described, &Described{Name: field.Name})
		}
	}
	for _, extra := range d.extras(path, taken) {
		described = append(described, d.field(&definition.Field{}, extra, joined(path, extra.Name)))
	}
	return described
}

// pair is what a field has been lined up with, in the newest version that has it.
func (d *describer) pair(path string) (reflect.StructField, bool) {
	for i := len(d.versions) - 1; i >= 0; i-- {
		if plan := d.plans[d.versions[i]]; plan != nil {
			if pair, ok := plan.paired[path]; ok {
				return pair, true
			}
		}
	}
	return reflect.StructField{}, false
}

func (d *describer) isExpected(field *definition.Field) bool {
	for version := range d.plans {
		if field.Versions.Contain(version) {
			return true
		}
	}
	return false
}

// extras are the fields of a struct that none of the definition has been lined up with; none, if the library does not
// say which versions they are of, which may be others.
func (d *describer) extras(path string, taken map[string]bool) []reflect.StructField {
	var extras []reflect.StructField
	if d.Has == nil {
		return nil
	}
	for _, version := range d.versions {
		plan := d.plans[version]
		if plan == nil || plan.structs[path] == nil {
			continue
		}
		for _, candidate := range d.candidates(plan.structs[path], version) {
			if !taken[candidate.Name] {
				taken[candidate.Name] = true
				extras = append(extras, candidate)
			}
		}
	}
	return extras
}

func (d *describer) field(field *definition.Field, own reflect.StructField, path string) *Described {
	described := &Described{Name: field.Name, Own: &own.Name, Type: wordFor(own.Type, field)}
	if d.Has != nil && own.Tag != "" {
		described.Versions = d.versionsThat(func(version int16) bool { return d.Has(own, version) })
	}
	if d.NilIsNull != nil && own.Tag != "" {
		described.NullableVersions = d.versionsThat(func(version int16) bool { return d.NilIsNull(own, version) })
	}
	if d.Tag != nil && own.Tag != "" {
		described.TaggedVersions = d.versionsThat(func(version int16) bool {
			tag, ok := d.Tag(own, version)
			if ok {
				described.Tag = &tag
			}
			return ok
		})
	}
	if field.Name != "" && field.IsStruct() {
		described.Fields = d.structure(d.message.FieldsOf(field), path)
	}
	return described
}

// versionsThat is a range of versions as definitions have it.
func (d *describer) versionsThat(are func(version int16) bool) string {
	first, last := int16(-1), int16(-1)
	for _, version := range d.versions {
		if are(version) {
			if first < 0 {
				first = version
			}
			last = version
		}
	}
	return Range(first, last)
}

// Range is how definitions write versions; none, if the first is -1.
func Range(first, last int16) string {
	switch {
	case first < 0:
		return "none"
	case first == last:
		return strconv.Itoa(int(first))
	}
	return strconv.Itoa(int(first)) + "-" + strconv.Itoa(int(last))
}

// wordFor is the word for a Go type. Several words have the same type: where it fits, it is that of the definition.
func wordFor(goType reflect.Type, field *definition.Field) string {
	if goType.Kind() == reflect.Pointer {
		return wordFor(goType.Elem(), field)
	}
	if goType.Kind() == reflect.Slice && goType != bytesType {
		return "[]" + wordFor(goType.Elem(), &definition.Field{Type: field.Element()})
	}
	switch {
	case goType == bytesType && field.Type == "records":
		return field.Type
	case goType == bytesType:
		return "bytes"
	case isUUID(goType):
		return "uuid"
	case goType.Kind() == reflect.Struct, field.IsStruct():
		return "struct" // or its only field
	}
	for word, scalar := range scalars {
		if scalar.kind == goType.Kind() {
			return word
		}
	}
	return goType.String()
}
