package kafkago

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/segmentio/kafka-go/protocol"

	"kafkawire/harness/internal/bridge"
	"kafkawire/harness/internal/records"
	"kafkawire/harness/internal/walker"
)

// batches are read and written by protocol.RecordSet. It gives records with their offsets and times, and no part of a
// batch's header that tells how it was written; and it writes one batch, in which most of the header is a constant.
func batches() *bridge.Records {
	return &bridge.Records{
		Claims: map[string]any{"batches": "flattened", "partial-tail": "dropped", "leader-epoch": "own"},
		Encode: encodeRecords,
		Decode: decodeRecords,
	}
}

// size is the length of a records field.
const size = 4

func decodeRecords(wire []byte) ([]records.Delivered, error) {
	field := append(binary.BigEndian.AppendUint32(nil, uint32(len(wire))), wire...)
	var set protocol.RecordSet
	if _, err := set.ReadFrom(bufio.NewReader(bytes.NewReader(field))); err != nil {
		return nil, err
	}
	stream, ok := set.Records.(*protocol.RecordStream)
	if !ok {
		return nil, nil
	}
	var delivered []records.Delivered
	for _, reader := range stream.Records { // and not by the stream, which leaves control batches out
		for {
			record, err := reader.ReadRecord()
			if errors.Is(err, io.EOF) {
				break
			}
			if err == nil {
				delivered, err = appendRecord(delivered, record)
			}
			if err != nil {
				return nil, err
			}
		}
	}
	return delivered, nil
}

func appendRecord(delivered []records.Delivered, record *protocol.Record) ([]records.Delivered, error) {
	key, err := protocol.ReadAll(record.Key)
	if err != nil {
		return nil, err
	}
	value, err := protocol.ReadAll(record.Value)
	if err != nil {
		return nil, err
	}
	shown := records.Delivered{Offset: record.Offset, Timestamp: record.Time.UnixMilli(), Key: key, Value: value}
	for _, header := range record.Headers {
		shown.Headers = append(shown.Headers, records.Header(header))
	}
	return append(delivered, shown), nil
}

func encodeRecords(field records.Field) ([]byte, error) {
	if len(field.Partial) > 0 {
		return nil, cannot("partial", "a RecordSet is written whole")
	}
	var wire []byte
	for at := 0; at < len(field.Entries); {
		set, taken, err := recordSet(field.Entries[at:])
		if err != nil {
			return nil, walker.Under(err, fmt.Sprintf("batches[%d]", at))
		}
		written, err := writtenSet(set)
		if err != nil {
			return nil, err
		}
		wire, at = append(wire, written...), at+taken
	}
	return wire, nil
}

func writtenSet(set *protocol.RecordSet) ([]byte, error) {
	var wire bytes.Buffer
	_, err := set.WriteTo(&wire)
	if errors.Is(err, protocol.ErrNoRecord) {
		return nil, cannot("", "a RecordSet without records is not written")
	}
	if err != nil {
		return nil, err
	}
	return wire.Bytes()[size:], nil
}

// recordSet is the set that is written as the first of the entries; uncompressed messages with the next offsets are of
// the same set.
func recordSet(entries []records.Entry) (*protocol.RecordSet, int, error) {
	first := &entries[0]
	set := &protocol.RecordSet{Version: first.Magic, Attributes: protocol.Attributes(first.Attributes)}
	switch {
	case first.Magic == 2:
		content, err := batchRecords(first)
		set.Records = protocol.NewRecordReader(content...)
		return set, 1, err
	case first.Magic == 0:
		return nil, 0, cannot("magic", "messages are written in version 1")
	case first.Messages != nil:
		return nil, 0, cannot("timestamp", "a wrapper has the time at which it is written")
	}
	content := []protocol.Record{}
	for i := range entries {
		entry := &entries[i]
		if entry.Magic != 1 || entry.Messages != nil || entry.Attributes != first.Attributes || entry.Offset != int64(i) {
			break
		}
		record, err := timed(entry.Timestamp, entry.Key, entry.Value)
		if err != nil {
			return nil, 0, err
		}
		content = append(content, record)
	}
	set.Records = protocol.NewRecordReader(content...)
	if len(content) == 0 {
		return nil, 0, cannot("offset", "messages are numbered from 0")
	}
	return set, len(content), nil
}

// batchRecords are the records of a batch whose other members are what the library writes.
func batchRecords(entry *records.Entry) ([]protocol.Record, error) {
	batch := &entry.Batch
	var content []protocol.Record
	latest := batch.BaseTimestamp
	for i, record := range batch.Records {
		timestamp := batch.BaseTimestamp + record.TimestampDelta
		latest = max(latest, timestamp)
		if record.Attributes != 0 || record.OffsetDelta != int32(i) || i == 0 && record.TimestampDelta != 0 {
			return nil, cannot(fmt.Sprintf("records[%d]", i), "records have no attributes, are numbered from 0, and the first has the first timestamp")
		}
		written, err := timed(timestamp, record.Key, record.Value)
		if err != nil {
			return nil, walker.Under(err, fmt.Sprintf("records[%d]", i))
		}
		for _, header := range record.Headers {
			written.Headers = append(written.Headers, protocol.Header(header))
		}
		content = append(content, written)
	}
	told := []struct {
		name            string
		value, constant int64
	}{
		{"baseOffset", entry.Offset, 0},
		{"producerId", batch.ProducerID, -1},
		{"producerEpoch", int64(batch.ProducerEpoch), -1},
		{"baseSequence", int64(batch.BaseSequence), -1},
		{"lastOffsetDelta", int64(batch.LastOffsetDelta), int64(len(content) - 1)},
		{"maxTimestamp", batch.MaxTimestamp, latest},
	}
	for _, member := range told {
		if member.value != member.constant {
			return nil, cannot(member.name, fmt.Sprintf("a RecordSet has none, %d is written", member.constant))
		}
	}
	return content, nil
}

// timed is a record. The time 0 is taken for none, in whose place the current time is written.
func timed(timestamp int64, key, value []byte) (protocol.Record, error) {
	if timestamp == 0 {
		return protocol.Record{}, cannot("timestamp", "0 is no time")
	}
	record := protocol.Record{Time: time.UnixMilli(timestamp)}
	if key != nil {
		record.Key = protocol.NewBytes(key)
	}
	if value != nil {
		record.Value = protocol.NewBytes(value)
	}
	return record, nil
}

func cannot(path, reason string) error { return &walker.Unrepresentable{Path: path, Reason: reason} }
