package dbtest

import "golang.org/x/sys/unix"

// inMemory returns a folder of a file system in memory with room for the tests of a package, or "". Containers often
// have only 64 MiB.
func inMemory() string {
	const folder, enough = "/dev/shm", 1 << 30
	var s unix.Statfs_t
	if err := unix.Statfs(folder, &s); err != nil || s.Bavail*uint64(s.Bsize) < enough {
		return ""
	}
	return folder
}
