package main

import (
	"testing"

	"quatuor/cmd/quatuor/trials"
)

// TestTrials tries three instances on a shared PostgreSQL; package trials explains how, and how to do it for longer.
//
//	go test ./cmd/quatuor -v -run 'TestTrials/Kills$'
//	QUATUOR_LONG=hours go test ./cmd/quatuor -v -timeout 2h -run TestTrials
func TestTrials(t *testing.T) {
	skipInShort(t, "kills and freezes servers and databases for a minute")
	trials.Run(t, runner(t))
}
