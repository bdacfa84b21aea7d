package pages

import (
	"strings"
	"testing"
)

func TestStreamOfAFinishedGame(t *testing.T) {
	w := newTown(t).furnish()
	answer := w.get("/games/left/live", "")
	body := answer.Body.String()
	if answer.Header().Get("Content-Type") != "text/event-stream" || !strings.Contains(body, "event: state\n") ||
		!strings.Contains(body, "event: over\nid: ") || !strings.Contains(body, `data: <div class="game-board" data-part="board">`) {
		t.Errorf("%v\n%s", answer.Header(), body)
	}
	if strings.Contains(body, "<html") {
		t.Error("the stream sends the whole page")
	}
	_, after, _ := strings.Cut(body, "\nid: ")
	version, _, _ := strings.Cut(after, "\n")
	if answer := w.get("/games/left/live?version="+version, ""); answer.Code != 204 {
		t.Errorf("who has the last version gets %d, want 204", answer.Code)
	}
}

func TestPartsOfATournamentsStream(t *testing.T) {
	w := newTown(t).furnish()
	for _, test := range []struct {
		at    tab
		event string
		want  []string
	}{
		{tabRound, "state", []string{"summary", "pairings", "standings"}},
		{tabRound, "pairings", []string{"summary", "pairings"}},
		{tabRound, "standings", []string{"standings"}},
		{tabStandings, "state", []string{"summary", "standings"}},
		{tabStandings, "pairings", []string{"summary"}},
		{tabStandings, "standings", []string{"standings"}},
		{tabCrosstable, "state", []string{"summary", "crosstable"}},
		{tabCrosstable, "standings", []string{"crosstable"}},
		{tabPlayers, "state", []string{"summary", "players"}},
		{tabPlayers, "standings", nil},
		{tabInfo, "state", []string{"summary", "info"}},
	} {
		for _, in := range w.pages.texts.All() {
			markup, err := w.pages.tournamentFragment(t.Context(), in, w.tournaments["tuesday"], false, test.event, test.at)
			if err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(markup), "data-part="); n != len(test.want) {
				t.Errorf("%s of %s brings %d parts, want %v", test.event, test.at, n, test.want)
			}
			for _, part := range test.want {
				if !strings.Contains(string(markup), `data-part="`+part+`"`) {
					t.Errorf("%s of %s does not bring %s", test.event, test.at, part)
				}
			}
		}
	}
}

// TestPartsStandOnThePage makes sure that there is a place for everything a stream brings.
func TestPartsStandOnThePage(t *testing.T) {
	w := newTown(t).furnish()
	for path, parts := range map[string][]string{
		"/games/quits-duel":    {"board", "state", "seats", "notes", "moves", "fineprint"},
		"/tournaments/tuesday": {"summary", "pairings", "standings"},

		"/tournaments/tuesday?tab=crosstable": {"summary", "crosstable"},
		"/tournaments/tuesday?tab=standings":  {"summary", "standings"},
		"/tournaments/tuesday?tab=players":    {"summary", "players"},
	} {
		page := w.page(path, "")
		_, live, _ := strings.Cut(page, "data-live=")
		for _, part := range parts {
			if strings.Count(live, `data-part="`+part+`"`) != 1 {
				t.Errorf("%s has no single part %s within what is live", path, part)
			}
		}
	}
}
