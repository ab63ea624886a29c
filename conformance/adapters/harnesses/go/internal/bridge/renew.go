//go:build unix

package bridge

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"

	"kafkawire/harness/internal/definition"
)

// resumption names the environment variable in which a program that renews itself leaves the file descriptor of what it
// has read and not answered, the bytes by which it raised the limit of address space, and the folder of the definitions.
const resumption = "KAFKA_WIRE_RESUME"

// secondsToHandOver is the time that a pipe gets to take what is unread: it holds it, unless pipes are small here.
const secondsToHandOver = 0.1

// renew runs this program anew in this process, with the same input and output. Where it fails, this run goes on.
func (s *session) renew(input *bufio.Reader) {
	path, err := os.Executable()
	if err != nil {
		return
	}
	unread, _ := input.Peek(input.Buffered())
	descriptor, err := handOver(unread)
	if err != nil {
		return
	}
	_ = os.Setenv(resumption, fmt.Sprintf("%d:%d:%s", descriptor, s.room.raised, s.definitions))
	_ = syscall.Exec(path, os.Args, os.Environ())
	_ = syscall.Close(descriptor)
}

// handOver returns a file descriptor to read bytes from, which stays open over the end of this program.
func handOver(content []byte) (int, error) {
	reader, writer, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer reader.Close()
	defer writer.Close()
	if err := writer.SetWriteDeadline(time.Now().Add(secondsToHandOver * 1e9)); err != nil {
		return 0, err
	}
	if _, err := writer.Write(content); err != nil {
		return 0, err
	}
	return syscall.Dup(int(reader.Fd()))
}

// resume takes up what a run before this one has left, and returns the input; nil if there was no such run.
func (s *session) resume(input io.Reader) (io.Reader, error) {
	left, isResumed := os.LookupEnv(resumption)
	if !isResumed {
		return nil, nil
	}
	descriptor, raised := 0, int64(0)
	parts := strings.SplitN(left, ":", 3)
	if len(parts) != 3 {
		return nil, fmt.Errorf("%s is no descriptor, bytes and folder: %q", resumption, left)
	}
	if _, err := fmt.Sscan(parts[0]+" "+parts[1], &descriptor, &raised); err != nil {
		return nil, err
	}
	raiseLimit(-raised)
	file := os.NewFile(uintptr(descriptor), "unread")
	defer file.Close()
	unread, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	release, err := definition.Open(parts[2])
	s.offer, s.definitions, s.lockStep = offerOf(s.library, release), parts[2], true
	s.room.keep()
	return io.MultiReader(bytes.NewReader(unread), input), err
}
