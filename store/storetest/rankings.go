package storetest

import (
	"fmt"
	"strings"
	"testing"

	"quatuor/rating"
	"quatuor/rating/ledger"
	"quatuor/tournament/club"
)

// Rankings tests lists of players by rating.
func Rankings(t *testing.T, open Open) {
	cases(t, open, []testCase{
		{"equal ratings share a rank, on every page", rankPages},
		{"those who play no more are left out", rankActive},
		{"a player's places", rankOfPlayer},
		{"a list as it stood before a moment", rankAsOf},
	})
}

// ranked stores a game that leads players to the given values, all in the same list.
func ranked(t *testing.T, p Ports, game, list string, seq int64, values ...float64) {
	t.Helper()
	finished(t, p, game, "", 0, 0)
	rows := make([]ledger.Row, len(values))
	for i, v := range values {
		rows[i] = ledger.Row{
			GameID: game, List: list, PlayerID: fmt.Sprintf("p%d", i), Seat: i + 1, Seq: seq, After: v, GamesAfter: int(seq),
			At: 9000 + seq,
		}
	}
	must(t, p.Ratings.Record(t.Context(), seq-1, seq, rows))
}

func rankPages(t *testing.T, p Ports) {
	must(t, p.Players.CreatePlayer(t.Context(), club.Player{ID: "p3", Name: "Dora"}))
	ranked(t, p, "g", "list", 1, 1500, 1700, 1500, 1600, 1500, 1500, 1400, 1500)
	want := []ledger.Ranked{}
	for _, r := range []struct{ rank, player int }{{1, 1}, {2, 3}, {3, 0}, {3, 2}, {3, 4}, {3, 5}, {3, 7}, {8, 6}} {
		id := fmt.Sprintf("p%d", r.player)
		want = append(want, ledger.Ranked{
			List: "list", Rank: r.rank, PlayerID: id, Name: id, LastAt: 9001,
			Rating: rating.Rating{Value: []float64{1500, 1700, 1500, 1600, 1500, 1500, 1400, 1500}[r.player], Games: 1},
		})
	}
	want[1].Name = "Dora"
	for _, limit := range []int{1, 2, 3, 5, 8, 20} {
		got := []ledger.Ranked{}
		for cursor, page := "", 0; ; page++ {
			list, next, err := p.Ratings.Ranking(t.Context(), "list", 0, limit, cursor)
			must(t, err)
			got = append(got, list...)
			cursor = next
			if next == "" || page > len(want) {
				break
			}
		}
		equal(t, fmt.Sprintf("pages of %d", limit), got, want)
	}
	list, next, err := p.Ratings.Ranking(t.Context(), "unknown", 0, 10, "")
	must(t, err)
	equal(t, "an unknown list", len(list), 0)
	equal(t, "its end", next, "")
	_, next, err = p.Ratings.Ranking(t.Context(), "list", 0, 2, "")
	must(t, err)
	_, _, err = p.Ratings.Ranking(t.Context(), "another", 0, 2, next)
	invalidCursor(t, "of another list", err)
	_, _, err = p.Ratings.Ranking(t.Context(), "list", 0, 2, "nonsense")
	invalidCursor(t, "nonsense", err)
}

// rankActive leaves out players without recent games; ranks count the others.
func rankActive(t *testing.T, p Ports) {
	ranked(t, p, "g1", "list", 1, 1500, 1900, 1700, 1700, 1800)
	ranked(t, p, "g2", "list", 2, 1600)
	ranked(t, p, "g3", "list", 3, 1650, 1650)
	for since, want := range map[int64][]string{
		0: {"1 p4", "2 p2", "2 p3", "4 p0", "4 p1"}, 9001: {"1 p4", "2 p2", "2 p3", "4 p0", "4 p1"}, 9002: {"1 p0", "1 p1"},
		9004: {},
	} {
		for _, limit := range []int{1, 2, 10} {
			got := []string{}
			for cursor, page := "", 0; ; page++ {
				list, next, err := p.Ratings.Ranking(t.Context(), "list", since, limit, cursor)
				must(t, err)
				for _, r := range list {
					got = append(got, fmt.Sprint(r.Rank, " ", r.PlayerID))
				}
				cursor = next
				if next == "" || page > len(want) {
					break
				}
			}
			equal(t, fmt.Sprintf("since %d, pages of %d", since, limit), got, want)
		}
	}
}

func rankOfPlayer(t *testing.T, p Ports) {
	ranked(t, p, "g1", "b", 1, 1500, 1700, 1600)
	ranked(t, p, "g2", "a", 2, 1900, 1800)
	ranked(t, p, "g3", "b", 3, 1650)
	got, err := p.Ratings.OfPlayer(t.Context(), "p0")
	must(t, err)
	equal(t, "places", got, []ledger.Ranked{
		{List: "a", Rank: 1, PlayerID: "p0", Name: "p0", Rating: rating.Rating{Value: 1900, Games: 2}, LastAt: 9002},
		{List: "b", Rank: 2, PlayerID: "p0", Name: "p0", Rating: rating.Rating{Value: 1650, Games: 3}, LastAt: 9003},
	})
	got, err = p.Ratings.OfPlayer(t.Context(), "nobody")
	must(t, err)
	equal(t, "places of nobody", len(got), 0)
	lists, err := p.Ratings.Lists(t.Context())
	must(t, err)
	equal(t, "lists", lists, []ledger.ListSummary{
		{List: "a", Players: 2, Games: 1, LastAt: 9002}, {List: "b", Players: 3, Games: 2, LastAt: 9003},
	})
}

// rankAsOf queries a list before, between and after three games, which finish at 9001, 9002 and 9003.
func rankAsOf(t *testing.T, p Ports) {
	ranked(t, p, "g1", "list", 1, 1500, 1700)
	ranked(t, p, "g2", "list", 2, 1650, 1600, 1650)
	ranked(t, p, "g3", "other", 3, 1000)
	for _, tt := range []struct {
		before, since int64
		want          string
	}{
		{9001, 0, ""},
		{9002, 0, "1 p1 1700 1, 2 p0 1500 1"},
		{9003, 0, "1 p0 1650 2, 1 p2 1650 2, 3 p1 1600 2"},
		{9999, 0, "1 p0 1650 2, 1 p2 1650 2, 3 p1 1600 2"},
		{9999, 9003, ""},
	} {
		for _, limit := range []int{1, 2, 10} {
			var got []string
			for cursor, page := "", 0; page < 5; page++ {
				list, next, err := p.Ratings.AsOf(t.Context(), "list", tt.since, tt.before, limit, cursor)
				must(t, err)
				for _, r := range list {
					got = append(got, fmt.Sprint(r.Rank, " ", r.Name, " ", r.Rating.Value, " ", r.Rating.Games))
				}
				cursor = next
				if next == "" {
					break
				}
			}
			equal(t, fmt.Sprintf("before %d in pages of %d", tt.before, limit), strings.Join(got, ", "), tt.want)
		}
	}
	for before, want := range map[int64]string{9001: "map[]", 9002: "map[p0:1500 p1:1700]", 9003: "map[p0:1650 p1:1600]", 0: "map[p0:1650 p1:1600]"} {
		some, err := p.Ratings.Until(t.Context(), "list", []string{"p0", "p1", "nobody"}, before)
		must(t, err)
		equal(t, fmt.Sprintf("of some before %d", before), fmt.Sprint(some), want)
	}
	_, _, err := p.Ratings.AsOf(t.Context(), "list", 0, 9999, 1, "nonsense")
	if err == nil {
		t.Error("a cursor that is none is taken")
	}
}
