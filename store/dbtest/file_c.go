//go:build cgo && !purego

package dbtest

import _ "github.com/mattn/go-sqlite3" // the driver "sqlite3"

const fileDriver = "sqlite3"
