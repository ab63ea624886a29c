package walker

import (
	"reflect"
	"strings"
	"unicode"

	"kafkawire/harness/internal/definition"
)

// align finds the field of a Go struct for each field of a definition; what it does not find is left out.
//
// Fields of the same name, but for case and underscores, are anchors. What lies between two anchors is paired in order:
// as many fields as the types allow, and of those pairings the one with most words in common.
func (w *Walker) align(fields []*definition.Field, candidates []reflect.StructField, aliases map[string]string) map[string]reflect.StructField {
	pairs := map[string]reflect.StructField{}
	wanted, left := w.anchor(fields, candidates, aliases, pairs)
	for i := range wanted {
		for field, candidate := range w.pairInOrder(wanted[i], left[i]) {
			pairs[field] = candidate
		}
	}
	for field, candidate := range w.pairInOrder(unpaired(fields, candidates, pairs)) {
		pairs[field] = candidate // of tagged fields, which libraries have last, wherever the definition has them
	}
	return pairs
}

func unpaired(fields []*definition.Field, candidates []reflect.StructField, pairs map[string]reflect.StructField) (wanted []*definition.Field, left []reflect.StructField) {
	taken := map[string]bool{}
	for _, field := range fields {
		if pair, ok := pairs[field.Name]; ok {
			taken[pair.Name] = true
		} else {
			wanted = append(wanted, field)
		}
	}
	for _, candidate := range candidates {
		if !taken[candidate.Name] {
			left = append(left, candidate)
		}
	}
	return wanted, left
}

// anchor pairs by name, and returns the runs of fields and of candidates that lie between the pairs.
func (w *Walker) anchor(fields []*definition.Field, candidates []reflect.StructField, aliases map[string]string, pairs map[string]reflect.StructField) (wanted [][]*definition.Field, left [][]reflect.StructField) {
	at := map[string]int{}
	for i, candidate := range candidates {
		at[plain(candidate.Name)] = i
	}
	taken := map[int]bool{}
	for _, field := range fields {
		if i, ok := at[named(field, aliases)]; ok && !taken[i] && w.fits(field, candidates[i].Type) {
			pairs[field.Name], taken[i] = candidates[i], true
		}
	}
	next := 0
	var run []*definition.Field
	flush := func(until int) {
		var between []reflect.StructField
		for ; next < until; next++ {
			if !taken[next] {
				between = append(between, candidates[next])
			}
		}
		wanted, left, run = append(wanted, run), append(left, between), nil
	}
	for _, field := range fields {
		pair, ok := pairs[field.Name]
		if !ok {
			run = append(run, field)
		} else if i := at[plain(pair.Name)]; i >= next {
			flush(i)
			next = i + 1
		}
	}
	flush(len(candidates))
	return wanted, left
}

// named is the plain name that a field should have in the library.
func named(field *definition.Field, aliases map[string]string) string {
	if alias, ok := aliases[field.Name]; ok {
		return plain(alias)
	}
	return plain(field.Name)
}

// pairInOrder is a longest common subsequence, weighted by the likeness of the names.
func (w *Walker) pairInOrder(fields []*definition.Field, candidates []reflect.StructField) map[string]reflect.StructField {
	best := make([][]float64, len(fields)+1)
	for i := range best {
		best[i] = make([]float64, len(candidates)+1)
	}
	weight := func(i, j int) float64 {
		if !w.fits(fields[i], candidates[j].Type) {
			return -1
		}
		return 1 + likeness(fields[i].Name, candidates[j].Name)
	}
	for i := len(fields) - 1; i >= 0; i-- {
		for j := len(candidates) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1], weight(i, j)+best[i+1][j+1])
		}
	}
	pairs := map[string]reflect.StructField{}
	for i, j := 0, 0; i < len(fields) && j < len(candidates); {
		switch {
		case best[i][j] == best[i+1][j]:
			i++
		case best[i][j] == best[i][j+1]:
			j++
		default:
			pairs[fields[i].Name] = candidates[j]
			i, j = i+1, j+1
		}
	}
	return pairs
}

// likeness is the share of words that two names have in common.
func likeness(one, other string) float64 {
	first, second := words(one), words(other)
	common := 0
	for word := range first {
		if second[word] {
			common++
		}
	}
	return 2 * float64(common) / float64(len(first)+len(second))
}

// words splits a name at its capitals, without the plural: "TopicIDs" is "topic" and "id".
func words(name string) map[string]bool {
	found := map[string]bool{}
	var word []rune
	add := func() {
		if len(word) > 0 {
			found[strings.TrimSuffix(strings.ToLower(string(word)), "s")] = true
		}
		word = nil
	}
	for _, letter := range name {
		if unicode.IsUpper(letter) && len(word) > 0 && unicode.IsLower(word[len(word)-1]) {
			add()
		}
		word = append(word, letter)
	}
	add()
	return found
}

func plain(name string) string {
	return strings.ToLower(strings.ReplaceAll(name, "_", ""))
}
