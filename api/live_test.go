package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"quatuor/api/apitest"
	games "quatuor/api/pages/play"
	"quatuor/api/pages/tournaments"
	"quatuor/engine"
	"quatuor/engine/table"
	"quatuor/tournament"
)

func TestStreamOfAFinishedGame(t *testing.T) {
	f := apitest.NewFurnished(t)
	answer := f.Get("/games/left/live", "")
	answer.Has(t, "event: state\n", "event: over\nid: ", `data: <div data-part="board">`).Lacks(t, "<html")
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Error(kind)
	}
	_, after, _ := strings.Cut(string(answer.Raw), "\nid: ")
	version, _, _ := strings.Cut(after, "\n")
	f.Get("/games/left/live?version="+version, "").Want(t, http.StatusNoContent)
}

// TestChangesOfATournament checks that a stream sends a reader only what has changed.
func TestChangesOfATournament(t *testing.T) {
	f := apitest.NewFurnished(t)
	before, english := f.Tournament("tuesday"), apitest.Languages()[0]
	_, room := f.Rooms()
	send := func(now *tournament.Tournament, since int64) string {
		data, err := room.TournamentChange(t.Context(), english, tournaments.TabRound, now, false, since)
		f.Do(err)
		return string(data)
	}
	if whole := send(before, 0); strings.Count(whole, "data-part=") != 7 {
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
	f := apitest.NewFurnished(t)
	f.Play("quits-duel", 30)
	room, _ := f.Rooms()
	change := func(s *table.Snapshot, since int64) string {
		t.Helper()
		data, err := room.GameChange(t.Context(), games.GameLook{In: apitest.Languages()[0]}, s, engine.Viewer{}, since)
		f.Do(err)
		return string(data)
	}
	before := f.Game("quits-duel")
	change(before, 0)
	after := f.Play("quits-duel", 1)
	steps, whole := change(after, before.Game.Version), change(after, 0)
	for _, text := range []string{`"@board`, `"@moves`, `["h","@far"`, `["h","@state"`} {
		if !strings.Contains(steps, text) {
			t.Errorf("no %s in %s", text, steps)
		}
	}
	if !strings.Contains(whole, `data-part="board"`) || len(steps) >= len(whole) {
		t.Errorf("%d bytes of %d; %s", len(steps), len(whole), whole)
	}
}

// TestOneStreamForManyPages follows two finished games, and what is no stream, at once.
func TestOneStreamForManyPages(t *testing.T) {
	f := apitest.NewFurnished(t)
	answer := f.Get(
		"/live?0=/games/left/live&1=/games/none/live&2=/players&3=/live&4=%2Fgames%2Fleft%2Flive%3Fversion%3D1", "",
	)
	if kind := answer.Header.Get("Content-Type"); kind != "text/event-stream" {
		t.Error(kind)
	}
	answer.Has(
		t, "event: news\ndata: 0 state\ndata: ", "event: news\ndata: 0 over ", "event: news\ndata: 4 state\n",
		"event: end\ndata: 0 200\n", "event: end\ndata: 1 404\n", "event: end\ndata: 2 404\n",
		"event: end\ndata: 3 404\n", "event: end\ndata: 4 200\n",
	).Lacks(t, "<html")
	for path, status := range map[string]int{
		"/live":                           http.StatusNotFound,
		"/live?0=http://example.org/live": http.StatusBadRequest, "/live?0=//example.org/live": http.StatusBadRequest,
	} {
		f.Get(path, "").Want(t, status)
	}
}

// TestPartsStandOnThePage checks that the page has every part that a stream sends.
func TestPartsStandOnThePage(t *testing.T) {
	f := apitest.NewFurnished(t)
	for path, parts := range map[string][]string{
		"/games/quits-duel":    {"board", "state", "far", "near", "deeds", "notes", "moves", "fineprint"},
		"/tournaments/tuesday": {"state", "facts", "tabs", "warnings", "heading", "pairings", "standings"},

		"/tournaments/tuesday?tab=crosstable": {"state", "heading", "crosstable"},
		"/tournaments/tuesday?tab=standings":  {"state", "heading", "standings"},
		"/tournaments/tuesday?tab=players":    {"state", "heading", "players"},
	} {
		page := f.Page(path, "")
		_, live, _ := strings.Cut(page, "data-live=")
		for _, part := range parts {
			if strings.Count(live, `data-part="`+part+`"`) != 1 {
				t.Errorf("%s has no single part %s within what is live", path, part)
			}
		}
	}
}
