package main

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"quatuor/engine/catalog"
)

// TestGamesAreNotDistinguished demands that a game is known by name to its own packages, to the catalogue and to
// nothing else: no case, comparison, prefix or key of a map names a game, and nothing imports it. The suite of the
// stores, which is a test, looks up its own rating lists.
func TestGamesAreNotDistinguished(t *testing.T) {
	seen := 0
	for _, dir := range ourPackages(t) {
		own := func(game string) bool {
			return strings.HasPrefix(dir+"/", "engine/"+game+"/")
		}
		if dir == "engine/catalog" || dir == "store/storetest" || slices.ContainsFunc(catalog.Games(), own) {
			continue
		}
		for _, file := range parseDir(t, dir) {
			seen++
			for _, at := range gamesIn(file) {
				t.Errorf("%s tells one game from another; that is for the game's face or its rules", position(at.Pos()))
			}
		}
	}
	if seen < 500 {
		t.Errorf("only %d files were read", seen)
	}
}

// TestGamesIn checks that each way of distinguishing games is found.
func TestGamesIn(t *testing.T) {
	const code = `package p
import "quatuor/engine/quixo/face"
var nodes = map[string]int{"quits/duel": 1, "other": 2}
func f(id string) bool {
	switch id {
	case "quivive":
		return strings.HasPrefix(id, "quiwin-")
	}
	example := "quixo/duel"
	return id == "quixo" || nodes["quits/four"] != len(example)
}`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	if found := gamesIn(file); len(found) != 6 {
		t.Errorf("%d places were found, want 6: an import, two keys, a case, a prefix and a comparison", len(found))
	}
}

// gamesIn returns the places of a file where a decision hangs on a game.
func gamesIn(file *ast.File) (places []ast.Expr) {
	note := func(list ...ast.Expr) {
		for _, e := range list {
			if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING && namesGame(lit.Value) {
				places = append(places, e)
			}
		}
	}
	for _, spec := range file.Imports {
		for _, game := range catalog.Games() {
			if strings.HasPrefix(strings.Trim(spec.Path.Value, `"`)+"/", module+"/engine/"+game+"/") {
				places = append(places, spec.Path)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CaseClause:
			note(n.List...)
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				note(n.X, n.Y)
			}
		case *ast.KeyValueExpr:
			note(n.Key)
		case *ast.IndexExpr:
			note(n.Index)
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && slices.Contains([]string{"HasPrefix", "CutPrefix", "Contains"}, f.Sel.Name) {
				note(n.Args...)
			}
		}
		return true
	})
	return places
}

// TestGuideNamesTheFilesOfAGame compares the list in docs/contributing.md with the games: they have these files, and no
// file of the program beside them and the catalogue is named after a game or, among templates, scripts and styles,
// mentions it.
func TestGuideNamesTheFilesOfAGame(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "contributing.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := regexp.MustCompile("(?m)^\\| `([^`]+)` \\| (.*) \\|$").FindAllStringSubmatch(string(text), -1)
	if len(rows) < 10 || len(rows) > 16 {
		t.Errorf("a game takes %d files, want at most 16", len(rows))
	}
	listed := map[string]bool{}
	for _, game := range catalog.Games() {
		for _, row := range rows {
			pattern := strings.NewReplacer("GAME", game, "VARIANT", "*").Replace(row[1])
			found, err := filepath.Glob(filepath.Join(root, pattern))
			if err != nil || len(found) == 0 && !strings.HasPrefix(row[2], "only for") {
				t.Errorf("%s has no %s: %v", game, pattern, err)
			}
			for _, name := range found {
				listed[filepath.ToSlash(name)] = true
			}
		}
	}
	for _, top := range []string{"api/pages/message/texts", "api/pages/static", "api/pages/templates", "engine/catalog"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(name string, entry os.DirEntry, err error) error {
			if err != nil || entry.IsDir() || listed[filepath.ToSlash(name)] || strings.HasSuffix(name, ".go") {
				return err
			}
			text, err := os.ReadFile(name)
			for _, game := range catalog.Games() {
				if strings.Contains(name, game) || !strings.HasSuffix(name, ".json") && bytes.Contains(text, []byte(game)) {
					t.Errorf("%s is a file of %s that the guide does not list", name, game)
				}
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}

// namesGame reports whether a literal is a game or a variant of it.
func namesGame(literal string) bool {
	text, err := strconv.Unquote(literal)
	return err == nil && slices.ContainsFunc(catalog.Games(), func(game string) bool {
		return text == game || strings.HasPrefix(text, game+"/") || strings.HasPrefix(text, game+"-")
	})
}
