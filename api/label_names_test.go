package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"quatuor/api/apitest"
)

// TestNamesHoldWhatIsWritten: the accessible name of a control contains the text that is written on it or beside it, in
// every language, so that voice control works with the words that are read (WCAG 2.5.3).
func TestNamesHoldWhatIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := playGoldenEvening(t)
		named := 0
		for _, language := range []string{"en", "fr", "de"} {
			for _, v := range []*apitest.Visitor{e.s.LoggedIn("ada"), e.s.LoggedIn("olga")} {
				for _, path := range slices.Concat(e.pages(t), e.tabs(t)) {
					page := v.Get(path, apitest.Header{"Accept-Language", language})
					if page.Status != http.StatusOK || !strings.HasPrefix(page.Header.Get("Content-Type"), "text/html") {
						continue
					}
					tree, err := html.Parse(strings.NewReader(string(page.Raw)))
					if err != nil {
						t.Fatal(path, err)
					}
					for _, c := range controlsOf(tree) {
						named++
						if !strings.Contains(spoken(c.name), spoken(c.written)) {
							t.Errorf("%s, %s: the name %q of what is written as %q", path, language, c.name, c.written)
						}
					}
				}
			}
		}
		if named < 50 {
			t.Errorf("%d controls with a name of their own were found", named)
		}
	})
}

// tabs are the tabs of the tournaments' pages and desks.
func (e *goldenEvening) tabs(t *testing.T) (out []string) {
	t.Helper()
	for _, event := range []string{"cup", "hall", "melee", "draft"} {
		for _, tab := range []string{"entries", "round", "results", "codes", "arbiter", "settings"} {
			out = append(out, e.names[event]+"/desk?tab="+tab)
		}
	}
	return out
}

// control is a control with an aria-label, and the text that people see of it.
type control struct{ name, written string }

// controlsOf returns the controls of a page that have an aria-label and a text.
func controlsOf(tree *html.Node) (out []control) {
	labels := map[string]string{}
	for n := range tree.Descendants() {
		if n.DataAtom == atom.Label && attribute(n, "for") != "" {
			labels[attribute(n, "for")] = seenText(n)
		}
	}
	for n := range tree.Descendants() {
		name := attribute(n, "aria-label")
		if n.Type != html.ElementNode || name == "" {
			continue
		}
		written := ""
		switch n.DataAtom {
		case atom.A, atom.Button, atom.Summary:
			written = seenText(n)
		case atom.Input, atom.Select, atom.Textarea:
			written = labels[attribute(n, "id")]
			for up := n.Parent; up != nil && written == ""; up = up.Parent {
				if up.DataAtom == atom.Label {
					written = seenText(up)
				}
			}
			if written == "" {
				written = attribute(n, "placeholder")
			}
		}
		if spoken(written) != "" {
			out = append(out, control{name, written})
		}
	}
	return out
}

// seenText returns the text of an element that is seen, without that of controls in it.
func seenText(n *html.Node) string {
	if n.Type == html.TextNode {
		return n.Data
	}
	if n.DataAtom == atom.Select || n.DataAtom == atom.Svg || attribute(n, "class") == "unseen" ||
		attribute(n, "aria-hidden") == "true" {
		return ""
	}
	var b strings.Builder
	for c := range n.ChildNodes() {
		b.WriteString(seenText(c))
	}
	return b.String()
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// spoken returns the letters and digits of a text, in words of lower case.
func spoken(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}
