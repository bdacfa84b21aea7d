//go:build unix

package doctor

import (
	"io/fs"
	"syscall"
)

// sameOwner reports whether two files belong to the same user.
func sameOwner(a, b fs.FileInfo) bool {
	one, ok := a.Sys().(*syscall.Stat_t)
	other, also := b.Sys().(*syscall.Stat_t)
	return !ok || !also || one.Uid == other.Uid
}

// readableByOthers reports whether the owner is not alone with the right to read.
func readableByOthers(f fs.FileInfo) bool { return f.Mode().Perm()&0o077 != 0 }
