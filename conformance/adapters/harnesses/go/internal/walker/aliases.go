package walker

import (
	"fmt"
	"maps"
	"slices"

	"kafkawire/harness/internal/definition"
)

// Misspelt returns an error about an alias whose message or field is spelt in another way in the definitions; nil: there
// is none. A name that they do not have in any way may be one of another release.
func (w *Walker) Misspelt(release *definition.Release) error {
	messages := release.Names()
	for _, name := range slices.Sorted(maps.Keys(w.Aliases)) {
		message := release.Message(name)
		if message == nil {
			if meant := respelt(name, messages); meant != "" {
				return fmt.Errorf("Aliases: there is no message %s; did you mean %s?", name, meant)
			}
			continue
		}
		known := namesOf(message, message.Fields)
		for _, field := range slices.Sorted(maps.Keys(w.Aliases[name])) {
			if meant := respelt(field, known); meant != "" && !slices.Contains(known, field) {
				return fmt.Errorf("Aliases of %s: %s, which is no field of it; did you mean %s?", name, field, meant)
			}
		}
	}
	return nil
}

func namesOf(message *definition.Message, fields []*definition.Field) (names []string) {
	for _, field := range fields {
		names = append(names, field.Name)
		if field.IsStruct() {
			names = append(names, namesOf(message, message.FieldsOf(field))...)
		}
	}
	return names
}

func respelt(name string, known []string) string {
	for _, each := range known {
		if plain(each) == plain(name) {
			return each
		}
	}
	return ""
}
