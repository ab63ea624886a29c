//go:build !unix

package bridge

func limitMemory() {}

func withoutTraces() {}
