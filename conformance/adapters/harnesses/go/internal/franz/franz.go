// Package franz drives kmsg, the messages of franz-go.
package franz

import (
	"reflect"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkawire/harness/internal/bridge"
	"kafkawire/harness/internal/definition"
	"kafkawire/harness/internal/walker"
)

// Library is franz-go. Its structs have the fields of all versions, and it checks neither versions nor values.
func Library() *bridge.Library {
	return &bridge.Library{
		Name:            "franz-go",
		Module:          "github.com/twmb/franz-go/pkg/kmsg",
		Capabilities:    []string{"absent-fields", "partial-values", "unknown-tags"},
		Representations: []string{},
		Walker: &walker.Walker{
			Skip:       isVersion,
			Tags:       &walker.Tags{Type: reflect.TypeFor[kmsg.Tags](), Set: setTag, Each: eachTag},
			Initialize: setDefaults,
			Aliases:    aliases,
		},
		Codec:   codec,
		Frames:  &bridge.Frames{Write: writeFrame},
		Records: batches(),
	}
}

// isVersion says whether a field has the version of the message, and is none of its definition.
func isVersion(structure reflect.Type, field reflect.StructField) bool {
	return field.Name == "Version" && field.Index[0] == 0 && structure != reflect.TypeFor[kmsg.LeaderChangeMessage]()
}

// aliases are what names and order do not tell.
var aliases = map[string]map[string]string{
	"AddPartitionsToTxnRequest": {
		"V3AndBelowTransactionalId": "TransactionalID", "V3AndBelowProducerId": "ProducerID",
		"V3AndBelowProducerEpoch": "ProducerEpoch", "V3AndBelowTopics": "Topics",
	},
	"StopReplicaRequest": {"UngroupedPartitions": "Topics", "TopicStates": "Topics"},
}

// message is what requests and responses have in common.
type message interface {
	MaxVersion() int16
	IsFlexible() bool
	SetVersion(version int16)
	AppendTo(into []byte) []byte
	ReadFrom(from []byte) error
}

func codec(definition *definition.Message, version int16) *bridge.Codec {
	switch definition.Kind {
	case "request":
		if request := kmsg.RequestForKey(*definition.APIKey); request != nil {
			return api(request, version)
		}
	case "response":
		if response := kmsg.ResponseForKey(*definition.APIKey); response != nil {
			return api(response, version)
		}
	default:
		return stored(definition, version)
	}
	return nil
}

func api(kind message, version int16) *bridge.Codec {
	if version > kind.MaxVersion() {
		return nil
	}
	structure := reflect.TypeOf(kind).Elem()
	kind.SetVersion(version)
	flexible := kind.IsFlexible()
	return &bridge.Codec{
		Type:     structure,
		Flexible: &flexible,
		Write: func(pointer reflect.Value) ([]byte, error) {
			written := pointer.Interface().(message)
			written.SetVersion(version)
			return written.AppendTo(nil), nil
		},
		Read: func(wire []byte) (reflect.Value, int, error) {
			pointer := reflect.New(structure)
			read := pointer.Interface().(message)
			read.SetVersion(version)
			return pointer, bridge.NotCounted, read.ReadFrom(wire)
		},
	}
}

func writeFrame(frame bridge.Frame, pointer reflect.Value) ([]byte, error) {
	request, ok := pointer.Interface().(kmsg.Request)
	if !ok {
		return nil, bridge.Unsupported("the headers of responses: kmsg has those of requests only")
	}
	request.SetVersion(frame.Version)
	var options []kmsg.RequestFormatterOpt
	if frame.ClientID != nil {
		options = append(options, kmsg.FormatterClientID(*frame.ClientID))
	}
	return kmsg.NewRequestFormatter(options...).AppendRequest(nil, request, frame.CorrelationID), nil
}

func setDefaults(pointer reflect.Value) {
	if structure, ok := pointer.Interface().(interface{ Default() }); ok {
		structure.Default()
	}
}

func setTag(tags reflect.Value, tag uint32, data []byte) error {
	tags.Addr().Interface().(*kmsg.Tags).Set(tag, data)
	return nil
}

func eachTag(tags reflect.Value, visit func(tag uint32, data []byte)) {
	tags.Addr().Interface().(*kmsg.Tags).Each(visit)
}
