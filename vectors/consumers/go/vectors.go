package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// File is one file of vectors: all of one message.
type File struct {
	Message string
	Kind    string // "request", "response", "header", "data", ...
	APIKey  *int16 // nil where a message has none
	Groups  []struct {
		Version int16
		Vectors []*Vector
	}
}

// Vector is one line of a file. The upper half is what the file says, the lower half where it stood.
type Vector struct {
	ID        string
	Result    string // "valid", "invalid" or "unspecified"
	Wire      string // hex
	Flags     []string
	Value     any                               // of valid bytes
	Given     any                               // at times a value with fields of other versions, which is written as Wire too
	Canonical string                            // what a writer writes for Value, if that is not Wire
	Observed  map[string]struct{ Accepts bool } // of unspecified bytes: what Apache Kafka did

	Name    string `json:"-"` // the whole id: "4.3.0/messages/FetchRequest/v17/unknown-tag-9999"
	File    *File  `json:"-"`
	Version int16  `json:"-"`
}

// folders are those that hold vectors, below the root; a release has a folder of its own.
var folders = []string{"primitives", "*/headers", "*/messages", "*/frames"}

// load reads every vector below root, in the order of the files' names and of their lines.
func load(root string) ([]*Vector, error) {
	var vectors []*Vector
	for _, folder := range folders {
		paths, err := filepath.Glob(filepath.Join(root, folder, "*.json"))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			read, err := loadFile(root, path)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			vectors = append(vectors, read...)
		}
	}
	if len(vectors) == 0 {
		return nil, fmt.Errorf("no vectors in %s: name the folder that has index.json", root)
	}
	return vectors, nil
}

func loadFile(root, path string) ([]*Vector, error) {
	text, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer text.Close()
	decoder := json.NewDecoder(text)
	decoder.UseNumber() // a float64 would do for numbers of 32 bits, but json.Number says so
	file := new(File)
	if err := decoder.Decode(file); err != nil {
		return nil, err
	}
	relative, err := filepath.Rel(root, path)
	if err != nil {
		return nil, err
	}
	var vectors []*Vector
	for _, group := range file.Groups {
		for _, vector := range group.Vectors {
			vector.File, vector.Version = file, group.Version
			name := strings.TrimSuffix(filepath.ToSlash(relative), ".json")
			vector.Name = fmt.Sprintf("%s/v%d/%s", name, group.Version, vector.ID)
			vectors = append(vectors, vector)
		}
	}
	return vectors, nil
}

// family is what vectors have in common that break the same kind of place of different messages in the same way: the end
// of the id, as in "tag-section-varint-huge".
func (v *Vector) family() string {
	words := strings.Split(v.ID, "-")
	return strings.Join(words[max(0, len(words)-4):], "-")
}
