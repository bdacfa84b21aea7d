// Command quatuor is a tournament and rating service for four board games: a single program for clubs, with a REST API,
// pages, chess clocks, pairings and ratings, and tools for records, pairings and backups.
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// calledAsEngine reports whether the program was called by the name of another pairing engine, as a copy of it or by a
// link.
func calledAsEngine(name string) bool {
	name = strings.ToLower(filepath.Base(name))
	return strings.HasPrefix(name, "bbppairings") || strings.HasPrefix(name, "javafo")
}

func main() {
	args := os.Args[1:]
	if calledAsEngine(os.Args[0]) {
		args = append([]string{"dutch"}, args...)
	}
	clicked := len(args) == 0 && ownsConsole()
	if clicked {
		args = []string{"serve", "--lan"}
	}
	status := run(args, os.Stdin, os.Stdout, os.Stderr)
	if clicked && status != exitOK {
		fmt.Print("\nPress Enter to close this window.")
		_, _ = os.Stdin.Read(make([]byte, 1))
	}
	os.Exit(status)
}
