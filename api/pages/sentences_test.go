package pages

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"quatuor/api/pages/message"
	"quatuor/api/pages/moves"
	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/sentence"
	"quatuor/engine/table"
	"quatuor/tournament"
)

// sayers are the functions that make sentences, and the place of the format among their arguments.
var sayers = map[string]int{
	"sentence.New": 0, "sentence.Errorf": 0, "sentence.Fixed": 0,
	"engine.Refuse": 1, "tournament.Refuse": 1, "tournament.Fault": 1,
	"tournament.NotNow": 0, "tournament.NotValid": 0, "NotNow": 0, "NotValid": 0,
	"Refuse": 1, "Fault": 1, "faults.Add": 1, "fault": 1, "newFault": 1,
	"note": 0, "i.note": 0, "refuse": 0, "r.Refuse": 1, "in.Refuse": 1,
}

// unread are the folders with sentences that are on no page, or are errors in a file, in English: game records and
// report files.
var unread = []string{
	"engine/enginetest", "engine/record", "tournament/trf", "api/pages/message", "api/rest", "api/contract",
}

// sentencesOf returns the formats of all sentences of the domain and of the pages, by their codes.
func sentencesOf(t *testing.T) map[string]string {
	t.Helper()
	formats := map[string]string{}
	root := filepath.Join("..", "..")
	for _, top := range []string{"engine", "tournament", "api", "cmd/quatuor/doctor"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			dir, _ := filepath.Rel(root, filepath.Dir(path))
			if slices.Contains(unread, filepath.ToSlash(dir)) {
				return nil
			}
			file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				at, known := sayers[calleeOf(call.Fun)]
				if !known || at >= len(call.Args) {
					return true
				}
				if format, ok := literal(call.Args[at]); ok {
					if code := sentence.CodeOf(format); code != "" {
						if other, twice := formats[code]; twice && wordsOf(other) != wordsOf(format) {
							t.Errorf("%q and %q have one code, %s", other, format, code)
						}
						formats[code] = format
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return formats
}

// wordsOf returns the words of a format.
func wordsOf(format string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(formatVerb.ReplaceAllString(format, " ")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// calleeOf returns how a function is called: "Refuse", "engine.Refuse".
func calleeOf(f ast.Expr) string {
	switch f := f.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok {
			return x.Name + "." + f.Sel.Name
		}
	}
	return ""
}

// literal returns the text of a literal, or of several with plus signs between.
func literal(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.BinaryExpr:
		left, ok := literal(e.X)
		right, also := literal(e.Y)
		return left + right, ok && also && e.Op == token.ADD
	}
	return "", false
}

var (
	formatVerb = regexp.MustCompile(`%[-+# 0-9.\[\]*]*[a-zA-Z]`)
	valueNamed = regexp.MustCompile(`{{\s*\.V(\d+)\s*}}`)
)

// TestEverySentenceIsTranslated checks that every sentence of the domain on a page has a translation in each other
// language, with only the sentence's values, and that no translation is unused.
func TestEverySentenceIsTranslated(t *testing.T) {
	formats := sentencesOf(t)
	if len(formats) < 300 {
		t.Fatalf("%d sentences found", len(formats))
	}
	if path := os.Getenv("QUATUOR_SENTENCES"); path != "" { // for translators
		text, _ := json.MarshalIndent(formats, "", " ")
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, language := range []string{"fr", "de"} {
		texts := translations(t, language)
		for code, format := range formats {
			said, ok := texts[code]
			if !ok {
				t.Errorf("%s: %s is missing, for %q", language, code, format)
				continue
			}
			verbs := len(formatVerb.FindAllString(strings.ReplaceAll(format, "%%", ""), -1))
			form, _ := json.Marshal(said)
			for _, m := range valueNamed.FindAllStringSubmatch(string(form), -1) {
				if n, _ := strconv.Atoi(m[1]); n < 1 || n > verbs {
					t.Errorf("%s: %s has the value %s, and %q has %d", language, code, m[0], format, verbs)
				}
			}
		}
		for code := range texts {
			if _, ok := formats[code]; !ok {
				t.Errorf("%s: nothing says %s", language, code)
			}
		}
	}
}

// translations returns the sentences in a language by code: those for all games, and those of each game.
func translations(t *testing.T, language string) map[string]any {
	t.Helper()
	all := map[string]any{}
	for _, name := range append(catalog.Games(), "sentences") {
		text, err := os.ReadFile(filepath.Join("message", "texts", language, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var own struct{ Sentence map[string]any }
		if err := json.Unmarshal(text, &own); err != nil {
			t.Fatal(err)
		}
		maps.Copy(all, own.Sentence)
	}
	return all
}

// TestRefusalsAreToldInTheReadersLanguage: values are translated, nested sentences too, and a sentence without a
// translation is marked as English.
func TestRefusalsAreToldInTheReadersLanguage(t *testing.T) {
	texts := message.Load()
	english, german, french := texts.Match("en"), texts.Match("de"), texts.Match("fr")
	stale := fmt.Errorf("game 7: %w", sentence.Errorf("%w: it belongs to a tournament", table.ErrRematch))
	for _, test := range []struct {
		in   *message.Printer
		err  error
		want string
	}{
		{
			german, engine.Refuse(engine.ErrIllegal, "a marble stands on %s already", "b3"),
			"Der Zug wurde nicht ausgeführt: auf b3 steht schon eine Murmel.",
		},
		{
			french,
			engine.Refuse(engine.ErrIllegal, "%s is not legal: %s", "g22", sentence.New("there is no %s in your hand", "g22")),
			"g22 n’est pas permis : il n’y a pas de g22 dans votre main",
		},
		{
			english,
			engine.Refuse(engine.ErrIllegal, "a marble stands on %s already", "b3"), "a marble stands on b3 already",
		},
		{german, table.ErrNoOffer, "es gibt kein Remisangebot zu beantworten"},
		{french, stale, "elle appartient à un tournoi"},
	} {
		why, known := moves.Refusal(test.in, test.err)
		if !known || !strings.Contains(why, test.want) {
			t.Errorf("%v in %s: %q, want %q", test.err, test.in.Tag, why, test.want)
		}
	}
	for want, said := range map[string]sentence.Sentence{
		`<span lang="en">no such &lt;words&gt; 1</span>`: sentence.New("no such <words> %d", 1),
		`<span lang="en">line 3: nonsense</span>`: sentence.New(
			"line %d: %v", 3, sentence.New("nonsense"),
		),
		`Zeile 3: „&lt;b&gt;“ ist keine Wertung von 1 bis 5000`: sentence.New(
			"line %d: %v", 3, sentence.Errorf("%q is no rating from 1 to 5000", "<b>"),
		),
		`Stand des Turniers: läuft; Ergebnisse können nicht eingetragen werden`: sentence.New(
			"the tournament is %s; results cannot be entered", tournament.Running,
		),
	} {
		if got := german.TellHTML(said); string(got) != want {
			t.Errorf("%q is told as %q, want %q", said, got, want)
		}
	}
}
