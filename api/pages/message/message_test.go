package message

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"quatuor/engine/sentence"
)

// textsOf returns the texts of a language by name, with the plural forms of a text joined.
func textsOf(t *testing.T, language string) map[string]string {
	t.Helper()
	names, err := filesOf(files, language)
	if err != nil || len(names) == 0 {
		t.Fatalf("no texts in %s: %v", language, err)
	}
	texts := map[string]string{}
	for _, name := range names {
		content, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var tree map[string]any
		if err := json.Unmarshal(content, &tree); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		delete(tree, "sentence") // the English sentences are the domain's own
		flatten(t, texts, "", tree)
	}
	return texts
}

func flatten(t *testing.T, texts map[string]string, prefix string, tree map[string]any) {
	t.Helper()
	for name, value := range tree {
		id := strings.TrimPrefix(prefix+"."+name, ".")
		switch value := value.(type) {
		case string:
			if _, twice := texts[id]; twice {
				t.Errorf("%s stands twice", id)
			}
			texts[id] = value
		case map[string]any:
			if other, plural := value["other"].(string); plural {
				forms := other
				for form, text := range value {
					if form != "other" {
						forms += "\n" + text.(string)
					}
				}
				texts[id] = forms
				continue
			}
			flatten(t, texts, id, value)
		default:
			t.Errorf("%s is a %T", id, value)
		}
	}
}

var argument = regexp.MustCompile(`{{\s*(?:de |place )?\.(\w+)\s*}}`)

func argumentsOf(text string) []string {
	seen := map[string]bool{}
	for _, m := range argument.FindAllStringSubmatch(text, -1) {
		seen[m[1]] = true
	}
	delete(seen, "Count") // a singular form may leave the number out
	return slices.Sorted(maps.Keys(seen))
}

// TestLanguagesHaveTheSameTexts demands every text in every language, with the same arguments.
func TestLanguagesHaveTheSameTexts(t *testing.T) {
	english := textsOf(t, Languages[0].String())
	for _, tag := range Languages[1:] {
		other := textsOf(t, tag.String())
		for id, text := range english {
			translated, there := other[id]
			switch {
			case !there:
				t.Errorf("%s: %s is missing", tag, id)
			case translated == "":
				t.Errorf("%s: %s is empty", tag, id)
			case !slices.Equal(argumentsOf(text), argumentsOf(translated)):
				t.Errorf("%s: %s takes the arguments %v, in English %v", tag, id, argumentsOf(translated), argumentsOf(text))
			}
		}
		for id := range other {
			if _, there := english[id]; !there {
				t.Errorf("%s: %s is not there in English", tag, id)
			}
		}
	}
}

func TestMatch(t *testing.T) {
	c := Load()
	for _, test := range []struct {
		preferences []string
		want        string
	}{
		{nil, "en"},
		{[]string{"de-AT,de;q=0.9,en;q=0.5"}, "de"},
		{[]string{"fr-CA"}, "fr"},
		{[]string{"nonsense;;;", "fr"}, "fr"},
		{[]string{"ja", "de"}, "de"},
		{[]string{"ja"}, "en"},
		{[]string{"", "en-GB, de"}, "en"},
	} {
		if got := c.Match(test.preferences...).Language(); got != test.want {
			t.Errorf("%q: %s, want %s", test.preferences, got, test.want)
		}
	}
}

func TestText(t *testing.T) {
	p := Load().Match("de")
	if text, err := p.Text("layout.skip"); err != nil || text != "Zum Inhalt springen" {
		t.Errorf("%q, %v", text, err)
	}
	if _, err := p.Text("no.such.text"); err == nil {
		t.Error("a text that is not there is no error")
	}
	if _, err := p.Text("layout.skip", "Name"); err == nil {
		t.Error("an argument without a value is no error")
	}
}

func TestPluralForms(t *testing.T) {
	p := Load().Match("de")
	for _, test := range []struct {
		hours int
		want  string
	}{
		{1, "nicht alle Sitze sind innerhalb einer Stunde besetzt worden"},
		{2, "nicht alle Sitze sind innerhalb von 2 Stunden besetzt worden"},
	} {
		if text, own := p.Tell(sentence.New("not every seat was taken within %d hours", test.hours)); text != test.want ||
			!own {
			t.Errorf("%d hours: %q, %v", test.hours, text, own)
		}
	}
	if text, own := p.Tell(sentence.New("all %d rounds have been paired", 1)); text != "alle 1 Runden sind ausgelost" ||
		!own {
		t.Errorf("without plural forms: %q, %v", text, own)
	}
}

// TestABoardIsNoTable: each language has a word for a board, for two players or with a number in its round, and another
// for a table of three to five.
func TestABoardIsNoTable(t *testing.T) {
	board, table := regexp.MustCompile(`(?i)\bboards?\b`), regexp.MustCompile(`(?i)\btables?\b`)
	english := textsOf(t, "en")
	for language, word := range map[string]*regexp.Regexp{
		"fr": regexp.MustCompile(`(?i)\btables?\b|[ée]chiquier`),
		"de": regexp.MustCompile(`(?i)\btisch`),
	} {
		said := map[string]string{}
		sayings := textsOf(t, language)
		for id, text := range english {
			said[text] += sayings[id] + "\n"
		}
		content, err := files.ReadFile("texts/" + language + "/sentences.json")
		if err != nil {
			t.Fatal(err)
		}
		var sentences struct{ Sentence map[string]any }
		if err := json.Unmarshal(content, &sentences); err != nil {
			t.Fatal(err)
		}
		for code, text := range sentences.Sentence {
			forms, err := json.Marshal(text)
			if err != nil {
				t.Fatal(err)
			}
			said[strings.ReplaceAll(code, "_", " ")] += string(forms)
		}
		met := 0
		for text, theirs := range said {
			if !board.MatchString(text) || table.MatchString(text) {
				continue
			}
			met++
			if word.MatchString(theirs) {
				t.Errorf("%s: %q is said as %q", language, text, theirs)
			}
		}
		if met < 50 {
			t.Errorf("%s: only %d texts name a board", language, met)
		}
	}
}

// TestTextsMirrorTheRooms: every folder of texts has the name of a room or is that of e-mails, and every language the same files but for the
// sentences, which are English by themselves.
func TestTextsMirrorTheRooms(t *testing.T) {
	var first []string
	for _, tag := range Languages {
		names, err := filesOf(files, tag.String())
		if err != nil {
			t.Fatal(err)
		}
		for i, name := range names {
			names[i] = strings.TrimPrefix(name, "texts/"+tag.String()+"/")
			if room, _, found := strings.Cut(names[i], "/"); found {
				folder := "../" + room
				if room == "mail" { // e-mails are no pages
					folder = "../../mail"
				}
				if _, err := os.Stat(folder); err != nil {
					t.Errorf("%s: there is no room %s", name, room)
				}
			}
		}
		names = slices.DeleteFunc(names, func(name string) bool { return name == "sentences.json" })
		if first == nil {
			first = names
		} else if !slices.Equal(names, first) {
			t.Errorf("%v has the files %v, not %v", tag, names, first)
		}
	}
}
