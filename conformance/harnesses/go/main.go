// Command harness drives a Kafka library of Go over the bridge protocol: on standard input and output.
//
//	harness franz-go | kafka-go
package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"kafkawire/harness/internal/bridge"
	"kafkawire/harness/internal/franz"
	"kafkawire/harness/internal/kafkago"
)

// The collector runs less often than by default: messages are short-lived, and memory is limited by its address space.
const garbageTarget = 400

var libraries = map[string]func() *bridge.Library{
	"franz-go": franz.Library,
	"kafka-go": kafkago.Library,
}

func main() {
	if len(os.Args) != 2 || libraries[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: harness franz-go | kafka-go")
		os.Exit(2)
	}
	withoutTraces()
	debug.SetGCPercent(garbageTarget)
	limitMemory()
	replies := bridge.RepliesOnly()
	if err := bridge.Serve(libraries[os.Args[1]](), os.Stdin, replies); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
