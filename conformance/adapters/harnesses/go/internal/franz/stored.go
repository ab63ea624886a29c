package franz

import (
	"encoding/binary"
	"reflect"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkawire/harness/internal/bridge"
	"kafkawire/harness/internal/definition"
	"kafkawire/harness/internal/walker"
)

// stores are the messages that are stored behind an int16, which kmsg has as the field Version of their structs: the
// version, or of a coordinator's key the type.
var stores = map[string]reflect.Type{
	"ConsumerProtocolSubscription": reflect.TypeFor[kmsg.ConsumerMemberMetadata](),
	"ConsumerProtocolAssignment":   reflect.TypeFor[kmsg.ConsumerMemberAssignment](),
	"DefaultPrincipalData":         reflect.TypeFor[kmsg.DefaultPrincipalData](),
	"EndTxnMarker":                 reflect.TypeFor[kmsg.EndTxnMarker](),
	"ControlRecordTypeSchema":      reflect.TypeFor[kmsg.ControlRecordKey](),
	"LegacyOffsetCommitKey":        reflect.TypeFor[kmsg.OffsetCommitKey](),
	"OffsetCommitKey":              reflect.TypeFor[kmsg.OffsetCommitKey](),
	"OffsetCommitValue":            reflect.TypeFor[kmsg.OffsetCommitValue](),
	"LegacyOffsetCommitValue":      reflect.TypeFor[kmsg.OffsetCommitValue](),
	"GroupMetadataKey":             reflect.TypeFor[kmsg.GroupMetadataKey](),
	"GroupMetadataValue":           reflect.TypeFor[kmsg.GroupMetadataValue](),
	"TransactionLogKey":            reflect.TypeFor[kmsg.TxnMetadataKey](),
	"TransactionLogValue":          reflect.TypeFor[kmsg.TxnMetadataValue](),
}

// data is what stored messages have in common.
type data interface {
	AppendTo(into []byte) []byte
	ReadFrom(from []byte) error
}

func stored(definition *definition.Message, version int16) *bridge.Codec {
	if definition.Name == "LeaderChangeMessage" {
		return leaderChange(version)
	}
	structure, ok := stores[definition.Name]
	if !ok {
		return nil
	}
	prefix := version
	if definition.Kind == "coordinator-key" {
		prefix = *definition.APIKey
	}
	return &bridge.Codec{
		Type:     structure,
		Prefixed: true,
		Write: func(pointer reflect.Value) ([]byte, error) {
			pointer.Elem().Field(0).SetInt(int64(prefix))
			return pointer.Interface().(data).AppendTo(nil), nil
		},
		Read: func(wire []byte) (reflect.Value, int, error) {
			pointer := reflect.New(structure)
			return pointer, bridge.NotCounted, pointer.Interface().(data).ReadFrom(wire)
		},
	}
}

// leaderChange has a field Version in its definition, by whose value kmsg writes and reads the rest: it cannot be told
// any other than the version.
func leaderChange(version int16) *bridge.Codec {
	structure := reflect.TypeFor[kmsg.LeaderChangeMessage]()
	other := &walker.Unrepresentable{Path: "Version", Reason: "kmsg takes the field for the version of the message"}
	return &bridge.Codec{
		Type: structure,
		Write: func(pointer reflect.Value) ([]byte, error) {
			message := pointer.Interface().(*kmsg.LeaderChangeMessage)
			if message.Version != version {
				return nil, other
			}
			return message.AppendTo(nil), nil
		},
		Read: func(wire []byte) (reflect.Value, int, error) {
			message := &kmsg.LeaderChangeMessage{}
			if len(wire) >= 2 && int16(binary.BigEndian.Uint16(wire)) != version {
				return reflect.Value{}, bridge.NotCounted, other
			}
			return reflect.ValueOf(message), bridge.NotCounted, message.ReadFrom(wire)
		},
	}
}
