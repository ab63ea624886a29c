//go:build unix

package bridge

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync/atomic"
	"syscall"
	"time"
)

const (
	mostResident = 256 * mebibyte // bytes, of which a program with an empty heap takes 20 MiB
	mostMapped   = 1 << 40        // bytes of address space, of 2^47
	pause        = 10 * time.Millisecond
)

// room has every input meet the same memory, whatever those before it took. Go fills what it uses a second time with
// zeros, and never gives address space back. So nothing is collected, and the limit of the address space rises by what is
// in use; when too much is resident, the collector works again until this program is renewed.
type room struct {
	mapped uint64 // bytes in use where the limit is that of the start
	raised uint64 // bytes by which it was raised since
	isKept bool
	isFull atomic.Bool
}

// keep begins; where the system does not tell what memory is in use, every input that takes much is followed by a renewal.
func (r *room) keep() {
	mapped, _, err := memoryInUse()
	if err != nil || r.isKept {
		return
	}
	r.mapped, r.isKept = mapped, true
	debug.SetGCPercent(-1)
	go r.watch()
}

func (r *room) watch() {
	for !r.isFull.Load() {
		time.Sleep(pause)
		if _, resident, err := memoryInUse(); err != nil || resident > mostResident {
			debug.SetGCPercent(garbageTarget)
			r.isFull.Store(true)
		}
	}
}

// extend makes up for the address space that an input took; false: there is too little.
func (r *room) extend() bool {
	mapped, _, err := memoryInUse()
	if !r.isKept || err != nil || mapped > mostMapped {
		return false
	}
	wanted := max(mapped, r.mapped) - r.mapped
	if !raiseLimit(int64(wanted) - int64(r.raised)) {
		return false
	}
	r.raised = wanted
	return true
}

func raiseLimit(by int64) bool {
	limit := syscall.Rlimit{}
	if syscall.Getrlimit(syscall.RLIMIT_AS, &limit) != nil {
		return false
	}
	if limit.Cur >= 1<<62 { // there is none
		return true
	}
	limit.Cur += uint64(by)
	return limit.Cur <= limit.Max && syscall.Setrlimit(syscall.RLIMIT_AS, &limit) == nil
}

// memoryInUse returns the bytes that are mapped and that are resident.
func memoryInUse() (mapped, resident uint64, err error) {
	content, err := os.ReadFile("/proc/self/statm")
	if err == nil {
		_, err = fmt.Sscan(string(content), &mapped, &resident)
	}
	page := uint64(os.Getpagesize())
	return mapped * page, resident * page, err
}
