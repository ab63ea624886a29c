package walker

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
)

// An Unrepresentable error is a value that the Go type cannot hold.
type Unrepresentable struct{ Path, Reason string }

func (u *Unrepresentable) Error() string {
	if u.Path == "" {
		return u.Reason
	}
	return u.Path + ": " + u.Reason
}

// A NotJSON error is a value that is not of the JSON form of its type.
type NotJSON struct{ Path, Reason string }

func (n *NotJSON) Error() string { return n.Path + ": " + n.Reason }

// Under adds what holds a value to the path of an error about it.
func Under(err error, place string) error {
	var cannot *Unrepresentable
	var wrong *NotJSON
	switch {
	case errors.As(err, &cannot):
		cannot.Path = prefixed(place, cannot.Path)
	case errors.As(err, &wrong):
		wrong.Path = prefixed(place, wrong.Path)
	}
	return err
}

func prefixed(place, path string) string {
	if path == "" || path[0] == '[' {
		return place + path
	}
	return place + "." + path
}

// member is a field of a definition, and where the struct has it; -1: nowhere.
type member struct {
	name    string
	key     []byte // as JSON, with the colon
	index   int
	convert converter
}

func newMember(name string, index int, convert converter) member {
	return member{name, []byte(strconv.Quote(name) + ":"), index, convert}
}

type structure struct {
	members []member
	others  []member // of other versions
	byName  map[string]*member
	tags    int // -1: the struct has no unknown tagged fields
	walker  *Walker
}

func (s *structure) indexed() *structure {
	s.byName = map[string]*member{}
	for i := range s.members {
		s.byName[s.members[i].name] = &s.members[i]
	}
	for i := range s.others {
		s.byName[s.others[i].name] = &s.others[i]
	}
	return s
}

func (s *structure) set(target reflect.Value, value any) error {
	object, ok := value.(map[string]any)
	if !ok {
		return notObject(value)
	}
	for name, content := range object {
		if name == "_tags" {
			if err := s.setTags(target, content); err != nil {
				return Under(err, name)
			}
			continue
		}
		found, ok := s.byName[name]
		if !ok {
			return &Unrepresentable{name, "the struct has no such field"}
		}
		if err := found.convert.set(found.of(target), content); err != nil {
			return Under(err, name)
		}
	}
	return nil
}

func notObject(value any) error {
	if value == nil {
		return &Unrepresentable{"", "null for a struct that is no pointer"}
	}
	return &NotJSON{"", fmt.Sprintf("%T is no object", value)}
}

func (m *member) of(target reflect.Value) reflect.Value {
	if m.index < 0 {
		return reflect.Value{}
	}
	return target.Field(m.index)
}

func (s *structure) setTags(target reflect.Value, value any) error {
	pairs, ok := value.([]any)
	if ok && len(pairs) == 0 {
		return nil
	}
	if s.tags < 0 {
		return &Unrepresentable{"", "the struct has no unknown tagged fields"}
	}
	seen := map[uint32]bool{}
	for _, pair := range pairs {
		tag, data, err := tagOf(pair)
		if err != nil {
			return err
		}
		if seen[tag] {
			return &Unrepresentable{"", "a tag occurs twice"}
		}
		seen[tag] = true
		if err := s.walker.Tags.Set(target.Field(s.tags), tag, data); err != nil {
			return err
		}
	}
	return nil
}

func (s *structure) show(out []byte, source reflect.Value) []byte {
	out = append(out, '{')
	for i := range s.members {
		found := &s.members[i]
		out = append(out, found.key...)
		out = found.convert.show(out, found.of(source))
		out = append(out, ',')
	}
	if s.tags >= 0 {
		out = s.showTags(out, source.Field(s.tags))
	}
	if out[len(out)-1] == ',' {
		out = out[:len(out)-1]
	}
	return append(out, '}')
}

func (s *structure) showTags(out []byte, tags reflect.Value) []byte {
	before := len(out)
	s.walker.Tags.Each(tags, func(tag uint32, data []byte) {
		if len(out) == before {
			out = append(out, `"_tags":[`...)
		}
		out = append(strconv.AppendUint(append(out, '['), uint64(tag), 10), ',')
		out = append(appendHex(out, data), ']', ',')
	})
	if len(out) > before {
		out[len(out)-1] = ']'
	}
	return out
}

// within is a struct in a struct that the definition does not have.
type within struct {
	index int
	inner converter
}

func (w *within) set(target reflect.Value, value any) error {
	return w.inner.set(target.Field(w.index), value)
}

func (w *within) show(out []byte, source reflect.Value) []byte {
	return w.inner.show(out, source.Field(w.index))
}

// bare is the only field of a struct that the library does not have.
type bare struct {
	name  string
	inner converter
}

func (b *bare) set(target reflect.Value, value any) error {
	object, ok := value.(map[string]any)
	if !ok {
		return notObject(value)
	}
	for name, content := range object {
		if name != b.name {
			return &Unrepresentable{name, "the library has " + b.name + " in place of the struct"}
		}
		if err := b.inner.set(target, content); err != nil {
			return Under(err, name)
		}
	}
	return nil
}

func (b *bare) show(out []byte, source reflect.Value) []byte {
	out = append(out, '{')
	out = append(out, strconv.Quote(b.name)+":"...)
	return append(b.inner.show(out, source), '}')
}
