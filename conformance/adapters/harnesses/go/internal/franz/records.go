package franz

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"sync"

	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"kafkawire/harness/internal/bridge"
	"kafkawire/harness/internal/records"
	"kafkawire/harness/internal/walker"
)

// batches are read as by kgo's consumer, and written by kmsg's structs. A consumer delivers records, with offsets and
// timestamps added up, and neither batches nor the tail.
func batches() *bridge.Records {
	return &bridge.Records{
		Claims: map[string]any{"batches": "flattened", "partial-tail": "dropped"},
		Encode: encodeRecords,
		Decode: decodeRecords,
	}
}

var decompressor = kgo.DefaultDecompressor()

// decodeRecords takes or refuses a field as one fetch. A consumer leaves out what is below the offset that it has come
// to: the records are those of a fetch for each batch, so that batches need not ascend.
func decodeRecords(wire []byte) ([]records.Delivered, error) {
	read := fetched(wire)
	if read.Err != nil {
		return nil, read.Err
	}
	if first := firstBatch(wire); first < len(wire) {
		read.Records = nil
		for rest := wire; len(rest) > 0; rest = rest[first:] {
			first = firstBatch(rest)
			read.Records = append(read.Records, fetched(rest[:first]).Records...)
		}
	}
	delivered := make([]records.Delivered, len(read.Records))
	for i, record := range read.Records {
		delivered[i] = records.Delivered{
			Offset: record.Offset, Timestamp: timestampOf(record), Key: record.Key, Value: record.Value,
			Headers: make([]records.Header, len(record.Headers)),
		}
		for j, header := range record.Headers {
			delivered[i].Headers[j] = records.Header(header)
		}
	}
	return delivered, nil
}

// fetched is what a consumer gets that asks for the lowest offset, and for control records as well.
func fetched(wire []byte) kgo.FetchPartition {
	partition := kmsg.NewFetchResponseTopicPartition()
	partition.RecordBatches = wire
	options := kgo.ProcessFetchPartitionOpts{KeepControlRecords: true, Offset: math.MinInt64}
	read, _ := kgo.ProcessFetchPartition(options, &partition, decompressor, nil)
	return read
}

// firstBatch is the size of the first batch; everything, if its length is none.
func firstBatch(wire []byte) int {
	const offsetAndLength = 12
	if len(wire) >= offsetAndLength {
		length := int64(int32(binary.BigEndian.Uint32(wire[8:])))
		if size := length + offsetAndLength; length > 0 && size < int64(len(wire)) {
			return int(size)
		}
	}
	return len(wire)
}

func timestampOf(record *kgo.Record) int64 {
	if record.Timestamp.IsZero() {
		return records.NoTimestamp
	}
	return record.Timestamp.UnixMilli()
}

func encodeRecords(field records.Field) ([]byte, error) {
	if len(field.Partial) > 0 {
		return nil, &walker.Unrepresentable{Path: "partial", Reason: "kmsg writes whole batches"}
	}
	return appendEntries(nil, field.Entries)
}

func appendEntries(wire []byte, entries []records.Entry) ([]byte, error) {
	for i := range entries {
		entry := &entries[i]
		var written []byte
		var err error
		if entry.Magic == 2 {
			written, err = batchOf(entry)
		} else {
			written, err = messageOf(entry)
		}
		if err != nil {
			return nil, err
		}
		wire = append(wire, written...)
	}
	return wire, nil
}

const (
	batchLength        = 49 // what else the length of a batch has, before the records
	checksumOfBatch    = 21 // where begins what the CRC is of
	uncountedByMessage = 12
	checksumOfMessage  = 16
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// batchOf is the batch as kmsg writes it. Lengths and the CRC are fields of its structs, which have to be worked out.
func batchOf(entry *records.Entry) ([]byte, error) {
	var content []byte
	for i := range entry.Batch.Records {
		content = recordOf(&entry.Batch.Records[i]).AppendTo(content)
	}
	content, err := compressed(entry.Codec, content)
	if err != nil {
		return nil, err
	}
	batch := kmsg.NewRecordBatch()
	batch.FirstOffset, batch.PartitionLeaderEpoch = entry.Offset, entry.Batch.LeaderEpoch
	batch.Magic, batch.Attributes, batch.LastOffsetDelta = entry.Magic, entry.Attributes, entry.Batch.LastOffsetDelta
	batch.FirstTimestamp, batch.MaxTimestamp = entry.Batch.BaseTimestamp, entry.Batch.MaxTimestamp
	batch.ProducerID, batch.ProducerEpoch = entry.Batch.ProducerID, entry.Batch.ProducerEpoch
	batch.FirstSequence, batch.NumRecords = entry.Batch.BaseSequence, int32(len(entry.Batch.Records))
	batch.Records, batch.Length = content, int32(batchLength+len(content))
	batch.CRC = int32(crc32.Checksum(batch.AppendTo(nil)[checksumOfBatch:], castagnoli))
	return batch.AppendTo(nil), nil
}

func recordOf(record *records.Record) *kmsg.Record {
	written := kmsg.NewRecord()
	written.Attributes, written.OffsetDelta = record.Attributes, record.OffsetDelta
	written.TimestampDelta64 = record.TimestampDelta
	written.Key, written.Value = record.Key, record.Value
	for _, header := range record.Headers {
		written.Headers = append(written.Headers, kmsg.Header(header))
	}
	written.Length = int32(len(written.AppendTo(nil)) - 1) // a length of 0 is one byte
	return &written
}

func messageOf(entry *records.Entry) ([]byte, error) {
	value := entry.Value
	if entry.Messages != nil {
		content, err := inner(entry.Messages)
		if err == nil {
			value, err = compressed(entry.Codec, content, kgo.CompressDisableZstd)
		}
		if err != nil {
			return nil, err
		}
	}
	if entry.Magic == 0 {
		message := kmsg.NewMessageV0()
		message.Offset, message.Attributes = entry.Offset, int8(entry.Attributes)
		message.Key, message.Value = entry.Key, value
		message.MessageSize = int32(len(message.AppendTo(nil)) - uncountedByMessage)
		message.CRC = int32(crc32.ChecksumIEEE(message.AppendTo(nil)[checksumOfMessage:]))
		return message.AppendTo(nil), nil
	}
	message := kmsg.NewMessageV1()
	message.Offset, message.Magic, message.Attributes = entry.Offset, entry.Magic, int8(entry.Attributes)
	message.Timestamp, message.Key, message.Value = entry.Timestamp, entry.Key, value
	message.MessageSize = int32(len(message.AppendTo(nil)) - uncountedByMessage)
	message.CRC = int32(crc32.ChecksumIEEE(message.AppendTo(nil)[checksumOfMessage:]))
	return message.AppendTo(nil), nil
}

// inner is what a wrapper holds: kgo compresses messages, and at least one.
func inner(messages []records.Entry) ([]byte, error) {
	for i := range messages {
		if messages[i].Messages != nil {
			return nil, &walker.Unrepresentable{Path: "messages", Reason: "kgo compresses no wrapper"}
		}
	}
	if len(messages) == 0 {
		return nil, &walker.Unrepresentable{Path: "messages", Reason: "kgo compresses no set without messages"}
	}
	return appendEntries(nil, messages)
}

// compressors are those of kgo, by the number of the codec.
var compressors = sync.OnceValue(func() (made []kgo.Compressor) {
	for _, codec := range []kgo.CompressionCodec{
		kgo.NoCompression(), kgo.GzipCompression(), kgo.SnappyCompression(), kgo.Lz4Compression(), kgo.ZstdCompression(),
	} {
		compressor, err := kgo.DefaultCompressor(codec)
		if err != nil {
			panic(err)
		}
		made = append(made, compressor)
	}
	return made
})

func compressed(codec int, content []byte, flags ...kgo.CompressFlag) ([]byte, error) {
	if compressors()[codec] == nil {
		return content, nil
	}
	written, used := compressors()[codec].Compress(new(bytes.Buffer), content, flags...)
	if used == kgo.CodecError {
		return nil, errors.New("kgo.Compressor: CodecError")
	}
	if int(used) != codec {
		return nil, &walker.Unrepresentable{Path: "compression", Reason: "kgo compresses no messages with zstd"}
	}
	return written, nil
}
