package ledger

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"quatuor/rating"
	"quatuor/rating/elo"
	"quatuor/rating/glicko2"
	"quatuor/rating/plackettluce"
)

// independently rates the final results of an outbox in order of first finish, without a ledger.
func independently(t rapid.TB, m *memory, by ...Regulation) []Row {
	t.Helper()
	last, first := map[string]Finished{}, []string{}
	place := map[string]int64{}
	for _, f := range m.outbox {
		if _, known := last[f.GameID]; !known {
			first, place[f.GameID] = append(first, f.GameID), f.Seq
		}
		last[f.GameID] = f
	}
	b := newBook(append(by, Uniform{elo.Club{}})[0])
	for p, r := range m.given {
		b.ratings[p] = r
	}
	var rows []Row
	for _, id := range first {
		f := last[id]
		f.Seq = place[id]
		if f.rated() == nil {
			continue
		}
		more, err := b.rate(f)
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, more...)
	}
	return rows
}

// lists is a regulation by list.
type lists map[string]Rules

func (l lists) Rules(list string) Rules { return l[list] }

// regulations draws the rules of the lists.
func regulations(t *rapid.T) Regulation {
	by := lists{}
	for _, list := range []string{"quixo-blitz", "quits-rapid"} {
		by[list] = Rules{
			System: rapid.SampledFrom([]rating.System{
				elo.Club{},
				glicko2.Games{},
				plackettluce.System{},
				rating.Live{By: glicko2.Periods{}},
				rating.Live{By: elo.FIDE{Settings: elo.Settings{Start: rating.Set(1500)}}, Length: rating.Quarter},
				rating.Live{By: elo.FIDE{}},
			}).Draw(t, "system"),
			MinMoves: rapid.IntRange(0, 2).Draw(t, "moves"),
		}
		for _, period := range []rating.Length{rating.Day, rating.Month, rating.Year} {
			if games := rapid.IntRange(0, 3).Draw(t, "limit"); games > 0 {
				rules := by[list]
				rules.Limits = append(rules.Limits, PairLimit{Games: games, Period: period, Casual: rapid.Bool().Draw(t, "casual")})
				by[list] = rules
			}
		}
	}
	return by
}

// TestCorrectionsInAnyOrder: whatever is finished, corrected, removed and entered again, by several ledgers that crash
// before and after their commits, the rows are those of the final results in order of first finish.
func TestCorrectionsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, by := newMemory(), regulations(t)
		m.corrects = true
		m.given[place{"quixo-blitz", "ada"}] = elo.Club{}.Start()
		crashes := rapid.IntRange(0, 5)
		m.beforeCommit = func(int) error {
			if crashes.Draw(t, "crash before") == 0 {
				return errCrash
			}
			return nil
		}
		m.afterCommit = func(int) error {
			if crashes.Draw(t, "crash after") == 0 {
				return errCrash
			}
			return nil
		}
		ledgers := []*Ledger{NewBy(m, by), NewBy(m, by)}
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			f := duel(fmt.Sprint("g", rapid.IntRange(1, 12).Draw(t, "game")), "ada", "bob")
			f.Players = rapid.Permutation([]string{"ada", "bob", "cyd"}).Draw(t, "players")[:2]
			f.List = []string{"quixo-blitz", "quits-rapid"}[len(f.GameID)%2]
			for _, known := range m.outbox {
				if known.GameID == f.GameID {
					f.Players = known.Players // a game keeps its players
				}
			}
			f.Moved, f.Plies = []bool{true, true}, 0
			f.Rated = rapid.IntRange(0, 4).Draw(t, "rated") > 0
			f.Reason = rapid.SampledFrom([]string{"line", "resignation", "agreement"}).Draw(t, "reason")
			f.Tournament, f.Fewest = f.GameID[len(f.GameID)-1]%3 == 0, rapid.IntRange(NotCounted, 2).Draw(t, "fewest")
			f.Ranks = rapid.SampledFrom([][]int{{1, 2}, {2, 1}, {1, 1}, nil}).Draw(t, "ranks")
			f.FinishedAt = rapid.SampledFrom([]int64{0, 40, 80, 400}).Draw(t, "day") * 86_400_000
			f.Marked = rapid.SampledFrom([][]bool{nil, nil, {true, false}, {false, true}}).Draw(t, "marked")
			m.finish(f)
			if rapid.Bool().Draw(t, "catch up") {
				_, err := rapid.SampledFrom(ledgers).Draw(t, "ledger").CatchUp(context.Background())
				if err != nil && !errors.Is(err, errCrash) {
					t.Fatal(err)
				}
			}
		}
		m.beforeCommit, m.afterCommit = nil, nil
		if _, err := ledgers[0].CatchUp(context.Background()); err != nil {
			t.Fatal(err)
		}
		want := independently(t, m, by)
		if fmt.Sprint(m.rows) != fmt.Sprint(want) {
			t.Fatalf("rows\n%v\nwant\n%v", m.rows, want)
		}
		report, err := ledgers[0].Verify(context.Background())
		if err != nil || !report.OK() {
			t.Fatalf("verified: %+v, %v", report, err)
		}
		if _, err := ledgers[0].Recompute(context.Background()); err != nil || fmt.Sprint(m.rows) != fmt.Sprint(want) {
			t.Fatalf("recomputed: %v, %v", m.rows, err)
		}
	})
}

// TestACorrectionTouchesNoEarlierRow, and none of another list.
func TestACorrectionTouchesNoEarlierRow(t *testing.T) {
	other := duel("other", "ada", "bob")
	other.List = "quits-rapid"
	m := newMemory(append(many(6), other)...)
	m.corrects = true
	catch(t, m)
	was := m.rows
	f := m.outbox[4]
	f.Ranks = nil
	m.finish(f)
	catch(t, m)
	if fmt.Sprint(m.rows[:8]) != fmt.Sprint(was[:8]) {
		t.Error("rows before the game have changed")
	}
	if n := len(m.rows); n != len(was)-2 || fmt.Sprint(m.rows[n-2:]) != fmt.Sprint(was[len(was)-2:]) {
		t.Errorf("%d rows of %d, or those of the other list have changed", n, len(was))
	}
}
