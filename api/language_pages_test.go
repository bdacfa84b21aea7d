package api_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/api/pages/message"
)

// testPagesSpeakTheReadersLanguage requests pages in several languages: words, dates and figures follow.
func testPagesSpeakTheReadersLanguage(t *testing.T, f *apitest.Fixture) {
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
		answer := f.Get(test.path, "", apitest.Header{"Accept-Language", test.languages}).Want(t, http.StatusOK).Has(t, test.want...).Lacks(t, test.not...)
		if vary := strings.Join(answer.Header.Values("Vary"), ", "); !strings.Contains(vary, "Accept-Language") {
			t.Errorf("%s: Vary: %s", test.path, vary)
		}
	}
}

// testStreamsSpeakTheReadersLanguage sees that what comes later is in the page's language.
func testStreamsSpeakTheReadersLanguage(t *testing.T, f *apitest.Fixture) {
	for languages, date := range map[string]string{"de": ". Dez. 2026", "fr": " déc. 2026", "en": " Dec 2026"} {
		f.Get("/games/left/live", "", apitest.Header{"Accept-Language", languages}).Has(t, "event: over\n", date)
	}
}

// testEachLanguageIsRenderedByItself makes the kept body of a tournament's page in all languages.
func testEachLanguageIsRenderedByItself(t *testing.T, f *apitest.Fixture) {
	render := func(in *message.Printer) string {
		_, live, _ := strings.Cut(f.Page("/tournaments/tuesday", "", apitest.InLanguage(in)), "data-live=")
		live, _, _ = strings.Cut(live, "</main>")
		return live
	}
	seen := map[string]string{}
	for _, in := range apitest.Languages() {
		seen[render(in)] = in.Language()
	}
	if len(seen) != len(message.Languages) {
		t.Errorf("%d different bodies in %d languages", len(seen), len(message.Languages))
	}
	if html := render(apitest.Languages()[0]); seen[html] != "en" {
		t.Errorf("what was kept for English is in %q", seen[html])
	}
}
