package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// module is the path that every import of ours starts with.
const module = "quatuor"

// root is the top of the tree, seen from this package.
const root = "../.."

// ourPackages lists the folders with Go code, below the module and sorted, leaving out what Go itself leaves out.
func ourPackages(t *testing.T) []string {
	t.Helper()
	var dirs []string
	err := filepath.WalkDir(root, func(name string, entry os.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			return err
		}
		base := entry.Name()
		if name != root && (base[0] == '.' || base[0] == '_' || base == "testdata" || base == "node_modules") {
			return filepath.SkipDir
		}
		if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != root {
			return filepath.SkipDir // a module of its own
		}
		if files, err := filepath.Glob(filepath.Join(name, "*.go")); err != nil || len(files) == 0 {
			return err
		}
		dir, err := filepath.Rel(root, name)
		dirs = append(dirs, filepath.ToSlash(dir))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dirs
}

// parsed are the packages that parseDir has parsed, by folder; the tests of this package read the whole tree.
var (
	parsed  = map[string]map[string]*ast.File{}
	sources = token.NewFileSet()
)

// parseDir returns the files of a package, whatever machine they are meant for, without its tests.
func parseDir(t *testing.T, dir string) map[string]*ast.File {
	t.Helper()
	if files := parsed[dir]; files != nil {
		return files
	}
	entries, err := os.ReadDir(filepath.Join(root, dir))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*ast.File{}
	for _, entry := range entries {
		name := entry.Name()
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name[0] == '.' || name[0] == '_' {
			continue
		}
		file, err := parser.ParseFile(sources, filepath.Join(root, dir, name), nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = file
	}
	parsed[dir] = files
	return files
}

// position returns a place in the code as a path from the top of the tree and a line.
func position(pos token.Pos) string {
	where := sources.Position(pos)
	where.Column = 0
	if rel, err := filepath.Rel(root, where.Filename); err == nil {
		where.Filename = filepath.ToSlash(rel)
	}
	return where.String()
}
