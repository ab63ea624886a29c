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
// has read and not answered, and the folder of the definitions.
const resumption = "KAFKA_WIRE_RESUME"

// secondsToHandOver is the time that a pipe gets to take what is unread: it holds it, unless pipes are small here.
const secondsToHandOver = 0.1

// renew runs this program anew in this process, with the same input and output. Go never gives address space back, and
// fills what it uses a second time with zeros: whether an input is too much must not depend on those before it. Where it
// fails, this run goes on.
func renew(input *bufio.Reader, definitions string) {
	path, err := os.Executable()
	if err != nil {
		return
	}
	unread, _ := input.Peek(input.Buffered())
	descriptor, err := handOver(unread)
	if err != nil {
		return
	}
	_ = os.Setenv(resumption, fmt.Sprintf("%d:%s", descriptor, definitions))
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
	descriptor := 0
	number, folder, _ := strings.Cut(left, ":")
	if _, err := fmt.Sscan(number, &descriptor); err != nil {
		return nil, err
	}
	file := os.NewFile(uintptr(descriptor), "unread")
	defer file.Close()
	unread, err := io.ReadAll(file)
	if err != nil {
		return nil, err
	}
	release, err := definition.Open(folder)
	s.offer, s.definitions, s.lockStep = offerOf(s.library, release), folder, true
	return io.MultiReader(bytes.NewReader(unread), input), err
}
