// Package rulebook holds the rules of the games as texts for people, in our own words, in English, French and German.
//
// There is a text for each game and language in text/, in a small subset of Markdown: a title, sections with an anchor
// and, where they concern some variants only, these variants ("## Teams {#teams quixo/teams}"), paragraphs, lists with
// "- " or "1. ", **bold**, `code`, and figures on a line of their own ("![caption](name)"), which name figures of the
// game's face. A test keeps the languages in step: the same sections, lists, figures and notation in the same order.
package rulebook

import (
	"embed"
	"slices"
	"strings"
)

//go:embed text
var files embed.FS

// Languages returns the languages of the texts, as BCP 47 tags; the first is the fallback.
func Languages() []string { return []string{"en", "fr", "de"} }

// Text is the rules of a game in a language.
type Text struct {
	Game     string // "quixo"
	Language string // "en"
	Title    string
	Sections []Section
}

// Section is a part of a text under a heading.
type Section struct {
	Anchor   string // the same in all languages
	Title    string
	Variants []string // the variants that it concerns; nil for all
	Blocks   []Block
	source   string // of the blocks
}

// Block is either a figure, a list, or a paragraph.
type Block struct {
	Figure  string   // name of a figure, "" for none
	Items   [][]Span // of a list; nil for none
	Ordered bool     // the items are numbered
	Spans   []Span   // of a paragraph, or the caption of a figure
}

// Span is a piece of a line.
type Span struct {
	Text string
	Bold bool
	Code bool
}

var texts = readAll()

// Find returns the rules of a game in a language; false if it has none.
func Find(game, language string) (Text, bool) {
	i := slices.IndexFunc(texts, func(t Text) bool { return t.Game == game && t.Language == language })
	if i < 0 {
		return Text{}, false
	}
	return texts[i], true
}

// For returns the text without the sections that concern none of the given variants, for example "quixo/duel".
func (t Text) For(variants ...string) Text {
	t.Sections = slices.DeleteFunc(slices.Clone(t.Sections), func(s Section) bool {
		concerns := func(variant string) bool { return slices.Contains(s.Variants, variant) }
		return s.Variants != nil && !slices.ContainsFunc(variants, concerns)
	})
	return t
}

// Markdown returns the text as Markdown, without figures.
func (t Text) Markdown() string {
	var b strings.Builder
	b.WriteString("# " + t.Title + "\n")
	for _, s := range t.Sections {
		b.WriteString("\n## " + s.Title + "\n\n" + s.source + "\n")
	}
	return b.String()
}

func readAll() (list []Text) {
	entries, err := files.ReadDir("text")
	if err != nil {
		panic(err)
	}
	for _, entry := range entries { // for example quixo.en.md
		source, err := files.ReadFile("text/" + entry.Name())
		if err != nil {
			panic(err) // the files are part of the program
		}
		t, err := parse(string(source))
		if err != nil {
			panic("rules in " + entry.Name() + ": " + err.Error())
		}
		game, rest, _ := strings.Cut(entry.Name(), ".")
		t.Game, t.Language = game, strings.TrimSuffix(rest, ".md")
		list = append(list, t)
	}
	return list
}
