package pages

import (
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"quatuor/api/pages/kit"
	"quatuor/api/pages/tournaments"
	"quatuor/engine/sentence"
	"quatuor/tournament"
)

// TestTheHistoryHasWordsForEverything that can be done with a tournament.
func TestTheHistoryHasWordsForEverything(t *testing.T) {
	source, err := os.ReadFile("../../tournament/act.go")
	if err != nil {
		t.Fatal(err)
	}
	w := newTown(t).furnish()
	kinds := regexp.MustCompile(`ActKind = "(\w+)"`).FindAllStringSubmatch(string(source), -1)
	if len(kinds) < 25 {
		t.Fatalf("only %d kinds of acts were found", len(kinds))
	}
	for _, kind := range kinds {
		w.acts["ladder"] = []tournament.Act{
			{Version: 1, Kind: tournament.ActKind(kind[1]), By: "gone", At: w.ms(), Round: 1, Board: 1, Entry: "ep1"},
		}
		html := w.page("/tournaments/ladder/history", "p8")
		if strings.Contains(html, "<td>"+kind[1]) || strings.Contains(html, "history."+kind[1]) ||
			!strings.Contains(html, "an arbiter") {
			t.Errorf("there are no words for %q:\n%s", kind[1], html)
		}
		wellFormed(t, html)
	}
}

// TestALongHistory comes in pages, the latest first.
func TestALongHistory(t *testing.T) {
	w := newTown(t).furnish()
	w.acts["ladder"] = nil
	for n := range kit.PageLength + 10 {
		w.acts["ladder"] = append(w.acts["ladder"], tournament.Act{
			Version: int64(n + 1), Kind: tournament.ActDraw, By: "p8", Round: n + 1,
		})
	}
	first := w.page("/tournaments/ladder/history", "p8")
	if !strings.Contains(first, "Round 60: draft") || strings.Contains(first, "Round 10: draft") ||
		!strings.Contains(first, `?to=10"`) {
		t.Error("the first page does not show the latest 50, with a way to those before")
	}
	last := w.page("/tournaments/ladder/history?to=10", "p8")
	if !strings.Contains(last, "Round 10: draft") || !strings.Contains(last, "Round 1: draft") ||
		strings.Contains(last, "Older") {
		t.Error("the second page does not show the rest")
	}
}

// TestReasonsInTheReadersLanguage: the server's reasons are translated; text typed by people is not, nor are reasons
// stored in English before there were translations.
func TestReasonsInTheReadersLanguage(t *testing.T) {
	w := newTown(t).furnish()
	by := func(kind tournament.ActKind, who string) tournament.Act {
		return tournament.Act{Version: 1, Kind: kind, By: who, At: w.ms(), Round: 1, Entry: "ep1"}
	}
	typed := by(tournament.ActResult, "p8")
	typed.Why = "taken back <b>"
	word := by(tournament.ActResult, "p8")
	word.Why = "time"
	old := by(tournament.ActWithdraw, tournament.ServerAccount)
	old.Why = "did not come to play, 3 times by now"
	ended := by(tournament.ActResult, tournament.ServerAccount)
	ended.Why = "length"
	w.acts["ladder"] = []tournament.Act{
		typed, word, old, ended,
		by(tournament.ActWithdraw, tournament.ServerAccount).
			Because(sentence.New("did not come to play, %d times by now", 2)),
		by(tournament.ActUndo, "p8").Because(sentence.New("act %d: %s", 5, sentence.Word{Set: "act", Word: "round_draw"})),
		by(tournament.ActResult, "p8").Because(sentence.New("adjourned: %s", "Friday <8>")),
		by(tournament.ActResult, tournament.ServerAccount).Because(sentence.New("game %d %s (%s); %s", 1,
			sentence.Fixed("was drawn"),
			sentence.Word{Set: "reason", Word: "length"}, sentence.Fixed("the next one has the seats exchanged"))),
		by(tournament.ActResult, tournament.ServerAccount).Because(sentence.New("said by a later version %d", 1)),
	}
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
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/tournaments/ladder/history", nil)
		r.Header.Set("Accept-Language", language)
		r.Header.Set("X-As", "p8")
		answer := httptest.NewRecorder()
		w.echo.ServeHTTP(answer, r)
		html := answer.Body.String()
		for _, text := range want {
			if !strings.Contains(html, text) {
				t.Errorf("%s: %q is not in\n%s", language, text, html)
			}
		}
		wellFormed(t, html)
	}
}

// TestWhyAGameWasBrokenOff: the server's reason is on the page in the reader's language.
func TestWhyAGameWasBrokenOff(t *testing.T) {
	w := newTown(t).furnish()
	if _, err := w.Abort(t.Context(), "waiting", "", sentence.New("the arbiter decided: %s", "1-0")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"/games/waiting": ": der Schiedsrichter hat entschieden: 1-0.",
		"/games/broken":  ": wrong players.",
	} {
		if html := w.in("de", path).Body.String(); !strings.Contains(html, want) {
			t.Errorf("%s does not say %q:\n%s", path, want, html)
		}
	}
}

// TestEveryActIsTold in every language, on the desk as in the history, with the board where it was.
func TestEveryActIsTold(t *testing.T) {
	w := newTown(t).furnish()
	ladder := w.tournaments["ladder"]
	for _, kind := range []tournament.ActKind{
		tournament.ActCreate, tournament.ActSettings, tournament.ActArbiters,
		tournament.ActOpen, tournament.ActClose, tournament.ActStart,
		tournament.ActFinish, tournament.ActArchive, tournament.ActRegister,
		tournament.ActEnter, tournament.ActCorrect, tournament.ActConfirm,
		tournament.ActAgree, tournament.ActDecline, tournament.ActWithdraw,
		tournament.ActReinstate, tournament.ActRemove, tournament.ActByes,
		tournament.ActForbid, tournament.ActEnterAll, tournament.ActOpenCheckIn,
		tournament.ActCloseCheckIn, tournament.ActCancelCheckIn,
		tournament.ActPresent, tournament.ActAbsent, tournament.ActPrizes,
		tournament.ActPair, tournament.ActDraw, tournament.ActPublish,
		tournament.ActEdit, tournament.ActDrop, tournament.ActResult,
		tournament.ActAdjourn, tournament.ActPlayAgain, tournament.ActClear,
		tournament.ActVenue, tournament.ActRecord, tournament.ActUndo, tournament.ActImport,
	} {
		for _, in := range w.pages.Texts.All() {
			told := tournaments.ActLine(ladder, tournament.Act{Kind: kind, Round: 1, Board: 2, After: "1-0"}, in).Told(in)
			if strings.Contains(told, "history.") || !strings.Contains(told, "1") || !strings.Contains(told, "2") {
				t.Errorf("%s in %v: %q", kind, in.Tag, told)
			}
		}
	}
	for want, act := range map[string]tournament.Act{
		"Round 1, board 2: result 1 – 0":       {Kind: tournament.ActResult, Round: 1, Board: 2, After: "1-0"},
		"Round 1, board 2: result removed":     {Kind: tournament.ActClear, Round: 1, Board: 2, Before: "1-0"},
		"Round 1, board 2: played in the hall": {Kind: tournament.ActVenue, Round: 1, Board: 2, After: "hall"},
		"Round 1: draft":                       {Kind: tournament.ActDraw, Round: 1},
	} {
		if told := tournaments.ActLine(ladder, act, w.english()).Told(w.english()); told != want {
			t.Errorf("told as %q, want %q", told, want)
		}
	}
}
