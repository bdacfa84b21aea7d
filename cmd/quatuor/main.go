// Command quatuor is a tournament and rating service for four board games: one program for clubs, with a REST API,
// pages, chess clocks, pairings and ratings, and tools for records, pairings and backups.
package main

import (
	"fmt"
	"os"
)

func main() {
	args := os.Args[1:]
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
