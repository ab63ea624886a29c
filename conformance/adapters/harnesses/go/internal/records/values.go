// Package records has the values of record batches: their JSON form, and what a reader delivers of them.
package records

import (
	"fmt"

	"kafkawire/harness/internal/walker"
)

// Codecs are the names of the codecs, by the number that batches have.
var Codecs = []string{"none", "gzip", "snappy", "lz4", "zstd"}

// A Field is what a records field holds.
type Field struct {
	Entries []Entry
	Partial []byte
}

// An Entry is a batch (magic 2), a message, or a message that has others compressed in place of its value.
type Entry struct {
	Magic      int8
	Codec      int
	Attributes int16 // all bits, the codec among them
	Key, Value []byte
	Offset     int64 // of a batch, the base offset
	Timestamp  int64
	Messages   []Entry // of a wrapper, and nil elsewhere
	Batch      Batch
}

// A Batch is what only batches of magic 2 have.
type Batch struct {
	LeaderEpoch, LastOffsetDelta, BaseSequence int32
	BaseTimestamp, MaxTimestamp, ProducerID    int64
	ProducerEpoch                              int16
	Records                                    []Record
}

// A Record of a batch.
type Record struct {
	Attributes     int8
	TimestampDelta int64
	OffsetDelta    int32
	Key, Value     []byte
	Headers        []Header
}

// A Header of a record.
type Header struct {
	Key   string
	Value []byte
}

// attributeBits are the flags of batches, with the bit of each.
var attributeBits = []struct {
	name string
	bit  int16
}{{"transactional", 1 << 4}, {"control", 1 << 5}, {"deleteHorizon", 1 << 6}}

// unused is where the bits without a meaning begin, by magic, and how many attributes there are.
var unused = []struct{ first, end int }{{3, 8}, {4, 8}, {7, 16}}

// Parse reads the JSON form of a field.
func Parse(value any) (Field, error) {
	if value == nil {
		return Field{}, &walker.NotJSON{Reason: "there are no records"}
	}
	object, err := objectOf(value)
	if err != nil {
		return Field{}, err
	}
	field := Field{}
	if object.members["partial"] != nil {
		field.Partial = object.bytes("partial")
	}
	for i, form := range object.list("batches") {
		entry, err := parseEntry(form)
		if err != nil {
			return field, walker.Under(err, place("batches", i))
		}
		field.Entries = append(field.Entries, entry)
	}
	return field, object.err
}

func parseEntry(form any) (Entry, error) {
	object, err := objectOf(form)
	if err != nil {
		return Entry{}, err
	}
	entry := Entry{Magic: int8(object.integer("magic", 8))}
	if object.err == nil && (entry.Magic < 0 || int(entry.Magic) >= len(unused)) {
		return entry, &walker.Unrepresentable{Path: "magic", Reason: fmt.Sprintf("there is no writer of magic %d", entry.Magic)}
	}
	entry.Codec = object.codec()
	entry.Attributes = int16(entry.Codec) | object.attributes(entry.Magic)
	if entry.Magic == 2 {
		return entry, object.batch(&entry)
	}
	entry.Offset, entry.Key = object.int64("offset"), object.bytes("key")
	if entry.Magic == 1 {
		entry.Timestamp = object.int64("timestamp")
	}
	if _, isWrapper := object.members["messages"]; !isWrapper {
		entry.Value = object.bytes("value")
		return entry, object.err
	}
	entry.Messages = []Entry{} // not nil
	for i, form := range object.list("messages") {
		message, err := parseEntry(form)
		if err != nil {
			return entry, walker.Under(err, place("messages", i))
		}
		entry.Messages = append(entry.Messages, message)
	}
	return entry, object.err
}

func (o *object) attributes(magic int8) int16 {
	bits := int64(0)
	if magic > 0 && o.oneOf("timestampType", "create", "log-append") == 1 {
		bits |= 1 << 3
	}
	if magic == 2 {
		for _, flag := range attributeBits {
			if o.flag(flag.name) {
				bits |= int64(flag.bit)
			}
		}
	}
	number, limits := o.integer("unusedAttributes", 16), unused[magic]
	if number < 0 || number >= 1<<(limits.end-limits.first) {
		o.fail(&walker.Unrepresentable{Path: "unusedAttributes", Reason: "more bits than there are"})
	}
	bits |= number << limits.first
	if magic < 2 {
		return int16(int8(bits))
	}
	return int16(bits)
}

func (o *object) batch(entry *Entry) error {
	entry.Offset = o.int64("baseOffset")
	entry.Batch = Batch{
		LeaderEpoch:     int32(o.integer("partitionLeaderEpoch", 32)),
		LastOffsetDelta: int32(o.integer("lastOffsetDelta", 32)),
		BaseTimestamp:   o.int64("baseTimestamp"),
		MaxTimestamp:    o.int64("maxTimestamp"),
		ProducerID:      o.int64("producerId"),
		ProducerEpoch:   int16(o.integer("producerEpoch", 16)),
		BaseSequence:    int32(o.integer("baseSequence", 32)),
	}
	for i, form := range o.list("records") {
		record, err := parseRecord(form)
		if err != nil {
			return walker.Under(err, place("records", i))
		}
		entry.Batch.Records = append(entry.Batch.Records, record)
	}
	return o.err
}

func parseRecord(form any) (Record, error) {
	object, err := objectOf(form)
	if err != nil {
		return Record{}, err
	}
	record := Record{
		Attributes:     int8(object.integer("attributes", 8)),
		TimestampDelta: object.int64("timestampDelta"),
		OffsetDelta:    int32(object.integer("offsetDelta", 32)),
		Key:            object.bytes("key"),
		Value:          object.bytes("value"),
	}
	for i, form := range object.list("headers") {
		header, err := parseHeader(form)
		if err != nil {
			return record, walker.Under(err, place("headers", i))
		}
		record.Headers = append(record.Headers, header)
	}
	return record, object.err
}
