package main

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
	"testing"

	"quatuor/tournament"
)

// formatHomes are the packages of formats; their code may know a format by its name.
var formatHomes = []string{
	"tournament/arena", "tournament/keizer", "tournament/team", "tournament/pairing/...",
}

// Code outside the table of formats and their packages looks at traits of a format, never at its name.
func TestFormatsAreNotComparedByName(t *testing.T) {
	for _, dir := range ourPackages(t) {
		if matches(formatHomes, dir) {
			continue
		}
		for name, file := range parseDir(t, dir) {
			for _, at := range formatComparisons(file) {
				t.Errorf("%s: %s compares a format by its name; use a trait of tournament/formats.go", name,
					sources.Position(at))
			}
		}
	}
}

// formatComparisons returns where a file compares a value with a constant of type Format.
func formatComparisons(file *ast.File) (found []token.Pos) {
	own := file.Name.Name == "tournament"
	is := func(e ast.Expr) bool {
		switch e := e.(type) {
		case *ast.Ident:
			return own && formatConstant(e.Name)
		case *ast.SelectorExpr:
			x, ok := e.X.(*ast.Ident)
			return ok && x.Name == "tournament" && formatConstant(e.Sel.Name)
		}
		return false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			if (n.Op == token.EQL || n.Op == token.NEQ) && (is(n.X) || is(n.Y)) {
				found = append(found, n.Pos())
			}
		case *ast.CaseClause:
			if slices.ContainsFunc(n.List, is) {
				found = append(found, n.Pos())
			}
		}
		return true
	})
	return found
}

// formatConstant reports whether a name is that of a format's constant: TeamRoundRobin for team_round_robin.
func formatConstant(name string) bool {
	return slices.ContainsFunc(tournament.Formats, func(row tournament.Traits) bool {
		return strings.EqualFold(name, strings.ReplaceAll(string(row.Format), "_", ""))
	})
}
