package records

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"kafkawire/harness/internal/walker"
)

// An object reads its members by the form of each; the first that is not of its form is the error of all.
type object struct {
	members map[string]any
	err     error
}

func objectOf(form any) (*object, error) {
	if form == nil {
		return nil, &walker.Unrepresentable{Reason: "null for a struct that is no pointer"}
	}
	members, ok := form.(map[string]any)
	if !ok {
		return nil, &walker.NotJSON{Reason: fmt.Sprintf("%T is no object", form)}
	}
	return &object{members: members}, nil
}

func (o *object) fail(err error) {
	if o.err == nil {
		o.err = err
	}
}

// present returns a member that has to be there, and may not be null.
func (o *object) present(name string) any {
	form := o.members[name]
	if form == nil {
		o.fail(&walker.Unrepresentable{Path: name, Reason: "no field of a struct is null or left out"})
	}
	return form
}

func (o *object) not(name, form string) {
	if o.members[name] != nil {
		o.fail(&walker.NotJSON{Path: name, Reason: fmt.Sprintf("%v is not %s", o.members[name], form)})
	}
}

func (o *object) integer(name string, bits int) int64 {
	digits, ok := o.present(name).(json.Number)
	if !ok {
		o.not(name, "a number")
		return 0
	}
	return o.number(name, digits.String(), bits)
}

func (o *object) int64(name string) int64 {
	digits, ok := o.present(name).(string)
	if !ok {
		o.not(name, "decimal text")
		return 0
	}
	return o.number(name, digits, 64)
}

func (o *object) number(name, digits string, bits int) int64 {
	number, err := strconv.ParseInt(digits, 10, bits)
	if err != nil {
		o.fail(&walker.Unrepresentable{Path: name, Reason: fmt.Sprintf("%s does not fit into int%d", digits, bits)})
	}
	return number
}

func (o *object) flag(name string) bool {
	flag, ok := o.present(name).(bool)
	if !ok {
		o.not(name, "true or false")
	}
	return flag
}

func (o *object) oneOf(name string, words ...string) int {
	word, ok := o.present(name).(string)
	if !ok {
		o.not(name, "text")
		return 0
	}
	index := slices.Index(words, word)
	if index < 0 {
		o.fail(&walker.Unrepresentable{Path: name, Reason: fmt.Sprintf("there is no %q", word)})
		return 0
	}
	return index
}

func (o *object) codec() int { return o.oneOf("compression", Codecs...) }

func (o *object) list(name string) []any {
	list, ok := o.present(name).([]any)
	if !ok {
		o.not(name, "an array")
	}
	return list
}

// bytes is nil for null.
func (o *object) bytes(name string) []byte {
	form, ok := o.members[name]
	if !ok {
		o.fail(&walker.Unrepresentable{Path: name, Reason: "no field of a struct is left out"})
	}
	if form == nil {
		return nil
	}
	data, err := walker.Bytes(form)
	if err != nil {
		o.fail(walker.Under(err, name))
	}
	return data
}

// parseHeader reads a pair; a key may be bytes that are no UTF-8.
func parseHeader(form any) (Header, error) {
	pair, ok := form.([]any)
	if !ok || len(pair) != 2 {
		return Header{}, &walker.NotJSON{Reason: fmt.Sprintf("%v is no pair", form)}
	}
	key := pair[0]
	if object, ok := key.(map[string]any); ok && object["hex"] != nil {
		key = map[string]any{"utf8": object["hex"]}
	}
	text, err := walker.String(key)
	if err != nil {
		return Header{}, err
	}
	value := object{members: map[string]any{"value": pair[1]}}
	return Header{text, value.bytes("value")}, value.err
}

func place(list string, index int) string { return list + "[" + strconv.Itoa(index) + "]" }
