package systems

import (
	"context"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"quatuor/rating"
	"quatuor/rating/ledger"
)

// club5 is a ledger's store and reader in memory, for a list of new players.
type club5 struct {
	ledger.Reader // not called
	now           map[string]rating.Rating
}

func (c club5) Current(_ context.Context, _ string, players []string) (map[string]rating.Rating, error) {
	current := map[string]rating.Rating{}
	for _, p := range players {
		if r, ok := c.now[p]; ok {
			current[p] = r
		}
	}
	return current, nil
}

func (club5) Meetings(context.Context, string, [2]string, int64, int64, int64) ([]ledger.Meeting, error) {
	return nil, nil
}

// TestTheExplanationAddsUp: the parts of each change add up to it, and the changes of games that follow each other to
// the difference of the ratings, to the hundredth, in every system.
func TestTheExplanationAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		system := rapid.SampledFrom(Names).Draw(t, "system")
		c, err := Parse(fmt.Appendf(nil, `{"lists": [{"list": "*", "system": %q}]}`, system), families, classes)
		if err != nil {
			t.Fatal(err)
		}
		most := 5
		if c.Rules("quixo-blitz").Duels {
			most = 2
		}
		all := []string{"ada", "bob", "cyd", "dan", "eve"}
		r := club5{now: map[string]rating.Rating{}}
		for _, p := range all {
			r.now[p] = rating.Rating{Value: float64(rapid.IntRange(1400, 2300).Draw(t, "rating"))}
		}
		first, sum := math.Round(r.now["ada"].Value*100), int64(0)
		for g := range rapid.IntRange(1, 8).Draw(t, "games") {
			n := rapid.IntRange(2, most).Draw(t, "seats")
			f := ledger.Finished{GameID: fmt.Sprint(g), List: "quixo-blitz", Rated: true, FinishedAt: int64(g) * 9 * 86_400_000}
			f.Players = append([]string{"ada"}, rapid.Permutation(all[1:]).Draw(t, "others")[:n-1]...)
			for i := range n {
				f.Sides, f.Moved = append(f.Sides, i+1), append(f.Moved, true)
				f.Ranks = append(f.Ranks, rapid.IntRange(1, n).Draw(t, "rank"))
			}
			f.Marked = rapid.SampledFrom([][]bool{nil, append([]bool{true}, make([]bool, n-1)...)}).Draw(t, "marked")
			rows, err := ledger.Preview(t.Context(), r, c, f)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				r.now[row.PlayerID] = row.Rating()
			}
			e, ok := c.Explain(ledger.RatedGame{Finished: f, Rows: rows}, "ada")
			if !ok || len(e.Vs) != n-1 {
				t.Fatalf("not explained: %+v", e)
			}
			points, parts, expected, scored := 0.0, int64(0), 0.0, 0.0
			for _, o := range e.Vs {
				points += o.Points
				parts += o.Cents
				expected += o.Expected / float64(n-1)
				scored += o.Score / float64(n-1)
			}
			additive := e.Vs[0].Additive
			if additive && !e.Refunded && (parts != e.Cents || math.Abs(points-e.Change) > 1e-9) {
				t.Fatalf("parts come to %v and %d hundredths, not %v and %d", points, parts, e.Change, e.Cents)
			}
			if additive && n > 2 && !e.Refunded && math.Abs(points-e.K*(scored-expected)) > 1e-9 {
				t.Fatalf("%v is not K %v times %v − %v", points, e.K, scored, expected)
			}
			if !additive && system != "plackett-luce" {
				t.Fatalf("%s is not taken apart", system)
			}
			sum += e.Cents
		}
		if last := math.Round(r.now["ada"].Value * 100); int64(last-first) != sum {
			t.Fatalf("changes add up to %d hundredths, from %v to %v", sum, first, last)
		}
	})
}

// TestProspect: what a game would do follows the published formula.
func TestProspect(t *testing.T) {
	r := club5{now: map[string]rating.Rating{"ada": {Value: 1800, Games: 30}, "bob": {Value: 1900, Games: 30}}}
	var c *Config
	p, ok, err := c.Prospect(t.Context(), r, "quixo-blitz", [][]string{{"ada"}, {"bob"}}, "ada", time.UnixMilli(0))
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	e := 1 / (1 + math.Pow(10, 0.25))
	for _, tt := range []struct{ got, score float64 }{{p.Win, 1}, {p.Draw, 0.5}, {p.Loss, 0}} {
		if want := 20 * (tt.score - e); math.Abs(tt.got-want) > 1e-12 {
			t.Errorf("for %v: %v, not %v", tt.score, tt.got, want)
		}
	}
	if _, ok, err = c.Prospect(t.Context(), r, "quixo-blitz", [][]string{{"ada"}, {"ada"}}, "ada",
		time.UnixMilli(0)); ok || err != nil {
		t.Errorf("a game against oneself: %v, %v", ok, err)
	}
}
