// Package definition reads Kafka's message definitions: release.json, and one file for each message.
package definition

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// A Release is the definitions in one folder, by name.
type Release struct {
	folder   string // empty, if all are loaded
	names    []string
	messages map[string]*Message
}

// A Message is one definition. Kind is "request", "response", "data", "coordinator-key" and so on.
type Message struct {
	Name             string
	Kind             string   `json:"type"`
	Versions         Versions `json:"validVersions"`
	FlexibleVersions Versions
	APIKey           *int16
	Fields           []*Field
	CommonStructs    []*Struct
}

// A Struct is one that several fields of a message name as their type.
type Struct struct {
	Name   string
	Fields []*Field
}

// A Field of a message or struct, in all its versions.
type Field struct {
	Name             string
	Type             string
	Versions         Versions
	NullableVersions Versions
	TaggedVersions   Versions
	Default          json.RawMessage
	Fields           []*Field
}

// Element returns the type of an array's elements, or of the field itself.
func (f *Field) Element() string { return strings.TrimPrefix(f.Type, "[]") }

// IsArray says whether the field holds elements.
func (f *Field) IsArray() bool { return strings.HasPrefix(f.Type, "[]") }

// IsStruct says whether the field, or an element of it, is a struct: the names of structs alone are capitalized.
func (f *Field) IsStruct() bool { return strings.IndexFunc(f.Element(), unicode.IsUpper) == 0 }

// FieldsOf returns the fields of the struct that a field, or an element of it, is.
func (m *Message) FieldsOf(f *Field) []*Field {
	if len(f.Fields) > 0 {
		return f.Fields
	}
	for _, common := range m.CommonStructs {
		if common.Name == f.Element() {
			return common.Fields
		}
	}
	return nil
}

// At returns the fields of a version.
func At(fields []*Field, version int16) []*Field {
	var present []*Field
	for _, field := range fields {
		if field.Versions.Contain(version) {
			present = append(present, field)
		}
	}
	return present
}

// Names returns the names of the messages, sorted.
func (r *Release) Names() []string { return r.names }

// IsLazy says whether a message is read when it is first asked for.
func (r *Release) IsLazy() bool { return r.folder != "" }

// Message returns the definition of a name; nil if there is none.
func (r *Release) Message(name string) *Message {
	if _, ok := r.messages[name]; !ok && r.IsLazy() && slices.Contains(r.names, name) {
		message := &Message{}
		if read(filepath.Join(r.folder, name+".json"), message) == nil {
			r.messages[name] = message
		}
	}
	return r.messages[name]
}

// API returns the message of an API, whose kind is "request" or "response".
func (r *Release) API(kind string, key int16) *Message {
	for _, name := range r.names {
		if !strings.HasSuffix(strings.ToLower(name), kind) {
			continue
		}
		if message := r.Message(name); message != nil && message.Kind == kind && message.APIKey != nil && *message.APIKey == key {
			return message
		}
	}
	return nil
}

// Load reads the definitions of a folder.
func Load(folder string) (*Release, error) {
	release, err := Open(folder)
	if err != nil {
		return nil, err
	}
	for _, name := range release.names {
		message := &Message{}
		if err := read(filepath.Join(folder, name+".json"), message); err != nil {
			return nil, err
		}
		release.messages[name] = message
	}
	release.folder = ""
	return release, nil
}

// Open reads the names of the definitions of a folder.
func Open(folder string) (*Release, error) {
	var index struct {
		Dialect  string
		Messages map[string]json.RawMessage
	}
	if err := read(filepath.Join(folder, "release.json"), &index); err != nil {
		return nil, err
	}
	if index.Dialect != "" && index.Dialect != "released" {
		return nil, fmt.Errorf("the definitions are those of the proposal %s, which the library does not know", index.Dialect)
	}
	names := slices.Sorted(maps.Keys(index.Messages))
	return &Release{folder, names, map[string]*Message{}}, nil
}

func read(path string, into any) error {
	content, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(content, into); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}
