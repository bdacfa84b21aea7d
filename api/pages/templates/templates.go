// Package templates holds the templates of the pages: a folder for each room with its pages and their parts, and the parts
// that several rooms share.
package templates

import (
	"embed"
	"io/fs"
	"path"
	"strings"
)

// Files are the templates.
//
//go:embed parts */*.html */parts
var Files embed.FS

// Layout is the file of the frame of every page.
const Layout = "kit/layout.html"

// Parts are the files of the parts.
var Parts = []string{"parts/*.html", "*/parts/*.html"}

// Pages are the files of pages by the pages' names.
var Pages = pages()

func pages() map[string]string {
	files, err := fs.Glob(Files, "*/*.html")
	if err != nil {
		panic(err) // the pattern is ours
	}
	all := make(map[string]string, len(files))
	for _, file := range files {
		if path.Dir(file) != "parts" {
			all[strings.TrimSuffix(path.Base(file), ".html")] = file
		}
	}
	return all
}
