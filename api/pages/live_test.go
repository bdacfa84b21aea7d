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
	for event, want := range map[string][]string{
		"state": {"summary", "pairings", "standings"}, "pairings": {"summary", "pairings"}, "standings": {"standings"},
	} {
		markup, err := w.pages.tournamentFragment(t.Context(), w.english(), w.tournaments["tuesday"], false, event)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(markup), "data-part="); n != len(want) {
			t.Errorf("%s brings %d parts, want %v", event, n, want)
		}
		for _, part := range want {
			if !strings.Contains(string(markup), `data-part="`+part+`"`) {
				t.Errorf("%s does not bring %s", event, part)
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
