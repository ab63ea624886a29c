package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

const (
	few    = 3  // ids of each group, unless all are asked for
	groups = 12 // groups of each kind, likewise
)

// findings are the names of vectors by what went wrong, then by flag.
type findings map[string]map[string][]string

// report prints what came of the vectors and returns how many the codec fails. A vector is shown under each of its flags.
func report(vectors []*Vector, outcomes []Outcome, all bool) (failed int) {
	results := map[string]map[string]int{}
	found, lacking := findings{}, findings{}
	alike := 0
	for i, vector := range vectors {
		outcome := outcomes[i]
		if results[vector.Result] == nil {
			results[vector.Result] = map[string]int{}
		}
		results[vector.Result][outcome.Kind]++
		switch outcome.Kind {
		case passed:
		case accepts, rejects:
			if vector.acceptedByKafka() == (outcome.Kind == accepts) {
				alike++
			}
		case unsupported, unrepresentable, notRun:
			lacking.add(outcome.Kind, outcome.Detail, vector.Name)
		default:
			failed++
			for _, flag := range vector.Flags {
				found.add(outcome.Kind, flag, vector.Name+"  "+shortened(outcome.Detail))
			}
		}
	}
	fmt.Printf("%s: %d vectors, %d failed\n", module, len(vectors), failed)
	for _, result := range slices.Sorted(maps.Keys(results)) {
		fmt.Printf("  %s:", result)
		for _, kind := range slices.Sorted(maps.Keys(results[result])) {
			fmt.Printf(" %d %s;", results[result][kind], kind)
		}
		fmt.Println()
	}
	fmt.Printf("  as Apache Kafka does, where the protocol leaves it open: %d\n", alike)
	lacking.print(all)
	found.print(all)
	return failed
}

func (f findings) add(kind, group, name string) {
	if f[kind] == nil {
		f[kind] = map[string][]string{}
	}
	f[kind][group] = append(f[kind][group], name)
}

func (f findings) print(all bool) {
	for _, kind := range slices.Sorted(maps.Keys(f)) {
		fmt.Printf("\n%s\n", kind)
		names := f[kind]
		largestFirst := func(a, b string) int {
			return cmp.Or(cmp.Compare(len(names[b]), len(names[a])), cmp.Compare(a, b))
		}
		sorted := slices.SortedFunc(maps.Keys(names), largestFirst)
		for place, group := range sorted {
			if place == groups && !all {
				fmt.Printf("  and %d other groups: --all shows them\n", len(names)-groups)
				break
			}
			fmt.Printf("  %s: %d\n", group, len(names[group]))
			for i, name := range names[group] {
				if i == few && !all {
					break
				}
				fmt.Printf("    %s\n", name)
			}
		}
	}
}

func (v *Vector) acceptedByKafka() bool {
	for _, observed := range v.Observed {
		return observed.Accepts
	}
	return false
}

func shortened(text string) string {
	if len(text) > 80 {
		return text[:80] + "..."
	}
	return text
}
