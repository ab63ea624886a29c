// Runs the golden vectors of requests and responses against kmsg, the messages of franz-go.
//
// Valid bytes are read and written again, invalid bytes are refused. Whatever else happens is printed.
package main

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// file has the vectors of one message.
type file struct {
	Kind   string
	APIKey int16
	Groups []struct {
		Version int16
		Vectors []vector
	}
}

type vector struct{ ID, Result, Wire, Canonical string }

type message interface {
	MaxVersion() int16
	SetVersion(int16)
	AppendTo([]byte) []byte
	ReadFrom([]byte) error
}

func main() {
	known := flag.String("known", os.DevNull, "a file of lines `fails PATTERN` and `hangs PATTERN`: those are not run")
	flag.Parse()
	patterns, counts := readKnown(*known), map[string]int{}
	taken := read[struct{ Taken map[string]map[string][]int16 }](path.Join(flag.Arg(0), "releases.json")).Taken[flag.Arg(1)]
	for _, name := range slices.Sorted(maps.Keys(taken)) {
		if strings.Contains(name, "/messages/") {
			run(name, taken[name], patterns, counts)
		}
	}
	fmt.Println(counts)
	if len(counts) == 0 {
		stop(errors.New("no vectors; usage: go run . [--known FILE] FOLDER RELEASE"))
	}
	os.Exit(min(counts["failed"], 1))
}

func readKnown(name string) map[string][]string {
	text, err := os.ReadFile(name)
	stop(err)
	patterns := map[string][]string{}
	for _, line := range strings.Split(string(text), "\n") {
		word, pattern, _ := strings.Cut(line, " ")
		patterns[word] = append(patterns[word], pattern)
	}
	return patterns
}

func read[T any](name string) (content T) {
	text, err := os.ReadFile(name)
	stop(err)
	stop(json.Unmarshal(text, &content))
	return content
}

// run tries the versions of a file that the release takes.
func run(name string, versions []int16, patterns map[string][]string, counts map[string]int) {
	f := read[file](path.Join(flag.Arg(0), name))
	for _, group := range f.Groups {
		if !slices.Contains(versions, group.Version) {
			continue
		}
		for _, vector := range group.Vectors {
			id := fmt.Sprintf("%s/v%d/%s", strings.TrimSuffix(name, ".json"), group.Version, vector.ID)
			codec := f.empty(group.Version)
			matches := func(pattern string) bool { found, _ := path.Match(pattern, id); return found }
			if codec == nil {
				counts["of messages that kmsg lacks"]++
			} else if vector.Result == "unspecified" || vector.Result == "unwritable" {
				counts[vector.Result]++
			} else if slices.ContainsFunc(patterns["hangs"], matches) {
				counts["left out"]++
			} else if wrong := vector.check(codec, id); wrong == "" {
				counts["passed"]++
			} else if slices.ContainsFunc(patterns["fails"], matches) {
				counts["known to fail"]++
			} else {
				counts["failed"]++
				fmt.Printf("%s: %s, %s\n", id, vector.Result, wrong)
			}
		}
	}
}

// empty returns a message of a version, nil if kmsg has none.
func (f file) empty(version int16) (found message) {
	switch f.Kind {
	case "request":
		found = kmsg.RequestForKey(f.APIKey)
	case "response":
		found = kmsg.ResponseForKey(f.APIKey)
	}
	if found == nil || version > found.MaxVersion() {
		return nil
	}
	found.SetVersion(version)
	return found
}

// check returns what the codec does that the vector does not expect. Only the end of the program ends a hang.
func (v vector) check(codec message, id string) (wrong string) {
	defer time.AfterFunc(10*time.Second, func() { stop(errors.New(id + ": no answer")) }).Stop()
	defer func() {
		if panicked := recover(); panicked != nil {
			wrong = fmt.Sprint("panic: ", panicked)
		}
	}()
	wire, err := hex.DecodeString(v.Wire)
	stop(err)
	switch err := codec.ReadFrom(wire); {
	case v.Result == "invalid" && err == nil:
		return "not refused"
	case v.Result == "valid" && err != nil:
		return "refused: " + err.Error()
	case v.Result == "valid":
		if written := hex.EncodeToString(codec.AppendTo(nil)); written != cmp.Or(v.Canonical, v.Wire) {
			return "written as " + written
		}
	}
	return ""
}

// stop ends the program, which cannot go on.
func stop(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}
