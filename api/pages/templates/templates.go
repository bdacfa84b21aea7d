// Package templates holds the templates of the pages: what all of them share in parts, and a folder for each room.
package templates

import "embed"

// Files are the templates.
//
//go:embed *.html parts
var Files embed.FS
