//go:build !windows

package main

// ownsConsole reports whether the program was started by a double-click, which cannot be seen here.
func ownsConsole() bool { return false }
