package message

import (
	"fmt"
	"strings"
	"text/template"
	"unicode"
	"unicode/utf8"

	i18n "github.com/nicksnyder/go-i18n/v2/i18n/template"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// textParser parses texts once: the functions of a language never change.
type textParser struct{ i18n.TextParser }

// Cacheable returns true.
func (*textParser) Cacheable() bool { return true }

// functions are those that texts may call on their arguments.
func (p *Printer) functions() template.FuncMap {
	return template.FuncMap{
		"de":    func(name any) string { return elide("de ", "d’", fmt.Sprint(name)) },
		"place": func(rank int) string { return p.manner().place(rank) },
	}
}

// elide puts a French word before a name, in its short form before a vowel or a mute h: "de Bert", "d’Ada".
func elide(whole, short, name string) string {
	if startsWithVowel(name) {
		return short + name
	}
	return whole + name
}

// muteH are beginnings of names with a mute h: Hélène, Henri, Hervé, Hippolyte, Honoré, Hortense, Hubert, Hyacinthe.
var muteH = []string{"hect", "hel", "hen", "herm", "herv", "hipp", "hon", "hor", "hub", "hug", "hy"}

// startsWithVowel reports whether a name begins with a vowel to the ear. Before another vowel, y is none: Yann.
func startsWithVowel(name string) bool {
	bare, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), name)
	if err != nil {
		return false
	}
	bare = strings.ToLower(bare)
	for _, start := range muteH {
		if strings.HasPrefix(bare, start) {
			return true
		}
	}
	first, size := utf8.DecodeRuneInString(bare)
	if first == 'y' {
		second, _ := utf8.DecodeRuneInString(bare[size:])
		return !strings.ContainsRune(vowels, second)
	}
	return strings.ContainsRune(vowels, first)
}

const vowels = "aeiouœæ"
