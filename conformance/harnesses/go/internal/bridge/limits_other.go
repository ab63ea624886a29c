//go:build !unix

package bridge

func limitMemory() {}

func shortTraces() {}
