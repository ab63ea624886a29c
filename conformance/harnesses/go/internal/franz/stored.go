package franz

import (
	"reflect"

	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkawire/harness/internal/bridge"
	"kafkawire/harness/internal/definition"
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
		Read: func(wire []byte) (reflect.Value, error) {
			pointer := reflect.New(structure)
			return pointer, pointer.Interface().(data).ReadFrom(wire)
		},
	}
}
