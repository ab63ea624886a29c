package kafkago

import (
	"bytes"
	"encoding/binary"
	"reflect"

	"github.com/segmentio/kafka-go/protocol"
	"github.com/segmentio/kafka-go/protocol/rawproduce"

	"kafkawire/harness/internal/bridge"
)

// produceRequest is rawproduce.Request with bytes for its records, which are a reader there. The tags are its own.
type produceRequest struct {
	TransactionalID string         `kafka:"min=v3,max=v8,nullable"`
	Acks            int16          `kafka:"min=v0,max=v8"`
	Timeout         int32          `kafka:"min=v0,max=v8"`
	Topics          []produceTopic `kafka:"min=v0,max=v8"`
}

type produceTopic struct {
	Topic      string             `kafka:"min=v0,max=v8"`
	Partitions []producePartition `kafka:"min=v0,max=v8"`
}

type producePartition struct {
	Partition int32  `kafka:"min=v0,max=v8"`
	RecordSet []byte `kafka:"min=v0,max=v8"`
}

// produced writes requests to produce. They are read as produce.Request, whose records cannot hold other bytes.
func produced(version int16) *bridge.Codec {
	codec := framed(reflect.TypeFor[produceRequest](), bridge.Frame{Direction: "request", APIKey: int16(protocol.Produce), Version: version})
	codec.Read = nil
	return codec
}

// raw is the request that the library takes. The bytes that its reader gives are those of the whole field: the library
// writes no size before them.
func (p *produceRequest) raw() *rawproduce.Request {
	request := &rawproduce.Request{TransactionalID: p.TransactionalID, Acks: p.Acks, Timeout: p.Timeout}
	for _, topic := range p.Topics {
		partitions := make([]rawproduce.RequestPartition, len(topic.Partitions))
		for i, partition := range topic.Partitions {
			field := append(binary.BigEndian.AppendUint32(nil, uint32(len(partition.RecordSet))), partition.RecordSet...)
			partitions[i].Partition = partition.Partition
			partitions[i].RecordSet = protocol.RawRecordSet{Reader: bytes.NewReader(field)}
		}
		request.Topics = append(request.Topics, rawproduce.RequestTopic{Topic: topic.Topic, Partitions: partitions})
	}
	return request
}
