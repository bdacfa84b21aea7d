package kit

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"text/template/parse"

	templatefiles "quatuor/api/pages/templates"

	"github.com/labstack/echo/v4"
	"golang.org/x/text/language"

	"quatuor/api/auth"
	"quatuor/api/pages/message"
)

// templates holds a set of templates for each page, by the page's name, in one language. A set is made when it is first
// asked for: all of them together take a tenth of a second, which every start of the program would pay.
type templates struct {
	functions template.FuncMap

	mu   sync.Mutex
	sets map[string]*template.Template
}

// trees are what the files of templates say, read once for all languages: the page on top of the layout and the shared
// parts, by the page's name.
var trees struct {
	sync.Mutex
	base  *template.Template
	pages map[string][]*parse.Tree
}

// languages holds the templates of all pages by language.
type languages map[language.Tag]*templates

// newLanguages returns the templates of each language: they differ in what their functions return.
func newLanguages(texts *message.Catalogue, functions func(*message.Printer) template.FuncMap) languages {
	all := languages{}
	for _, printer := range texts.All() {
		all[printer.Tag] = newTemplates(functions(printer))
	}
	return all
}

// Render runs one template of a page's set in a language.
func (k *Kit) Render(in *message.Printer, page, name string, data any) ([]byte, error) {
	return k.languages[in.Tag].execute(page, name, data)
}

// HasTemplate reports whether a page's set has a template.
func (k *Kit) HasTemplate(in *message.Printer, page, name string) bool {
	return k.languages[in.Tag].has(page, name)
}

// Reader returns the texts in the language of whoever sends a request: the account's, else one that the browser asks
// for, else the club's.
func (k *Kit) Reader(c echo.Context) *message.Printer {
	ctx := c.Request().Context()
	return k.Texts.Match(auth.From(ctx).Language, c.Request().Header.Get("Accept-Language"), k.Club(ctx).Language)
}

// Frame is what every page's template gets.
type Frame struct {
	Site    string
	Section string // the part of the navigation that the page belongs to
	Visitor auth.Identity
	Login   bool   // logging in is offered
	Here    string // the page's address, to come back to after logging in
	Said    string // what the visitor has just done, "" for nothing
	Secret  bool   // the page's address or content is a secret: it is not kept, and not named to other pages
	Body    any
}

func newTemplates(functions template.FuncMap) *templates {
	return &templates{sets: map[string]*template.Template{}, functions: functions}
}

// of returns a page's set, nil if there is no such page.
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
		template.Must(set.AddParseTree(tree.Name, tree.Copy())) // a copy, since a set rewrites its trees
	}
	t.sets[page] = set
	return set
}

// treesOf reads a page's file; of the functions, the names count.
func treesOf(page, file string, functions template.FuncMap) (read []*parse.Tree) {
	trees.Lock()
	defer trees.Unlock()
	if read = trees.pages[page]; read != nil {
		return read
	}
	if trees.base == nil {
		trees.pages = map[string][]*parse.Tree{}
		trees.base = template.Must(template.New("base").Funcs(functions).ParseFS(templatefiles.Files, append([]string{templatefiles.Layout}, templatefiles.Parts...)...))
	}
	for _, t := range template.Must(template.Must(trees.base.Clone()).ParseFS(templatefiles.Files, file)).Templates() { // a test reads all of them
		if t.Tree != nil {
			read = append(read, t.Tree)
		}
	}
	trees.pages[page] = read
	return read
}

// has reports whether a page's set holds a template.
func (t *templates) has(page, name string) bool {
	set := t.of(page)
	return set != nil && set.Lookup(name) != nil
}

// execute runs one template of a page's set into memory, so that an error never cuts an answer in half.
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

// Policy allows a page its own style sheet, scripts, pictures and streams, and nothing else.
const Policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Back leads to a page after a form was carried out. The page says the text "said."+done; "" says nothing.
func (k *Kit) Back(c echo.Context, path, done string) error {
	if done != "" {
		target, err := url.Parse(path)
		if err != nil {
			return err
		}
		query := target.Query()
		query.Set("said", done)
		target.RawQuery = query.Encode()
		path = target.String()
	}
	return c.Redirect(http.StatusSeeOther, path)
}

// said returns what a page that back has led to says.
func (k *Kit) said(c echo.Context) string {
	name := c.QueryParam("said")
	if name == "" {
		return ""
	}
	text, err := k.Reader(c).Text("said." + name)
	if err != nil { // the address was written by hand
		return ""
	}
	return text
}

// Show answers with a page, or with 304 if the reader has it already.
func (k *Kit) Show(c echo.Context, page, section string, body any) error {
	return k.Answer(c, http.StatusOK, page, Frame{Section: section, Body: body})
}

// Answer answers with a page in its frame.
func (k *Kit) Answer(c echo.Context, status int, page string, f Frame) error {
	f.Site, f.Visitor, f.Login, f.Here = k.Club(c.Request().Context()).Name, auth.Session(c), k.Guard != nil, c.Request().URL.RequestURI()
	f.Said = k.said(c)
	if f.Secret {
		f.Here = "/"
	}
	html, err := k.Render(k.Reader(c), page, "layout", f)
	if err != nil {
		return err
	}
	to := ReaderOf(f.Visitor)
	if f.Secret {
		to = toNobodyElse
	}
	return k.Send(c, status, html, Policy, to)
}

// Audience says whom a page is made for.
type Audience int

// For whom a page is made.
const (
	ToAll        Audience = iota // it is the same for everyone
	toVisitor                    // it may be for its reader alone
	toNobodyElse                 // it holds a secret, which nothing may keep
)

// ReaderOf returns whom a page for a visitor is made for.
func ReaderOf(who auth.Identity) Audience {
	if who.Anonymous() {
		return ToAll
	}
	return toVisitor
}

// Send answers with a page that was made, under a content security policy.
func (k *Kit) Send(c echo.Context, status int, html []byte, policy string, to Audience) error {
	header := c.Response().Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Cache-Control", "no-cache")
	if to != ToAll {
		header.Set("Cache-Control", "private, no-cache")
	}
	header.Add("Vary", "Cookie")
	header.Add("Vary", "Accept-Language")
	if to == toNobodyElse {
		// Not no-referrer, with which browsers do not say where a form comes from.
		header.Set("Referrer-Policy", "strict-origin")
		header.Set("Cache-Control", "no-store")
		header.Set("X-Robots-Tag", "noindex")
		return c.HTMLBlob(status, html)
	}
	if status == http.StatusOK {
		tag := `"` + digest(html) + `"`
		header.Set("ETag", "W/"+tag) // the same, compressed or not
		if matches(c.Request().Header.Get("If-None-Match"), tag) {
			return c.NoContent(http.StatusNotModified)
		}
	}
	return c.HTMLBlob(status, html)
}

// digest is short enough for a header and long enough not to collide.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:12])
}

// matches reports whether an If-None-Match header names the tag, weak or not: a proxy that compresses weakens it.
func matches(header, tag string) bool {
	for candidate := range strings.SplitSeq(header, ",") {
		candidate = strings.TrimSpace(candidate)
		if candidate == "*" || strings.TrimPrefix(candidate, "W/") == tag {
			return true
		}
	}
	return false
}

// File answers with something that other programs read; it is the same for all.
func (k *Kit) File(c echo.Context, kind string, content []byte) error {
	header := c.Response().Header()
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "no-cache")
	header.Add("Vary", "Accept-Language")
	tag := `"` + digest(content) + `"`
	header.Set("ETag", tag)
	if matches(c.Request().Header.Get("If-None-Match"), tag) {
		return c.NoContent(304)
	}
	return c.Blob(200, kind, content)
}
