package bridge

import (
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
)

const (
	mebibyte  = 1 << 20
	allowance = 64 * mebibyte // what any input may take; as conformance/codec/bridge/memory.py has it
	factor    = 1024          // what each byte of an input may take beyond that
)

const exhausted = "exhausted-memory"

// crashed is a failure that no input may cause.
type crashed struct{ outcome, text string }

func (c *crashed) Error() string { return c.text }

var allocated = []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}

func bytesAllocated() uint64 {
	metrics.Read(allocated)
	return allocated[0].Value.Uint64()
}

// thisProgram is what the names of its functions begin with.
const thisProgram = "kafkawire/harness/"

// guard calls the library: a panic, and an allocation out of proportion to the input, is an error.
func guard(size int, call func() error) (err error) {
	before := bytesAllocated()
	defer func() {
		if cause := recover(); cause != nil {
			function, ok := culprit()
			if !ok {
				panic(cause)
			}
			err = &crashed{"crashed", fmt.Sprintf("panic: %v, in %s", cause, function)}
		}
		if grown := bytesAllocated() - before; grown > allowance+factor*uint64(size) {
			err = &crashed{exhausted, fmt.Sprintf("allocated %d MiB for %d bytes", grown/mebibyte, size)}
		}
	}()
	return call()
}

// culprit returns the function of a library, and not of Go itself, that was running last; false: it was this program.
func culprit() (string, bool) {
	callers := make([]uintptr, 64)
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers)])
	for {
		frame, more := frames.Next()
		function := frame.Function[strings.LastIndex(frame.Function, "/")+1:]
		domain, _, isModule := strings.Cut(frame.Function, "/")
		switch {
		case isModule && strings.Contains(domain, "."):
			return function, true
		case !more || strings.HasPrefix(frame.Function, thisProgram):
			return function, false
		}
	}
}

// place says where this program, and not Go itself, was running when it panicked: `main.codec.func1 (main.go:61)`.
func place() string {
	callers := make([]uintptr, 128)
	frames := runtime.CallersFrames(callers[:runtime.Callers(2, callers)])
	found := "Go itself"
	for frame, more := frames.Next(); more; frame, more = frames.Next() {
		isOwn := strings.HasPrefix(frame.Function, "main.") || strings.HasPrefix(frame.Function, thisProgram)
		switch {
		case frame.Function == "runtime.gopanic":
			found = "" // what was told of so far ran after the panic
		case found == "" && isOwn:
			function := frame.Function[strings.LastIndex(frame.Function, "/")+1:]
			found = fmt.Sprintf("%s (%s:%d)", function, filepath.Base(frame.File), frame.Line)
		}
	}
	return found
}
