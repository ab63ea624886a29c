package bridge

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"

	"kafkawire/harness/internal/walker"
)

// A reply is one line, without its end, as it grows.
type reply struct{ line []byte }

func newReply(id *json.Number) *reply {
	if id == nil {
		return &reply{[]byte(`{"id":null,"outcome":`)}
	}
	return &reply{append(append([]byte(`{"id":`), id.String()...), `,"outcome":`...)}
}

func (r *reply) refuse(outcome, text string) []byte {
	line := append(strconv.AppendQuote(r.line, outcome), `,"text":`...)
	return append(walker.AppendString(line, printable(text)), '}')
}

// printable replaces bytes that are no UTF-8: a text, unlike a value, has no other form.
func printable(text string) string { return string([]rune(text)) }

func (r *reply) wire(data []byte) []byte {
	line := append(r.line, `"bytes","wire":"`...)
	return append(hex.AppendEncode(line, data), `"}`...)
}

// begin begins a reply with a value.
func (r *reply) begin() []byte { return append(r.line, `"value","value":`...) }

// A value is shown that takes no more bytes of JSON than the allowance, and the factor for each byte that it was read from.
const (
	shownAllowance = 64 << 10
	shownFactor    = 1024
)

// shown has a value that was read from so many bytes, or why it is left out: millions of elements, of a few bytes.
func (r *reply) shown(plan *walker.Plan, pointer reflect.Value, size int) []byte {
	begun, most := r.line, shownAllowance+shownFactor*size
	if line, ok := plan.Show(r.begin(), pointer, most); ok {
		return line
	}
	return append(begun, fmt.Sprintf(`"value","text":"a value of more than %d KiB of JSON"`, most>>10)...)
}

func end(line []byte, consumed int) []byte {
	if consumed < 0 {
		return append(line, `,"consumed":null}`...)
	}
	return append(strconv.AppendInt(append(line, `,"consumed":`...), int64(consumed), 10), '}')
}

// failure tells an error by what it is: of the request, of the harness, or of the library.
func (r *reply) failure(err error) []byte {
	var cannot *walker.Unrepresentable
	var invalid *walker.NotJSON
	var wrong ProtocolError
	var absent Unsupported
	var own HarnessError
	var crash *crashed
	switch {
	case errors.As(err, &crash):
		return r.refuse(crash.outcome, crash.text)
	case errors.As(err, &cannot):
		return r.refuse("unrepresentable", cannot.Error())
	case errors.As(err, &own):
		return r.refuse("harness-error", own.Error())
	case errors.As(err, &absent):
		return r.refuse("unsupported", absent.Error())
	case errors.As(err, &invalid), errors.As(err, &wrong):
		return r.refuse("protocol-error", err.Error())
	}
	line := append(r.line, `"rejected","class":`...)
	line = walker.AppendString(line, fmt.Sprintf("%T", err))
	line = append(line, `,"text":`...)
	line = walker.AppendString(line, printable(err.Error()))
	var reasoned Reasoned
	if errors.As(err, &reasoned) {
		line = walker.AppendString(append(line, `,"reason":`...), reasoned.Reason())
	}
	return append(line, '}')
}
