// Package static holds the scripts, style sheets and pictures that browsers load by themselves, in a folder for each room
// of the pages. Browsers know them by their names alone.
package static

import (
	"embed"
	"io/fs"
	"path"
)

// Files are the static files.
//
//go:embed */*.css */*.js */*.svg
var Files embed.FS

// Paths are the addresses of the files, by their names.
var Paths = paths()

func paths() map[string]string {
	files, err := fs.Glob(Files, "*/*")
	if err != nil {
		panic(err) // the pattern is ours
	}
	all := make(map[string]string, len(files))
	for _, file := range files {
		all[path.Base(file)] = file
	}
	return all
}
