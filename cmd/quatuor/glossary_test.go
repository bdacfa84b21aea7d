package main

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// glossary is the vocabulary of docs/glossary.md.
type glossary struct {
	entries map[string]bool // of the table, in lower case
	common  map[string]bool // words with their usual meaning
}

func readGlossary(t *testing.T) glossary {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "docs", "glossary.md"))
	if err != nil {
		t.Fatal(err)
	}
	table, rest, _ := strings.Cut(string(text), "## Common words")
	_, rest, found := strings.Cut(rest, ":\n\n")
	common, _, _ := strings.Cut(rest, "\n\n")
	if !found {
		t.Fatal("docs/glossary.md has no list of common words")
	}
	g := glossary{entries: map[string]bool{}, common: map[string]bool{}}
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \| [^|]+ \|$`).FindAllStringSubmatch(table, -1) {
		g.entries[singular(strings.ReplaceAll(strings.ToLower(row[1]), "-", " "))] = true
	}
	for _, word := range regexp.MustCompile("[a-z]+").FindAllString(strings.ToLower(common), -1) {
		g.common[singular(word)] = true
	}
	return g
}

var (
	// upper matches the beginning of a word of a name.
	upper = regexp.MustCompile(`([a-z0-9])([A-Z])`)
	// derived are agent nouns, participles and prepositions: their meaning follows from the verb, or from the type of
	// the argument.
	derived = regexp.MustCompile(`(er|or|ed|ing)$|^(begun|gone|given|held|known|seen|shown|taken|at|on|in|out|via|within|because)$`)
)

// knows reports whether the name of a type is in the glossary: as a whole, by its last word, or derived from a verb.
func (g glossary) knows(name string) bool {
	words := strings.Fields(strings.ToLower(upper.ReplaceAllString(name, "$1 $2")))
	head := singular(words[len(words)-1])
	return g.entries[singular(strings.Join(words, " "))] || g.entries[head] || g.common[head] || derived.MatchString(head)
}

// singular returns the singular of an English word, or a fixed form of it.
func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies"):
		return strings.TrimSuffix(word, "ies") + "y"
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"):
		return word
	}
	return strings.TrimSuffix(word, "s")
}

// TestGlossary demands that the chief nouns of every package, the names of its exported types, are in docs/glossary.md.
func TestGlossary(t *testing.T) {
	g := readGlossary(t)
	for _, dir := range ourPackages(t) {
		for _, file := range parseDir(t, dir) {
			if ast.IsGenerated(file) {
				continue
			}
			for _, name := range exportedTypes(file) {
				if !g.knows(name.Name) {
					t.Errorf("%s: %s: docs/glossary.md has no such word", position(name.Pos()), name.Name)
				}
			}
		}
	}
}

// TestGlossaryIsSorted keeps words easy to find, and each in a single place.
func TestGlossaryIsSorted(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "glossary.md"))
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, row := range regexp.MustCompile(`(?m)^\| ([^|]+) \| `).FindAllStringSubmatch(string(text), -1) {
		words = append(words, strings.ToLower(row[1]))
	}
	words = words[1:] // the header
	for i := range len(words) - 1 {
		if words[i] >= words[i+1] {
			t.Errorf("%q is before %q", words[i], words[i+1])
		}
	}
}

// TestGlossaryKnows checks what counts as a word of the glossary.
func TestGlossaryKnows(t *testing.T) {
	g := glossary{entries: map[string]bool{"entry": true, "check in": true}, common: map[string]bool{"config": true}}
	for name, want := range map[string]bool{
		"Entry": true, "Entries": true, "TeamEntry": true, "CheckIn": true, "Config": true, "Explainer": true,
		"Imported": true,
		"Gizmo":    false, "EntryGizmo": false, "In": true,
	} {
		if got := g.knows(name); got != want {
			t.Errorf("%s: known %v, want %v", name, got, want)
		}
	}
}

func exportedTypes(file *ast.File) (names []*ast.Ident) {
	for _, decl := range file.Decls {
		group, ok := decl.(*ast.GenDecl)
		if !ok || group.Tok != token.TYPE {
			continue
		}
		for _, spec := range group.Specs {
			if name := spec.(*ast.TypeSpec).Name; name.IsExported() {
				names = append(names, name)
			}
		}
	}
	return slices.Clip(names)
}
