//go:build !unix

package bridge

import (
	"bufio"
	"io"
	"sync/atomic"
)

func limitMemory() {}

func shortTraces() {}

type room struct{ isFull atomic.Bool }

func (*room) keep() {}

func (*room) extend() bool { return true }

func (*session) renew(*bufio.Reader) {}

func (s *session) resume(io.Reader) (io.Reader, error) { return nil, nil }
