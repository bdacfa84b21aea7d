// Package message holds the texts of the pages in the languages that they are offered in, and picks a reader's
// language.
//
// The texts are in texts/LANGUAGE/ROOM/AREA.json: a file for each area of a room of the pages and language, with nested
// objects for nested names ("desk.undo"). Texts common to all rooms, about a game for example, are in texts/LANGUAGE
// itself. Values with a "one" and an "other" are plural forms that the argument Count decides between ("many", too, in
// French). Arguments are written {{.Name}}; French texts write {{de .Name}} for "de Bert" and "d’Ada", and {{place
// .Rank}} for "1ʳᵉ" and "2ᵉ". Texts are plain text, never markup.
//
// Translations of the domain's sentences (package sentence) are texts below "sentence", by their codes, with their
// values as {{.V1}}, {{.V2}} and so on; the first integer is the Count. Those of a game are in its file, the others in
// sentences.json. English has none: the domain's sentences are English.
package message

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
	"text/template"
	"unicode"
	"unicode/utf8"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	parsing "github.com/nicksnyder/go-i18n/v2/i18n/template"
	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

//go:embed texts
var files embed.FS

// Sources are the folders of texts. A package that adds a format or another thing with a name adds one before the first
// call of [Load]: files like texts/en/words.json, for each language.
var Sources = []fs.FS{files}

// Languages are the languages on offer. The first is the default.
var Languages = []language.Tag{language.English, language.French, language.German}

// Catalogue holds all texts.
type Catalogue struct {
	printers map[language.Tag]*Printer
	matcher  language.Matcher
}

// Load reads the embedded texts; a file that is not valid is a mistake in the program and panics.
func Load() *Catalogue { return load() }

var load = sync.OnceValue(func() *Catalogue {
	bundle := i18n.NewBundle(Languages[0])
	bundle.RegisterUnmarshalFunc("json", json.Unmarshal)
	c := &Catalogue{printers: map[language.Tag]*Printer{}, matcher: language.NewMatcher(Languages)}
	for _, tag := range Languages {
		plural, err := loadLanguage(bundle, tag)
		if err != nil {
			panic(err)
		}
		p := &Printer{Tag: tag, localizer: i18n.NewLocalizer(bundle, tag.String()), plural: plural}
		p.parser.Funcs = p.functions()
		c.printers[tag] = p
	}
	return c
})

// loadLanguage adds the texts of a language, and returns the names of those with plural forms.
func loadLanguage(bundle *i18n.Bundle, tag language.Tag) (plural map[string]bool, err error) {
	plural = map[string]bool{}
	for _, source := range Sources {
		names, err := filesOf(source, tag.String())
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			text, err := fs.ReadFile(source, name)
			if err != nil {
				return nil, err
			}
			file, err := bundle.ParseMessageFileBytes(text, tag.String()+".json")
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			for _, message := range file.Messages {
				plural[message.ID] = message.One != ""
			}
		}
	}
	return plural, nil
}

// filesOf returns the names of a language's files in a folder.
func filesOf(source fs.FS, language string) ([]string, error) {
	shared, err := fs.Glob(source, path.Join("texts", language, "*.json"))
	if err != nil {
		return nil, err
	}
	rooms, err := fs.Glob(source, path.Join("texts", language, "*/*.json"))
	return append(shared, rooms...), err
}

// Match returns the printer of the best language for a reader. Each preference is a language tag or the value of an
// Accept-Language header; the first that names a language on offer decides, and preferences that are not valid are
// passed over.
func (c *Catalogue) Match(preferences ...string) *Printer {
	for _, preference := range preferences {
		tags, _, err := language.ParseAcceptLanguage(preference)
		if err != nil || len(tags) == 0 {
			continue
		}
		if _, i, confidence := c.matcher.Match(tags...); confidence > language.No {
			return c.printers[Languages[i]]
		}
	}
	return c.printers[Languages[0]]
}

// All returns the printers in the order of Languages.
func (c *Catalogue) All() []*Printer {
	all := make([]*Printer, len(Languages))
	for i, tag := range Languages {
		all[i] = c.printers[tag]
	}
	return all
}

// Printer writes texts in a language.
type Printer struct {
	Tag       language.Tag
	localizer *i18n.Localizer
	plural    map[string]bool // names of texts with plural forms
	parser    textParser
	plain     sync.Map // texts without arguments by name: tables look the same texts up many times
}

// Language returns the language as HTML's lang attribute takes it.
func (p *Printer) Language() string { return p.Tag.String() }

// Text returns a text by its name. Arguments are names and values in turn; Count decides the plural form.
func (p *Printer) Text(id string, args ...any) (string, error) {
	if text, known := p.plain.Load(id); known && len(args) == 0 {
		return text.(string), nil
	}
	if len(args)%2 != 0 {
		return "", fmt.Errorf("message %s: %d arguments; they come as names and values in turn", id, len(args))
	}
	data := make(map[string]any, len(args)/2)
	for i := 0; i < len(args); i += 2 {
		name, ok := args[i].(string)
		if !ok {
			return "", fmt.Errorf("message %s: the name of an argument is %v", id, args[i])
		}
		data[name] = args[i+1]
	}
	config := &i18n.LocalizeConfig{MessageID: id, TemplateData: data, TemplateParser: &p.parser}
	if count, ok := data["Count"]; ok && p.plural[id] {
		config.PluralCount = count
	}
	text, err := p.localizer.Localize(config)
	if err != nil {
		return "", fmt.Errorf("message %s in %s: %w", id, p.Tag, err)
	}
	if len(args) == 0 {
		p.plain.Store(id, text)
	}
	return text, nil
}

// Collate returns a function that compares names in the order of the language, with a result like that of
// strings.Compare. It must not be used by several goroutines at once.
func (p *Printer) Collate() func(a, b string) int {
	return collate.New(p.Tag, collate.IgnoreCase).CompareString
}

// textParser parses texts once: the functions of a language never change.
type textParser struct{ parsing.TextParser }

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
