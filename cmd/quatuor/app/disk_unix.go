//go:build linux || darwin || freebsd

package app

import "golang.org/x/sys/unix"

// diskSpace returns the free and the total bytes of a folder's disk; 0 where they are unknown.
func diskSpace(dir string) (free, total int64) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0
	}
	size := int64(s.Bsize) //nolint:unconvert // its type differs between systems
	return int64(s.Bavail) * size, int64(s.Blocks) * size
}
