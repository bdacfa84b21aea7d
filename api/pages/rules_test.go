package pages

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quatuor/engine/catalog/rules"
)

// TestRulesOfEveryGame shows every section and every figure in every language.
func TestRulesOfEveryGame(t *testing.T) {
	w := newTown(t)
	for _, game := range rules.Games() {
		for _, language := range rules.Languages() {
			html := w.page("/rules/"+game+"?lang="+language, "")
			text, _ := rules.Find(game, language)
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
			wellFormed(t, html)
			harmless(t, html)
		}
	}
}

// TestRulesInTheReadersLanguage: the address decides, then the browser's first language that there are texts in.
func TestRulesInTheReadersLanguage(t *testing.T) {
	w := newTown(t)
	for _, test := range []struct{ query, accept, want string }{
		{"", "", "In short"},
		{"", "fr-CH, fr;q=0.9, en;q=0.8", "En bref"},
		{"", "de, FR;q=0.5, en;q=0.3", "En bref"},
		{"", "en-GB,fr", "In short"},
		{"", "de", "In short"},
		{"?lang=en", "fr", "In short"},
		{"?lang=fr", "en", "En bref"},
		{"?lang=de", "fr", "En bref"},
	} {
		request := httptest.NewRequest(http.MethodGet, "/rules/quixo"+test.query, nil)
		request.Header.Set("Accept-Language", test.accept)
		answer := httptest.NewRecorder()
		w.echo.ServeHTTP(answer, request)
		if !strings.Contains(answer.Body.String(), "<h2>"+test.want+"</h2>") || !strings.Contains(strings.Join(answer.Header().Values("Vary"), ","), "Accept-Language") {
			t.Errorf("%q with %q: status %d, Vary %q, want %s", test.query, test.accept, answer.Code, answer.Header().Values("Vary"), test.want)
		}
	}
}
