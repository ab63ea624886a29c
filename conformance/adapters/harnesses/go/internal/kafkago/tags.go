package kafkago

import (
	"reflect"
	"strconv"
	"strings"
)

// option returns the part of a struct tag that is about a version: "min=v0,max=v1,nullable|min=v2,max=v3,compact".
func option(field reflect.StructField, version int16) ([]string, bool) {
	for _, part := range strings.Split(field.Tag.Get("kafka"), "|") {
		words := strings.Split(part, ",")
		first, last := bound(words, "min=v"), bound(words, "max=v")
		if first >= 0 && first <= int(version) && int(version) <= last {
			return words, true
		}
	}
	return nil, false
}

func bound(words []string, prefix string) int {
	for _, word := range words {
		if digits, ok := strings.CutPrefix(word, prefix); ok {
			if number, err := strconv.Atoi(digits); err == nil {
				return number
			}
		}
	}
	return -1
}

func has(field reflect.StructField, version int16) bool {
	_, ok := option(field, version)
	return ok
}

func isNullable(field reflect.StructField, version int16) bool {
	words, _ := option(field, version)
	for _, word := range words {
		if word == "nullable" {
			return true
		}
	}
	return false
}

// tagOf is the number of a tagged field; "tag" alone marks the section.
func tagOf(field reflect.StructField, version int16) (int, bool) {
	words, _ := option(field, version)
	tag := bound(words, "tag=")
	return tag, tag >= 0
}

// isFlexible finds the lowest version of which a tag says "tag", as the library does: all from there on are flexible.
func isFlexible(structure reflect.Type, version int16) bool {
	for i := range structure.NumField() {
		for _, part := range strings.Split(structure.Field(i).Tag.Get("kafka"), "|") {
			words := strings.Split(part, ",")
			for _, word := range words {
				if (word == "tag" || strings.HasPrefix(word, "tag=")) && bound(words, "min=v") <= int(version) {
					return true
				}
			}
		}
	}
	return false
}
