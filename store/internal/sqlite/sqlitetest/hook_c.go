//go:build cgo && !purego

package sqlitetest

import "github.com/mattn/go-sqlite3"

func hook(conn any, f func() int) { conn.(*sqlite3.SQLiteConn).RegisterCommitHook(f) }
