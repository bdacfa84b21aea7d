package pages

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"quatuor/api/pages/message"
	"quatuor/api/pages/tournaments"
)

// in requests a page with an Accept-Language header.
func (w *town) in(languages, path string) *httptest.ResponseRecorder {
	w.t.Helper()
	r := httptest.NewRequestWithContext(w.t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Accept-Language", languages)
	answer := httptest.NewRecorder()
	w.echo.ServeHTTP(answer, r)
	return answer
}

// TestPagesSpeakTheReadersLanguage requests pages in several languages: words, dates and figures follow.
func TestPagesSpeakTheReadersLanguage(t *testing.T) {
	w := newTown(t).furnish()
	for _, test := range []struct {
		languages, path string
		want, not       []string
	}{
		{"de-DE,de;q=0.9,en;q=0.8", "/games/left", []string{`<html lang="de">`, ". Dez. 2026, "}, []string{" Dec 2026"}},
		{"fr", "/games/left", []string{`<html lang="fr">`, " déc. 2026 à "}, []string{" Dec 2026"}},
		{"en", "/games/left", []string{`<html lang="en">`, " Dec 2026, "}, []string{" déc. "}},
		{"ja", "/games/left", []string{`<html lang="en">`}, nil},
		{"de", "/tournaments", []string{"läuft", "5 min + 3 s je Zug"}, []string{"a move", "running"}},
		{"fr", "/tournaments", []string{"en cours", "5 min + 3 s par coup"}, []string{"a move", ">running"}},
	} {
		answer := w.in(test.languages, test.path)
		if vary := strings.Join(answer.Header().Values("Vary"), ", "); !strings.Contains(vary, "Accept-Language") {
			t.Errorf("%s: Vary: %s", test.path, vary)
		}
		for _, text := range test.want {
			if !strings.Contains(answer.Body.String(), text) {
				t.Errorf("%s in %s lacks %q", test.path, test.languages, text)
			}
		}
		for _, text := range test.not {
			if strings.Contains(answer.Body.String(), text) {
				t.Errorf("%s in %s has %q", test.path, test.languages, text)
			}
		}
	}
}

// TestStreamsSpeakTheReadersLanguage sees that what comes later is in the page's language.
func TestStreamsSpeakTheReadersLanguage(t *testing.T) {
	w := newTown(t).furnish()
	for languages, date := range map[string]string{"de": ". Dez. 2026", "fr": " déc. 2026", "en": " Dec 2026"} {
		body := w.in(languages, "/games/left/live").Body.String()
		if !strings.Contains(body, "event: over\n") || !strings.Contains(body, date) {
			t.Errorf("%s: no %q in\n%s", languages, date, body)
		}
	}
}

// TestEachLanguageIsRenderedByItself makes the kept body of a tournament's page in all languages.
func TestEachLanguageIsRenderedByItself(t *testing.T) {
	w := newTown(t).furnish()
	render := func(in *message.Printer) string {
		body, err := tournaments.Outline(w.tournaments["tuesday"], false, 0)
		if err != nil {
			t.Fatal(err)
		}
		body.In = in
		html, err := w.pages.tournaments.RenderTournament(context.Background(), body)
		if err != nil {
			t.Fatal(err)
		}
		return string(html)
	}
	seen := map[string]string{}
	for _, in := range w.pages.Texts.All() {
		seen[render(in)] = in.Language()
	}
	if len(seen) != len(message.Languages) {
		t.Errorf("%d different bodies in %d languages", len(seen), len(message.Languages))
	}
	if html := render(w.english()); seen[html] != "en" {
		t.Errorf("what was kept for English is in %q", seen[html])
	}
}
