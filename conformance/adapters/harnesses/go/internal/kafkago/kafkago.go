// Package kafkago drives the package protocol of Segment's kafka-go.
package kafkago

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"reflect"

	"github.com/segmentio/kafka-go/protocol"

	"kafkawire/harness/internal/bridge"
	"kafkawire/harness/internal/definition"
	"kafkawire/harness/internal/walker"
)

// Library is kafka-go. Its structs say in tags which versions a field has; it writes and reads bodies in frames only.
func Library() *bridge.Library {
	return &bridge.Library{
		Name:            "kafka-go",
		Module:          "github.com/segmentio/kafka-go",
		Capabilities:    []string{},
		Representations: []string{},
		Walker: &walker.Walker{
			Has:       has,
			Skip:      isVersion,
			NilIsNull: isNullable,
			Tag:       tagOf,
			Aliases:   aliases,
		},
		Codec:   codec,
		Frames:  &bridge.Frames{Write: writeFrame, Read: readFrame},
		Records: batches(),
	}
}

// aliases are what names and order do not tell.
var aliases = map[string]map[string]string{}

func codec(message *definition.Message, version int16) *bridge.Codec {
	if message.Kind == "data" {
		return stored(message, version)
	}
	for _, registered := range apis {
		kind, direction := registered.request, "request"
		if message.Kind == "response" {
			kind, direction = registered.response, "response"
		}
		if message.Kind == direction && int16(kind.ApiKey()) == *message.APIKey && isOffered(kind, version) {
			if *message.APIKey == int16(protocol.Produce) && direction == "request" {
				return produced(version)
			}
			return framed(reflect.TypeOf(kind).Elem(), bridge.Frame{Direction: direction, APIKey: *message.APIKey, Version: version})
		}
	}
	return nil
}

// isOffered says whether the library takes a version: it checks that of the request only, and a response has its own.
func isOffered(kind protocol.Message, version int16) bool {
	structure := reflect.TypeOf(kind).Elem()
	if version < kind.ApiKey().MinVersion() || version > kind.ApiKey().MaxVersion() {
		return false
	}
	for i := range structure.NumField() {
		if has(structure.Field(i), version) {
			return true
		}
	}
	return false
}

// framed writes and reads a body in a frame, whose header it takes away and puts before the body.
func framed(structure reflect.Type, frame bridge.Frame) *bridge.Codec {
	flexible := isFlexible(structure, frame.Version)
	header := headerOf(frame, flexible)
	if !flexible {
		frame.ClientID = new(string)
	}
	return &bridge.Codec{
		Type:     structure,
		Flexible: &flexible,
		Write: func(pointer reflect.Value) ([]byte, error) {
			wire, err := writeFrame(frame, pointer)
			if err != nil {
				return nil, err
			}
			return wire[len(header):], nil
		},
		Read: func(body []byte) (reflect.Value, int, error) {
			wire := append(header[:len(header):len(header)], body...)
			binary.BigEndian.PutUint32(wire, uint32(len(wire)-4))
			_, pointer, err := readFrame(frame, wire)
			return pointer, bridge.NotCounted, err
		},
	}
}

// headerOf is what is before a body, with a size to be set: size, key, version, correlation id, client id and tags.
func headerOf(frame bridge.Frame, flexible bool) []byte {
	header := make([]byte, 4)
	if frame.Direction == "request" {
		header = binary.BigEndian.AppendUint16(header, uint16(frame.APIKey))
		header = binary.BigEndian.AppendUint16(header, uint16(frame.Version))
	}
	header = append(header, 0, 0, 0, 0)
	if frame.Direction == "request" {
		header = append(header, clientID(flexible)...)
	}
	if flexible {
		header = append(header, 0)
	}
	return header
}

// clientID is how an empty one is written: as null where the version is flexible.
func clientID(flexible bool) []byte {
	if flexible {
		return []byte{0xff, 0xff}
	}
	return []byte{0, 0}
}

func writeFrame(frame bridge.Frame, pointer reflect.Value) ([]byte, error) {
	message := messageOf(pointer)
	var wire bytes.Buffer
	if frame.Direction == "response" {
		err := protocol.WriteResponse(&wire, frame.Version, frame.CorrelationID, message)
		return wire.Bytes(), err
	}
	client, err := writtenClient(frame.ClientID, isFlexible(pointer.Type().Elem(), frame.Version))
	if err != nil {
		return nil, err
	}
	err = protocol.WriteRequest(&wire, frame.Version, frame.CorrelationID, client, message)
	return wire.Bytes(), err
}

func messageOf(pointer reflect.Value) protocol.Message {
	if request, ok := pointer.Interface().(*produceRequest); ok {
		return request.raw()
	}
	return pointer.Interface().(protocol.Message)
}

// writtenClient is a client id as the library takes it: an empty one is null where the version is flexible.
func writtenClient(client *string, flexible bool) (string, error) {
	switch {
	case client == nil && flexible:
		return "", nil
	case client == nil:
		return "", &walker.Unrepresentable{Path: "clientId", Reason: "null for a string that is no pointer"}
	case *client == "" && flexible:
		return "", &walker.Unrepresentable{Path: "clientId", Reason: "an empty string is null"}
	}
	return *client, nil
}

// readFrame reads as the library's connections do, from a buffered reader.
func readFrame(frame bridge.Frame, wire []byte) (bridge.Frame, reflect.Value, error) {
	if frame.Direction == "request" && frame.APIKey == int16(protocol.Produce) {
		return frame, reflect.Value{}, bridge.Unsupported("requests to produce are written only")
	}
	source := bytes.NewReader(wire)
	buffered := bufio.NewReader(source)
	var message protocol.Message
	var err error
	if frame.Direction == "response" {
		frame.CorrelationID, message, err = protocol.ReadResponse(buffered, protocol.ApiKey(frame.APIKey), frame.Version)
	} else {
		var client string
		frame.Version, frame.CorrelationID, client, message, err = protocol.ReadRequest(buffered)
		if err == nil && (client != "" || !isFlexible(reflect.TypeOf(message).Elem(), frame.Version)) {
			frame.ClientID = &client
		}
	}
	frame.Consumed = len(wire) - source.Len() - buffered.Buffered()
	return frame, reflect.ValueOf(message), err
}
