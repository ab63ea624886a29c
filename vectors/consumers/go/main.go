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
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/twmb/franz-go/pkg/kmsg"
)

// file has the vectors of one message.
type file struct {
	Message, Kind string
	APIKey        int16
	Spec          struct{ Release string }
	Groups        []struct {
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
	for _, argument := range flag.Args() {
		files := []string{argument}
		if !strings.HasSuffix(argument, ".json") {
			files, _ = filepath.Glob(argument + "/messages/*.json")
		}
		for _, name := range files {
			run(name, patterns, counts)
		}
	}
	fmt.Println(counts)
	if len(counts) == 0 {
		stop(errors.New("no vectors; usage: go run . [--known FILE] RELEASE | FILE.json ..."))
	}
	os.Exit(min(counts["failed"], 1))
}

func readKnown(name string) map[string][]string {
	text, err := os.ReadFile(name)
	stop(err)
	patterns := map[string][]string{}
	for _, line := range strings.Split(string(text), "\n") {
		if word, pattern, _ := strings.Cut(line, " "); word != "#" {
			patterns[word] = append(patterns[word], pattern)
		}
	}
	return patterns
}

func run(name string, patterns map[string][]string, counts map[string]int) {
	text, err := os.ReadFile(name)
	stop(err)
	var f file
	stop(json.Unmarshal(text, &f))
	for _, group := range f.Groups {
		for _, vector := range group.Vectors {
			id := fmt.Sprintf("%s/messages/%s/v%d/%s", f.Spec.Release, f.Message, group.Version, vector.ID)
			codec := f.empty(group.Version)
			known := func(word string) bool {
				return slices.ContainsFunc(patterns[word], func(each string) bool { found, _ := path.Match(each, id); return found })
			}
			if codec == nil {
				counts["of messages that kmsg lacks"]++
			} else if vector.Result == "unspecified" {
				counts["unspecified"]++
			} else if known("hangs") {
				counts["left out"]++
			} else if wrong := vector.check(codec, id); wrong == "" {
				counts["passed"]++
			} else if known("fails") {
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
