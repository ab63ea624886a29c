//go:build !unix

package main

func limitMemory() {}

func withoutTraces() {}
