// Command quatuor is a tournament and rating service for four board games: one program for clubs, with a REST API,
// pages, chess clocks, pairings and ratings, and tools for records, pairings and backups.
package main

import "os"

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
