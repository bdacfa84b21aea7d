//go:build !cgo || purego

package storetest

import _ "modernc.org/sqlite" // the driver "sqlite"

const fileDriver = "sqlite"
