//go:build unix

package bridge

import (
	"os/signal"
	"syscall"
)

// addressSpace is in bytes.
const addressSpace = memoryMiB * mebibyte

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

// shortTraces has the end of this program take a few lines of a standard error that is a file: the reason is in the
// first ones, and behind it are the stacks of all goroutines. The limit is one of all files that are written.
func shortTraces() {
	const allowed = 100
	if size, ok := sizeOfFile(syscall.Stderr); ok {
		if _, ok := sizeOfFile(syscall.Stdout); !ok {
			signal.Ignore(syscall.SIGXFSZ)
			lower(syscall.RLIMIT_FSIZE, uint64(size)+allowed)
		}
	}
}

func sizeOfFile(descriptor int) (int64, bool) {
	file := syscall.Stat_t{}
	err := syscall.Fstat(descriptor, &file)
	return file.Size, err == nil && file.Mode&syscall.S_IFMT == syscall.S_IFREG
}
