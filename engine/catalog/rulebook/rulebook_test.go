package rulebook_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"quatuor/engine"
	"quatuor/engine/catalog"
	"quatuor/engine/catalog/rulebook"
	"quatuor/engine/record"
)

func find(t *testing.T, game, language string) rulebook.Text {
	t.Helper()
	text, ok := rulebook.Find(game, language)
	if !ok {
		t.Fatalf("no rules of %s in %s", game, language)
	}
	return text
}

// outline returns the structure that all languages share: a line for each section, block and piece of notation.
func outline(text rulebook.Text) (lines []string) {
	for _, s := range text.Sections {
		lines = append(lines, fmt.Sprint("section ", s.Anchor, " ", s.Variants))
		for _, b := range s.Blocks {
			lines = append(lines, fmt.Sprintf("  block of %s: %d items, ordered %v, figure %q", s.Anchor, len(b.Items),
				b.Ordered, b.Figure))
			for i, item := range append(slices.Clone(b.Items), b.Spans) {
				bold := 0
				for _, span := range item {
					if span.Code {
						lines = append(lines, fmt.Sprintf("    item %d: %s", i, span.Text))
					}
					if span.Bold {
						bold++
					}
				}
				lines = append(lines, fmt.Sprintf("    item %d: %d bold", i, bold))
			}
		}
	}
	return lines
}

// TestLanguagesAreInStep compares the outline of each text with that of the first language.
func TestLanguagesAreInStep(t *testing.T) {
	for _, game := range catalog.Games() {
		want := outline(find(t, game, rulebook.Languages()[0]))
		for _, language := range rulebook.Languages()[1:] {
			got := outline(find(t, game, language))
			for i := range max(len(got), len(want)) {
				if i >= len(got) || i >= len(want) || got[i] != want[i] {
					t.Errorf("%s in %s, line %d of the outline: %q, want %q", game, language, i, at(got, i), at(want, i))
					break
				}
			}
		}
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return "nothing"
}

// TestEveryVariantIsExplained: the sections that all games have, the game's own options, and for each variant a text
// that names only variants of the game.
func TestEveryVariantIsExplained(t *testing.T) {
	for _, variant := range catalog.All() {
		info := variant.Info()
		text := find(t, info.Family(), "en")
		for _, anchor := range []string{"short", "turn", "end", "draws", "leaving", "notation", "rights"} {
			if info.Family() == "quiwin" {
				anchor = map[string]string{"turn": "round", "end": "tiebreak"}[anchor]
			}
			if anchor != "" && !slices.ContainsFunc(text.For(info.ID).Sections,
				func(s rulebook.Section) bool { return s.Anchor == anchor }) {
				t.Errorf("%s has no section %s", info.ID, anchor)
			}
		}
		for _, option := range info.Options {
			for _, value := range option.Values {
				if !strings.Contains(text.Markdown(), "`"+option.Key+"="+value+"`") {
					t.Errorf("the rules of %s do not tell %s=%s", info.ID, option.Key, value)
				}
			}
		}
		for _, s := range text.Sections {
			for _, id := range s.Variants {
				if _, err := catalog.Find(id); err != nil || !strings.HasPrefix(id, info.Family()+"/") {
					t.Errorf("section %s of %s concerns %s: error %v", s.Anchor, info.Family(), id, err)
				}
			}
		}
	}
}

func TestForVariant(t *testing.T) {
	text := find(t, "quixo", "fr")
	duel, teams := text.For("quixo/duel"), text.For("quixo/teams")
	if len(teams.Sections) != len(text.Sections) || len(duel.Sections) != len(text.Sections)-1 {
		t.Errorf("%d sections, %d for two, %d for teams", len(text.Sections), len(duel.Sections), len(teams.Sections))
	}
	if strings.Contains(duel.Markdown(), "## Deux contre deux") ||
		!strings.Contains(teams.Markdown(), "\n## Deux contre deux\n\nLes sièges 1 et 3") {
		t.Error("the section on teams is where it should not be, or is not where it should be")
	}
	if _, ok := rulebook.Find("quixo", "la"); ok {
		t.Error("there are rules in Latin")
	}
	if _, ok := rulebook.Find("chess", "en"); ok {
		t.Error("there are rules of chess")
	}
}

// TestMarkdown shows the beginning of a text as clients get it.
func TestMarkdown(t *testing.T) {
	got := find(t, "quivive", "en").Markdown()
	if !strings.HasPrefix(got, "# Quivive\n\n## In short\n\nStep to a neighbouring podium") ||
		strings.Contains(got, "![") || strings.Contains(got, "{#") {
		t.Errorf("%.300s", got)
	}
	if !strings.Contains(got, "- **Two players**, `quivive/duel`: two pawns each.\n") {
		t.Error("the list of variants is not as it stands in the text")
	}
}

// TestFigures plays the game of every figure; texts show no other figures than these, and all of these.
func TestFigures(t *testing.T) {
	shown := map[string]bool{}
	for _, game := range catalog.Games() {
		for _, s := range find(t, game, "en").Sections {
			for _, b := range s.Blocks {
				if b.Figure != "" {
					shown[b.Figure] = true
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(shown)) {
		family, _, _ := strings.Cut(name, "-")
		f, ok := catalog.FaceOf(family).Figures()[name]
		if !ok {
			t.Errorf("there is no figure %s", name)
			continue
		}
		m, refused := record.Play(record.Game{Variant: f.Variant, Seed: f.Seed, Moves: strings.Fields(f.Moves)})
		if refused != nil {
			t.Errorf("figure %s: %v", name, *refused)
			continue
		}
		if !strings.HasPrefix(name, m.Rules().Info().Family()+"-") {
			t.Errorf("figure %s is of %s", name, f.Variant)
		}
		if o := m.Pending().Outcome; (name == "quixo-line") != (o != nil && o.Reason == engine.ReasonLine) {
			t.Errorf("figure %s ends with %v", name, o)
		}
	}
	if len(shown) != 8 {
		t.Errorf("%d figures are shown, want all 8", len(shown))
	}
}

// TestNotation plays the moves that the sections on notation explain, where a short game leads to them.
func TestNotation(t *testing.T) {
	for _, test := range []struct{ variant, moves, token string }{
		{"quixo/duel", "", "c1-c5"},
		{"quixo/teams", "", "c1-c5>3"},
		{"quits/duel", "", "b2-c3"},
		{"quits/duel", "a3-b4 e3-d2 b2-c3 e4-d3", "a3>e3"},
		{"quivive/duel", "", "+d4"},
	} {
		game, _, _ := strings.Cut(test.variant, "/")
		if !strings.Contains(find(t, game, "en").Markdown(), "- `"+test.token+"`: ") {
			t.Errorf("the rules of %s do not explain %s", game, test.token)
		}
		moves := append(strings.Fields(test.moves), test.token)
		if _, refused := record.Play(record.Game{Variant: test.variant, Moves: moves}); refused != nil {
			t.Errorf("%s %v: %v", test.variant, moves, *refused)
		}
	}
}

// ExampleText_Markdown shows where the rules come from.
func ExampleText_Markdown() {
	text, _ := rulebook.Find("quixo", "fr")
	title, _, _ := strings.Cut(text.Markdown(), "\n")
	fmt.Println(title)
	// Output: # Quixo
}
