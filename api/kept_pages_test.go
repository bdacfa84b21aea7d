package api_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/tournament"
)

// dearest returns the paths of the pages that are dearest to compute, for a tournament of a crowd and a season with it.
func (f *fixture) dearest(t testing.TB, n int) (paths []string, season string) {
	t.Helper()
	f.put(crowd(n))
	season = "/seasons/" + f.as("p8").post("/seasons", map[string]any{
		"name": "2026/27", "from": "2026-09-01", "to": "2027-06-30", "parts": partsOf("/tournaments/crowd"),
	}).want(t, http.StatusCreated).text("id")
	return []string{
		season, "/embed" + season, "/embed/tournaments/crowd", "/tournaments/crowd/print/crosstable",
		"/tournaments/crowd/print/crosstable/head.css",
	}, season
}

// BenchmarkDearestPages serves the pages that cost most: cold after each change, warm in between.
func BenchmarkDearestPages(b *testing.B) {
	for i, name := range []string{"season", "embed-season", "embed", "crosstable", "crosstable-head"} {
		for _, state := range []string{"cold", "warm"} {
			b.Run(name+"/"+state, func(b *testing.B) {
				f := newFixture(b)
				paths, _ := f.dearest(b, 300)
				for b.Loop() {
					if state == "cold" {
						b.StopTimer()
						f.change("crowd", func(t *tournament.Tournament) { t.Rated = !t.Rated })
						b.StartTimer()
					}
					f.page(paths[i], "")
				}
			})
		}
	}
}

// TestKeptPagesFollowWhatTheyShow: a page that is cached shows every change at once: of the tournament, of its own
// settings, of the season, of a player's name and of the language; and nobody gets the forms of the organiser.
func TestKeptPagesFollowWhatTheyShow(t *testing.T) {
	f := newFixture(t)
	paths, season := f.dearest(t, 12)
	f.change("crowd", func(t *tournament.Tournament) { t.Entries[0].Members = []string{"p1"} })
	olga := f.as("p8")
	seen := map[string]string{}
	look := func() {
		t.Helper()
		for _, path := range paths {
			page := f.page(path, "")
			if again := f.page(path, ""); again != page {
				t.Errorf("%s is another page the second time", path)
			}
			seen[path] = page
		}
	}
	changed := func(what string, paths ...string) {
		t.Helper()
		for _, path := range paths {
			if f.page(path, "") == seen[path] {
				t.Errorf("%s: %s shows how things stood before", what, path)
			}
		}
		look()
	}
	look()
	f.change("crowd", func(t *tournament.Tournament) { t.Name = "Another name" })
	changed("the tournament", season, paths[2], paths[3], paths[4])
	f.change("crowd", func(t *tournament.Tournament) {
		t.Entries[0].Name, t.Entries[2].Members = "Somebody else whose name is long", []string{"p3"}
	})
	changed("its entries", paths...)
	own := olga.get("/players/p1").want(t, http.StatusOK)
	olga.send(http.MethodPatch, "/players/p1", `{"name":"Zoë Zander"}`, own.etag()).want(t, http.StatusOK)
	changed("a player's name", season, paths[1])
	if !strings.Contains(seen[season], "Zoë Zander") {
		t.Error("the new name is not on the page of the season")
	}
	olga.send(http.MethodPatch, season, `{"name":"Winter"}`, anyVersion).want(t, http.StatusOK)
	changed("the season", season, paths[1])

	french := header{"Accept-Language", "fr"}
	for _, path := range paths {
		if f.page(path, "", french) == seen[path] {
			t.Errorf("%s is in English for a French reader", path)
		}
		if f.page(path, "") != seen[path] {
			t.Errorf("%s changed after a French reader", path)
		}
	}
	const edit = "/edit"
	if !strings.Contains(f.page(season, "p8"), season+edit) || strings.Contains(f.page(season, "p1"), season+edit) ||
		strings.Contains(f.page(season, ""), season+edit) {
		t.Error("the organiser's link is shown to others, or not to the organiser")
	}
	olga.send(http.MethodDelete, season, nil, anyVersion).want(t, http.StatusNoContent)
	for _, path := range paths[:2] {
		if got := f.get(path, ""); got.status != http.StatusNotFound {
			t.Errorf("%s was deleted, and is answered with %d", path, got.status)
		}
	}
}

// TestCrosstableFitIsKept: the style sheet of a crosstable on paper, asked for again, costs what that of the standings
// does, also if only the sheet itself was shown before.
func TestCrosstableFitIsKept(t *testing.T) {
	f := newFixture(t)
	f.dearest(t, 60)
	const sheet, head = "/tournaments/crowd/print/crosstable", "/tournaments/crowd/print/crosstable/head.css"
	cost := func(path string) float64 { return testing.AllocsPerRun(3, func() { f.page(path, "") }) }
	plain := cost("/tournaments/crowd/print/standings/head.css")
	for _, first := range []string{sheet, head} {
		f.change("crowd", func(t *tournament.Tournament) { t.Rated = !t.Rated })
		f.page(first, "")
		if again := cost(head); again > plain+100 {
			t.Errorf("after %s, %s takes %.0f allocations, and the standings' %.0f", first, head, again, plain)
		}
	}
}

// TestKeptPagesHideDrafts: a season with a draft is cached for its organiser, who sees the draft, and for others, who do
// not; when the tournament is opened all see it.
func TestKeptPagesHideDrafts(t *testing.T) {
	f := newFixture(t)
	olga := f.as("p8")
	draft := olga.post("/tournaments", `{"name":"Surprise","variant":"quixo/duel","format":"swiss","rounds":3,"time_control":"300+3"}`).
		want(t, http.StatusCreated).text("id")
	season := "/seasons/" + olga.post("/seasons", map[string]any{
		"name": "2026/27", "from": "2026-09-01", "to": "2027-06-30", "parts": partsOf("/tournaments/" + draft),
	}).want(t, http.StatusCreated).text("id")
	shows := func(as string, want bool) {
		t.Helper()
		for _, path := range []string{season, season} {
			if strings.Contains(f.page(path, as), "Surprise") != want {
				t.Errorf("%q: the draft is shown: %t, want %t", as, !want, want)
			}
		}
	}
	shows("p8", true)
	shows("", false)
	shows("p8", true)
	if strings.Contains(f.page("/embed"+season, ""), "Surprise") {
		t.Error("the frame shows a draft")
	}
	olga.send(http.MethodPatch, "/tournaments/"+draft, `{"name":"Surprise II"}`, anyVersion).want(t, http.StatusOK)
	if !strings.Contains(f.page(season, "p8"), "Surprise II") {
		t.Error("the organiser sees the draft as it was")
	}
	olga.post("/tournaments/"+draft+"/open", nil).want(t, http.StatusOK)
	shows("", true)
}
