package bridge

import (
	"fmt"
	"io"
	"os"
	"runtime/debug"
)

// The collector runs less often than by default: messages are short-lived, and memory is limited by its address space.
const garbageTarget = 1000

// Run is a whole program: it drives a library on standard input and output, and returns the exit status.
func Run(library *Library) int {
	shortTraces()
	debug.SetGCPercent(garbageTarget)
	session := &session{library: library}
	input, err := session.resume(os.Stdin)
	if input == nil && err == nil {
		limitMemory()
		input = os.Stdin
	}
	if err == nil {
		err = session.serve(input, repliesOnly())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// repliesOnly returns the standard output, and has everything else that is printed go to the standard error.
func repliesOnly() io.Writer {
	replies := os.Stdout
	os.Stdout = os.Stderr
	return replies
}
