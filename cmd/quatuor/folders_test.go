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

// TestTableOfFolders holds the table of folders in docs/architecture.md against the tree: every package has a row, and
// every row has its package.
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
	packages := ourPackages(t)
	for _, dir := range packages {
		if !slices.Contains(listed, dir) {
			t.Errorf("docs/architecture.md does not list %s", dir)
		}
	}
	for _, name := range listed {
		if name != "openapi.yaml" && !slices.Contains(packages, name) {
			t.Errorf("docs/architecture.md lists %s, which is not there", name)
		}
	}
}
