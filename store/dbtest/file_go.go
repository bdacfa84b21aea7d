//go:build !cgo || purego

package dbtest

import _ "modernc.org/sqlite" // the driver "sqlite"

const fileDriver = "sqlite"
