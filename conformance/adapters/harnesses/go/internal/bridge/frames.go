package bridge

import (
	"errors"
	"reflect"
	"strconv"

	"kafkawire/harness/internal/walker"
)

func (s *session) frame(request *Request) (Frame, *Codec, error) {
	direction, first := need(request.Direction, "direction")
	key, second := need(request.APIKey, "apiKey")
	version, third := need(request.Version, "version")
	if err := errors.Join(first, second, third); err != nil {
		return Frame{}, nil, err
	}
	frame := Frame{Direction: direction, APIKey: key, Version: version}
	message := s.offer.release.API(direction, key)
	if s.library.Frames == nil || message == nil {
		return frame, nil, Unsupported(s.library.Name + " has no such frames")
	}
	codec, err := s.codecOf(message.Name, version)
	return frame, codec, err
}

func (s *session) encodeFrame(request *Request, reply *reply) ([]byte, error) {
	frame, codec, err := s.frame(request)
	if err != nil {
		return nil, err
	}
	if frame.CorrelationID, err = need(request.CorrelationID, "correlationId"); err != nil {
		return nil, err
	}
	if request.ClientID != nil {
		client, err := walker.String(request.ClientID)
		if err != nil {
			return nil, err
		}
		frame.ClientID = &client
	}
	if len(request.HeaderTags) > 0 {
		return nil, Unsupported("tagged fields of headers: the library writes none")
	}
	pointer := codec.plan.New()
	if err := codec.plan.Set(pointer, request.Value); err != nil {
		return nil, err
	}
	var wire []byte
	err = guard(0, func() (err error) {
		wire, err = s.library.Frames.Write(frame, pointer)
		return err
	})
	if err != nil {
		return nil, err
	}
	return reply.wire(wire), nil
}

func (s *session) decodeFrame(request *Request, reply *reply) ([]byte, error) {
	frame, codec, err := s.frame(request)
	if err != nil {
		return nil, err
	}
	wire, err := wireOf(request)
	if err != nil {
		return nil, err
	}
	if s.library.Frames.Read == nil {
		return nil, Unsupported(s.library.Name + " reads frames only from a connection")
	}
	var pointer reflect.Value
	err = guard(len(wire), func() (err error) {
		frame, pointer, err = s.library.Frames.Read(frame, wire)
		return err
	})
	if err != nil {
		return nil, err
	}
	return framed(reply.shown(codec.plan, pointer, len(wire)), frame), nil
}

func framed(line []byte, frame Frame) []byte {
	line = strconv.AppendInt(append(line, `,"correlationId":`...), int64(frame.CorrelationID), 10)
	line = append(line, `,"clientId":`...)
	if frame.ClientID == nil {
		line = append(line, "null"...)
	} else {
		line = walker.AppendString(line, *frame.ClientID)
	}
	line = append(line, `,"headerTags":null`...)
	return end(line, frame.Consumed)
}
