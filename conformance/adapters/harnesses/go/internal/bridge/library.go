package bridge

import (
	"fmt"
	"maps"
	"reflect"
	"strings"

	"kafkawire/harness/internal/definition"
	"kafkawire/harness/internal/records"
	"kafkawire/harness/internal/walker"
)

// A Library is what a package of this program says of the library that it drives.
type Library struct {
	Name            string
	Module          string // its path, whose version go.mod has
	Capabilities    []string
	Representations []string
	// Hidden are fields that the library drops when it reads, by message: Path.To.Field or Path.To.Field:3-5. Those that
	// its structs do not have are added.
	Hidden map[string][]string
	// Limits are sizes beyond which the library refuses what the protocol allows, by the words of `hello`: "tags": 64.
	Limits map[string]int
	// Notes are further remarks for reports.
	Notes  []walker.Note
	Walker *walker.Walker
	// Codec returns how a message is written and read; nil: the library does not have it at that version.
	Codec func(message *definition.Message, version int16) *Codec
	// Frames writes and reads complete requests and responses; nil: the library does not.
	Frames *Frames
	// Records claims what is not shown of record batches; nil: the library does not have them.
	Records *Records
}

// A Codec writes and reads the body of one message at one version.
type Codec struct {
	Type reflect.Type
	// Write gets a pointer to the struct. HarnessError, Unsupported and Unrepresentable errors are not the library's.
	Write func(pointer reflect.Value) ([]byte, error)
	// Read returns a pointer to the struct, and how many bytes it took, or NotCounted; nil: the library does not read
	// the message.
	Read func(wire []byte) (pointer reflect.Value, consumed int, err error)
	// Flexible says whether the library takes the version for a flexible one; nil: it does not say.
	Flexible *bool
	// Prefixed says that what Write returns, and Read gets, begins with an int16 that the body does not have.
	Prefixed bool

	plan *walker.Plan
}

// A HarnessError is an error of this program's own code, which says nothing about the library.
type HarnessError string

func (h HarnessError) Error() string { return string(h) }

// NotCounted is what a library consumed that does not say how much.
const NotCounted = -1

// Frames are complete requests and responses.
type Frames struct {
	Write func(frame Frame, pointer reflect.Value) ([]byte, error)
	Read  func(frame Frame, wire []byte) (Frame, reflect.Value, error)
}

// A Frame is what a size and a header say. Version and Direction are those of the request that asks for it.
type Frame struct {
	Direction     string
	APIKey        int16
	Version       int16
	CorrelationID int32
	ClientID      *string
	Consumed      int
}

// Records are the batches of a records field.
type Records struct {
	// Claims say what the library does not show, in the words of conformance/codec/record_claims.py.
	Claims map[string]any
	Encode func(field records.Field) ([]byte, error)
	Decode func(wire []byte) ([]records.Delivered, error)
}

// Unsupported is an error that says that the library does not offer something.
type Unsupported string

func (u Unsupported) Error() string { return string(u) }

// A Reasoned error of a library says why it refuses, in a word of docs/reference/bridge.md.
type Reasoned interface {
	error
	Reason() string
}

// offer is what of a library fits the definitions of one release. That of a program that has renewed itself has a codec
// when it is first asked for, and no notes.
type offer struct {
	release *definition.Release
	codecs  map[string]map[int16]*Codec
	notes   []walker.Note
	names   map[string]map[string]string
}

func offerOf(library *Library, release *definition.Release) *offer {
	found := &offer{release, map[string]map[int16]*Codec{}, []walker.Note{}, map[string]map[string]string{}}
	if release.IsLazy() {
		return found
	}
	for _, name := range release.Names() {
		message := release.Message(name)
		found.names[name] = map[string]string{}
		for _, version := range message.Versions.All() {
			if codec := library.Codec(message, version); codec != nil {
				found.add(library, message, version, codec)
			}
		}
	}
	found.note()
	return found
}

// codec returns how a message is written and read at a version; nil: the library does not have it.
func (o *offer) codec(library *Library, name string, version int16) *Codec {
	if codec, ok := o.codecs[name][version]; ok || !o.release.IsLazy() {
		return codec
	}
	message := o.release.Message(name)
	if message == nil || !message.Versions.Contain(version) {
		return nil
	}
	o.names[name] = map[string]string{}
	if codec := library.Codec(message, version); codec != nil {
		o.add(library, message, version, codec)
	}
	return o.codecs[name][version]
}

func (o *offer) add(library *Library, message *definition.Message, version int16, codec *Codec) {
	plan, err := library.Walker.Plan(message, version, codec.Type)
	if err != nil {
		o.leftOut(message.Name, version, err.Error())
		return
	}
	codec.plan = plan
	if o.codecs[message.Name] == nil {
		o.codecs[message.Name] = map[int16]*Codec{}
	}
	o.codecs[message.Name][version] = codec
	maps.Copy(o.names[message.Name], plan.Renamed)
}

// leftOut notes a version that cannot be lined up; versions with the same reason share a note.
func (o *offer) leftOut(message string, version int16, reason string) {
	if last := len(o.notes) - 1; last >= 0 && o.notes[last].Message == message && strings.HasSuffix(o.notes[last].Note, reason) {
		versions := strings.TrimSuffix(o.notes[last].Note, ": "+reason)
		o.notes[last].Note = fmt.Sprintf("%s, %d: %s", versions, version, reason)
		return
	}
	o.notes = append(o.notes, walker.Note{Message: message, Note: fmt.Sprintf("left out, version %d: %s", version, reason)})
}
