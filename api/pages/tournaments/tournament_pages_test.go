package tournaments_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"quatuor/api/apitest"
	"quatuor/api/pages/tournaments"
	"quatuor/tournament"
)

// BenchmarkStandingsPage serves a large tournament: cold after each result, warm in between.
func BenchmarkStandingsPage(b *testing.B) {
	for _, n := range []int{100, 1000} {
		for _, name := range []string{"cold", "warm"} {
			b.Run(fmt.Sprint(n, "/", name), func(b *testing.B) {
				f := apitest.NewFixture(b)
				f.Put(apitest.Crowd(n))
				for b.Loop() {
					if name == "cold" {
						b.StopTimer()
						f.Change("crowd", func(t *tournament.Tournament) { t.Rated = !t.Rated })
						b.StartTimer()
					}
					f.Page("/tournaments/crowd", "")
				}
			})
		}
	}
}

func TestPageOfATournamentFollowsItsVersion(t *testing.T) {
	f := apitest.NewFixture(t)
	f.Put(apitest.Crowd(6))
	before := f.Page("/tournaments/crowd", "")
	f.Change("crowd", func(t *tournament.Tournament) { t.Entries[0].Name = "Somebody else" })
	after := f.Page("/tournaments/crowd", "")
	if before == after || !strings.Contains(after, "Somebody else") {
		t.Error("the page shows how things stood before")
	}
	if f.Page("/tournaments/crowd?round=3", "") == after {
		t.Error("an earlier round looks like the latest")
	}
}

// TestADraftRoundIsOnNobodysPage: only staff see a draft round.
func TestADraftRoundIsOnNobodysPage(t *testing.T) {
	f := apitest.NewFurnished(t)
	paths := []string{
		"/", "/tournaments", "/tournaments/ladder", "/tournaments/ladder/crosstable",
		"/tournaments/ladder/history", "/tournaments/ladder?round=2",
	}
	for _, at := range tournaments.Tabs {
		paths = append(paths, "/tournaments/ladder?tab="+string(at))
	}
	for _, kind := range []string{"pairings", "names", "standings", "crosstable", "entries", "checkin"} {
		paths = append(paths, "/tournaments/ladder/print/"+kind)
	}
	paths = append(paths, "/tournaments/ladder/wall", "/wall", "/embed/tournaments/ladder", "/tournaments/ladder.ics",
		"/tournaments/ladder.atom",
		"/tournaments/ladder/picture.png", "/tournaments/ladder/players/1",
		"/tournaments/ladder/players/4", "/tournaments/ladder/standings/1")
	read := func(as string) map[string]string {
		out := map[string]string{}
		for _, path := range paths {
			out[path] = f.Page(path, as)
		}
		return out
	}
	before, staff := read("p1"), f.Page("/tournaments/ladder", "p8")
	f.As("p8").Send(http.MethodDelete, "/tournaments/ladder/rounds/3", nil, apitest.AnyVersion).
		Want(t, http.StatusNoContent)
	for path, now := range read("p1") {
		if now != before[path] {
			t.Errorf("%s tells of the draft round", path)
		}
	}
	if f.Page("/tournaments/ladder", "p8") == staff {
		t.Error("its organiser does not see it")
	}
}
