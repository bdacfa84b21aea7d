package ratings_test

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"quatuor/rating/ledger"
)

// standing is a player's place in a ranking.
type standing struct {
	player string
	rank   int
	value  float64
}

// pages reads a ranking to its end.
func pages(t *testing.T, read func(after string) ([]ledger.Ranked, string, error)) (all []standing) {
	t.Helper()
	for after, more := "", true; more; more = after != "" {
		if len(all) > 100 {
			t.Fatalf("the pages have no end: %v", all)
		}
		page, next, err := read(after)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page {
			all = append(all, standing{r.PlayerID, r.Rank, r.Rating.Value})
		}
		after = next
	}
	return all
}

// TestRankingInPages ranks players with few different ratings: pages of any size make up the same ranking, in which
// equal ratings share a rank. Players without a rating yet, and those who have not played of late, are left out.
func TestRankingInPages(t *testing.T) {
	k := open(t)
	rapid.Check(t, func(r *rapid.T) {
		k.empty(t)
		var rows []ledger.Row
		var want []standing
		since := rapid.Int64Range(0, 600).Draw(r, "since")
		for i := range rapid.IntRange(0, 8).Draw(r, "players") {
			row := rated(int64(i+1), 1, fmt.Sprint("player", i), 1500+10*float64(rapid.IntRange(0, 2).Draw(r, "value")))
			row.Unrated = rapid.IntRange(0, 4).Draw(r, "unrated") == 0
			rows = append(rows, row)
			if !row.Unrated && row.At >= since {
				want = append(want, standing{row.PlayerID, 0, row.After})
			}
		}
		slices.SortStableFunc(want, func(a, b standing) int { return cmp.Compare(b.value, a.value) })
		for i := range want {
			want[i].rank = 1 + slices.IndexFunc(want, func(s standing) bool { return s.value == want[i].value })
		}
		if err := k.Record(t.Context(), 0, int64(len(rows)), rows); err != nil {
			r.Fatal(err)
		}
		limit := rapid.IntRange(1, 4).Draw(r, "limit")
		now := pages(t, func(after string) ([]ledger.Ranked, string, error) {
			return k.Ranking(t.Context(), list, since, limit, after)
		})
		then := pages(t, func(after string) ([]ledger.Ranked, string, error) {
			return k.AsOf(t.Context(), list, since, 10_000, limit, after)
		})
		if !slices.Equal(now, want) || !slices.Equal(then, want) {
			r.Errorf("in pages of %d now %v, as of a moment %v, want %v", limit, now, then, want)
		}
	})
	if _, _, err := k.Ranking(t.Context(), list, 0, 1, "nonsense"); err == nil {
		t.Error("a cursor of no ranking is taken")
	}
}

// TestGamesOfPlayers reads games between two players, and games of a player that were not rated.
func TestGamesOfPlayers(t *testing.T) {
	k := open(t)
	k.ended(t, 1, "ann", "bob", 100)
	k.ended(t, 2, "bob", "ann", 200)
	k.ended(t, 3, "ann", "cid", 300)
	k.exec(t, "UPDATE outbox SET tournament_id = 't' WHERE seq = 2")
	var rows []ledger.Row
	for seq := int64(1); seq <= 2; seq++ {
		rows = append(rows, rated(seq, 1, "ann", 1500), rated(seq, 2, "bob", 1500))
	}
	if err := k.Record(t.Context(), 0, 3, rows); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name          string
		until, before int64
		want          []ledger.Meeting
	}{
		{"all", 1000, 9, []ledger.Meeting{{At: 100, Casual: true}, {At: 200}}},
		{"until the second ended", 200, 9, []ledger.Meeting{{At: 100, Casual: true}}},
		{"before the second", 1000, 2, []ledger.Meeting{{At: 100, Casual: true}}},
	} {
		met, err := k.Meetings(t.Context(), list, [2]string{"ann", "bob"}, 0, tt.until, tt.before)
		if err != nil || !reflect.DeepEqual(met, tt.want) {
			t.Errorf("%s: %+v (%v), want %+v", tt.name, met, err, tt.want)
		}
	}
	uncounted, err := k.Uncounted(t.Context(), list, "ann", 10)
	if err != nil || len(uncounted) != 1 || uncounted[0].GameID != "game3" {
		t.Errorf("not rated: %+v (%v), want game3", uncounted, err)
	}
	games, err := k.Games(t.Context(), []string{"game1", "game3", "unknown"})
	if err != nil || len(games) != 2 || len(games["game1"].Rows) != 2 || len(games["game3"].Rows) != 0 {
		t.Errorf("games with their rows: %+v (%v)", games, err)
	}
}
