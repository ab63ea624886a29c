package bridge

import (
	"encoding/hex"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"kafkawire/harness/internal/records"
)

type operation func(*session, *Request, *reply) ([]byte, error)

var operations = map[string]operation{
	"encode":          (*session).encode,
	"decode":          (*session).decode,
	"encode-prefixed": (*session).encodePrefixed,
	"decode-prefixed": (*session).decodePrefixed,
	"encode-frame":    (*session).encodeFrame,
	"decode-frame":    (*session).decodeFrame,
	"encode-records":  (*session).encodeRecords,
	"decode-records":  (*session).decodeRecords,
	"describe":        (*session).describe,
}

func (s *session) codec(request *Request) (*Codec, error) {
	message, problem := need(request.Message, "message")
	version, other := need(request.Version, "version")
	if err := errors.Join(problem, other); err != nil {
		return nil, err
	}
	return s.codecOf(message, version)
}

func (s *session) codecOf(message string, version int16) (*Codec, error) {
	codec := s.offer.codec(s.library, message, version)
	if codec == nil {
		return nil, Unsupported(s.library.Name + " has no " + message + " of version " + strconv.Itoa(int(version)))
	}
	return codec, nil
}

// written returns what the library writes for the value of a request.
func (s *session) written(codec *Codec, value any) (wire []byte, err error) {
	pointer := codec.plan.New()
	if err := codec.plan.Set(pointer, value); err != nil {
		return nil, err
	}
	return wire, guard(len(wire), func() (err error) {
		wire, err = codec.Write(pointer)
		return err
	})
}

// read returns what the library reads.
func (s *session) read(codec *Codec, wire []byte) (pointer reflect.Value, consumed int, err error) {
	if codec.Read == nil {
		return pointer, NotCounted, Unsupported(s.library.Name + " does not read this message")
	}
	err = guard(len(wire), func() (err error) {
		pointer, consumed, err = codec.Read(wire)
		return err
	})
	return pointer, consumed, err
}

func (s *session) encode(request *Request, reply *reply) ([]byte, error) {
	codec, err := s.codec(request)
	if err != nil {
		return nil, err
	}
	wire, err := s.written(codec, request.Value)
	if err != nil {
		return nil, err
	}
	if codec.Prefixed {
		wire = wire[2:]
	}
	return reply.wire(wire), nil
}

func (s *session) decode(request *Request, reply *reply) ([]byte, error) {
	codec, err := s.codec(request)
	if err != nil {
		return nil, err
	}
	wire, err := wireOf(request)
	if err != nil {
		return nil, err
	}
	if codec.Prefixed {
		wire = append(codec.prefix(), wire...)
	}
	pointer, consumed, err := s.read(codec, wire)
	if err != nil {
		return nil, err
	}
	return end(reply.shown(codec.plan, pointer, len(wire)), consumed), nil
}

// prefix is what a struct as it is made says of itself.
func (c *Codec) prefix() []byte {
	wire, err := c.Write(c.plan.New())
	if err != nil {
		panic(err)
	}
	return wire[:2:2]
}

func (s *session) encodePrefixed(request *Request, reply *reply) ([]byte, error) {
	codec, err := s.prefixed(request)
	if err != nil {
		return nil, err
	}
	wire, err := s.written(codec, request.Value)
	if err != nil {
		return nil, err
	}
	return reply.wire(wire), nil
}

func (s *session) prefixed(request *Request) (*Codec, error) {
	codec, err := s.codec(request)
	if err == nil && !codec.Prefixed {
		return nil, Unsupported(s.library.Name + " writes no version before this message")
	}
	return codec, err
}

// decodePrefixed reads in the version that the bytes have; the prefix of a key is its type, so its version is the only one.
func (s *session) decodePrefixed(request *Request, reply *reply) ([]byte, error) {
	name, err := need(request.Message, "message")
	if err != nil {
		return nil, err
	}
	wire, err := wireOf(request)
	if err != nil {
		return nil, err
	}
	version, codec, err := s.stated(name, wire)
	if err != nil {
		return nil, err
	}
	pointer, _, err := s.read(codec, wire)
	if err != nil {
		return nil, err
	}
	line := reply.shown(codec.plan, pointer, len(wire))
	line = append(append(line, `,"message":`...), strconv.Quote(name)...)
	return append(strconv.AppendInt(append(line, `,"version":`...), int64(version), 10), '}'), nil
}

func (s *session) stated(name string, wire []byte) (int16, *Codec, error) {
	for version, codec := range s.offer.codecs[name] {
		if codec.Prefixed && strings.HasPrefix(string(wire), string(codec.prefix())) {
			return version, codec, nil
		}
	}
	return 0, nil, Unsupported(s.library.Name + " is asked to read the versions of the definition only, which it has")
}

func wireOf(request *Request) ([]byte, error) {
	digits, err := need(request.Wire, "wire")
	if err != nil {
		return nil, err
	}
	wire, err := hex.DecodeString(digits)
	if err != nil {
		return nil, ProtocolError(`"wire" is not hex: ` + err.Error())
	}
	return wire, nil
}

func (s *session) encodeRecords(request *Request, reply *reply) ([]byte, error) {
	if s.library.Records == nil {
		return nil, Unsupported(s.library.Name + " has no record batches")
	}
	field, err := records.Parse(request.Value)
	if err != nil {
		return nil, err
	}
	var wire []byte
	err = guard(0, func() (err error) {
		wire, err = s.library.Records.Encode(field)
		return err
	})
	if err != nil {
		return nil, err
	}
	return reply.wire(wire), nil
}

func (s *session) decodeRecords(request *Request, reply *reply) ([]byte, error) {
	if s.library.Records == nil {
		return nil, Unsupported(s.library.Name + " has no record batches")
	}
	wire, err := wireOf(request)
	if err != nil {
		return nil, err
	}
	var delivered []records.Delivered
	err = guard(len(wire), func() (err error) {
		delivered, err = s.library.Records.Decode(wire)
		return err
	})
	if err != nil {
		return nil, err
	}
	return append(records.Append(reply.begin(), delivered), '}'), nil
}
