//go:build linux || darwin || freebsd

package app

import "golang.org/x/sys/unix"

// diskSpace returns how many bytes are free on the disk of a folder, and how many it has; 0 where that is not known.
func diskSpace(dir string) (free, total int64) {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return 0, 0
	}
	size := int64(s.Bsize) //nolint:unconvert // its type differs between systems
	return int64(s.Bavail) * size, int64(s.Blocks) * size
}
