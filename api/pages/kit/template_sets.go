package kit

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"sync"
	"text/template/parse"

	"golang.org/x/text/language"

	"quatuor/api/pages/message"
	templatefiles "quatuor/api/pages/templates"
)

// templates holds the template set of each page in a language, by the page's name. Sets are built on first use: all of
// them together take 0.1 s, which would delay every start of the program.
type templates struct {
	functions template.FuncMap
	spaced    bool // French: the templates' own colons and semicolons have a space before them

	mu   sync.Mutex
	sets map[string]*template.Template
}

// trees caches the parse trees of template files for all languages: a page with the layout and the shared parts, by the
// page's name.
var trees struct {
	sync.Mutex
	base  *template.Template
	pages map[string][]*parse.Tree
}

type languages map[language.Tag]*templates

// newLanguages returns the templates of each language, which differ in their functions alone.
func newLanguages(texts *message.Catalogue, functions func(*message.Printer) template.FuncMap) languages {
	all := languages{}
	for _, printer := range texts.All() {
		all[printer.Tag] = newTemplates(functions(printer))
		all[printer.Tag].spaced = printer.Tag == language.French
	}
	return all
}

func newTemplates(functions template.FuncMap) *templates {
	return &templates{sets: map[string]*template.Template{}, functions: functions}
}

// of returns a page's set, nil for an unknown page.
func (t *templates) of(page string) *template.Template {
	t.mu.Lock()
	defer t.mu.Unlock()
	if set, made := t.sets[page]; made {
		return set
	}
	name, known := templatefiles.Pages[page]
	if !known {
		return nil
	}
	set := template.New("base").Option("missingkey=error").Funcs(t.functions)
	for _, tree := range treesOf(page, name, t.functions) {
		tree = tree.Copy() // html/template rewrites the trees of a set
		if t.spaced {
			spacePunctuation(tree.Root)
		}
		template.Must(set.AddParseTree(tree.Name, tree))
	}
	t.sets[page] = set
	return set
}

// treesOf parses a page's file. It needs the names of the functions only, so the trees suit every language.
func treesOf(page, file string, functions template.FuncMap) (read []*parse.Tree) {
	trees.Lock()
	defer trees.Unlock()
	if read = trees.pages[page]; read != nil {
		return read
	}
	if trees.base == nil {
		trees.pages = map[string][]*parse.Tree{}
		shared := append([]string{templatefiles.Layout}, templatefiles.Parts...)
		trees.base = template.Must(template.New("base").Funcs(functions).ParseFS(templatefiles.Files, shared...))
	}
	set := template.Must(trees.base.Clone())
	read = reachable(template.Must(set.ParseFS(templatefiles.Files, file)), file) // a test parses all of them
	trees.pages[page] = read
	return read
}

// reachable returns the trees that a page may execute: those of its file, of its room's parts and of the layouts, which
// handlers execute by name, and of the templates that these call.
func reachable(set *template.Template, file string) (found []*parse.Tree) {
	roots := []string{path.Base(file), path.Base(templatefiles.Layout), "bare.html"}
	parts, err := fs.Glob(templatefiles.Files, path.Dir(file)+"/parts/*.html")
	if err != nil {
		panic(err) // the pattern is ours
	}
	for _, part := range parts {
		roots = append(roots, path.Base(part))
	}
	seen := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		t := set.Lookup(name)
		if t == nil || t.Tree == nil || seen[name] {
			return
		}
		seen[name], found = true, append(found, t.Tree)
		walk(t.Tree.Root, func(node parse.Node) {
			if call, ok := node.(*parse.TemplateNode); ok {
				add(call.Name)
			}
		})
	}
	for _, t := range set.Templates() {
		if t.Tree != nil && slices.Contains(roots, t.Tree.ParseName) {
			add(t.Name())
		}
	}
	return found
}

// punctuation is a colon or semicolon that a template writes after a value or an element.
var punctuation = regexp.MustCompile(`(^|>)([:;] )`)

// spacePunctuation puts the narrow space of French before the punctuation that a template writes itself.
func spacePunctuation(root parse.Node) {
	walk(root, func(node parse.Node) {
		if text, ok := node.(*parse.TextNode); ok && bytes.ContainsAny(text.Text, ":;") {
			text.Text = punctuation.ReplaceAll(text.Text, []byte("$1\u202f$2"))
		}
	})
}

// walk calls visit with every node that is output, or called, at or below a node.
func walk(node parse.Node, visit func(parse.Node)) {
	branches := func(b *parse.BranchNode) {
		walk(b.List, visit)
		walk(b.ElseList, visit)
	}
	switch node := node.(type) {
	case *parse.ListNode:
		if node != nil {
			for _, n := range node.Nodes {
				walk(n, visit)
			}
		}
	case *parse.IfNode:
		branches(&node.BranchNode)
	case *parse.RangeNode:
		branches(&node.BranchNode)
	case *parse.WithNode:
		branches(&node.BranchNode)
	default:
		visit(node)
	}
}

func (t *templates) has(page, name string) bool {
	set := t.of(page)
	return set != nil && set.Lookup(name) != nil
}

// execute renders a template of a page's set into memory, so that an error never truncates a response.
func (t *templates) execute(page, name string, data any) ([]byte, error) {
	set := t.of(page)
	if set == nil {
		return nil, fmt.Errorf("pages: there is no template %q", page)
	}
	var out bytes.Buffer
	if err := set.ExecuteTemplate(&out, name, data); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
