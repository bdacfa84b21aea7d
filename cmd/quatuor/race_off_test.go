//go:build !race

package main

// underRace reports whether the race detector slows the tests down.
const underRace = false
