//go:build !(linux || darwin || freebsd)

package app

// diskSpace is not known here.
func diskSpace(string) (free, total int64) { return 0, 0 }
