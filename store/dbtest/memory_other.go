//go:build !linux

package dbtest

func inMemory() string { return "" }
