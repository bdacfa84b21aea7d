//go:build !linux

package main

import "testing"

func TestHostileBodiesAreCheap(t *testing.T) {
	skipInShort(t, "sends large bodies")
	t.Skip("what a request costs another process is measured on Linux only")
}
