package reference_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/engine/catalog"
	"quatuor/engine/catalog/rulebook"
	"quatuor/engine/table"
)

// TestRulesOfEveryGame shows every section and every figure in every language.
func TestRulesOfEveryGame(t *testing.T) {
	f := apitest.NewFixture(t)
	for _, game := range catalog.Games() {
		for _, language := range rulebook.Languages() {
			html := f.Page("/rules/"+game+"?lang="+language, "")
			text, _ := rulebook.Find(game, language)
			for _, s := range text.Sections {
				if !strings.Contains(html, `<section id="`+s.Anchor+`">`) || !strings.Contains(html, `<a href="#`+s.Anchor+`">`) {
					t.Errorf("%s in %s does not show or does not list section %s", game, language, s.Anchor)
				}
				for _, b := range s.Blocks {
					if b.Figure != "" && strings.Count(html, `<title id="`+b.Figure+`-t">`) != 1 {
						t.Errorf("%s in %s does not draw %s once", game, language, b.Figure)
					}
				}
			}
			apitest.WellFormed(t, html)
			apitest.Harmless(t, html)
		}
	}
}

// TestRulesInTheReadersLanguage: the address decides, then the browser's first language that there are texts in.
func TestRulesInTheReadersLanguage(t *testing.T) {
	f := apitest.NewFixture(t)
	for _, test := range []struct{ query, accept, want string }{
		{"", "", "In short"},
		{"", "fr-CH, fr;q=0.9, en;q=0.8", "En bref"},
		{"", "it, FR;q=0.5, en;q=0.3", "En bref"},
		{"", "en-GB,fr", "In short"},
		{"", "de-CH", "Kurz gesagt"},
		{"?lang=en", "fr", "In short"},
		{"?lang=fr", "en", "En bref"},
		{"?lang=de", "fr", "Kurz gesagt"},
		{"?lang=la", "fr", "En bref"},
	} {
		answer := f.Get("/rules/quixo"+test.query, "", apitest.Header{"Accept-Language", test.accept}).
			Has(t, "<h2>"+test.want+"</h2>")
		if vary := strings.Join(answer.Header.Values("Vary"), ","); !strings.Contains(vary, "Accept-Language") {
			t.Errorf("%+v: Vary %q", test, vary)
		}
	}
}

// TestRulesOfWhatIsPlayed: an installation that does not offer a game shows no rules of it, and of a game only those of
// the variants that it offers. Games of others that were played before stay, without a link to rules.
func TestRulesOfWhatIsPlayed(t *testing.T) {
	f := apitest.NewFurnished(t)
	f.Pages.Variants = []string{"quixo/duel", "quits/duel", "quits/short"}
	list := f.Page("/rules", "")
	for game, want := range map[string]bool{"quixo": true, "quits": true, "quivive": false, "quiwin": false} {
		if strings.Contains(list, "/rules/"+game) != want {
			t.Errorf("the list of rules names %s: %v, want %v", game, !want, want)
		}
		if answer := f.Get("/rules/"+game, ""); (answer.Status == http.StatusOK) != want {
			t.Errorf("the rules of %s: status %d", game, answer.Status)
		}
	}
	f.Get("/rules/quixo?lang=en", "").Want(t, http.StatusOK).Has(t, `id="short"`).Lacks(t, `id="teams"`)
	linked := 0
	all, _, err := f.Store.Games().List(t.Context(), table.Filter{}, 1000, "")
	f.Do(err)
	for _, g := range all {
		want := strings.HasPrefix(g.Variant, "quixo/") || strings.HasPrefix(g.Variant, "quits/")
		if want {
			linked++
		}
		if html := f.Page("/games/"+g.ID, ""); strings.Contains(html, `href="/rules/`) != want {
			t.Errorf("the page of a game of %s links to rules: %v, want %v", g.Variant, !want, want)
		}
	}
	if linked == 0 || linked == len(all) {
		t.Errorf("%d of %d games have rules to link to", linked, len(all))
	}
}
