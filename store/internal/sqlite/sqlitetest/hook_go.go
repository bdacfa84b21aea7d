//go:build !cgo || purego

package sqlitetest

import "modernc.org/sqlite"

func hook(conn any, f func() int) {
	conn.(sqlite.HookRegisterer).RegisterCommitHook(func() int32 { return int32(f()) })
}
