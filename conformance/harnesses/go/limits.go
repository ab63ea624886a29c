//go:build unix

package main

import "syscall"

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
