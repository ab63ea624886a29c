package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	startup      = 60 * time.Second // until a child is ready
	patience     = 1 * time.Second  // for one vector
	addressSpace = 16 << 30         // of a child; Go reserves much and uses little
	enough       = 5                // ends of a child at one family of vectors, before the rest of them is left out
)

// child checks vectors and writes one outcome a line, each before it begins the next vector.
func child(vectors []*Vector, skip string) {
	limit := syscall.Rlimit{Cur: addressSpace, Max: addressSpace}
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &limit); err != nil {
		fail(err)
	}
	left := strings.Split(skip, ",")
	output := json.NewEncoder(os.Stdout)
	output.Encode(Outcome{}) // ready
	for _, vector := range vectors {
		outcome := Outcome{notRun, vector.family() + ": others of them ended the program"}
		if !slices.Contains(left, vector.family()) {
			outcome = check(vector)
		}
		if output.Encode(outcome) != nil {
			return // nobody reads any more
		}
	}
}

// checkAll lets children check all vectors. When one dies or hangs, the vector that it had not answered is to blame, and
// another child goes on behind it. A codec that hangs at one vector often hangs at a thousand like it: after a few, the
// rest of their family is not run, and counted as such.
func checkAll(folder string, vectors []*Vector) ([]Outcome, error) {
	var outcomes []Outcome
	var skip []string
	ends := map[string]int{}
	for {
		answers, end, err := runChild(folder, len(outcomes), skip)
		outcomes = append(outcomes, answers...)
		if err != nil || len(outcomes) == len(vectors) {
			return outcomes, err
		}
		family := vectors[len(outcomes)].family()
		outcomes = append(outcomes, Outcome{survival, end})
		if ends[family]++; ends[family] == enough {
			skip = append(skip, family)
		}
	}
}

// runChild returns the outcomes of one child, and how it ended.
func runChild(folder string, from int, skip []string) (outcomes []Outcome, end string, err error) {
	program, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	command := exec.Command(program, "--child-from", strconv.Itoa(from), "--child-skip", strings.Join(skip, ","), folder)
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, "", err
	}
	if err := command.Start(); err != nil {
		return nil, "", err
	}
	watchdog := time.AfterFunc(startup, func() { command.Process.Kill() })
	answers := json.NewDecoder(bufio.NewReader(stdout))
	var outcome Outcome
	if answers.Decode(&outcome) != nil {
		return nil, "", errors.New("a child did not start, or not in time")
	}
	watchdog.Reset(patience)
	for answers.Decode(&outcome) == nil {
		outcomes = append(outcomes, outcome)
		watchdog.Reset(patience)
	}
	end = "died"
	if !watchdog.Stop() {
		end = fmt.Sprint("no answer within ", patience)
	}
	command.Wait() // its status does not tell more
	return outcomes, end, nil
}
