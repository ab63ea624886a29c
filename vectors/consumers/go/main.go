// A consumer of the golden vectors: runs franz-go's kmsg on every vector and prints those that it fails.
//
//	go run . ../../
//
// vectors.go reads the files, and check.go has what they expect of a codec; codec.go, values.go and names.go fit that to
// kmsg; children.go survives whatever the codec does, and report.go prints what came of it.
package main

import (
	"flag"
	"fmt"
	"os"
)

const module = "github.com/twmb/franz-go/pkg/kmsg v1.15.0"

func main() {
	all := flag.Bool("all", false, "print every id, not the first few")
	strict := flag.Bool("strict", false, "exit with status 1 if the codec fails a vector")
	from := flag.Int("child-from", -1, "for the program's own use: check the vectors from this one on")
	skip := flag.String("child-skip", "", "for the program's own use: families of vectors to leave out")
	flag.Parse()
	if flag.NArg() != 1 {
		fail("usage: go run . [--all] [--strict] FOLDER, the one that has index.json")
	}
	vectors, err := load(flag.Arg(0))
	if err != nil {
		fail(err)
	}
	if *from >= 0 {
		child(vectors[*from:], *skip)
		return
	}
	outcomes, err := checkAll(flag.Arg(0), vectors)
	if err != nil {
		fail(err)
	}
	if failed := report(vectors, outcomes, *all); failed > 0 && *strict {
		os.Exit(1)
	}
}

func fail(why any) {
	fmt.Fprintln(os.Stderr, why)
	os.Exit(2)
}
