package bridge

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
)

// parseDecoding parses a request to decode in its usual form, as most requests are: encoding/json looks at each digit of
// the bytes several times. False: the line has another form, and is for parse.
//
//	{"id":7,"op":"decode","message":"FetchRequest","version":4,"wire":"00ff"}
func parseDecoding(line []byte) (*Request, bool) {
	text, isObject := strings.CutPrefix(string(bytes.TrimSpace(line)), `{"id":`)
	number, text, isDecoding := strings.Cut(text, `,"op":"decode","message":"`)
	message, text, hasVersion := strings.Cut(text, `","version":`)
	digits, text, hasWire := strings.Cut(text, `,"wire":"`)
	wire, isWhole := strings.CutSuffix(text, `"}`)
	if !isObject || !isDecoding || !hasVersion || !hasWire || !isWhole || !isPlain(message) || !isPlain(wire) {
		return nil, false
	}
	_, err := strconv.ParseUint(number, 10, 64)
	version, problem := strconv.ParseInt(digits, 10, 16)
	if err != nil || problem != nil {
		return nil, false
	}
	id, op, short := json.Number(number), "decode", int16(version)
	return &Request{ID: &id, Op: &op, Message: &message, Version: &short, Wire: &wire}, true
}

// isPlain returns whether a text in JSON is what it says, and ends where it seems to.
func isPlain(text string) bool {
	return strings.IndexByte(text, '\\') < 0 && strings.IndexByte(text, '"') < 0
}
