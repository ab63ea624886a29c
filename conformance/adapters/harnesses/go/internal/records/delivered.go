package records

import (
	"encoding/hex"
	"strconv"
	"unicode/utf8"

	"kafkawire/harness/internal/walker"
)

// Delivered is a record, or a message, as a consumer gets it: with offset and timestamp added up.
type Delivered struct {
	Offset, Timestamp int64
	Key, Value        []byte
	Headers           []Header
}

// NoTimestamp is that of messages that have none.
const NoTimestamp = -1

// Append appends the JSON form of what has been delivered of a field.
func Append(out []byte, delivered []Delivered) []byte {
	out = append(out, `{"records":[`...)
	for i := range delivered {
		if i > 0 {
			out = append(out, ',')
		}
		out = delivered[i].append(out)
	}
	return append(out, "]}"...)
}

func (d *Delivered) append(out []byte) []byte {
	out = strconv.AppendInt(append(out, `{"offset":"`...), d.Offset, 10)
	out = strconv.AppendInt(append(out, `","timestamp":"`...), d.Timestamp, 10)
	out = appendBytes(append(out, `","key":`...), d.Key)
	out = appendBytes(append(out, `,"value":`...), d.Value)
	out = append(out, `,"headers":[`...)
	for i, header := range d.Headers {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(appendKey(append(out, '['), header.Key), ',')
		out = append(appendBytes(out, header.Value), ']')
	}
	return append(out, "]}"...)
}

func appendBytes(out, data []byte) []byte {
	if data == nil {
		return append(out, "null"...)
	}
	return append(hex.AppendEncode(append(out, '"'), data), '"')
}

func appendKey(out []byte, key string) []byte {
	if utf8.ValidString(key) {
		return walker.AppendString(out, key)
	}
	return append(hex.AppendEncode(append(out, `{"hex":"`...), []byte(key)), `"}`...)
}
