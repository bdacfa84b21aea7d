// Package static holds the scripts, style sheets and pictures that browsers load by themselves.
package static

import "embed"

// Files are the static files.
//
//go:embed *.css *.js *.svg
var Files embed.FS
