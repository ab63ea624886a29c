package kafkago

import (
	"reflect"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/consumer"

	"kafkawire/harness/internal/bridge"
	"kafkawire/harness/internal/definition"
)

// stores are the messages that members of a group send each other. Their structs begin with the version, as the bytes
// do that are stored; which version the rest is of is told to Marshal and Unmarshal.
var stores = map[string]reflect.Type{
	"ConsumerProtocolSubscription": reflect.TypeFor[consumer.Subscription](),
	"ConsumerProtocolAssignment":   reflect.TypeFor[consumer.Assignment](),
}

// isVersion says whether a field has the version of the message, and is none of its definition.
func isVersion(structure reflect.Type, field reflect.StructField) bool {
	return field.Name == "Version" && structure.PkgPath() == reflect.TypeFor[consumer.Subscription]().PkgPath()
}

func stored(message *definition.Message, version int16) *bridge.Codec {
	structure, ok := stores[message.Name]
	if !ok || version > consumer.MaxVersionSupported {
		return nil
	}
	return &bridge.Codec{
		Type:     structure,
		Prefixed: true,
		Write: func(pointer reflect.Value) ([]byte, error) {
			pointer.Elem().FieldByName("Version").SetInt(int64(version))
			return protocol.Marshal(version, pointer.Elem().Interface())
		},
		Read: func(wire []byte) (reflect.Value, int, error) {
			pointer := reflect.New(structure)
			return pointer, bridge.NotCounted, protocol.Unmarshal(wire, version, pointer.Interface())
		},
	}
}
