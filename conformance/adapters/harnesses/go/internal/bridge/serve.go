// Package bridge answers the requests of the bridge protocol: one line of JSON each, and one line for each reply.
package bridge

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
)

const (
	protocol   = 1
	bufferSize = 1 << 16
)

// Serve answers requests until the input ends. Replies are held back only while further requests are at hand, and not at
// all in lock-step: the request on which this program ends is then the one without a reply.
func Serve(library *Library, requests io.Reader, replies io.Writer) error {
	return (&session{library: library}).serve(requests, replies)
}

func (s *session) serve(requests io.Reader, replies io.Writer) error {
	in, out := bufio.NewReaderSize(requests, bufferSize), bufio.NewWriterSize(replies, bufferSize)
	for {
		if in.Buffered() == 0 || s.lockStep {
			if err := out.Flush(); err != nil {
				return err
			}
		}
		if s.lockStep && s.isWorn() {
			s.renew(in)
		}
		line, err := in.ReadBytes('\n') // a new slice each: libraries keep slices of their input
		if len(bytes.TrimSpace(line)) > 0 {
			if _, err := out.Write(append(s.answer(line), '\n')); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return out.Flush()
		}
		if err != nil {
			return err
		}
	}
}

// A Request is one line. Pointers are nil where a key is not there.
type Request struct {
	ID            *json.Number
	Op            *string
	Protocol      *int
	Definitions   *string
	LockStep      bool
	Message       *string
	Version       *int16
	Wire          *string
	Direction     *string
	APIKey        *int16
	CorrelationID *int32
	ClientID      any
	HeaderTags    []any
	Value         any
}

func parse(line []byte) (*Request, error) {
	if request, ok := parseDecoding(line); ok {
		return request, nil
	}
	request := &Request{}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.UseNumber()
	err := decoder.Decode(request)
	return request, err
}

type session struct {
	library     *Library
	offer       *offer
	definitions string // the folder that hello named
	lockStep    bool   // each reply is written before the next request is taken up
	tookMuch    bool   // an input has taken memory out of proportion since the room was last seen to
	room        room
}

// isWorn returns whether the next input may meet less memory than the first one.
func (s *session) isWorn() bool {
	isShort := s.tookMuch && !s.room.extend()
	s.tookMuch = false
	return isShort || s.room.isFull.Load()
}

func (s *session) answer(line []byte) []byte {
	request, err := parse(line)
	reply := newReply(request.ID)
	if err != nil {
		return reply.refuse("protocol-error", "the line is no request: "+err.Error())
	}
	if request.ID == nil || request.Op == nil {
		return reply.refuse("protocol-error", "a request has an id and an op")
	}
	return s.perform(*request.Op, request, reply)
}

func (s *session) perform(op string, request *Request, reply *reply) []byte {
	if op == "hello" {
		return s.hello(request, reply)
	}
	perform, ok := operations[op]
	if !ok {
		return reply.refuse("unsupported", "the harness has no operation "+strconv.Quote(op))
	}
	if s.offer == nil {
		return reply.refuse("protocol-error", "the first request is hello")
	}
	return s.performed(perform, request, reply)
}

// performed answers, and takes a panic for a mistake of this program: guard has those of the library.
func (s *session) performed(perform operation, request *Request, reply *reply) (answer []byte) {
	defer func() {
		if cause := recover(); cause != nil {
			answer = reply.refuse("harness-error", fmt.Sprintf("panic: %v, in %s", cause, place()))
		}
	}()
	answer, err := perform(s, request, reply)
	if err != nil {
		var crash *crashed
		s.tookMuch = errors.As(err, &crash) && crash.outcome == exhausted
		return reply.failure(err)
	}
	return answer
}

// need returns what a key has.
func need[T any](pointer *T, key string) (T, error) {
	if pointer == nil {
		var none T
		return none, ProtocolError("the request has no " + strconv.Quote(key))
	}
	return *pointer, nil
}

// A ProtocolError is a request that is not of the protocol.
type ProtocolError string

func (p ProtocolError) Error() string { return string(p) }
