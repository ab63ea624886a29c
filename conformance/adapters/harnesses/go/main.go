// Command harness drives a Kafka library of Go over the bridge protocol: on standard input and output.
//
//	harness franz-go | kafka-go
package main

import (
	"fmt"
	"os"

	"kafkawire/harness/internal/bridge"
	"kafkawire/harness/internal/franz"
	"kafkawire/harness/internal/kafkago"
)

var libraries = map[string]func() *bridge.Library{
	"franz-go": franz.Library,
	"kafka-go": kafkago.Library,
}

func main() {
	if len(os.Args) != 2 || libraries[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: harness franz-go | kafka-go")
		os.Exit(2)
	}
	os.Exit(bridge.Run(libraries[os.Args[1]]()))
}
