package pages

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/api/pages/play"
	"quatuor/api/pages/tournaments"
	"quatuor/engine"
	"quatuor/tournament"
)

func TestStreamOfAFinishedGame(t *testing.T) {
	w := newTown(t).furnish()
	answer := w.get("/games/left/live", "")
	body := answer.Body.String()
	if answer.Header().Get("Content-Type") != "text/event-stream" || !strings.Contains(body, "event: state\n") ||
		!strings.Contains(body, "event: over\nid: ") || !strings.Contains(body, `data: <div data-part="board">`) {
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

// TestChangesOfATournament checks that a stream sends a reader only what has changed.
func TestChangesOfATournament(t *testing.T) {
	w := newTown(t).furnish()
	before := w.tournaments["tuesday"]
	send := func(now *tournament.Tournament, since int64) string {
		data, err := w.pages.tournaments.TournamentChange(t.Context(), w.english(), tournaments.TabRound, now, false, since)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	if whole := send(before, 0); strings.Count(whole, "data-part=") != 3 {
		t.Errorf("who has nothing gets %s", whole)
	}
	if none := send(before, before.Version); none != "[]" {
		t.Errorf("who has everything gets %s", none)
	}
	after := *before
	after.Version++
	after.Entries = slices.Clone(before.Entries)
	after.Entries[0].Name = "Somebody Else"
	if steps := send(&after, before.Version); !strings.HasPrefix(steps, "[[") ||
		!strings.Contains(steps, "Somebody Else") ||
		len(steps) > 1000 {
		t.Errorf("who has the version before gets %s", steps)
	}
	if whole := send(&after, before.Version-1); !strings.HasPrefix(strings.TrimSpace(whole), "<") {
		t.Errorf("who has a version that is not known any more gets %s", whole)
	}
	draft := after
	draft.Status = tournament.Draft
	if data := send(&draft, 0); data != "" {
		t.Errorf("a draft is shown: %s", data)
	}
}

// TestChangesOfAGame checks that a reader with the version before a move gets its changes, with the clocks.
func TestChangesOfAGame(t *testing.T) {
	w := newTown(t).furnish()
	w.play("quits-duel", 30)
	w.page("/games/quits-duel", "")
	before, err := w.Snapshot(t.Context(), "quits-duel")
	if err != nil {
		t.Fatal(err)
	}
	after := w.play("quits-duel", 1)
	data, err := w.pages.play.GameChange(
		t.Context(), play.GameLook{In: w.english()}, after, engine.Viewer{}, before.Game.Version,
	)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{`"@board`, `"@moves`, `["h","@far"`, `["h","@state"`} {
		if !strings.Contains(string(data), text) {
			t.Errorf("no %s in %s", text, data)
		}
	}
	whole, err := w.pages.play.GameChange(t.Context(), play.GameLook{In: w.english()}, after, engine.Viewer{}, 0)
	if err != nil || !strings.Contains(string(whole), `data-part="board"`) || len(data) >= len(whole) {
		t.Errorf("%v, %d bytes of %d; %s", err, len(data), len(whole), whole)
	}
}

// TestOneStreamForManyPages follows two finished games, and what is no stream, at once.
func TestOneStreamForManyPages(t *testing.T) {
	w := newTown(t).furnish()
	answer := w.get(
		"/live?0=/games/left/live&1=/games/none/live&2=/players&3=/live&4=%2Fgames%2Fleft%2Flive%3Fversion%3D1", "",
	)
	body := answer.Body.String()
	if answer.Header().Get("Content-Type") != "text/event-stream" {
		t.Errorf("%v", answer.Header())
	}
	for _, text := range []string{
		"event: news\ndata: 0 state\ndata: ", "event: news\ndata: 0 over ",
		"event: news\ndata: 4 state\n", "event: end\ndata: 0 200\n",
		"event: end\ndata: 1 404\n", "event: end\ndata: 2 404\n", "event: end\ndata: 3 404\n", "event: end\ndata: 4 200\n",
	} {
		if !strings.Contains(body, text) {
			t.Errorf("no %q in\n%s", text, body)
		}
	}
	if strings.Contains(body, "<html") {
		t.Error("the stream sends a page")
	}
	for path, status := range map[string]int{
		"/live":                           http.StatusNotFound,
		"/live?0=http://example.org/live": http.StatusBadRequest, "/live?0=//example.org/live": http.StatusBadRequest,
	} {
		if got := w.get(path, "").Code; got != status {
			t.Errorf("%s: %d, want %d", path, got, status)
		}
	}
}

// TestPartsStandOnThePage checks that the page has every part that a stream sends.
func TestPartsStandOnThePage(t *testing.T) {
	w := newTown(t).furnish()
	for path, parts := range map[string][]string{
		"/games/quits-duel":    {"board", "state", "far", "near", "deeds", "notes", "moves", "fineprint"},
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
