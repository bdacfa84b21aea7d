package problem

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"quatuor/api/command"
	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// TestEveryErrorHasItsAnswer reads all exported errors of the domain and of the API's own packages, and demands that
// the table of kinds names each.
func TestEveryErrorHasItsAnswer(t *testing.T) {
	named := namesInTable(t)
	found := 0
	for _, tree := range []string{"../../engine", "../../tournament", "../../rating", ".."} {
		for _, name := range exportedErrors(t, tree) {
			found++
			if strings.HasPrefix(name, "kit.") {
				continue // errors of the pages alone hold their answers, as values of types that the table knows
			}
			if !slices.Contains(named, name) {
				t.Errorf("%s is missing in the table of kinds in api/problem/kinds.go", name)
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d exported errors were found: is the test looking at the right tree?", found)
	}
}

// namesInTable lists the errors that the table names, for example "table.ErrPaused" or "ErrSlow".
func namesInTable(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "kinds.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || spec.Names[0].Name != "kinds" {
			return true
		}
		ast.Inspect(spec.Values[0], func(n ast.Node) bool {
			switch e := n.(type) {
			case *ast.SelectorExpr:
				names = append(names, fmt.Sprintf("%s.%s", e.X, e.Sel.Name))
				return false
			case *ast.Ident:
				names = append(names, "problem."+e.Name)
			}
			return true
		})
		return false
	})
	return names
}

// exportedErrors lists the variables Err… of all packages below a folder, with the package's name before them.
func exportedErrors(t *testing.T, tree string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(tree, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && path == filepath.Join("..", "pages") {
			return fs.SkipDir // errors of forms are never sent as documents
		}
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
		if err != nil {
			return err
		}
		for _, declaration := range file.Decls {
			group, ok := declaration.(*ast.GenDecl)
			if !ok || group.Tok != token.VAR {
				continue
			}
			for _, spec := range group.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					if strings.HasPrefix(name.Name, "Err") {
						names = append(names, file.Name.Name+"."+name.Name)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestUnknownErrorsRevealNothing(t *testing.T) {
	for _, err := range []error{
		errors.New("secret: password of the database"), fmt.Errorf("secret %w", os.ErrNotExist),
		fmt.Errorf("secret: %w", fs.ErrPermission),
	} {
		p := documentOf(err)
		if p.Status != http.StatusInternalServerError || p.Type != "/problems/internal" ||
			strings.Contains(*p.Detail, "secret") {
			t.Errorf("%v becomes %+v", err, p)
		}
	}
	wrapped := documentOf(fmt.Errorf("store: SELECT secret: %w", table.ErrNotFound))
	if wrapped.Status != http.StatusNotFound || strings.Contains(*wrapped.Detail, "secret") {
		t.Errorf("%+v, %s", wrapped, *wrapped.Detail)
	}
}

func TestWhatGoesWithAProblem(t *testing.T) {
	illegal := documentOf(&command.Refusal{Err: engine.Refuse(engine.ErrIllegal, "no"), Legal: []engine.Move{"a1-a5"}})
	if illegal.Status != http.StatusUnprocessableEntity || illegal.Legal == nil || (*illegal.Legal)[0] != "a1-a5" ||
		*illegal.Detail != "no" {
		t.Errorf("%+v", illegal)
	}
	fields := documentOf(tournament.FieldErrors{{Field: "name", Detail: "a name is needed"}})
	if fields.Errors == nil || (*fields.Errors)[0].Pointer != "/name" {
		t.Errorf("%+v", fields)
	}
	joined := documentOf(errors.Join(table.ErrSetup,
		engine.Refuse(engine.ErrSetup, "quits/four is played with 4 seats, not 2")))
	if strings.Contains(*joined.Detail, "\n") || !strings.Contains(*joined.Detail, "4 seats") {
		t.Errorf("%q", *joined.Detail)
	}
	slugs := map[string]int{}
	for _, k := range kinds {
		if k.status < 400 || k.title == "" || k.slug == "" {
			t.Errorf("%+v is not complete", k)
		}
		if before, ok := slugs[k.slug]; ok && before != k.status {
			t.Errorf("%s means %d and %d", k.slug, before, k.status)
		}
		slugs[k.slug] = k.status
	}
}
