package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// topLevel lists what may be at the top of the tree beside what .gitignore names: the packages, and what tools demand
// there.
var topLevel = []string{
	".ci", ".git", ".github", ".gitignore", ".golangci.yml", "CHANGELOG.md", "Dockerfile", "LICENSE", "Makefile", "README.md",
	"SECURITY.md", "api", "cmd", "docs", "engine", "go.mod", "go.sum", "openapi.yaml", "rating", "store", "tournament",
}

// emptyNames are words without meaning as the name of a package or a file.
var emptyNames = []string{
	"common", "helper", "helpers", "manager", "managers", "misc", "model", "models", "service", "services", "util",
	"utils",
}

// TestTopLevel refuses files and folders at the top of the tree that the floor plan does not know.
func TestTopLevel(t *testing.T) {
	ignored, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	if err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if name := entry.Name(); !slices.Contains(topLevel, name) && !isIgnored(string(ignored), name) {
			t.Errorf("%s stands at the top of the tree: the floor plan has no place for it there", name)
		}
	}
}

// isIgnored reports whether a .gitignore leaves out a file or folder at the top. Of its language it knows what ours
// uses.
func isIgnored(rules, name string) bool {
	for rule := range strings.Lines(rules) {
		rule = strings.Trim(strings.TrimSpace(rule), "/")
		if ok, err := path.Match(rule, name); ok && err == nil {
			return true
		}
	}
	return false
}

// TestNames refuses packages and files with names without meaning.
func TestNames(t *testing.T) {
	for _, dir := range ourPackages(t) {
		if slices.Contains(emptyNames, path.Base(dir)) {
			t.Errorf("package %s: name it after what it does", dir)
		}
		files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			name := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(file), ".go"), "_test")
			if slices.Contains(emptyNames, name) {
				t.Errorf("%s/%s: name the file after what is in it", dir, filepath.Base(file))
			}
		}
	}
}

// TestComments demands a comment of every package, opening as godoc wants it, and of every exported name.
func TestComments(t *testing.T) {
	for _, dir := range ourPackages(t) {
		files := parseDir(t, dir)
		if len(files) == 0 {
			continue // a folder of tests alone
		}
		if why := packageComment(files); why != "" {
			t.Errorf("package %s: %s", dir, why)
		}
		for _, file := range files {
			if ast.IsGenerated(file) {
				continue
			}
			for _, name := range undocumented(file) {
				t.Errorf("%s: %s has no doc comment", position(name.Pos()), name.Name)
			}
		}
	}
}

// TestUndocumented checks that comments are found present or missing in every kind of declaration.
func TestUndocumented(t *testing.T) {
	const code = `package p

// A group's comment serves all of it.
const (
	InGroup = 1
	AlsoInGroup = 2
)

var (
	Behind = 1 // a comment behind the name counts
	Bare = 2
	hidden = 3
)

type Type struct{}

func Func() {}

func (*Type) Method() {}

func (Box[T]) Generic() {}

// Box is documented.
type Box[T any] struct{ V T }

type small struct{}

func (small) Exported() {}
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", code, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range undocumented(file) {
		got = append(got, name.Name)
	}
	if want := []string{"Bare", "Type", "Func", "Method", "Generic"}; !slices.Equal(got, want) {
		t.Errorf("without a comment: %v, want %v", got, want)
	}
	if why := packageComment(map[string]*ast.File{"p.go": file}); why == "" {
		t.Error("the package has no comment, and the test has not noticed")
	}
}

// packageComment returns the fault of a package's comment, or "".
func packageComment(files map[string]*ast.File) string {
	var name, text string
	for _, file := range files {
		name = file.Name.Name
		if file.Doc != nil {
			text = file.Doc.Text()
		}
	}
	want := "Package " + name + " "
	if name == "main" {
		want = "Command "
	}
	switch {
	case text == "":
		return "no file of it has a package comment"
	case !strings.HasPrefix(text, want) && !strings.HasPrefix(text, "Quatuor "):
		return "its comment should open with “" + strings.TrimSpace(want) + "”"
	}
	return ""
}

// undocumented lists the exported names of a file that no comment explains. A group's comment serves the names in it;
// constants and variables may have theirs behind them. Methods of unexported types are not seen outside, and
// those of an interface are explained by its comment, or by theirs, as is clearer.
func undocumented(file *ast.File) []*ast.Ident {
	var names []*ast.Ident
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Doc == nil && decl.Name.IsExported() && (decl.Recv == nil || receiverIsExported(decl.Recv)) {
				names = append(names, decl.Name)
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				names = append(names, undocumentedSpec(spec, decl.Doc != nil)...)
			}
		}
	}
	return names
}

// undocumentedSpec does the same for a line of a declaration.
func undocumentedSpec(spec ast.Spec, inGroup bool) (names []*ast.Ident) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		if inGroup || spec.Doc != nil || spec.Comment != nil {
			return nil
		}
		for _, name := range spec.Names {
			if name.IsExported() {
				names = append(names, name)
			}
		}
	case *ast.TypeSpec:
		if spec.Name.IsExported() && !inGroup && spec.Doc == nil {
			names = append(names, spec.Name)
		}
	}
	return names
}

// receiverIsExported reports whether a method belongs to an exported type, be it a pointer's, be it generic.
func receiverIsExported(recv *ast.FieldList) bool {
	found := false
	ast.Inspect(recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !found {
			found = id.IsExported()
			return false
		}
		return !found
	})
	return found
}
