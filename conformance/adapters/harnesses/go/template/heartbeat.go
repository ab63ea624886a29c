package main

import (
	"encoding/binary"
	"fmt"
	"math"
)

// YOUR CODEC stands in place of this file: delete it, and change `codec` in main.go. It is what a library has, written by
// hand for one message. The names of its fields need not be those of the definition.

// Heartbeat is HeartbeatRequest in version 0.
type Heartbeat struct {
	Group      string
	Generation int32
	Member     string
}

// Append appends the bytes of the message.
func (h *Heartbeat) Append(wire []byte) ([]byte, error) {
	wire, err := appendString(wire, h.Group)
	if err != nil {
		return nil, err
	}
	return appendString(binary.BigEndian.AppendUint32(wire, uint32(h.Generation)), h.Member)
}

// Read reads the message, and returns how many bytes it took.
func (h *Heartbeat) Read(wire []byte) (int, error) {
	source := &reader{wire: wire}
	h.Group = source.string()
	h.Generation = source.int32()
	h.Member = source.string()
	return source.at, source.err
}

func appendString(wire []byte, text string) ([]byte, error) {
	if len(text) > math.MaxInt16 {
		return nil, &refusal{"string-too-long", fmt.Sprintf("a string of %d bytes", len(text))}
	}
	return append(binary.BigEndian.AppendUint16(wire, uint16(len(text))), text...), nil
}

// A reader goes through the bytes of a message; after its first error it reads zeros.
type reader struct {
	wire []byte
	at   int
	err  error
}

func (r *reader) int32() int32 {
	if data := r.take(4, "truncated"); data != nil {
		return int32(binary.BigEndian.Uint32(data))
	}
	return 0
}

func (r *reader) string() string {
	prefix := r.take(2, "truncated")
	if prefix == nil {
		return ""
	}
	length := int16(binary.BigEndian.Uint16(prefix))
	if length < -1 {
		r.refuse("negative-length", "a string of a negative length")
	} else if length < 0 {
		r.refuse("null-not-allowed", "a string is null")
	}
	return string(r.take(max(int(length), 0), "length-exceeds-input"))
}

func (r *reader) take(size int, reason string) []byte {
	if size > len(r.wire)-r.at {
		r.refuse(reason, fmt.Sprintf("%d bytes are left, %d are needed", len(r.wire)-r.at, size))
	}
	if r.err != nil {
		return nil
	}
	r.at += size
	return r.wire[r.at-size : r.at]
}

func (r *reader) refuse(reason, text string) {
	if r.err == nil {
		r.err = &refusal{reason, fmt.Sprintf("at byte %d: %s", r.at, text)}
	}
}

// A refusal is this library's error. Its reason is optional: a word of the bridge's README.
type refusal struct{ reason, text string }

func (r *refusal) Error() string { return r.text }

func (r *refusal) Reason() string { return r.reason }
