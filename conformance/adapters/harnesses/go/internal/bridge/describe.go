package bridge

import (
	"encoding/json"
	"maps"
	"slices"

	"kafkawire/harness/internal/definition"
	"kafkawire/harness/internal/walker"
)

type described struct {
	Versions         string              `json:"versions"`
	FlexibleVersions string              `json:"flexibleVersions,omitempty"`
	Fields           []*walker.Described `json:"fields,omitempty"`
}

// describe tells the messages of the library as it has them.
func (s *session) describe(_ *Request, reply *reply) ([]byte, error) {
	if s.offer.release.IsLazy() {
		release, err := definition.Load(s.definitions)
		if err != nil {
			return nil, err
		}
		s.offer = offerOf(s.library, release)
	}
	messages := map[string]described{}
	for name, codecs := range s.offer.codecs {
		versions := slices.Sorted(maps.Keys(codecs))
		plans := map[int16]*walker.Plan{}
		for version, codec := range codecs {
			plans[version] = codec.plan
		}
		last := versions[len(versions)-1]
		messages[name] = described{
			Versions:         walker.Range(versions[0], last),
			FlexibleVersions: flexible(codecs, versions),
			Fields:           s.library.Walker.Describe(s.offer.release.Message(name), versions, plans),
		}
	}
	value, err := json.Marshal(messages)
	return append(append(reply.begin(), value...), '}'), err
}

// flexible is the range of the flexible versions, which has no end; nothing, if the library does not say.
func flexible(codecs map[int16]*Codec, versions []int16) string {
	for _, version := range versions {
		if codecs[version].Flexible == nil {
			return ""
		}
		if *codecs[version].Flexible {
			return walker.Range(version, version) + "+"
		}
	}
	return "none"
}

// hidden are the fields that the library drops when it reads, with their versions, by message.
func (o *offer) hidden(declared map[string][]string) map[string][]string {
	hidden := map[string][]string{}
	for name, paths := range declared {
		hidden[name] = slices.Clone(paths)
	}
	for name, codecs := range o.codecs {
		first, last := map[string]int16{}, map[string]int16{}
		for _, version := range slices.Sorted(maps.Keys(codecs)) {
			for path, own := range codecs[version].plan.Renamed {
				if _, ok := first[path]; own == "" && !ok {
					first[path] = version
				}
				if own == "" {
					last[path] = version
				}
			}
		}
		for _, path := range slices.Sorted(maps.Keys(first)) {
			hidden[name] = append(hidden[name], path+":"+walker.Range(first[path], last[path]))
		}
	}
	return hidden
}
