package kit

import (
	"html/template"
	"slices"
	"strings"
	"testing"

	"quatuor/api/pages/message"
	templatefiles "quatuor/api/pages/templates"
)

// TestEveryTemplateCanBeMade builds the template sets of all pages in all languages, which are otherwise built lazily.
func TestEveryTemplateCanBeMade(t *testing.T) {
	p := New(Config{}, func(*message.Printer) template.FuncMap {
		stub := func() string { return "" } // those of the rooms
		return template.FuncMap{"seatNames": stub, "moveWords": stub, "points": stub, "half": stub, "coins": stub, "money": stub, "period": stub}
	})
	for _, printer := range p.Texts.All() {
		for page := range templatefiles.Pages {
			set := p.languages[printer.Tag].of(page)
			if set == nil || set.Lookup("main") == nil && page != "layout" {
				t.Errorf("%s in %v has no main part", page, printer.Tag)
			}
		}
	}
	if len(p.languages) != len(message.Languages) || p.languages[p.Texts.All()[0].Tag].of("nothing") != nil {
		t.Error("a page that is not there has a set")
	}
}

// TestScriptsAreSentWithoutComments checks that every line of code stays, and so do licences of third parties.
func TestScriptsAreSentWithoutComments(t *testing.T) {
	for _, test := range []struct{ module, want string }{
		{
			module: "// @ts-check\n/**\n * @param {string} a\n */\nfunction f(a) { // here\n  return a; }\n",
			want:   "function f(a) { // here\n  return a; }\n",
		},
		{"  /** @type {number} */ let a = 1;\n", "  /** @type {number} */ let a = 1;\n"},
		{"/*! licence\n// of another\n*/\nlet b;\n", "/*! licence\n// of another\n*/\nlet b;\n"},
		{"/** one line */\nlet c;\n", "let c;\n"},
	} {
		if got := string(withoutComments([]byte(test.module))); got != test.want {
			t.Errorf("%q is sent as %q, want %q", test.module, got, test.want)
		}
	}
	if !strings.Contains(string(loadAssets()["idiomorph.js"].Content), "Zero-Clause BSD") {
		t.Error("a licence is missing")
	}
}

func TestWrap(t *testing.T) {
	fits := func(s string) bool { return len([]rune(s)) <= 8 }
	for text, want := range map[string][]string{
		"":                  nil,
		"short":             {"short"},
		"two words here":    {"two", "words h…"},
		"Donaudampfschiff":  {"Donaudam", "pfschiff"},
		"one two three ten": {"one two", "three t…"},
	} {
		if got := wrap(text, 2, fits); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestFigures(t *testing.T) {
	for _, test := range []struct{ got, want string }{
		{change(12.4), "+12"},
		{change(-7.6), "−8"},
		{change(-0.2), "±0"},
		{Halves("3.5"), "3½"},
		{Halves("0.5"), "½"},
		{Halves("2"), "2"},
		{Halves("2.25"), "2.25"},
		{PrettyResult("1/2-1/2"), "½ – ½"},
		{PrettyResult("0-1"), "0 – 1"},
		{PrettyResult("---"), "− : −"},
		{PrettyResult("2,1,3"), "2, 1, 3"},
		{message.Family("quits/four"), "quits"},
		{message.Family("quits-rapid"), "quits"},
		{Class("quits-rapid"), "rapid"},
	} {
		if test.got != test.want {
			t.Errorf("%q, want %q", test.got, test.want)
		}
	}
}
