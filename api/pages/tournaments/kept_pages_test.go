package tournaments_test

import (
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/tournament"
)

func TestMain(m *testing.M) { apitest.Main(m) }

// dearest returns the paths of the pages that are dearest to compute, for a tournament of a crowd and a season with it.
func dearest(t testing.TB, f *apitest.Fixture, n int) (paths []string, season string) {
	t.Helper()
	f.Put(apitest.Crowd(n))
	season = "/seasons/" + f.As("p8").Post("/seasons", map[string]any{
		"name": "2026/27", "from": "2026-09-01", "to": "2027-06-30", "parts": apitest.PartsOf("/tournaments/crowd"),
	}).Want(t, http.StatusCreated).Text("id")
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
				f := apitest.NewFixture(b)
				paths, _ := dearest(b, f, 300)
				for b.Loop() {
					if state == "cold" {
						b.StopTimer()
						f.Change("crowd", func(t *tournament.Tournament) { t.Rated = !t.Rated })
						b.StartTimer()
					}
					f.Page(paths[i], "")
				}
			})
		}
	}
}

// TestKeptPagesFollowWhatTheyShow: a page that is cached shows every change at once: of the tournament, of its own
// settings, of the season, of a player's name and of the language; and no other visitor gets the forms of the
// organiser.
func TestKeptPagesFollowWhatTheyShow(t *testing.T) {
	f := apitest.NewFixture(t)
	paths, season := dearest(t, f, 12)
	f.Change("crowd", func(t *tournament.Tournament) { t.Entries[0].Members = []string{"p1"} })
	olga := f.As("p8")
	seen := map[string]string{}
	look := func() {
		t.Helper()
		for _, path := range paths {
			page := f.Page(path, "")
			if again := f.Page(path, ""); again != page {
				t.Errorf("%s is another page the second time", path)
			}
			seen[path] = page
		}
	}
	changed := func(what string, paths ...string) {
		t.Helper()
		for _, path := range paths {
			if f.Page(path, "") == seen[path] {
				t.Errorf("%s: %s shows how things stood before", what, path)
			}
		}
		look()
	}
	look()
	f.Change("crowd", func(t *tournament.Tournament) { t.Name = "Another name" })
	changed("the tournament", season, paths[2], paths[3], paths[4])
	f.Change("crowd", func(t *tournament.Tournament) {
		t.Entries[0].Name, t.Entries[2].Members = "Somebody else whose name is long", []string{"p3"}
	})
	changed("its entries", paths...)
	own := olga.Get("/players/p1").Want(t, http.StatusOK)
	olga.Send(http.MethodPatch, "/players/p1", `{"name":"Zoë Zander"}`, own.IfMatch()).Want(t, http.StatusOK)
	changed("a player's name", season, paths[1])
	if !strings.Contains(seen[season], "Zoë Zander") {
		t.Error("the new name is not on the page of the season")
	}
	olga.Send(http.MethodPatch, season, `{"name":"Winter"}`, apitest.AnyVersion).Want(t, http.StatusOK)
	changed("the season", season, paths[1])

	french := apitest.Header{"Accept-Language", "fr"}
	for _, path := range paths {
		if f.Page(path, "", french) == seen[path] {
			t.Errorf("%s is in English for a French reader", path)
		}
		if f.Page(path, "") != seen[path] {
			t.Errorf("%s changed after a French reader", path)
		}
	}
	const edit = "/edit"
	if !strings.Contains(f.Page(season, "p8"), season+edit) || strings.Contains(f.Page(season, "p1"), season+edit) ||
		strings.Contains(f.Page(season, ""), season+edit) {
		t.Error("the organiser's link is shown to others, or not to the organiser")
	}
	olga.Send(http.MethodDelete, season, nil, apitest.AnyVersion).Want(t, http.StatusNoContent)
	for _, path := range paths[:2] {
		if got := f.Get(path, ""); got.Status != http.StatusNotFound {
			t.Errorf("%s was deleted, and is answered with %d", path, got.Status)
		}
	}
}

// TestKeptPagesHideDrafts: a season with a draft is cached for its organiser, with the draft, and for others, without
// it; when the tournament is opened all see it.
func TestKeptPagesHideDrafts(t *testing.T) {
	f := apitest.NewFixture(t)
	olga := f.As("p8")
	draft := olga.Post("/tournaments", `{"name":"Surprise","variant":"quixo/duel","format":"swiss","rounds":3,"time_control":"300+3"}`).
		Want(t, http.StatusCreated).Text("id")
	season := "/seasons/" + olga.Post("/seasons", map[string]any{
		"name": "2026/27", "from": "2026-09-01", "to": "2027-06-30", "parts": apitest.PartsOf("/tournaments/" + draft),
	}).Want(t, http.StatusCreated).Text("id")
	shows := func(as string, want bool) {
		t.Helper()
		for _, path := range []string{season, season} {
			if strings.Contains(f.Page(path, as), "Surprise") != want {
				t.Errorf("%q: the draft is shown: %t, want %t", as, !want, want)
			}
		}
	}
	shows("p8", true)
	shows("", false)
	shows("p8", true)
	if strings.Contains(f.Page("/embed"+season, ""), "Surprise") {
		t.Error("the frame shows a draft")
	}
	olga.Send(http.MethodPatch, "/tournaments/"+draft, `{"name":"Surprise II"}`, apitest.AnyVersion).Want(t, http.StatusOK)
	if !strings.Contains(f.Page(season, "p8"), "Surprise II") {
		t.Error("the organiser sees the draft as it was")
	}
	olga.Post("/tournaments/"+draft+"/open", nil).Want(t, http.StatusOK)
	shows("", true)
}
