// Package manual writes a program's man page, and completions for bash, zsh and fish, from kong's model of its command
// line.
package manual

import (
	"embed"
	"os"
	"path/filepath"
	"strings"
	"text/template"
	"unicode"

	"github.com/alecthomas/kong"
)

//go:embed *.tmpl
var files embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"roff":    roff,
	"single":  func(s string) string { return strings.ReplaceAll(s, "'", `'\''`) },
	"zsh":     func(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, ":", `\:`), "'", `'\''`) },
	"fish":    func(s string) string { return strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) },
	"ident":   func(s string) string { return strings.ReplaceAll(s, "-", "_") },
	"explain": kong.DefaultHelpValueFormatter,
	"brief":   brief,
}).ParseFS(files, "*.tmpl"))

// command is a command or the program itself, with its arguments and flags.
type command struct {
	*kong.Node
	Path     string // the words behind the program's name; empty for the program itself
	Commands []command
	Flags    []*kong.Flag // its own and those of the commands above it
}

// page holds the values of the templates.
type page struct {
	Name, Version string
	All           []command // the program, then every command, each behind its parent
}

// Write writes the files of a program called quatuor to a folder: quatuor.1, quatuor.bash, _quatuor and quatuor.fish.
func Write(folder string, app *kong.Application, version string) error {
	p := page{Name: app.Name, Version: version, All: flatten(describe(app.Node))}
	for name, template := range map[string]string{
		app.Name + ".1": "man.tmpl", app.Name + ".bash": "bash.tmpl", "_" + app.Name: "zsh.tmpl",
		app.Name + ".fish": "fish.tmpl",
	} {
		var text strings.Builder
		if err := templates.ExecuteTemplate(&text, template, p); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// describe returns a command with its subcommands. Hidden commands and flags are left out.
func describe(node *kong.Node) command {
	c := command{Node: node, Path: node.Path()}
	for _, group := range node.AllFlags(true) {
		c.Flags = append(c.Flags, group...)
	}
	for _, child := range node.Children {
		if !child.Hidden {
			c.Commands = append(c.Commands, describe(child))
		}
	}
	return c
}

// flatten returns a command and all below it.
func flatten(c command) []command {
	all := []command{c}
	for _, below := range c.Commands {
		all = append(all, flatten(below)...)
	}
	return all
}

// brief returns the first sentence of a help text, without its full stop.
func brief(help string) string {
	for i, r := range help {
		rest := help[i+1:]
		if (r == '.' || r == ';') && (rest == "" || unicode.IsSpace(rune(rest[0]))) {
			return help[:i]
		}
	}
	return help
}

// roff escapes text for man pages: hyphens are those of options, and no line begins with a request.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n.", "\n\\&.", "\n'", "\n\\&'").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}
