package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

var update = flag.Bool("update", false, "write the golden files anew; read the difference before it is committed")

// golden compares an output with a file below testdata, or rewrites that file with -update.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", filepath.FromSlash(name))
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is not what is printed any more:\n--- want\n%s\n--- got\n%s", file, want, got)
	}
}

// TestHelp compares the help of every command with what it was: flags, their defaults and environment variables are an
// interface. A command without a golden file, and a golden file without a command, are errors.
func TestHelp(t *testing.T) {
	t.Setenv("COLUMNS", "")
	parser, err := kong.New(&cli{}, kong.Name("quatuor"))
	if err != nil {
		t.Fatal(err)
	}
	compared := map[string]bool{}
	for _, node := range append([]*kong.Node{parser.Model.Node}, commandsBelow(parser.Model.Node)...) {
		path := strings.Fields(node.FullPath())
		var out, errs bytes.Buffer
		status := run(append(slices.Clone(path[1:]), "--help"), strings.NewReader(""), &out, &errs)
		if status != exitOK || errs.Len() > 0 {
			t.Errorf("%s --help ends with %d: %s", node.FullPath(), status, &errs)
		}
		name := strings.Join(path, "-") + ".txt"
		compared[name] = true
		golden(t, "help/"+name, out.String())
	}
	files, err := os.ReadDir(filepath.Join("testdata", "help"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !compared[file.Name()] {
			t.Errorf("testdata/help/%s belongs to no command", file.Name())
		}
	}
}

// commandsBelow lists a command's subcommands and theirs.
func commandsBelow(node *kong.Node) (all []*kong.Node) {
	for _, child := range node.Children {
		all = append(all, child)
		all = append(all, commandsBelow(child)...)
	}
	return all
}
