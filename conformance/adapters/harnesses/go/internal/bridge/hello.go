package bridge

import (
	"encoding/json"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"kafkawire/harness/internal/definition"
	"kafkawire/harness/internal/walker"
)

// memoryMiB is the address space that an input may take beyond what is mapped at hello: the Go runtime reserves much
// more than it uses. No number of elements up to 2^31 takes nearly as much, so that chance does not decide.
const memoryMiB = 14 << 10

type hello struct {
	Outcome         string                        `json:"outcome"`
	Protocols       []int                         `json:"protocols"`
	Implementation  string                        `json:"implementation"`
	Version         string                        `json:"version"`
	Supports        map[string]map[string][]int16 `json:"supports"`
	Operations      []string                      `json:"operations"`
	Capabilities    []string                      `json:"capabilities"`
	Representations []string                      `json:"representations"`
	Records         map[string]any                `json:"records,omitempty"`
	Hidden          map[string][]string           `json:"hidden,omitempty"`
	Limits          map[string]int                `json:"limits,omitempty"`
	MemoryMiB       int                           `json:"memoryMiB"`
	LockStep        bool                          `json:"lockStep,omitempty"`
	Notes           []walker.Note                 `json:"notes"`
}

func (s *session) hello(request *Request, reply *reply) []byte {
	version, err := need(request.Protocol, "protocol")
	if err == nil && version != protocol {
		line := reply.refuse("protocol-error", fmt.Sprintf("the harness does not speak version %d of the protocol", version))
		return append(line[:len(line)-1], fmt.Sprintf(`,"protocols":[%d]}`, protocol)...)
	}
	folder, other := need(request.Definitions, "definitions")
	if err == nil {
		err = other
	}
	var release *definition.Release
	if err == nil {
		release, err = opened(folder, request.LockStep)
	}
	if err != nil {
		return reply.refuse("protocol-error", err.Error())
	}
	if err := s.library.Walker.Misspelt(release); err != nil {
		return reply.refuse("harness-error", err.Error())
	}
	s.offer, s.definitions, s.lockStep = offerOf(s.library, release), folder, request.LockStep
	if s.lockStep {
		s.room.keep()
	}
	return s.introduced(reply)
}

// opened reads definitions; in lock-step each when it is first asked for, as this program may end any time, and what is
// offered was told before.
func opened(folder string, lockStep bool) (*definition.Release, error) {
	if lockStep {
		return definition.Open(folder)
	}
	return definition.Load(folder)
}

func (s *session) introduced(reply *reply) []byte {
	content := hello{
		Outcome: "hello", Protocols: []int{protocol}, Implementation: s.library.Name, Version: moduleVersion(s.library.Module),
		Supports:     map[string]map[string][]int16{"encode": s.offer.versions(false), "decode": s.offer.versions(true)},
		Operations:   s.operations(),
		Capabilities: s.library.Capabilities, Representations: s.library.Representations, Hidden: s.offer.hidden(s.library.Hidden), Limits: s.library.Limits,
		MemoryMiB: memoryMiB, LockStep: s.lockStep, Notes: append(s.offer.notes, s.library.Notes...),
	}
	if s.library.Records != nil {
		content.Records = s.library.Records.Claims
	}
	line, err := json.Marshal(content)
	if err != nil {
		panic(err)
	}
	id, _, _ := strings.Cut(string(reply.line), `"outcome"`)
	return append([]byte(id), line[1:]...)
}

func (s *session) operations() []string {
	offered := []string{"hello", "encode", "decode", "describe"}
	for _, codecs := range s.offer.codecs {
		if slices.ContainsFunc(slices.Collect(maps.Values(codecs)), func(codec *Codec) bool { return codec.Prefixed }) {
			offered = append(offered, "encode-prefixed", "decode-prefixed")
			break
		}
	}
	if frames := s.library.Frames; frames != nil {
		offered = append(offered, "encode-frame")
		if frames.Read != nil {
			offered = append(offered, "decode-frame")
		}
	}
	if records := s.library.Records; records != nil {
		offered = append(offered, "encode-records", "decode-records")
	}
	return offered
}

func (o *offer) versions(reads bool) map[string][]int16 {
	all := map[string][]int16{}
	for name, codecs := range o.codecs {
		for version, codec := range codecs {
			if !reads || codec.Read != nil {
				all[name] = append(all[name], version)
			}
		}
		slices.Sort(all[name])
	}
	return all
}

// note tells the fields that the library does not have; how many have other names, which the operation describe lists.
func (o *offer) note() {
	renamed := 0
	for _, message := range slices.Sorted(maps.Keys(o.names)) {
		var unknown []string
		for _, path := range slices.Sorted(maps.Keys(o.names[message])) {
			if o.names[message][path] == "" {
				unknown = append(unknown, path)
			} else {
				renamed++
			}
		}
		if len(unknown) > 0 {
			o.notes = append(o.notes, walker.Note{Message: message, Note: "not known: " + strings.Join(unknown, ", ")})
		}
	}
	if renamed > 0 {
		text := fmt.Sprintf("%d fields have other names in the library: `kafka-conformance schema --impl` lists them", renamed)
		o.notes = append(o.notes, walker.Note{Message: "all", Note: text})
	}
}

// moduleVersion is the version with which this program was built.
func moduleVersion(path string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == path {
				return strings.TrimPrefix(module.Version, "v")
			}
		}
	}
	return "unknown"
}
