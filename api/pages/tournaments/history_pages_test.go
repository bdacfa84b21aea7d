package tournaments_test

import (
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/api/pages/kit"
	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// TestTheHistoryHasWordsForEverything that can be done with a tournament.
func TestTheHistoryHasWordsForEverything(t *testing.T) {
	source, err := os.ReadFile("../../../tournament/act.go")
	if err != nil {
		t.Fatal(err)
	}
	f := apitest.NewFurnished(t)
	kinds := regexp.MustCompile(`ActKind = "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	if len(kinds) < 25 {
		t.Fatalf("only %d kinds of acts were found", len(kinds))
	}
	var acts []tournament.Act
	for _, kind := range kinds {
		acts = append(acts, tournament.Act{
			Kind: tournament.ActKind(kind[1]), By: "gone", At: f.Millis(), Round: 1, Board: 1, Entry: "ep1",
		})
	}
	f.Record(nil, acts...)
	html := f.Page("/tournaments/ladder/history", "p8")
	for _, kind := range kinds {
		if strings.Contains(html, "<td>"+kind[1]) || strings.Contains(html, "history."+kind[1]) {
			t.Errorf("there are no words for %q:\n%s", kind[1], html)
		}
	}
	if n := strings.Count(html, "an arbiter"); n < len(kinds) {
		t.Errorf("%d of %d acts are an arbiter's:\n%s", n, len(kinds), html)
	}
	apitest.WellFormed(t, html)
}

// TestALongHistory comes in pages, the latest first.
func TestALongHistory(t *testing.T) {
	f := apitest.NewFurnished(t)
	var acts []tournament.Act
	for n := range kit.PageLength + 10 {
		acts = append(acts, tournament.Act{Kind: tournament.ActDraw, By: "p8", At: f.Millis(), Round: 100 + n})
	}
	f.Record(nil, acts...)
	f.Get("/tournaments/ladder/history", "p8").Want(t, http.StatusOK).
		Has(t, "Round 159: draft", "Round 110: draft", `?to=15"`).Lacks(t, "Round 109: draft")
	f.Get("/tournaments/ladder/history?to=15", "p8").Want(t, http.StatusOK).
		Has(t, "Round 109: draft", "Round 100: draft").Lacks(t, "Round 110: draft", "Older")
}

// TestReasonsInTheReadersLanguage: the server's reasons are translated; text typed by people is not, nor are reasons
// stored in English before there were translations.
func TestReasonsInTheReadersLanguage(t *testing.T) {
	f := apitest.NewFurnished(t)
	by := func(kind tournament.ActKind, who string) tournament.Act {
		return tournament.Act{Version: 1, Kind: kind, By: who, At: f.Millis(), Round: 1, Entry: "ep1"}
	}
	typed := by(tournament.ActResult, "p8")
	typed.Why = "taken back <b>"
	word := by(tournament.ActResult, "p8")
	word.Why = "time"
	old := by(tournament.ActWithdraw, tournament.ServerAccount)
	old.Why = "did not come to play, 3 times by now"
	ended := by(tournament.ActResult, tournament.ServerAccount)
	ended.Why = "length"
	f.Record(
		nil, typed, word, old, ended,
		by(tournament.ActWithdraw, tournament.ServerAccount).
			Because(sentence.New("did not come to play, %d times by now", 2)),
		by(tournament.ActUndo, "p8").Because(sentence.New("act %d: %s", 5, sentence.Word{Set: "act", Word: "round_draw"})),
		by(tournament.ActResult, "p8").Because(sentence.New("adjourned: %s", "Friday <8>")),
		by(tournament.ActResult, tournament.ServerAccount).Because(sentence.New("game %d %s (%s); %s", 1,
			sentence.Fixed("was drawn"),
			sentence.Word{Set: "reason", Word: "length"}, sentence.Fixed("the next one has the seats exchanged"))),
		by(tournament.ActResult, tournament.ServerAccount).Because(sentence.New("said by a later version %d", 1)),
	)
	for language, want := range map[string][]string{
		"de": {
			">taken back &lt;b&gt;<", ">time<",
			`<span lang="en">did not come to play, 3 times by now</span>`, ">nicht zum Spielen gekommen, bisher 2-mal<",
			">Vorgang 5: Runde als Entwurf<", ">vertagt: Friday &lt;8&gt;<",
			">Partie 1 endete remis (",
			"); bei der nächsten sind die Sitze getauscht<", `<span lang="en">said by a later version 1</span>`,
		},
		"en": {
			">did not come to play, 2 times by now<", ">act 5: round drafted<",
			">game 1 was drawn (maximum number of moves reached); the next one",
			">said by a later version 1<", ">maximum number of moves reached<",
		},
		"fr": {">n’est pas venu jouer, 2 fois à ce jour<", ">acte 5 : ronde en brouillon<", ">time<"},
	} {
		html := f.Page("/tournaments/ladder/history", "p8", apitest.Header{"Accept-Language", language})
		for _, text := range want {
			if !strings.Contains(html, text) {
				t.Errorf("%s: %q is not in\n%s", language, text, html)
			}
		}
		apitest.WellFormed(t, html)
	}
}

// TestWhyAGameWasBrokenOff: the server's reason is on the page in the reader's language.
func TestWhyAGameWasBrokenOff(t *testing.T) {
	f := apitest.NewFurnished(t)
	_, err := f.Tables.Abort(t.Context(), "waiting", "", sentence.New("the arbiter decided: %s", "1-0"))
	f.Do(err)
	f.Get("/games/waiting", "", apitest.InLanguage(apitest.German())).Has(t, ": der Schiedsrichter hat entschieden: 1-0.")
	f.Get("/games/broken", "", apitest.InLanguage(apitest.German())).Has(t, ": wrong players.")
}
