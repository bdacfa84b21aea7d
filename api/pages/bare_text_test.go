package pages

import (
	"io/fs"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/net/html"

	"quatuor/api/pages/templates"
)

// untranslated are templates that still have text of their own.
var untranslated = []string{}

// readAttributes are attributes that people read or hear.
var readAttributes = []string{"aria-label", "title", "placeholder", "alt", "aria-description", "aria-roledescription"}

var action = regexp.MustCompile(`(?s){{.*?}}`)

// TestTemplatesHoldNoBareText checks that all visible text comes from package message.
func TestTemplatesHoldNoBareText(t *testing.T) {
	err := fs.WalkDir(templates.Files, ".", func(path string, d fs.DirEntry, err error) error {
		name := path
		if err != nil || d.IsDir() || slices.Contains(untranslated, name) {
			return err
		}
		content, err := templates.Files.ReadFile(path)
		if err != nil {
			return err
		}
		for _, text := range bareTexts(string(content)) {
			t.Errorf("%s: %q does not come from the texts", name, text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func bareTexts(template string) (bare []string) {
	note := func(text string) {
		if text = strings.TrimSpace(text); strings.ContainsFunc(text, unicode.IsLetter) {
			bare = append(bare, text)
		}
	}
	// An action within an attribute may hold quotes that would end it.
	tokens := html.NewTokenizer(strings.NewReader(action.ReplaceAllString(template, " ")))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return bare
		case html.TextToken:
			note(tokens.Token().Data)
		case html.StartTagToken, html.SelfClosingTagToken:
			for _, a := range tokens.Token().Attr {
				if slices.Contains(readAttributes, a.Key) {
					note(a.Val)
				}
			}
		default:
		}
	}
}

func TestBareTexts(t *testing.T) {
	got := bareTexts(`<p title="{{t "a.b"}}">{{t "c"}} · <a aria-label="Main" href="/x">{{.Name}} wins</a> 1–2</p>`)
	if want := []string{"Main", "wins"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
