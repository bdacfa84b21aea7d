package message

import (
	_ "embed"
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

//go:embed glossary.json
var glossary []byte

// term is the name of a concept in each language, with patterns of the words that no text uses for it.
type term struct {
	Concept, En, Fr, De string
	Never               map[string][]string
}

// everyText returns all texts of a language by their names, sentences of the domain and plural forms included.
func everyText(t *testing.T, language string) map[string]string {
	t.Helper()
	texts := textsOf(t, language)
	names, err := fs.Glob(files, path.Join("texts", language, "*.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		content, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var tree struct{ Sentence map[string]any }
		if err := json.Unmarshal(content, &tree); err != nil {
			t.Fatal(err)
		}
		flatten(t, texts, "sentence", tree.Sentence)
	}
	return texts
}

// TestOneWordForOneThing: no text uses a word that the glossary rules out, and each term is used.
func TestOneWordForOneThing(t *testing.T) {
	var terms []term
	if err := json.Unmarshal(glossary, &terms); err != nil || len(terms) < 80 {
		t.Fatalf("%d terms, %v", len(terms), err)
	}
	seen := map[string]bool{}
	for _, tag := range Languages {
		texts := everyText(t, tag.String())
		var all strings.Builder
		for _, text := range texts {
			all.WriteString(strings.ToLower(text) + "\n")
		}
		for _, one := range terms {
			word := map[string]string{"en": one.En, "fr": one.Fr, "de": one.De}[tag.String()]
			if !strings.Contains(all.String(), strings.ToLower(word)) {
				t.Errorf("%s: no text has %q, the term for %q", tag, word, one.Concept)
			}
			if tag == Languages[0] && seen[one.Concept] {
				t.Errorf("%q stands twice", one.Concept)
			}
			seen[one.Concept] = true
			for _, pattern := range one.Never[tag.String()] {
				never := wholeWord(pattern)
				for id, text := range texts {
					if found := never.FindString(withoutOldNames(id, text)); found != "" {
						t.Errorf("%s: %s has %q where the glossary has %q: %q", tag, id, found, word, text)
					}
				}
			}
		}
	}
}

// wholeWord compiles a pattern with \b at an end as the border of a word of any letters, not of ASCII's alone.
func wholeWord(pattern string) *regexp.Regexp {
	if rest, starts := strings.CutPrefix(pattern, `\b`); starts {
		pattern = `(?:^|\PL)` + rest
	}
	if rest, ends := strings.CutSuffix(pattern, `\b`); ends {
		pattern = rest + `(?:$|\PL)`
	}
	return regexp.MustCompile(pattern)
}

// withoutOldNames leaves out accessible names, which stay when the text on a button changes.
func withoutOldNames(id, text string) string {
	if strings.HasSuffix(id, "_name") {
		return ""
	}
	return text
}

// typography are patterns that no text of a language may have.
var typography = map[string]map[string]*regexp.Regexp{
	"en": {"a typewriter's apostrophe or quote": regexp.MustCompile(`\pL'\pL|"`)},
	"fr": {
		"a typewriter's apostrophe or quote":     regexp.MustCompile(`\pL'\pL|"`),
		"no narrow space before a mark":          regexp.MustCompile(`[ \x{a0}][:;!?»]|« |«\x{a0}|[\pL\d)][;!?»]|\pL: `),
		"no elision before a value with a vowel": regexp.MustCompile(`\bde {{\.(Name|Names|Login)}}`),
		"an ordinal without its raised letters":  regexp.MustCompile(`\b1(er|ère|re)\b|\d(e|ème)\b|}}ᵉ`),
	},
	"de": {"quotes that are not German": regexp.MustCompile(`\pL'\pL|"|“[^”„]*”|«|»`)},
}

func TestTypography(t *testing.T) {
	for language, rules := range typography {
		for id, text := range everyText(t, language) {
			for what, rule := range rules {
				if found := rule.FindString(text); found != "" && !quoted.MatchString(text) {
					t.Errorf("%s: %s has %s, %q: %q", language, id, what, found, text)
				}
			}
		}
	}
}

// quoted matches texts that show what to type, or what a program writes.
var quoted = regexp.MustCompile(`Anna Berg|Content-Type: |Équipe bleue: |partners: rotate|meetings: second`)
