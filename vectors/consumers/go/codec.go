package main

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// codec is what every message of kmsg can do.
type codec interface {
	AppendTo([]byte) []byte
	ReadFrom([]byte) error
}

// data are the messages without an API key that kmsg has, under names of its own. Their bytes begin with an int16,
// the version or a record's type, that is no part of the message in Apache Kafka's definitions.
var data = map[string]func() codec{
	"ConsumerProtocolAssignment":   func() codec { return new(kmsg.ConsumerMemberAssignment) },
	"ConsumerProtocolSubscription": func() codec { return new(kmsg.ConsumerMemberMetadata) },
	"DefaultPrincipalData":         func() codec { return new(kmsg.DefaultPrincipalData) },
	"EndTxnMarker":                 func() codec { return new(kmsg.EndTxnMarker) },
	"GroupMetadataKey":             func() codec { return new(kmsg.GroupMetadataKey) },
	"GroupMetadataValue":           func() codec { return new(kmsg.GroupMetadataValue) },
	"OffsetCommitKey":              func() codec { return new(kmsg.OffsetCommitKey) },
	"OffsetCommitValue":            func() codec { return new(kmsg.OffsetCommitValue) },
	"TransactionLogKey":            func() codec { return new(kmsg.TxnMetadataKey) },
	"TransactionLogValue":          func() codec { return new(kmsg.TxnMetadataValue) },
}

// message is one message of kmsg in one version, empty.
type message struct {
	codec
	prefix []byte // what its bytes begin with, besides those of the vector
}

// newMessage returns an empty message for a vector, or why kmsg has none.
func newMessage(vector *Vector) (*message, error) {
	file := vector.File
	switch file.Kind {
	case "primitive", "header", "frame":
		return nil, fmt.Errorf("nothing public for a %s alone", file.Kind)
	case "request":
		request := kmsg.RequestForKey(*file.APIKey)
		if request == nil || vector.Version > request.MaxVersion() {
			return nil, fmt.Errorf("no %s v%d", file.Message, vector.Version)
		}
		request.SetVersion(vector.Version)
		return &message{codec: request}, nil
	case "response":
		response := kmsg.ResponseForKey(*file.APIKey)
		if response == nil || vector.Version > response.MaxVersion() {
			return nil, fmt.Errorf("no %s v%d", file.Message, vector.Version)
		}
		response.SetVersion(vector.Version)
		return &message{codec: response}, nil
	}
	create, ok := data[file.Message]
	if !ok {
		return nil, fmt.Errorf("no %s", file.Message)
	}
	version := vector.Version
	if file.Kind == "coordinator-key" { // in Kafka 4 the number in front of a key is the record's type
		version = *file.APIKey
	}
	empty := &message{create(), binary.BigEndian.AppendUint16(nil, uint16(version))}
	empty.fields().FieldByName("Version").SetInt(int64(version))
	return empty, nil
}

func (m *message) fields() reflect.Value { return reflect.ValueOf(m.codec).Elem() }

func (m *message) decode(wire []byte) error { return m.ReadFrom(slices.Concat(m.prefix, wire)) }

func (m *message) encode() []byte { return m.AppendTo(nil)[len(m.prefix):] }
