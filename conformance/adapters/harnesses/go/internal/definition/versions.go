package definition

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Versions is a range, both ends included. The zero value is no version.
type Versions struct {
	first, last int16
	some        bool
}

// Contain says whether a version is in the range.
func (v Versions) Contain(version int16) bool {
	return v.some && v.first <= version && version <= v.last
}

// All returns the versions of a range that has an end.
func (v Versions) All() []int16 {
	var versions []int16
	for version := v.first; v.some && version <= v.last; version++ {
		versions = append(versions, version)
	}
	return versions
}

// UnmarshalJSON reads "0-3", "4+", "2" and "none".
func (v *Versions) UnmarshalJSON(data []byte) error {
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return err
	}
	if text == "none" || text == "" {
		return nil
	}
	first, last, isRange := strings.Cut(text, "-")
	switch {
	case strings.HasSuffix(text, "+"):
		first, last = strings.TrimSuffix(text, "+"), strconv.Itoa(math.MaxInt16)
	case !isRange:
		last = first
	}
	low, err := strconv.ParseInt(first, 10, 16)
	if err != nil {
		return fmt.Errorf("versions %q: %w", text, err)
	}
	high, err := strconv.ParseInt(last, 10, 16)
	if err != nil {
		return fmt.Errorf("versions %q: %w", text, err)
	}
	*v = Versions{int16(low), int16(high), true}
	return nil
}
