package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var backticked = regexp.MustCompile("`([^`]+)`")

// TestTableOfFolders holds the table of folders in docs/architecture.md against the tree: every package must be listed,
// or lie in a listed folder below the top, or in an internal folder of a listed one.
func TestTableOfFolders(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(text), "| folder | what is in it |")
	if !found {
		t.Fatal("docs/architecture.md has no table of folders")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var listed []string
	for row := range strings.Lines(table) {
		if cells := strings.Split(row, "|"); len(cells) > 2 {
			for _, name := range backticked.FindAllStringSubmatch(cells[1], -1) {
				listed = append(listed, name[1])
			}
		}
	}
	for _, dir := range ourPackages(t) {
		if !hasRow(listed, dir) {
			t.Errorf("docs/architecture.md does not list %s", dir)
		}
	}
}

// hasRow reports whether a package is covered by the listed folders.
func hasRow(listed []string, dir string) bool {
	if slices.Contains(listed, dir) {
		return true
	}
	return slices.ContainsFunc(listed, func(name string) bool {
		return strings.HasPrefix(dir, name+"/") && (strings.Contains(name, "/") && name != "cmd/quatuor" || strings.HasPrefix(dir, name+"/internal/"))
	})
}
