//go:build unix

package bridge

import (
	"os"
	"syscall"
)

// addressSpace is what the program may reserve: the Go runtime reserves much more than it uses.
const addressSpace = 16 << 30

// limitMemory has an allocation of a length taken from the input fail before the machine runs out of memory.
func limitMemory() {
	lower(syscall.RLIMIT_AS, addressSpace)
	lower(syscall.RLIMIT_CORE, 0)
}

func lower(resource int, to uint64) {
	limit := syscall.Rlimit{}
	if syscall.Getrlimit(resource, &limit) == nil && limit.Max > to {
		limit.Cur = to
		_ = syscall.Setrlimit(resource, &limit) // where it is refused, the deadline still protects
	}
}

// withoutTraces starts the program again without the traces of all goroutines, which would hide why it ended: the runtime
// takes that from the environment, and only at its start.
func withoutTraces() {
	const variable = "GOTRACEBACK"
	path, err := os.Executable()
	if _, ok := os.LookupEnv(variable); !ok && err == nil {
		_ = syscall.Exec(path, os.Args, append(os.Environ(), variable+"=none")) // where it is refused, there are traces
	}
}
