// Command harness drives a Kafka library over the bridge protocol: on standard input and output.
package main

import (
	"os"
	"reflect"

	"kafkawire/harness/internal/bridge"
	"kafkawire/harness/internal/definition"
	"kafkawire/harness/internal/walker"
)

func main() {
	os.Exit(bridge.Run(&bridge.Library{
		Name:            "example",
		Module:          "example.com/library", // whose version go.mod pins
		Capabilities:    []string{},
		Representations: []string{},
		Hidden:          map[string][]string{}, // and Limits and Notes, as in hello
		Walker:          &walker.Walker{},
		Codec:           codec,
	}))
}

// codec says how a message is written and read at a version; nil: the library does not have it. Your library has a
// lookup in its place, by definition.APIKey or by definition.Name.
func codec(definition *definition.Message, version int16) *bridge.Codec {
	if definition.Name != "HeartbeatRequest" || version != 0 {
		return nil
	}
	return &bridge.Codec{
		Type: reflect.TypeFor[Heartbeat](),
		Write: func(pointer reflect.Value) ([]byte, error) {
			return pointer.Interface().(*Heartbeat).Append(nil)
		},
		Read: func(wire []byte) (reflect.Value, int, error) {
			message := &Heartbeat{}
			consumed, err := message.Read(wire)
			return reflect.ValueOf(message), consumed, err
		},
	}
}
